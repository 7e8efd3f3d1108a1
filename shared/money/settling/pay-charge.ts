import { type Clock, isoOf, nowIso, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { MovedOn, payCharge, type ReadFor, setParts } from '../charge/change-charge.table.ts';
import { type Charge, createCharge, type PaidCharge } from '../charge/charge.table.ts';
import { endedAtParts } from '../charge/charge.ts';
import { noteExpiry } from '../charge/expiry.table.ts';
import { noteRequestMoney } from '../charge/request-money.table.ts';
import { uncount, uncountLeaving } from '../goods/decide-release.ts';
import { givesWay, hasEndedUnpaid, isUnproven, partGivingWay, replacedBy } from '../payment/backing.ts';
import {
  type Dispute,
  isSamePayment,
  MAX_PART_PAYMENTS,
  type OfPayment,
  type Payment,
  paymentsOf,
  totalPesewas,
  withReversalDoubt,
} from '../payment/payment.ts';
import { getReceipts, LATE, type Over, replaceReceipt, usePayment } from '../receipt/receipt.table.ts';
import { type HeldReason, isAssignable, type PaymentReceipt, type Receipt } from '../receipt/receipt.ts';
import { isInDoubt } from '../receipt/repeated-text.ts';
import { withReleasedParts, withSecond } from '../receipt/second-receipts.ts';
import { type TakenUse, takeOverForeignUse, verifiedElsewhere } from '../receipt/typed-use.ts';
import { type FoundField, type MatchedReceipt, matchReceipt, paymentOf, releaseParts } from './matched-receipt.ts';
import { readKept } from './without-payment.ts';

/**
 * Adds a part to a charge that is not fully paid. A verified part replaces an unverified payment with the same id. If
 * the charge already has the maximum number of parts, its smallest unverified part is held for a person instead.
 */
export async function countPart(
  outside: TableOutside & Clock,
  charge: Charge,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  { current, over, ...matched }: MatchedReceipt,
): Promise<{ charge: Charge; writes: TableWrite[] }> {
  const { parts: before = [], paid_at } = charge;
  // The time of a part that is added to a paid charge must be later than `paid_at`, even if this function's clock is
  // behind.
  const countedMs = Math.max(outside.now(), paid_at === undefined ? 0 : Date.parse(paid_at) + 1);
  const part = paymentOf(receipt, { ...matched, counted_at: isoOf(countedMs) });
  const replaced = replacedBy(charge, part);
  const isFull = before.length - replaced.length >= MAX_PART_PAYMENTS;
  const left = isFull ? before.filter((one) => one === partGivingWay(charge)) : replaced;
  const others = before.filter((one) => !left.includes(one));
  // If a charge was closed as paid by its parts, the last part is stored as its payment.
  const isPaying = charge.payment !== undefined && left.includes(charge.payment);
  const counts = isPaying ? { parts: others, payment: part } : { parts: [...others, part], payment: charge.payment };
  const given = { ...receipt, ...matched };
  const { isDoubtOver, unchanged } = await doubtWithout(outside, charge, {
    left,
    kept: paymentsOf(counts).filter((one) => one !== part),
    given,
  });
  const disputed = isDoubtOver ? undefined : disputedWith(charge, given, nowIso(outside));
  const after = { ...charge, ...counts, disputed };
  const amountPesewas = amountWith(after, counts.parts);
  // A person had accepted less, and this part pays the rest.
  const isPaid = charge.state === 'success' && totalPesewas(paymentsOf(after)) >= amountPesewas;
  const late = isPaid ? await paidTwice(outside, charge, paymentsOf(after)) : undefined;
  return {
    charge: { ...after, amount_pesewas: amountPesewas },
    writes: [
      matchReceipt(charge, receipt, matched, current),
      ...changeParts(charge, counts.parts, {
        payment: isPaying ? part : undefined,
        amountPesewas,
        isDoubtOver,
        disputed: disputed === charge.disputed ? undefined : disputed,
        isReplaced: replaced.length > 0,
        second_receipts: late?.ids,
      }),
      ...(late?.writes ?? []),
      ...unchanged,
      ...usePayment(receipt, charge, over ?? useOfPart(charge, left, receipt)),
      ...noteRequestMoney(outside, charge, receipt),
      ...(await releaseParts(outside, charge, left, { reason: 'amount_differs', given: receipt })),
      ...uncountLeaving(outside, charge, left),
    ],
  };
}

/**
 * Returns the amount of a charge with these parts. If the charge belongs to a payment request and was closed as paid
 * before all of its parts had arrived, this is the total of its payments.
 */
export function amountWith(charge: Charge, parts: readonly Payment[]): number {
  return endedAtParts(charge) ? totalPesewas(paymentsOf({ ...charge, parts })) : charge.amount_pesewas;
}

/** Changes a charge's parts. For a pending charge, also records its expiry and its outstanding amount. */
export function changeParts(
  charge: ReadFor<'money', FoundField>,
  parts: readonly Payment[],
  { amountPesewas, ...more }: Parameters<typeof setParts>[2] = {},
): TableWrite[] {
  const other = amountPesewas === charge.amount_pesewas ? undefined : amountPesewas;
  const changed = setParts(charge, parts, { amountPesewas: other, ...more });
  return charge.state === 'pending' ? [changed, noteExpiry({ ...charge, parts: [...parts] })] : [changed];
}

type ForParts = ReadFor<'money', 'merchant_id' | 'created_at' | 'origin' | 'amount_pesewas'>;

/** The payment that a person assigns. */
type Given = OfPayment & Pick<Payment, 'amount_pesewas' | 'proof' | 'looked_by' | 'marked'>;

/**
 * Returns the parts of an expired or cancelled charge that can count again, except `given`, and the writes that count
 * them. A part cannot count again if it is in doubt, was set aside, or was used again through another text about the
 * same payment, or if it is unverified and the charge does not need it. At most one payment, including `given`, takes
 * over its id: two takeovers could dispute the same charge, and a transaction can change a charge only once.
 */
async function reclaimParts(
  outside: TimedOutside,
  charge: ForParts,
  given: Given,
  over: Over | undefined,
): Promise<{ parts: Payment[]; writes: TableWrite[] }> {
  const others = (charge.parts ?? []).filter((part) => !isSamePayment(part, given));
  const receipts = new Map((await getReceipts(outside, idsOf(others))).map((one) => [one.receipt_id, one]));
  const waiting = others.flatMap((part) => {
    const receipt = receipts.get(part.receipt_id);
    return receipt && isAssignable(receipt) && mayCountAgain(receipt, charge) ? [{ part, receipt }] : [];
  });
  const held = waiting.map(({ receipt }) => receipt);
  const elsewhere = new Set(idsOf(await verifiedElsewhere(outside, charge.merchant_id, held)));
  const back = await Promise.all(
    waiting.map(async ({ part, receipt }) => {
      if (elsewhere.has(receipt.receipt_id)) return [];
      // The proof may have changed while the part was held, and nobody has checked the wallet since.
      const known = { proof: receipt.proof, looked_by: undefined, counted_at: nowIso(outside) };
      const taken = await takeOverForeignUse(outside, { ...receipt, looked_by: undefined }, charge);
      return taken ? [{ part: { ...part, ...known }, receipt, taken }] : [];
    }),
  );
  const isTaking = over?.foreign !== undefined || over?.isTyped === true;
  const taking = isTaking ? undefined : back.flat().find(({ taken }) => taken.over.foreign);
  const free = back.flat().filter((one) => !one.taken.over.foreign || one === taking);
  // Anybody could have forged an unverified part that the charge does not need.
  const certain = [...free.map(({ part }) => part), given].filter((one) => !isUnproven(one));
  const isCovered = totalPesewas(certain) >= charge.amount_pesewas;
  const available = free.filter(({ part }) => !(isCovered && givesWay(part)));
  return {
    parts: available.map(({ part }) => part),
    writes: available.flatMap(({ part, receipt, taken }) => [
      matchReceipt(charge, receipt, part, receipt),
      ...usePayment(receipt, charge, taken.over),
      ...taken.writes,
    ]),
  };
}

/** Returns the parts of an ended charge that would count again beside a payment that a person assigns. */
export async function partsCountedAgain(outside: TimedOutside, charge: Charge, given: Given): Promise<Payment[]> {
  return hasEndedUnpaid(charge) ? (await reclaimParts(outside, charge, given, undefined)).parts : [];
}

function idsOf(all: readonly { readonly receipt_id: string }[]): string[] {
  return all.map(({ receipt_id }) => receipt_id);
}

/** Hold reasons for the parts of an ended charge. */
const WAITING: ReadonlySet<HeldReason | undefined> = new Set(['charge_expired', 'charge_cancelled']);

function mayCountAgain(receipt: Receipt, { reference }: Pick<Charge, 'reference'>): boolean {
  const { reason, suggested_reference, set_aside } = receipt;
  return WAITING.has(reason) && suggested_reference === reference && !set_aside && !isInDoubt(receipt);
}

/**
 * Pays a charge with a receipt, and returns the paid charge and the writes. The receipt, the charge and the payment's
 * use change in one transaction, so no payment pays two charges and no charge is paid twice. An expired charge gets its
 * parts back only if a person assigns the payment. The other payments that waited to pay it then become second
 * payments. A dispute ends with the parts that caused it, unless this receipt is in doubt too and nobody
 * has checked the wallet.
 * @throws MovedOn if the payments do not cover the amount and no person accepted less.
 */
export async function payWithReceipt(
  outside: TimedOutside,
  charge: ReadFor<'paid', 'merchant_id' | 'created_at' | 'origin' | 'amount_pesewas'>,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  { current, over, ...matched }: MatchedReceipt,
): Promise<{ paid: Pick<PaidCharge, 'state' | 'paid_at' | 'payment' | 'parts' | 'disputed'>; writes: TableWrite[] }> {
  const at = nowIso(outside);
  const payment = paymentOf(receipt, { ...matched, counted_at: at });
  const counted = await partsOf(outside, charge, payment, over);
  const {
    parts,
    second_receipts = charge.second_receipts,
    extra = [],
    writes,
  } = charge.state === 'pending' ? await withoutExtra(outside, charge, { ...counted, payment }) : counted;
  const isShort = totalPesewas([...parts, payment]) < charge.amount_pesewas;
  if (isShort && matched.matched_by !== 'hand')
    throw new MovedOn(`The payments for ${charge.reference} no longer cover its amount.`);
  const late = isShort ? undefined : await paidTwice(outside, { ...charge, second_receipts }, [...parts, payment]);
  const given = { ...receipt, ...matched };
  const { isDoubtOver, unchanged } = await doubtWithout(outside, charge, { left: extra, kept: parts, given });
  const disputed = isDoubtOver ? undefined : disputedWith(charge, given, at);
  const paid_at = parts.reduce((latest, { counted_at }) => (counted_at > latest ? counted_at : latest), at);
  const paid = { state: 'success', paid_at, payment, parts, disputed } as const;
  return {
    paid,
    // Put the receipt first. If several writes fail, its state gives the most informative error.
    writes: [
      matchReceipt(charge, receipt, matched, current),
      payCharge(charge, paid, late?.ids ?? second_receipts),
      ...(late?.writes ?? []),
      ...usePayment(receipt, charge, over ?? useOfPart(charge, extra, receipt)),
      ...noteRequestMoney(outside, charge, receipt),
      ...writes,
      ...unchanged,
      ...uncount(outside, charge.merchant_id, extra),
    ],
  };
}

/**
 * Hold reasons of payments that are for this charge alone. Once other payments pay it, they are second payments. A
 * payment with another charge's amount may still be for that charge.
 */
const FOR_CHARGE: ReadonlySet<HeldReason | undefined> = new Set([
  ...WAITING,
  'large_amount',
  'balance_gap',
  'balance_unsure',
  'anchor_young',
  'balance_impossible',
  'clock_odd',
]);

/**
 * Turns the payments that waited for a person's decision, or for their proof, about a charge that other payments now pay,
 * into second payments, including parts held since the charge ended. Returns the charge's second payments and the writes,
 * or undefined if none waited. Late payments for a payment request may be its next part, and are evaluated with the
 * request.
 */
async function paidTwice(
  outside: TableOutside,
  charge: Pick<Charge, 'reference' | 'origin' | 'state' | 'parts' | 'waiting_receipts' | 'second_receipts'>,
  counted: readonly Payment[],
): Promise<{ ids: string[]; writes: TableWrite[] } | undefined> {
  const { reference, origin } = charge;
  const { waiting_receipts = [] } = withReleasedParts(charge);
  const ids = waiting_receipts.filter((id) => !idsOf(counted).includes(id));
  const held = ids.length > 0 ? await getReceipts(outside, ids) : [];
  const seconds = held.filter(isAssignable).filter((one) => {
    const isOfRequest = origin.kind === 'request' && LATE.has(one.reason);
    const isFor = FOR_CHARGE.has(one.reason) && !isOfRequest && one.suggested_reference === reference;
    return isFor && !one.set_aside && !counted.some((payment) => isSamePayment(payment, one));
  });
  if (seconds.length === 0) return undefined;
  return {
    ids: await withSecond(outside, charge, seconds),
    writes: seconds.map((one) => replaceReceipt(one, { ...one, reason: 'already_paid' })),
  };
}

interface Leaving {
  readonly left: readonly Payment[];
  readonly kept: readonly Payment[];
  readonly given: Omit<PaymentReceipt, 'state' | 'reason'>;
}

/** Returns a charge's dispute once it counts a payment whose reversal is in doubt, and whose money nobody has found. */
function disputedWith(
  { disputed }: Pick<Charge, 'disputed'>,
  { looked_by, reversal_doubt_at }: Leaving['given'],
  at: string,
): Dispute | undefined {
  const isDoubted = looked_by === undefined && reversal_doubt_at !== undefined;
  return isDoubted ? withReversalDoubt(disputed, at) : disputed;
}

/**
 * Decides whether a charge's dispute ends because the parts in doubt have left the charge. Also returns writes that
 * fail if a remaining part has since been put in doubt. The dispute stays if an API key assigned a receipt that is in
 * doubt.
 */
async function doubtWithout(
  outside: TableOutside,
  { state, disputed, parts = [] }: Pick<Charge, 'state' | 'disputed' | 'parts'>,
  { left, kept, given }: Leaving,
): Promise<{ isDoubtOver: boolean; unchanged: TableWrite[] }> {
  const isGivenDoubted = given.looked_by === undefined && isInDoubt(given);
  if (!disputed || isGivenDoubted) return { isDoubtOver: false, unchanged: [] };
  // An ended charge gets back only parts that are not in doubt. However, an API key may assign the forged part itself.
  if (state === 'expired' || state === 'cancelled') {
    const isPart = given.looked_by === undefined && parts.some((part) => isSamePayment(part, given));
    return { isDoubtOver: disputed.why !== 'forged' || !isPart, unchanged: [] };
  }
  // A receipt does not show whether it is the forged one.
  const mayBeOver = left.length > 0 && (disputed.why !== 'forged' || kept.length === 0);
  const { isCertain, unchanged } = mayBeOver ? await readKept(outside, kept) : { isCertain: false, unchanged: [] };
  return { isDoubtOver: isCertain, unchanged: isCertain ? unchanged : [] };
}

/**
 * Returns how a part that leaves the charge uses a payment's id, if that part comes from another text about the same
 * payment.
 */
export function useOfPart(
  { reference }: Pick<Charge, 'reference'>,
  parts: readonly Payment[],
  given: OfPayment,
): Over | undefined {
  const part = parts.find((one) => isSamePayment(one, given));
  return part && { foreign: { receipt_id: part.receipt_id, reference } };
}

/**
 * Separates the parts that a paid charge does not need. If verified payments alone cover the charge, its unverified
 * parts become second payments, so that a forged part cannot put the charge in doubt. Parts that a person added are
 * kept.
 */
export async function withoutExtra(
  outside: TableOutside,
  charge: ReadFor<'paid', 'merchant_id' | 'created_at' | 'origin' | 'amount_pesewas'>,
  { parts, payment }: { readonly parts: readonly Payment[]; readonly payment: Payment },
): Promise<Counted> {
  const verified = [...parts, payment].filter((one) => !isUnproven(one));
  const isCovered = totalPesewas(verified) >= charge.amount_pesewas;
  const replaced = replacedBy(charge, payment);
  const isExtra = (part: Payment) => (isCovered && givesWay(part)) || replaced.includes(part);
  const extra = parts.filter(isExtra);
  if (extra.length === 0) return { parts: [...parts], writes: [] };
  const kept = parts.filter((part) => !isExtra(part));
  return {
    parts: kept,
    writes: await releaseParts(outside, charge, extra, { reason: 'already_paid', given: payment }),
    extra,
    // A part from another text about the same payment is not a second payment.
    second_receipts: await withSecond(
      outside,
      charge,
      extra.filter((part) => !isSamePayment(part, payment)),
    ),
  };
}

interface Counted {
  readonly parts: Payment[];
  readonly writes: TableWrite[];
  readonly extra?: readonly Payment[];
  readonly second_receipts?: string[];
}

/**
 * Creates a charge that a receipt pays immediately. Writes the receipt, the charge and the payment's use in one
 * transaction. Fails like `payWithReceipt`, or with `ReferenceTaken`.
 */
export function createPaidCharge(
  outside: Clock,
  charge: Charge,
  receipt: PaymentReceipt,
  { payment, taken }: { readonly payment: Payment; readonly taken: TakenUse | undefined },
): { charge: PaidCharge; writes: TableWrite[] } {
  const paid = { ...charge, state: 'success', paid_at: nowIso(outside), payment } as const;
  // The charge and the receipt must have the same proof: later proofs are compared only with the receipt.
  const known = { ...receipt, proof: payment.proof ?? receipt.proof };
  return {
    charge: paid,
    writes: [
      matchReceipt(paid, known, payment, receipt),
      createCharge(paid),
      ...usePayment(receipt, paid, taken?.over),
      ...(taken?.writes ?? []),
    ],
  };
}

async function partsOf(
  outside: TimedOutside,
  charge: ForParts,
  payment: Payment,
  over: Over | undefined,
): Promise<Counted> {
  if (charge.state === 'pending') return { parts: charge.parts ?? [], writes: [] };
  return payment.matched_by === 'hand' ? reclaimParts(outside, charge, payment, over) : { parts: [], writes: [] };
}
