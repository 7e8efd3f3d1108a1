import { readWalletText } from '../../ghana/wallet-text/read-wallet-text.ts';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import { nowIso } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { RetryLater } from '../../runtime/triggers/queue.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { type Movement, OVERTAKEN_MS } from '../../wallets/chain/chain.ts';
import { changeChain } from '../../wallets/chain/change-chain.ts';
import { type Checked, checkText } from '../../wallets/chain/check-text.ts';
import { linkTexts } from '../../wallets/chain/link-texts.ts';
import { type Stray, withStray } from '../../wallets/chain/network-clock.ts';
import { FEW_WAITING } from '../../wallets/chain/plan-links.ts';
import { disputeForged } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { isHeldByName } from '../charge/charge.ts';
import { CHECKED_AFTER_SECONDS, type ProofJob, proofJob } from '../receipt/proof-job.ts';
import {
  getReceipts,
  LATE,
  OWED,
  paymentUseRows,
  receiptRows,
  replaceReceipt,
  secondReceiptsOf,
} from '../receipt/receipt.table.ts';
import {
  type HeldReason,
  isAssignable,
  isNotThere,
  isUndecidedText,
  type PaymentReceipt,
  paymentOfReceiptId,
  type Receipt,
  unverifiedTextId,
} from '../receipt/receipt.ts';
import { isContradicted, isInDoubt, withoutRepeated } from '../receipt/repeated-text.ts';
import { noteWaiting } from '../receipt/second-receipts.ts';
import { comparedCopyOf, textsAt } from '../receipt/texts-of-payment.ts';
import { foreignUse, typedAt } from '../receipt/typed-use.ts';
import { readPaymentText, readReceipt, type WalletText } from '../receipt/wallet-text-of.ts';
import { changeProof } from './change-payment.ts';
import { shownAgain } from './merchant-of-phone.ts';
import { reverseAgain } from './reverse-again.ts';
import { settlePayment } from './settle-receipt.ts';

/** Queues the receipt (if any) to be re-evaluated after `CHECKED_AFTER_SECONDS`. */
export async function proveLater({ queues }: Pick<WorkerOutside, 'queues'>, receiptId: string | undefined) {
  if (receiptId) await queues.send('settle-receipt', [proofJob(receiptId, CHECKED_AFTER_SECONDS)]);
}

/** Hold reasons whose payments are always re-evaluated automatically. */
const UNDECIDED: ReadonlySet<HeldReason | undefined> = new Set([
  'already_paid',
  'amount_differs',
  'checking',
  'balance_gap',
  'balance_unsure',
  'anchor_young',
  'charge_disputed',
  'clock_odd',
]);

/**
 * Re-evaluates a payment when more is known about its proof. A held payment may then confirm its charge. For a payment
 * that counts, updates the proof on its charge, and disputes the charge if the text turned out to be false. Idempotent.
 */
export async function settleAgain(outside: WorkerOutside, { receipt_id }: ProofJob): Promise<void> {
  await retryIfChanged(async () => {
    const stored = await receiptRows.find(outside, { receipt_id });
    if (!stored) await settleVerified(outside, receipt_id);
    if (stored?.state === 'unread') return reverseAgain(outside, stored);
    if (stored && isUnnumbered(stored)) return compareAgain(outside, stored);
    for (const beside of await textsBeside(outside, receipt_id)) await settleAgain(outside, { receipt_id: beside });
    const read = stored && readReceipt(stored);
    if (!read) return;
    const { receipt, payment, walletText } = read;
    const { wallet } = walletText;
    let checked = await checkAgain(outside, walletText);
    // A matched payment keeps its proof if a later text repeats the balances. Its charge is disputed instead.
    const isKnown = receipt.state === 'matched' && receipt.proof?.state === 'proven';
    if (!isKnown) checked = await withoutRepeated(outside, receipt, checked);
    if (!isKnown && checked.proof.state === 'proven' && isOnlyByKey(receipt))
      checked = { ...checked, proof: { state: 'unproven' } };
    if (receipt.state === 'matched') return noteProof(outside, receipt, checked);
    if (!isAssignable(receipt)) return;
    const { proof } = checked;
    // A payment whose reversal is in doubt needs manual review.
    const mayTake = receipt.reason === 'conflict' && receipt.reversal_doubt_at === undefined;
    const isTaking = mayTake && proof.state === 'proven' && (await mayTakeUse(outside, { ...receipt, proof }));
    const isUndecided = UNDECIDED.has(receipt.reason) || isTaking || (await isLateForRequest(outside, receipt));
    if (!isUndecided || receipt.set_aside) {
      const isCounted = proof.state === 'proven' && (await countsForOther(outside, { ...receipt, proof }));
      const known = isCounted
        ? [replaceReceipt(receipt, { ...receipt, proof, reason: 'conflict' })]
        : writesOfProof(receipt, checked);
      const noted = known.length > 0 ? await noteVerified(outside, { ...receipt, proof }) : [];
      return known.length > 0 ? outside.table.write([...known, ...noted]) : undefined;
    }
    // A second payment that may still be verified is held immediately, and re-evaluated later.
    const isSecond = receipt.reason === 'already_paid';
    if (checked.proof.state === 'checking' && !isSecond) throw new RetryLater(30, 'An earlier text may still arrive');
    // A payment stays with its merchant even if the paid number now belongs to another merchant. A freed text that names
    // no charge may have got its merchant from the removed text.
    const isInherited = receipt.first_undone === true && receipt.suggested_reference === undefined;
    const owner = isInherited ? undefined : receipt.merchant_id;
    const isTheirs = (id: string) => owner === undefined || owner === id;
    const ofNumber = await accountRows.list(outside, { number: wallet.momo_number });
    const accounts = ofNumber.filter(({ merchant_id }) => isTheirs(merchant_id));
    const sole = accounts.length === 1 ? accounts[0]?.merchant_id : undefined;
    const { momo_number, sender, text, received_at, expires_at_epoch_seconds } = receipt;
    const origin = { momo_number, sender, text, received_at, merchant_id: owner ?? sole, expires_at_epoch_seconds };
    await proveLater(outside, await settlePayment(outside, payment, origin, { accounts, checked, current: receipt }));
  });
}

/** Checks a text again, and stops waiting for an earlier text that never arrived. */
async function checkAgain(outside: WorkerOutside, { wallet, movement, reason }: WalletText): Promise<Checked> {
  const checked = await checkText(outside, wallet, movement, reason);
  if (!checked.isWaiting) return checked;
  await linkTexts(outside, wallet, [], FEW_WAITING);
  return checkText(outside, wallet, movement, reason);
}

/**
 * Settles the payment of a text that was left unread until its balance is verified, unless a person has decided about
 * the text. `receiptId`: the id that the payment's receipt gets.
 */
async function settleVerified(outside: WorkerOutside, receiptId: string): Promise<void> {
  const unread = await receiptRows.find(outside, { receipt_id: unverifiedTextId(receiptId) });
  const read = unread && isUndecidedText(unread) ? readPaymentText(unread) : undefined;
  if (!unread || !read) return;
  const checked = await checkAgain(outside, read.walletText);
  if (checked.proof.state !== 'proven') return;
  const accounts = await accountRows.list(outside, { number: read.walletText.wallet.momo_number });
  const { momo_number, sender, text, received_at, merchant_id } = unread;
  const origin = { momo_number, sender, text, received_at, merchant_id, ...endOfRetention(outside, nowIso(outside)) };
  await proveLater(outside, await settlePayment(outside, read.payment, origin, { accounts, checked, unread }));
}

/**
 * Returns the ids of the wallet's other texts about a payment. The wallet's chain knows such a text only by the
 * payment's own receipt id.
 */
async function textsBeside(outside: WorkerOutside, receiptId: string): Promise<string[]> {
  const payment = paymentOfReceiptId(receiptId);
  const texts = payment ? await textsAt(outside, payment, [payment.momo_number]) : [];
  const isBeside = (one: Receipt) => one.receipt_id !== receiptId && one.momo_number === payment?.momo_number;
  return texts.filter(isBeside).map(({ receipt_id }) => receipt_id);
}

/** Records a verified payment on its charge again. Larger forged payments may have displaced it until now. */
async function noteVerified(outside: WorkerOutside, receipt: PaymentReceipt): Promise<TableWrite[]> {
  const { suggested_reference: reference, merchant_id, proof, set_aside } = receipt;
  if (proof?.state !== 'proven' || reference === undefined || set_aside) return [];
  const charge = await chargeRows.find(outside, { reference });
  return charge && charge.merchant_id === merchant_id ? noteWaiting(outside, charge, receipt) : [];
}

function isUnnumbered({ momo_number, reason }: Receipt): boolean {
  return reason === 'number_unknown' || (reason === 'checking' && momo_number === undefined);
}

/**
 * Compares a text without its number with a payment of the same id that was settled at the same moment. Shows the text
 * to its merchant if a mark as paid was undone at that moment.
 */
async function compareAgain(outside: WorkerOutside, stored: Receipt): Promise<void> {
  const payment = readWalletText(stored.sender ?? '', stored.text ?? '');
  if (payment.kind !== 'payment' || !isAssignable(stored)) return;
  const shown = await shownAgain(outside, stored);
  if (shown) return outside.table.write([replaceReceipt(stored, shown)]);
  if (isNotThere(stored) || (await comparedCopyOf(outside, stored))) return;
  await settlePayment(outside, payment, stored, { accounts: [], current: stored });
}

/** True if a payment is held because its payment request's charge has ended. The request may have been paid since. */
async function isLateForRequest(outside: WorkerOutside, { reason, receipt_id, suggested_reference }: PaymentReceipt) {
  if (!LATE.has(reason) || suggested_reference === undefined) return false;
  const charge = await chargeRows.find(outside, { reference: suggested_reference });
  return charge?.origin.kind === 'request' && isHeldByName(charge, receipt_id);
}

/**
 * True if the only thing that conflicts with the payment is a typed id or an unverified text to another wallet. If
 * several texts conflict, a person decides.
 */
async function mayTakeUse(outside: WorkerOutside, receipt: PaymentReceipt) {
  const { receipt_id, momo_number = '' } = receipt;
  const typed = await typedAt(outside, receipt, momo_number);
  if (typed) return typed.contradicted_by?.every((one) => one === receipt_id) === true;
  if (isContradicted(receipt)) return false;
  if (receipt.first_undone) return true;
  return (await foreignUse(outside, await paymentUseRows.find(outside, receipt), receipt)) !== undefined;
}

/** True if a payment that seems to be owed to its customer counts for another of the merchant's bills. */
async function countsForOther(outside: WorkerOutside, receipt: PaymentReceipt): Promise<boolean> {
  if (!OWED.has(receipt.reason)) return false;
  const foreign = await foreignUse(outside, await paymentUseRows.find(outside, receipt), receipt);
  return foreign !== undefined && foreign.merchant_id === receipt.merchant_id;
}

/** True if an API key assigned a payment that a text puts in doubt, and nobody has checked the wallet. */
function isOnlyByKey(receipt: PaymentReceipt): boolean {
  const { matched_by, looked_by } = receipt;
  return matched_by === 'hand' && looked_by === undefined && isInDoubt(receipt);
}

/** Updates a payment's proof on its charge. Disputes the charge if the payment is false. */
async function noteProof(outside: WorkerOutside, receipt: PaymentReceipt, checked: Checked): Promise<void> {
  const { receipt_id, reference, looked_by } = receipt;
  const charge = reference === undefined ? undefined : await chargeRows.find(outside, { reference });
  if (!reference || !charge) return;
  const known = writesOfProof(receipt, checked);
  if (known.length > 0) {
    const changed = await changeProof(outside, charge, receipt_id, checked.proof);
    await outside.table.write([...known, ...changed]);
  }
  const { isFalse, isContested } = checked;
  // A person who checked the wallet overrules the texts.
  if (!(isFalse || isContested) || looked_by !== undefined || isKnownFalse(charge, isFalse)) return;
  // The balance that put this payment in doubt may have verified a second payment, which then replaces this payment.
  for (const second of await secondReceiptsOf(outside, charge)) await settleAgain(outside, second);
  await retryIfChanged(async () => {
    const [current, paid] = await Promise.all([
      receiptRows.find(outside, { receipt_id }),
      chargeRows.find(outside, { reference }),
    ]);
    if (current?.state !== 'matched' || current.reference !== reference || current.looked_by !== undefined) return;
    if (!paid || isKnownFalse(paid, isFalse)) return;
    await outside.table.write([
      replaceReceipt(current, current),
      disputeForged(outside, paid, isContested && !isFalse),
    ]);
  });
}

function isKnownFalse({ disputed }: Pick<Charge, 'disputed'>, isFalse: boolean): boolean {
  return disputed?.why === 'forged' && (!disputed.is_contested || !isFalse);
}

function writesOfProof(receipt: Receipt, { proof }: Checked): TableWrite[] {
  const isKnown = receipt.proof?.state === proof.state && receipt.proof.why === proof.why;
  return isKnown ? [] : [replaceReceipt(receipt, { ...receipt, proof })];
}

/** Time after which a payment's own job counts as lost. The job runs when the checking time ends. */
const LATE_MS = OVERTAKEN_MS + MINUTE_MS;
const AGAIN_MINUTES = 10;

/**
 * Queues payments whose checking time is over but whose own job was lost. Each payment is queued once every ten
 * minutes. Called every minute or, with `isFlooded`, every ten minutes.
 */
export async function queueChecking(outside: WorkerOutside, waiting: readonly Movement[], isFlooded = false) {
  const lateMinutes = ({ arrived_ms }: Movement) => Math.floor((outside.now() - arrived_ms - LATE_MS) / MINUTE_MS);
  const late = waiting.filter(
    (text) => lateMinutes(text) >= 0 && (isFlooded || lateMinutes(text) % AGAIN_MINUTES === 0),
  );
  const receiptIds = [...new Set(late.flatMap(({ receipt_id }) => receipt_id ?? []))];
  if (receiptIds.length === 0) return;
  const checking = (await getReceipts(outside, receiptIds)).filter(({ reason }) => reason === 'checking');
  const jobs = checking.map(({ receipt_id }) => proofJob(receipt_id));
  if (jobs.length > 0) await outside.queues.send('settle-receipt', jobs);
}

/**
 * Records a payment whose id does not match the wallet's clock. If that puts the clock in doubt, links and checks the
 * series of such payments, and re-evaluates the payments held because of the clock. Idempotent.
 */
export async function doubtClock(
  outside: WorkerOutside,
  { wallet, movement }: WalletText,
  reading: Reading,
  checked: Checked,
): Promise<Checked> {
  if (checked.proof.why !== 'clock_odd' || reading.kind !== 'payment' || !movement?.receipt_id) return checked;
  const { id, at_ms, receipt_id } = movement;
  const who = `${reading.payerName} ${reading.payerPhone ?? ''}`.toLowerCase();
  const payer = sha256(who).slice(0, 16);
  let before: readonly Stray[] = [];
  await changeChain(outside, wallet, ({ strays = [] }) => {
    before = strays;
    const after = withStray(strays, { id, at_ms, receipt_id, payer });
    return after && { strays: after };
  });
  await linkTexts(outside, wallet, [], FEW_WAITING);
  const again = await checkText(outside, wallet, movement);
  if (again.proof.why === 'clock_odd') return again;
  // Do not log the wallet's number.
  outside.log.warn('clock_doubted', { network: wallet.network });
  await outside.queues.send(
    'settle-receipt',
    before.map((stray) => proofJob(stray.receipt_id)),
  );
  return again;
}
