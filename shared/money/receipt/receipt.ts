import * as z from 'zod/mini';
import { ArrivedPesewas } from '../../ghana/arrived.ts';
import { isMobileNumber, Network, networks } from '../../ghana/network.ts';
import { Proof } from '../../wallets/chain/proof.ts';
import { isNamed, nameWords } from '../charge/customer-name.ts';
import { Marked, MatchedBy } from '../payment/payment.ts';

/** Why a payment's receipt was not matched automatically. */
export const HeldReason = z.enum([
  /** Its reference is a charge's, it is too small, and the charge accepts no more parts. */
  'amount_differs',
  /** Its reference is a charge's, and its amount is not: it is exactly what another charge of the same customer lacks. */
  'amount_of_another',
  /** The charge that its reference names was paid already. */
  'already_paid',
  /** The charge that its reference names had expired when it was paid, or expired before all of it was paid. */
  'charge_expired',
  /** It came before the charge that its reference names was created: an old text that was told again, or a forged one. */
  'before_charge',
  /** The charge that its reference names had been cancelled. */
  'charge_cancelled',
  /** Another payment of the charge that it was counted towards, or that its reference names, was reversed. */
  'charge_reversed',
  /** Something that arrived for the charge that its reference names is in doubt. */
  'charge_disputed',
  /** Its reference field holds something meant as a charge's reference that is none of this number's, or it holds two. */
  'reference_unclear',
  /** Charges for this amount were made lately, none in the payer's name. */
  'name_differs',
  /** More than one charge fits the amount and the name. */
  'several_fit',
  /** Too many charges of this amount are open for the payer's name to be compared with all. */
  'too_many_open',
  /** A charge fits the payer's name, and the amount is more than its merchant lets a name decide. */
  'name_only',
  /** No charge for this amount was made lately on this number. */
  'no_charge',
  /** Another text reported the same payment with different details: one of them is false. */
  'conflict',
  /** The number that was paid is an account with another network. */
  'network_differs',
  /** The phone did not report which number was paid, and nothing else does. */
  'number_unknown',
  /** The number that the phone reports is in no phone here. */
  'number_not_placed',
  /** A text of the wallet's that came before it may still be on its way. */
  'checking',
  /** The balance that its text states does not continue the wallet's: a text before it is missing, or it is forged. */
  'balance_gap',
  /** The wallet's balance may be guessed: too many of its texts failed to link, or it was empty. The owner's word decides. */
  'balance_unsure',
  /** The network's id in its text does not belong to the time at which it came. */
  'clock_odd',
  /** Its text states a balance that is less than the payment itself brought. */
  'balance_impossible',
  /** It is for more than its merchant lets any text confirm. */
  'large_amount',
  /** The network reversed the payment. */
  'reversed',
]);
export type HeldReason = z.infer<typeof HeldReason>;

export const ReceiptState = z.enum(['held', 'unread', 'matched']);
export type ReceiptState = z.infer<typeof ReceiptState>;

/** A person's word that a held payment is for no charge (a friend's transfer, or sent back to its payer): who, when and why. */
export const SetAside = z.object({
  at: z.string(),
  /** The id of the person, or the key as the audit names it. */
  by: z.string(),
  why: z.optional(z.string()),
  sent_back: z.optional(z.boolean()),
});
export type SetAside = z.infer<typeof SetAside>;

/** A network's text that was stored: a payment, matched or held, or a text that could not be read. */
export const Receipt = z.object({
  receipt_id: z.string(),
  state: ReceiptState,
  reason: z.optional(HeldReason),
  /** Unset if the paid number belongs to no merchant or to several. */
  merchant_id: z.optional(z.string()),
  network: z.optional(Network),
  momo_number: z.optional(z.string()),
  transaction_id: z.optional(z.string()),
  amount_pesewas: z.optional(ArrivedPesewas),
  /** The wallet's balance after the text, as it states. */
  balance_pesewas: z.optional(z.number()),
  payer_name: z.optional(z.string()),
  payer_phone: z.optional(z.string()),
  /**
   * The number that paid from another network, as the reference field says. A payer could have typed it: a code may be sent
   * there, and nothing else follows from it.
   */
  said_phone: z.optional(z.string()),
  /** The payer's text. */
  payer_reference: z.optional(z.string()),
  sender: z.optional(z.string()),
  text: z.optional(z.string()),
  received_at: z.string(),
  /** The proof by the wallet's other texts. */
  proof: z.optional(Proof),
  matched_by: z.optional(MatchedBy),
  /** The same as in its charge's payment. */
  looked_by: z.optional(z.string()),
  /** The same as in its charge's payment. What a machine reads of the payment later takes the place of the row. */
  marked: z.optional(Marked),
  /** The receipts of texts that contradict a marked payment. */
  contradicted_by: z.optional(z.array(z.string())),
  /** The charge it paid, or is a part of; of a text that could not be read, the one that was marked as paid from it. */
  reference: z.optional(z.string()),
  /** While it is held: the charge that was meant, where that is certain. */
  suggested_reference: z.optional(z.string()),
  /** While it is held: a person has said that it is for no charge. It confirms none by itself any more. */
  set_aside: z.optional(SetAside),
  /** While it is held: the id of the person who lets a till take it although nothing proves it. */
  released_by: z.optional(z.string()),
  /** When its row is removed. */
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Receipt = z.infer<typeof Receipt>;

/** Fields shared by every receipt of one text. */
export type Origin = Pick<
  Receipt,
  'momo_number' | 'sender' | 'text' | 'received_at' | 'merchant_id' | 'expires_at_epoch_seconds'
>;

/** The lists of a merchant's receipts. Held payments that were set aside stand apart, as do unread texts that somebody has decided about. */
export const receiptLists = [...ReceiptState.options, 'set_aside', 'decided'] as const;
export type ReceiptList = (typeof receiptLists)[number];

export function listOf(receipt: Pick<Receipt, 'state' | 'set_aside' | 'reference'>): ReceiptList {
  const { state, set_aside } = receipt;
  if (state === 'unread') return isUndecidedText(receipt) ? 'unread' : 'decided';
  return state === 'held' && set_aside ? 'set_aside' : state;
}

/**
 * Identifies a payment by network, number paid and the network's id. Its second copy has the same id, whatever the phone
 * calls the event, and a charge's page finds it from what the customer types.
 */
export function paymentReceiptId(network: Network, momoNumber: string | undefined, transactionId: string): string {
  return `${network}-${momoNumber?.slice(1) ?? 'unknown'}-${transactionId}`;
}

/** A receipt of a payment, with everything that a charge stores about it. */
export type PaymentReceipt = Receipt & Required<Pick<Receipt, 'network' | 'transaction_id' | 'amount_pesewas'>>;

/** The number that may get a claim code: the mobile number that paid, as the text states. A landline gets no texts. */
export function codePhoneOf({ payer_phone, said_phone }: Receipt): string | undefined {
  const phone = payer_phone ?? said_phone;
  return phone && isMobileNumber(phone) ? phone : undefined;
}

/** True if a receipt may still be assigned to a charge: held, a real payment, not reversed, and no undone mark. */
export function isAssignable(receipt: Receipt): receipt is PaymentReceipt {
  const { state, reason, network, transaction_id, amount_pesewas } = receipt;
  const isPayment = network !== undefined && transaction_id !== undefined && amount_pesewas !== undefined;
  return isPayment && state === 'held' && reason !== 'reversed' && !isUndoneMark(receipt);
}

/** True for a mark that a person undid. A mark that is held because its charge ended has a reason. */
export function isUndoneMark({ state, reason, marked }: Receipt): boolean {
  return marked !== undefined && state === 'held' && reason === undefined;
}

/** True for a text that could not be read, while nobody has said what it is. */
export function isUndecidedText({
  state,
  set_aside,
  reference,
}: Pick<Receipt, 'state' | 'set_aside' | 'reference'>): boolean {
  return state === 'unread' && !set_aside && reference === undefined;
}

/** Facts on which two texts of one payment must agree: amount, payer, reference and balance. */
export function factsOf({
  amount_pesewas,
  payer_name,
  payer_reference,
  balance_pesewas,
}: Omit<Receipt, 'state'>): string {
  const words = [payer_name, payer_reference].map((text = '') => text.toUpperCase().replace(/\s+/g, ' ').trim());
  return [amount_pesewas, balance_pesewas, ...words].join('\n');
}

/**
 * True if two texts of one payment say the same about it, as far as is known: the operator may have erased the payer of one. A person who
 * marked a charge as paid typed the amount and the payer, and no more.
 */
export function isSameText(one: Omit<Receipt, 'state'>, other: Omit<Receipt, 'state'>): boolean {
  if (one.marked) return isAsTyped(one, other);
  if (other.marked) return isAsTyped(other, one);
  if (one.text !== undefined && other.text !== undefined) return factsOf(one) === factsOf(other);
  return one.amount_pesewas === other.amount_pesewas && one.balance_pesewas === other.balance_pesewas;
}

/** True if a text agrees with what a person typed about its payment. They may have left out a name. */
function isAsTyped(typed: Omit<Receipt, 'state'>, read: Omit<Receipt, 'state'>): boolean {
  return (
    typed.amount_pesewas === read.amount_pesewas && isNamed(nameWords(typed.payer_name ?? ''), read.payer_name ?? '')
  );
}

const PREFIX = 'TEST';
const CASH = 'CASH';

/** The id of cash, which has no wallet. No network's id begins with so many letters. */
export function newCashId(randomBytes: (length: number) => Buffer): string {
  return `${CASH}${String(randomBytes(8).readBigUInt64BE()).padStart(20, '0').slice(-12)}`;
}

/**
 * The id of a payment that only a test has. No network's id begins with so many letters. Its digits begin with no zero, as theirs, or nobody
 * could claim it.
 */
export function newTestTransactionId(network: Network, randomBytes: (length: number) => Buffer): string {
  const least = 10n ** BigInt(networks[network].transactionId.digits - 1);
  return testTransactionId(String(least + (randomBytes(8).readBigUInt64BE() % (9n * least))));
}

/** The test's id with these digits. */
export function testTransactionId(digits: string): string {
  return PREFIX + digits;
}

export function isTestTransactionId(id: string): boolean {
  return id.startsWith(PREFIX);
}
