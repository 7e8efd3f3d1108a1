import { type Clock, nowIso, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type ForMoney, payCharge, type ReadFor, setParts } from '../charge/change-charge.table.ts';
import { type Charge, createCharge, type PaidCharge } from '../charge/charge.table.ts';
import { noteExpiry } from '../charge/expiry.table.ts';
import { noteRequestMoney } from '../charge/request-money.table.ts';
import { uncount } from '../goods/may-leave.ts';
import { isUnproven } from '../payment/backing.ts';
import { type MatchedBy, type Payment, totalPesewas } from '../payment/payment.ts';
import { findUse, receiptRows, usePayment } from '../receipt/receipt.table.ts';
import { type HeldReason, isAssignable, type PaymentReceipt } from '../receipt/receipt.ts';
import { withSecond } from '../receipt/second-receipts.ts';
import { type FoundField, type MatchedReceipt, matchReceipt, paymentOf, releaseParts } from './matched-receipt.ts';

/** The writes that count a payment that is too small towards its charge, which waits for the rest. */
export function countPart(
  outside: Clock,
  charge: ReadFor<'money', FoundField>,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  { current, isOverTyped, ...matched }: MatchedReceipt,
): { parts: Payment[]; writes: TableWrite[] } {
  const parts = [...(charge.parts ?? []), paymentOf(receipt, matched)];
  return {
    parts,
    writes: [
      matchReceipt(charge, receipt, matched, current),
      ...changeParts(charge, parts),
      ...usePayment(receipt, charge, isOverTyped),
      ...noteRequestMoney(outside, charge, receipt),
    ],
  };
}

/** Records what a pending charge still lacks, for lookups by amount, and when it ends: its parts must not wait for ever. */
export function changeParts(charge: ReadFor<'money', FoundField>, parts: readonly Payment[]): TableWrite[] {
  const changed = setParts(charge, parts);
  return charge.state === 'pending' ? [changed, noteExpiry({ ...charge, parts: [...parts] })] : [changed];
}

/**
 * The parts of an expired or cancelled charge that are still free, and the writes that count them towards it again, besides `given`. A part
 * that is in doubt, was set aside, or was used through another text of the same payment, is not restored.
 */
async function reclaimParts(
  outside: TableOutside,
  charge: ForMoney,
  given: OfPayment,
): Promise<{ parts: Payment[]; writes: TableWrite[] }> {
  const others = (charge.parts ?? []).filter((part) => !isSamePayment(part, given));
  const found = await Promise.all(
    others.map(async (part) => ({
      part,
      receipt: await receiptRows.find(outside, part),
      use: await findUse(outside, part, [charge.merchant_id]),
    })),
  );
  const back = found.flatMap(({ part, receipt, use }) => {
    const isWaiting = WAITING.has(receipt?.reason) && receipt?.suggested_reference === charge.reference;
    const isFree = isWaiting && !receipt.set_aside && !use;
    if (!receipt || !isFree || !isAssignable(receipt)) return [];
    // More may be known of its proof since it was held, and nobody has looked since.
    return [{ part: { ...part, proof: receipt.proof, looked_by: undefined }, receipt }];
  });
  return {
    parts: back.map(({ part }) => part),
    writes: back.flatMap(({ part, receipt }) => [
      matchReceipt(charge, receipt, part, receipt),
      ...usePayment(receipt, charge),
    ]),
  };
}

/** Why the parts of a charge that ended unpaid are held. */
const WAITING: ReadonlySet<HeldReason | undefined> = new Set(['charge_expired', 'charge_cancelled']);

type OfPayment = Pick<Payment, 'network' | 'transaction_id'>;

function isSamePayment(one: OfPayment, other: OfPayment): boolean {
  return one.network === other.network && one.transaction_id === other.transaction_id;
}

/**
 * The writes with which a receipt pays a charge, and what the charge has of it then: receipt, charge and the use of the
 * payment move in one transaction, so that no payment pays two charges and no charge is paid twice. The parts of a charge that
 * had expired are restored if a person says so.
 */
export async function payWithReceipt(
  outside: TimedOutside,
  charge: ReadFor<'paid', 'merchant_id' | 'created_at' | 'origin' | 'amount_pesewas'>,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  { current, isOverTyped, ...matched }: MatchedReceipt,
): Promise<{ paid: Pick<PaidCharge, 'state' | 'paid_at' | 'payment' | 'parts'>; writes: TableWrite[] }> {
  const payment = paymentOf(receipt, matched);
  const counted = await partsOf(outside, charge, receipt, matched.matched_by);
  const { parts, second_receipts, extra, writes } =
    charge.state === 'pending' ? await withoutExtra(outside, charge, { ...counted, payment }) : counted;
  const paid = { state: 'success', paid_at: nowIso(outside), payment, parts } as const;
  return {
    paid,
    // In this order: if several are refused, the receipt's own state is the most informative.
    writes: [
      matchReceipt(charge, receipt, matched, current),
      payCharge(charge, paid, second_receipts),
      ...usePayment(receipt, charge, isOverTyped),
      ...noteRequestMoney(outside, charge, receipt),
      ...writes,
      ...uncount(outside, charge.merchant_id, extra ?? []),
    ],
  };
}

/**
 * The parts that a charge keeps once it is paid, and the writes that hold the others as second payments: unverified ones where verified payments
 * alone pay it, so that a forged part puts none of these in doubt. What a person counted stays.
 */
export async function withoutExtra(
  outside: TableOutside,
  charge: ReadFor<'paid', 'merchant_id' | 'created_at' | 'origin' | 'amount_pesewas'>,
  { parts, payment }: { readonly parts: readonly Payment[]; readonly payment: Payment },
): Promise<Counted> {
  const verified = [...parts, payment].filter((one) => !isUnproven(one));
  const isCovered = totalPesewas(verified) >= charge.amount_pesewas;
  const isExtra = (part: Payment) => isCovered && isUnproven(part) && part.matched_by !== 'hand';
  const extra = parts.filter(isExtra);
  if (extra.length === 0) return { parts: [...parts], writes: [] };
  return {
    parts: parts.filter((part) => !isExtra(part)),
    writes: await releaseParts(outside, charge, extra, 'already_paid'),
    extra,
    second_receipts: await withSecond(outside, charge, extra),
  };
}

/** The parts that count for a charge, and the writes for that. */
interface Counted {
  readonly parts: Payment[];
  readonly writes: TableWrite[];
  /** Those that no longer do. */
  readonly extra?: readonly Payment[];
  /** Its second payments, where those are among them. */
  readonly second_receipts?: string[];
}

/**
 * A new charge that a receipt pays at once, and the writes for that: receipt, charge and the use of the payment are one transaction. Refused
 * as `payWithReceipt`, and with `ReferenceTaken`.
 */
export function createPaidCharge(
  outside: Clock,
  charge: Charge,
  receipt: PaymentReceipt,
  payment: Payment,
): { charge: PaidCharge; writes: TableWrite[] } {
  const paid = { ...charge, state: 'success', paid_at: nowIso(outside), payment } as const;
  // Charge and receipt must agree: later proof is compared with the receipt's alone.
  const known = { ...receipt, proof: payment.proof ?? receipt.proof };
  return {
    charge: paid,
    writes: [matchReceipt(paid, known, payment, receipt), createCharge(paid), ...usePayment(receipt, paid)],
  };
}

/** The other payments that count towards the charge, and the writes for them. */
async function partsOf(
  outside: TableOutside,
  charge: ForMoney,
  receipt: Pick<PaymentReceipt, 'network' | 'transaction_id'>,
  matchedBy: MatchedBy,
): Promise<Counted> {
  if (charge.state === 'pending') return { parts: charge.parts ?? [], writes: [] };
  return matchedBy === 'hand' ? reclaimParts(outside, charge, receipt) : { parts: [], writes: [] };
}
