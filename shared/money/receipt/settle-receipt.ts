import { createHash } from 'node:crypto';
import type { Network } from '../../ghana/network.ts';
import type { Reading, WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { type AccountOfNumber, listAccountsOfNumber } from '../../merchants/merchant/merchant.table.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { Checked } from '../../wallets/chain/check-text.ts';
import { paidNumber, unplacedNumber } from '../../wallets/wallet/paid-number.ts';
import { receivedAt } from '../../wallets/wallet/received-at.ts';
import { disputeTransaction, noteUnproven } from '../transaction/change-transaction.table.ts';
import { admit, reasonFor } from './admit.ts';
import { countPart } from './charge-parts.ts';
import { decide } from './decide.ts';
import type { Decision } from './match.ts';
import { whileOthersWrite } from './overtaken.ts';
import { payWithReceipt } from './pay-with-receipt.ts';
import { getPaymentUse, type PaymentUse, PaymentUsed } from './payment-use.table.ts';
import { createReceipt, getReceipt, ReceiptChanged, replaceReceipt } from './receipt.table.ts';
import { type HeldReason, type Origin, type PaymentReceipt, paymentReceiptId, type Receipt } from './receipt.ts';
import { contradictionOf, factsOf, isSameText } from './same-text.ts';
import { settleReversal } from './settle-reversal.ts';
import { UnprovenLimitReached } from './unproven-limit.table.ts';

/**
 * Settles a text that arrived at a phone: a payment is matched to its charge, or held or kept unread for a person; a
 * reversal takes its payment back; a network's other texts are ignored, and texts of other senders are not stored to begin with.
 * Settling a text again changes nothing. `checked` is what the wallet's other texts say about it.
 * @returns the receipt of a reversal that the wallet's chain may show later.
 */
export async function settleReceipt(
  outside: Outside,
  phoneEvent: PhoneEvent,
  reading: Reading,
  senders: readonly Sender[],
  checked?: Checked,
): Promise<string | undefined> {
  const { sender, message: text } = phoneEvent.event.payload;
  if (reading.kind !== 'payment' && reading.kind !== 'reversal' && reading.kind !== 'unread') return undefined;
  const unplaced = unplacedNumber(phoneEvent, senders);
  const momo_number = paidNumber(phoneEvent, senders) ?? unplaced;
  const accounts = momo_number ? await listAccountsOfNumber(outside, momo_number) : [];
  // If several merchants are paid on one number, none of them may see a payment that is not matched.
  const merchant_id = accounts.length === 1 ? accounts[0]?.merchant_id : undefined;
  const received_at = receivedAt(phoneEvent);
  // From now on: an old text is kept as long as a new one.
  const ends = endOfRetention(outside, phoneEvent.arrived_at);
  const origin: Origin = { momo_number, sender, text, received_at, merchant_id, ...ends };

  if (reading.kind === 'payment') {
    await settlePayment(outside, reading, origin, accounts, { checked, isUnplaced: unplaced !== undefined });
    return undefined;
  }
  if (reading.kind === 'reversal') {
    // A phone may put in doubt what is in no phone, and reverses nothing of it.
    const told = unplaced ? { ...reading, isCertain: false } : reading;
    const reversed = await settleReversal(outside, told, origin, senders);
    if (reversed === 'reversed') return undefined;
    const unread = await keepUnread(outside, origin, reading.network, phoneEvent);
    return reversed === 'not shown' ? unread : undefined;
  }
  await keepUnread(outside, origin, reading.network, phoneEvent);
  return undefined;
}

interface Known {
  /** What the wallet's other texts say about the payment; undefined for a test's. */
  readonly checked?: Checked | undefined;
  /** Its number is in no phone: whoever says that it was paid, nobody knows whether that phone has it. */
  readonly isUnplaced?: boolean;
  /** The receipt as it is stored, where the payment is decided about again. */
  readonly current?: Receipt | undefined;
}

/** Settles a payment, as `settleReceipt` does. A test's never came in a text. */
export async function settlePayment(
  outside: Outside,
  payment: WalletPayment,
  origin: Origin,
  accounts: readonly AccountOfNumber[],
  { checked, current, isUnplaced }: Known = {},
): Promise<void> {
  const receipt: Omit<PaymentReceipt, 'state'> = {
    ...origin,
    receipt_id: paymentReceiptId(payment.network, origin.momo_number, payment.transactionId),
    network: payment.network,
    transaction_id: payment.transactionId,
    amount_pesewas: payment.amountPesewas,
    balance_pesewas: payment.balancePesewas ?? undefined,
    payer_name: payment.payerName,
    // A phone number in the reference may have been typed by the payer.
    [payment.via === null ? 'payer_phone' : 'said_phone']: payment.payerPhone ?? undefined,
    payer_reference: payment.reference ?? undefined,
    proof: checked?.proof,
  };
  await whileOthersWrite(async () => {
    const decision: Decision = isUnplaced
      ? { held: 'number_not_placed' }
      : await decide(outside, payment, origin.momo_number, origin.received_at, accounts);
    try {
      await confirmOrHold(outside, decision, receipt, { checked, current });
    } catch (error) {
      if (error instanceof ReceiptChanged && !current) return settleSecondText(outside, error.receipt, receipt);
      if (error instanceof ReceiptChanged && current && error.receipt.receipt_id !== receipt.receipt_id)
        return holdInConflict(outside, error.receipt, receipt, current);
      if (error instanceof PaymentUsed && current) return holdUsed(outside, error.use, receipt, current);
      if (error instanceof PaymentUsed) return settleUsedPayment(outside, error.use, receipt);
      throw error;
    }
  });
}

/** Does what was decided about a payment, as far as its proof allows. @throws what the table refuses. */
async function confirmOrHold(
  outside: Outside,
  decision: Decision,
  receipt: Omit<PaymentReceipt, 'state'>,
  known: Known,
): Promise<void> {
  if ('held' in decision) return hold(outside, receipt, decision.held, decision.about, known);
  const charge = 'pays' in decision ? decision.pays : decision.isPartOf;
  // A name alone does not make it certain which charge was meant.
  const about = 'pays' in decision && decision.matchedBy === 'name' ? undefined : charge;
  const admission = await admit(outside, charge, receipt, known.checked);
  const tried = (reason: HeldReason) => {
    if (known.current || reason === 'large_amount') return [];
    return [noteUnproven(outside, charge, about && (reason === 'checking' ? 'checking' : 'not confirmed'))];
  };
  if ('held' in admission) return hold(outside, receipt, admission.held, about, known, tried(admission.held));
  await contradictUnknownNumber(outside, receipt);
  const { writes } =
    'pays' in decision
      ? await payWithReceipt(outside, decision.pays, receipt, decision.matchedBy, known.current)
      : countPart(decision.isPartOf, receipt, 'reference', known.current);
  try {
    await outside.table.write([...writes, ...admission.writes]);
  } catch (error) {
    if (!(error instanceof UnprovenLimitReached)) throw error;
    const reason = reasonFor(receipt.proof?.why);
    await hold(outside, receipt, reason, about, known, tried(reason));
  }
}

/** Holds a payment for a person, or until it is proven. @throws PaymentUsed if it was used through another receipt. */
async function hold(
  outside: Outside,
  receipt: Omit<PaymentReceipt, 'state'>,
  reason: HeldReason,
  about: Extract<Decision, { held: HeldReason }>['about'],
  { current }: Known,
  also: readonly TableWrite[] = [],
): Promise<void> {
  const use = await getPaymentUse(outside, receipt.network, receipt.transaction_id);
  // By its receipt of this wallet it is a copy, or a contradiction that `createReceipt` finds.
  if (use && use.receipt_id !== receipt.receipt_id) throw new PaymentUsed(use);
  const merchant_id = about?.merchant_id ?? receipt.merchant_id;
  const held: Receipt = { ...receipt, merchant_id, state: 'held', reason, suggested_reference: about?.reference };
  if (current && isSameState(current, held)) return;
  await outside.table.write([current ? replaceReceipt(current, held) : createReceipt(held), ...also]);
}

/**
 * A text of this payment may be stored whose phone reported no number. If the two contradict each other, neither may confirm
 * anything. @throws ReceiptChanged with that one.
 */
async function contradictUnknownNumber(outside: Outside, receipt: Omit<PaymentReceipt, 'state'>): Promise<void> {
  const other = await contradictionOf(outside, receipt);
  if (other) throw new ReceiptChanged(other);
}

/** A further text of a payment: a copy, the payment that a reversal was waiting for, or a contradiction. */
async function settleSecondText(
  outside: Outside,
  first: Receipt,
  second: Omit<PaymentReceipt, 'state'>,
): Promise<void> {
  if (first.amount_pesewas === undefined) {
    const { state, reason } = first;
    return outside.table.write([replaceReceipt(first, { ...second, state, reason })]);
  }
  if (isSameText(first, second)) return;
  // The texts do not show which one is true: a forger may have sent a true id first. So both are kept, and neither
  // confirms anything automatically any more.
  const use = await getPaymentUse(outside, second.network, second.transaction_id);
  await outside.table.write([
    // A copy of the second text adds nothing.
    { ...createReceipt(inConflict(first, second)), refused: () => undefined },
    ...(isUndecided(first) ? [replaceReceipt(first, { ...first, reason: 'conflict' })] : []),
    // Its charge may end meanwhile: then it is held, and the doubt stays with it.
    ...(first.state === 'matched' ? [replaceReceipt(first, first)] : []),
    ...(use?.reference && first.reason !== 'reversed' ? [disputeTransaction(outside, use.reference, 'conflict')] : []),
  ]);
}

function isUndecided({ state, reason }: Receipt): boolean {
  return state === 'held' && reason !== 'conflict' && reason !== 'reversed';
}

/** A payment that was held for want of a proof, and that a text whose number is not known contradicts. */
async function holdInConflict(
  outside: Outside,
  other: Receipt,
  receipt: Omit<PaymentReceipt, 'state'>,
  current: Receipt,
): Promise<void> {
  await outside.table.write([
    replaceReceipt(current, { ...receipt, state: 'held', reason: 'conflict' }),
    ...(isUndecided(other) ? [replaceReceipt(other, { ...other, reason: 'conflict' })] : []),
  ]);
}

function isSameState(current: Receipt, held: Receipt): boolean {
  const facts = ({ reason, suggested_reference, proof }: Receipt) =>
    [reason, suggested_reference, proof?.state, proof?.why].join('\n');
  return facts(current) === facts(held);
}

/** A payment that was held for want of a proof, and was used through another receipt meanwhile. */
async function holdUsed(
  outside: Outside,
  { reference }: PaymentUse,
  receipt: Omit<PaymentReceipt, 'state'>,
  current: Receipt,
): Promise<void> {
  const reason = reference === undefined ? 'reversed' : 'already_paid';
  await outside.table.write([replaceReceipt(current, { ...receipt, state: 'held', reason })]);
}

/** A payment whose id was used before through another receipt, or was reversed. */
async function settleUsedPayment(
  outside: Outside,
  { receipt_id, reference }: PaymentUse,
  second: Omit<PaymentReceipt, 'state'>,
): Promise<void> {
  const own = await getReceipt(outside, second.receipt_id);
  if (own) return settleSecondText(outside, own, second);
  const used = await getReceipt(outside, receipt_id);
  // Its receipt may have ended: then the texts cannot be compared, and a payment that was used stays used.
  const isCopy = !used || isSameText(used, second);
  const reason = reference === undefined ? 'reversed' : isCopy ? 'already_paid' : 'conflict';
  await outside.table.write([
    createReceipt({ ...second, state: 'held', reason }),
    ...(reference && !isCopy ? [disputeTransaction(outside, reference, 'conflict')] : []),
  ]);
}

/** The second text under an id of its own, the same for each copy of it. */
function inConflict(first: Receipt, second: Omit<PaymentReceipt, 'state'>): Receipt {
  const facts = createHash('sha256').update(factsOf(second)).digest('hex');
  return {
    ...second,
    receipt_id: `${second.receipt_id}-${facts.slice(0, 8)}`,
    merchant_id: first.merchant_id ?? second.merchant_id,
    state: 'held',
    reason: first.reason === 'reversed' ? 'reversed' : 'conflict',
  };
}

/** An unread text is private, and of no use later. */
const UNREAD_KEPT_DAYS = RETENTION.leastDays;

/** Stores a network's text that is not understood. The same text has the same id, whatever the id of the phone's event. */
async function keepUnread(
  outside: Outside,
  origin: Origin,
  network: Network,
  { event, arrived_at }: PhoneEvent,
): Promise<string> {
  const { momo_number, sender, text } = origin;
  const ends = endOfRetention({ retentionDays: UNREAD_KEPT_DAYS }, arrived_at);
  // The time that the phone reports, because it is the same in every copy.
  const told = [momo_number, sender, text, event.payload.receivedAt];
  const hash = createHash('sha256').update(told.join('\n')).digest('hex');
  const receipt_id = `TEXT-${hash.slice(0, 32)}`;
  try {
    await outside.table.write([createReceipt({ ...origin, ...ends, receipt_id, network, state: 'unread' })]);
  } catch (error) {
    if (!(error instanceof ReceiptChanged)) throw error;
  }
  return receipt_id;
}
