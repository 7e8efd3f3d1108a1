import * as z from 'zod/mini';
import { ArrivedPesewas } from '../../ghana/arrived.ts';
import { isMobileNumber, Network, networks } from '../../ghana/network.ts';
import { Proof } from '../../wallets/chain/proof.ts';
import { isNamed, nameWords } from '../charge/customer-name.ts';
import { Marked, MatchedBy } from '../payment/payment.ts';
import { isAlikeName } from './alike-name.ts';

/** Reasons for holding a payment, described in `responses.ts`. */
export const HeldReason = z.enum([
  'amount_differs',
  'amount_of_another',
  'already_paid',
  'charge_expired',
  'before_charge',
  'charge_cancelled',
  'charge_reversed',
  'charge_disputed',
  'reference_unclear',
  'name_differs',
  'several_fit',
  'too_many_open',
  'name_only',
  'no_charge',
  'conflict',
  'network_differs',
  'number_unknown',
  'number_not_placed',
  'checking',
  'balance_gap',
  'balance_unsure',
  'anchor_young',
  'clock_odd',
  'balance_impossible',
  'large_amount',
  'reversed',
]);
export type HeldReason = z.infer<typeof HeldReason>;

export const ReceiptState = z.enum(['held', 'unread', 'matched']);
export type ReceiptState = z.infer<typeof ReceiptState>;

export const SetAside = z.object({
  at: z.string(),
  by: z.string(),
  why: z.optional(z.string()),
  sent_back: z.optional(z.boolean()),
});
export type SetAside = z.infer<typeof SetAside>;

export const Receipt = z.object({
  receipt_id: z.string(),
  state: ReceiptState,
  reason: z.optional(HeldReason),
  merchant_id: z.optional(z.string()),
  network: z.optional(Network),
  momo_number: z.optional(z.string()),
  /**
   * Numbers assigned to the phone, if it did not report which SIM received the text. The text concerns one of these
   * numbers.
   */
  numbers_of_phone: z.optional(z.array(z.string())),
  /**
   * Merchant who already sees the payment in another way, such as a bill marked as paid with its id. Set only if the
   * number is unknown, and `merchant_id` is then unset, so that the merchant does not see the payment twice.
   */
  known_to: z.optional(z.string()),
  transaction_id: z.optional(z.string()),
  amount_pesewas: z.optional(ArrivedPesewas),
  balance_pesewas: z.optional(z.number()),
  payer_name: z.optional(z.string()),
  payer_phone: z.optional(z.string()),
  /**
   * Phone number in the reference field of a payment from another network. A claim code can be sent to this number, but
   * the number does not identify the payer, who may have typed any number.
   */
  said_phone: z.optional(z.string()),
  payer_reference: z.optional(z.string()),
  sender: z.optional(z.string()),
  text: z.optional(z.string()),
  received_at: z.string(),
  proof: z.optional(Proof),
  matched_by: z.optional(MatchedBy),
  looked_by: z.optional(z.string()),
  marked: z.optional(Marked),
  contradicted_by: z.optional(z.array(z.string())),
  /**
   * Ids in `contradicted_by` of texts that do not contradict this payment: they agree with this mark as paid, or a
   * person did not find their money.
   */
  agreed_by: z.optional(z.array(z.string())),
  /**
   * True if a person undid the payment with which this text conflicted. The text is then the only one about its payment,
   * although its receipt id may be that of a second text.
   */
  first_undone: z.optional(z.boolean()),
  /**
   * Set when a text reported a reversal without proving it, or when late texts contradicted a reversal. If the payment
   * counted, its charge was disputed.
   */
  reversal_doubt_at: z.optional(z.string()),
  /**
   * Time when the wallet's balance fell by the amount of this matched payment without a text (ISO). Becomes a doubt once
   * the payment is held again.
   */
  reversal_suspected_at: z.optional(z.string()),
  /** Hold reason without the doubt, if only the balance caused `reversal_doubt_at`. Customers never see such a doubt. */
  unsuspected_reason: z.optional(HeldReason),
  /**
   * The number to which the text about the reversal was sent. Set on a mark as paid if a different number was typed.
   */
  reversal_doubt_number: z.optional(z.string()),
  /**
   * True if the balance in a reversal's text verified the reversal. Late texts can then no longer contradict the
   * reversal.
   */
  reversal_verified: z.optional(z.boolean()),
  /** True if a text to another wallet has taken over this matched payment's id. See `takeOverUse`. */
  use_lost: z.optional(z.boolean()),
  /**
   * Charge that the payment pays in full or in part. For a text that could not be parsed: the charge that a person
   * marked as paid from this text.
   */
  reference: z.optional(z.string()),
  suggested_reference: z.optional(z.string()),
  /** Set once a person has set a held payment aside. The payment then confirms nothing automatically. */
  set_aside: z.optional(SetAside),
  released_by: z.optional(z.string()),
  /** True if the payment was verified when it was released to tills, so that nobody said that its money arrived. */
  released_verified: z.optional(z.boolean()),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Receipt = z.infer<typeof Receipt>;

export type Origin = Pick<
  Receipt,
  | 'momo_number'
  | 'numbers_of_phone'
  | 'known_to'
  | 'sender'
  | 'text'
  | 'received_at'
  | 'merchant_id'
  | 'expires_at_epoch_seconds'
>;

export const receiptLists = [...ReceiptState.options, 'set_aside', 'decided'] as const;
export type ReceiptList = (typeof receiptLists)[number];

export function listOf(receipt: Pick<Receipt, 'state' | 'set_aside' | 'reference'>): ReceiptList {
  const { state, set_aside } = receipt;
  if (state === 'unread') return isUndecidedText(receipt) ? 'unread' : 'decided';
  return state === 'held' && set_aside ? 'set_aside' : state;
}

/**
 * Derives a receipt's id from the network, the paid number and the network's transaction id. All copies of a payment's
 * text get the same id, and customers can find the payment by its transaction id.
 */
export function paymentReceiptId(network: Network, momoNumber: string | undefined, transactionId: string): string {
  return `${network}-${momoNumber?.slice(1) ?? 'unknown'}-${transactionId}`;
}

/** Derives the id of an unread text from the id that its payment will have if the text's balance is verified. */
export function unverifiedTextId(receiptId: string): string {
  return `TEXT-${receiptId}`;
}

/** Returns the paid number in the id of a payment's receipt, if the phone reported it. */
export function numberInReceiptId(receiptId: string): string | undefined {
  const [, number] = /^[A-Z]+-(\d+)-/.exec(receiptId) ?? [];
  return number && `+${number}`;
}

/** Reads a payment from its own receipt id. Returns undefined for any other receipt id. */
export function paymentOfReceiptId(receiptId: string) {
  const [, network = '', number, transaction_id] = /^([A-Z]+)-(\d+)-([^-]+)$/.exec(receiptId) ?? [];
  const known = z.safeParse(Network, network);
  if (!known.success || transaction_id === undefined) return undefined;
  return { network: known.data, momo_number: `+${number}`, transaction_id };
}

export type PaymentReceipt = Receipt & Required<Pick<Receipt, 'network' | 'transaction_id' | 'amount_pesewas'>>;

export function codePhoneOf({ payer_phone, said_phone }: Receipt): string | undefined {
  const phone = payer_phone ?? said_phone;
  return phone && isMobileNumber(phone) ? phone : undefined;
}

/** True for a receipt that contains a payment's own fields, unlike an unread text or an early reversal. */
export function isPayment(receipt: Receipt): receipt is PaymentReceipt {
  const { network, transaction_id, amount_pesewas } = receipt;
  return network !== undefined && transaction_id !== undefined && amount_pesewas !== undefined;
}

/**
 * True if one of these payments has the same amount and payer as this one, in any spelling. Only their ids tell them
 * apart.
 */
export function looksLikeAnother({ receipt_id, amount_pesewas, payer_name }: Told, all: readonly Told[]): boolean {
  const isAlike = (one: Told) => one.amount_pesewas === amount_pesewas && isAlikeName(one.payer_name, payer_name);
  return amount_pesewas !== undefined && all.some((one) => one.receipt_id !== receipt_id && isAlike(one));
}

type Told = Pick<Receipt, 'receipt_id' | 'amount_pesewas' | 'payer_name'>;

export function isAssignable(receipt: Receipt): receipt is PaymentReceipt {
  const { state, reason } = receipt;
  return isPayment(receipt) && state === 'held' && reason !== 'reversed' && !isUndoneMark(receipt);
}

/**
 * Returns true if the receipt's mark as paid was undone. If the marked charge expired instead, the receipt has a hold
 * reason.
 */
export function isUndoneMark({ state, reason, marked }: Receipt): boolean {
  return marked !== undefined && state === 'held' && reason === undefined;
}

/** Returns true for a text without a merchant whose payment no merchant sees in another way. */
export function isUnseen({ merchant_id, known_to }: Pick<Receipt, 'merchant_id' | 'known_to'>): boolean {
  return merchant_id === undefined && known_to === undefined;
}

/** Returns the person who released an unverified payment to tills, and so said that its money arrived. */
export function vouchedAtTills({ released_by, released_verified }: Receipt): string | undefined {
  return released_verified ? undefined : released_by;
}

/** Returns true for the doubt about a reversal that was stored before the payment's text arrived. */
export function isDoubtOnly({ amount_pesewas, reversal_doubt_at }: Receipt): boolean {
  return amount_pesewas === undefined && reversal_doubt_at !== undefined;
}

export function isUndecidedText({
  state,
  set_aside,
  reference,
}: Pick<Receipt, 'state' | 'set_aside' | 'reference'>): boolean {
  return state === 'unread' && !set_aside && reference === undefined;
}

/** True for a payment whose money a person did not find in the wallet, unless it has been verified since. */
export function isNotThere({ set_aside, proof }: Pick<Receipt, 'set_aside' | 'proof'>): boolean {
  return set_aside?.why === NOT_THERE && proof?.state !== 'proven';
}

export const NOT_THERE = 'The money is not in the wallet.';

export function factsOf({
  amount_pesewas,
  payer_name,
  payer_reference,
  balance_pesewas,
}: Omit<Receipt, 'state'>): string {
  return [amount_pesewas, balance_pesewas, ...[payer_name, payer_reference].map(comparable)].join('\n');
}

function comparable(words = ''): string {
  return words.toUpperCase().replace(/\s+/g, ' ').trim();
}

/** True if two references are equal, except for characters that were masked in one of them before it was stored. */
export function isSameReference(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [[...comparable(one)], [...comparable(other)]];
  const isSame = (character: string, n: number) => [character, '*'].includes(second[n] ?? '') || character === '*';
  return first.length === second.length && first.every(isSame);
}

/**
 * True if two texts about a payment agree in every field that both contain. An erased text contains no payer. A marked
 * charge's receipt contains only the typed amount and payer.
 */
export function isSameText(one: Omit<Receipt, 'state'>, other: Omit<Receipt, 'state'>): boolean {
  if (one.marked) return isAsTyped(one, other);
  if (other.marked) return isAsTyped(other, one);
  if (one.text !== undefined && other.text !== undefined) {
    const [facts, others] = [one, other].map((text) => factsOf({ ...text, payer_reference: undefined }));
    return facts === others && isSameReference(one.payer_reference, other.payer_reference);
  }
  return one.amount_pesewas === other.amount_pesewas && one.balance_pesewas === other.balance_pesewas;
}

/** True if two texts are copies of each other, of which only one states the SIM number. */
export function isCopy(one: Omit<Receipt, 'state'>, other: Omit<Receipt, 'state'>): boolean {
  return (one.momo_number === undefined || other.momo_number === undefined) && isSameText(one, other);
}

function isAsTyped(typed: Omit<Receipt, 'state'>, read: Omit<Receipt, 'state'>): boolean {
  return (
    typed.amount_pesewas === read.amount_pesewas && isNamed(nameWords(typed.payer_name ?? ''), read.payer_name ?? '')
  );
}

/**
 * True if two texts may be about the same wallet. A phone's texts are trusted only for numbers assigned to that phone.
 */
export function mayShareWallet(one: OfNumber, other: OfNumber): boolean {
  const [ofOne, ofOther] = [one, other].map(({ momo_number, numbers_of_phone }) =>
    momo_number ? [momo_number] : numbers_of_phone,
  );
  return !ofOne || !ofOther || ofOne.some((number) => ofOther.includes(number));
}

type OfNumber = Pick<Receipt, 'momo_number' | 'numbers_of_phone'>;

const PREFIX = 'TEST';
const CASH = 'CASH';

/** Creates an id for a cash payment. Network ids never begin with four or more letters. */
export function newCashId(randomBytes: (length: number) => Buffer): string {
  return `${CASH}${String(randomBytes(8).readBigUInt64BE()).padStart(20, '0').slice(-12)}`;
}

/**
 * Creates an id that only test payments have: network ids never begin with so many letters. The first digit is never 0,
 * because such an id could not be claimed.
 */
export function newTestTransactionId(network: Network, randomBytes: (length: number) => Buffer): string {
  const least = 10n ** BigInt(networks[network].transactionId.digits - 1);
  return testTransactionId(String(least + (randomBytes(8).readBigUInt64BE() % (9n * least))));
}

export function testTransactionId(digits: string): string {
  return PREFIX + digits;
}

export function isTestTransactionId(id: string): boolean {
  return id.startsWith(PREFIX);
}
