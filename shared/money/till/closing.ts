import type { Outside } from '../../runtime/outside/outside.ts';
import { type PageStart, readPages } from '../../runtime/table/table.ts';
import { DAY_MS, HOURS_A_DAY, hourOf, timesOfDays } from '../../runtime/values/calendar.ts';
import { type Charge, getCharges, madeBetween } from '../charge/charge.table.ts';
import { cameWith, type Origin } from '../charge/origin.ts';
import { CLOCK_TOLERANCE_MS } from '../matching/match.ts';
import { backingOfCharge, backingOfReceipt, isDoubted, isPaidUnproven } from '../payment/backing.ts';
import {
  isOpenRefund,
  type MarkedHow,
  overpaidPesewas,
  owedPesewas,
  paidPesewas,
  paymentsOf,
  refundedPesewas,
} from '../payment/payment.ts';
import { cautionOfSecond, doubtOf } from '../payment/shown-payment.ts';
import { billsOf } from '../receipt/paid-as.ts';
import { getReceipts, listReceipts, receivedBetween } from '../receipt/receipt.table.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { needOf, readExcess } from '../request/more-than-asked.ts';
import { listPaidAtSticker } from './sticker.ts';
import { stickersOf, type Take, type Till, takeRows } from './till.table.ts';

export interface Sum {
  readonly count: number;
  readonly pesewas: number;
}

export interface ArrivedSum extends Sum {
  readonly unproven: Sum;
}

export interface ClosingLine {
  readonly till: Till;
  readonly by?: string;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly counted: Sum;
  readonly unproven: Sum;
  readonly disputed: Sum;
  readonly undone: Sum;
  readonly takenBack: Sum;
  /** Totals by hour of the tap or, at a sticker, of the payment. */
  readonly hours: readonly Pick<ClosingLine, 'counted' | 'unproven'>[];
  /**
   * Undone taps whose payment was tapped again or paid another charge, so the goods may have been handed over twice.
   */
  readonly again: readonly TakenAgain[];
}

interface TakenAgain {
  readonly take: Take;
  readonly reference: string;
}

/** Current states of the received payments. Each payment has exactly one state. */
const closingStates = [
  'till',
  'sticker',
  'link',
  'request',
  'charge',
  'part',
  'waiting',
  'set_aside',
  'sent_back',
  'taken_back',
] as const;
export type ClosingState = (typeof closingStates)[number];

export interface Closing {
  readonly lines: readonly ClosingLine[];
  readonly arrived: ArrivedSum;
  /** Payments that people entered to mark charges as paid, and that still count. Not part of `arrived`. */
  readonly marked: { readonly cash: Sum; readonly transfers: Sum };
  readonly now: ReadonlyMap<ClosingState, ArrivedSum>;
  /** The day's verified money that must be sent back: overpayments, recorded refunds and second payments. */
  readonly owed: Sum;
  /** Like `owed`, but the money or the charge's own payment is unverified. The shop must check its wallet first. */
  readonly toLookInto: Sum;
  readonly isMore: boolean;
}

const PAGE = 500;
const MOST = 8 * PAGE;

/**
 * Computes a day's closing report (`2026-11-22`) by till and cashier, from the taps and the current state of their
 * charges.
 */
export async function closingOf(
  outside: Outside,
  merchantId: string,
  tills: readonly Till[],
  day: string,
): Promise<Closing> {
  const times = timesOfDays(day, day);
  const between = receivedBetween(times);
  const [paid, held, aside, matched, ...taken] = await Promise.all([
    Promise.all(tills.map((till) => stickerLine(outside, till, times))),
    readPages(MOST, (start) => receiptsOf(outside, merchantId, 'held', { between, start })),
    readPages(MOST, (start) => receiptsOf(outside, merchantId, 'set_aside', { between, start })),
    readPages(MOST, (start) => receiptsOf(outside, merchantId, 'matched', { between, start })),
    ...tills.map((till) => readPages(MOST, (start) => takesOf(outside, till, { between, start }))),
  ]);
  const takes = taken.flatMap(({ items }) => items).toSorted((one, other) => one.at.localeCompare(other.at));
  const all = [held, aside, matched].flatMap(({ items }) => items).filter(isPayment);
  const payments = all.filter(({ marked }) => !marked);
  const charges = await chargesOf(outside, [...takes, ...payments]);
  const groups = Map.groupBy(takes, ({ till_id, by }) => `${till_id} ${by}`);
  const again = await takenAgain(outside, takes, charges);
  const owed = await owedOf(outside, payments, charges);
  const lines = [
    ...[...groups.values()].flatMap((group) => lineOf(tills, group, charges, again)),
    ...paid.flatMap(({ line }) => line ?? []),
  ];
  return {
    lines: lines.toSorted((one, other) => one.till.name.localeCompare(other.till.name)),
    arrived: arrivedSum(payments, charges),
    marked: markedSums(all),
    now: sumsByPlace(payments, charges),
    owed: sumOf(owed.filter(({ isVerified }) => isVerified).map(({ pesewas }) => pesewas)),
    toLookInto: sumOf(owed.filter(({ isVerified }) => !isVerified).map(({ pesewas }) => pesewas)),
    isMore: [held, aside, matched, ...taken, ...paid].some(({ isMore }) => isMore),
  };
}

type Arrived = Receipt & { readonly amount_pesewas: number };

/** False for a reversal that arrived before its payment. Such a receipt has no amount. */
function isPayment(receipt: Receipt): receipt is Arrived {
  return receipt.amount_pesewas !== undefined;
}

function markedSums(all: readonly Arrived[]): Closing['marked'] {
  const counted = all.filter(({ state }) => state === 'matched');
  const sum = (is: (how: MarkedHow) => boolean) =>
    sumOf(counted.flatMap(({ marked, amount_pesewas }) => (marked && is(marked.how) ? [amount_pesewas] : [])));
  return { cash: sum((how) => how === 'cash'), transfers: sum((how) => how !== 'cash') };
}

async function chargesOf(
  outside: Outside,
  all: readonly { readonly reference?: string | undefined }[],
): Promise<ReadonlyMap<string, Charge>> {
  const charges = await getCharges(
    outside,
    all.flatMap(({ reference }) => reference ?? []),
  );
  return new Map(charges.map((charge) => [charge.reference, charge]));
}

function sumsByPlace(payments: readonly Arrived[], charges: ReadonlyMap<string, Charge>): Closing['now'] {
  const groups = Map.groupBy(payments, (payment) =>
    payment.state === 'held' ? stateOfHeld(payment) : stateOf(charges.get(payment.reference ?? '')),
  );
  return new Map(closingStates.map((state) => [state, arrivedSum(groups.get(state) ?? [], charges)]));
}

function arrivedSum(payments: readonly Arrived[], charges: ReadonlyMap<string, Charge>): ArrivedSum {
  const amountsOf = (all: readonly Arrived[]) => all.map(({ amount_pesewas }) => amount_pesewas);
  const unproven = payments.filter((payment) => {
    const charge = payment.state === 'matched' ? charges.get(payment.reference ?? '') : undefined;
    return doubtOf(charge ? backingOfCharge(charge) : backingOfReceipt(payment));
  });
  return { ...sumOf(amountsOf(payments)), unproven: sumOf(amountsOf(unproven)) };
}

function stateOfHeld({ reason, set_aside }: Receipt): ClosingState {
  if (reason === 'reversed') return 'taken_back';
  if (set_aside) return set_aside.sent_back ? 'sent_back' : 'set_aside';
  return 'waiting';
}

function stateOf(charge: Charge | undefined): ClosingState {
  return charge?.state === 'pending' ? 'part' : stateOfOrigin[charge?.origin.kind ?? 'api'];
}

const stateOfOrigin: Readonly<Record<Origin['kind'], ClosingState>> = {
  till: 'till',
  sticker: 'sticker',
  link: 'link',
  request: 'request',
  api: 'charge',
  dashboard: 'charge',
  bundle: 'charge',
};

/**
 * Adds up the money to send back: overpayments, and payments for charges that were already paid. Money counts as `owed`
 * only if the charge's own payment is verified too.
 */
async function owedOf(outside: Outside, payments: readonly Arrived[], charges: ReadonlyMap<string, Charge>) {
  const arrived = new Set(payments.map(({ receipt_id }) => receipt_id));
  const completed = [...charges.values()].filter(
    ({ state, payment }) => state === 'success' && payment && arrived.has(payment.receipt_id),
  );
  const held = payments.filter(({ state, reason, set_aside }) => {
    const mayBeSecond = reason === 'already_paid' || reason === 'conflict';
    return state === 'held' && mayBeSecond && !set_aside;
  });
  const bills = await billsOf(outside, held);
  const second = held.filter(({ reason, suggested_reference }) => {
    // A second payment stays a second payment even if a forged text contradicts it.
    return reason === 'already_paid' || bills.get(suggested_reference)?.state === 'success';
  });
  const extra = await withoutNeeded(outside, second, bills);
  const overpaid = new Set(completed.flatMap((one) => (overpaidPesewas(one) > 0 ? (cameWith(one).request ?? []) : [])));
  const ofRequests = await Promise.all(Array.from(overpaid, (slug) => readExcess(outside, slug)));
  const all = [
    ...completed.map((charge) => ({ pesewas: ownOwed(charge), caution: doubtOf(backingOfCharge(charge)) })),
    ...ofRequests.map(({ pesewas, doubt }) => ({ pesewas, caution: doubt })),
    ...extra.map(({ receipt, isUnsure }) => ({
      pesewas: receipt.amount_pesewas,
      caution: isUnsure || cautionOfSecond(receipt, bills.get(receipt.suggested_reference)),
    })),
  ];
  return all.flatMap(({ pesewas, caution }) => (pesewas > 0 ? [{ pesewas, isVerified: !caution }] : []));
}

/**
 * Returns the payments that may have to be sent back, without those that an open request needs: two people may share one
 * of its bills. `isUnsure`: unverified money has paid the request, so it may need the payment.
 */
async function withoutNeeded(
  outside: Outside,
  second: readonly Arrived[],
  bills: Awaited<ReturnType<typeof billsOf>>,
): Promise<readonly { readonly receipt: Arrived; readonly isUnsure: boolean }[]> {
  const requestOf = ({ suggested_reference }: Arrived) => {
    const bill = bills.get(suggested_reference);
    return bill && cameWith(bill).request;
  };
  const slugs = [...new Set(second.flatMap((one) => requestOf(one) ?? []))];
  const needs = new Map(await Promise.all(slugs.map(async (slug) => [slug, await needOf(outside, slug)] as const)));
  return second.flatMap((receipt) => {
    const need = needs.get(requestOf(receipt) ?? '');
    return need === 'yes' ? [] : [{ receipt, isUnsure: need === 'unsure' }];
  });
}

/** Returns what is to be sent back for a bill. The excess of a payment request's bill may be needed by its others. */
function ownOwed(charge: Charge): number {
  return charge.origin.kind === 'request' ? refundedPesewas(charge.refunds?.filter(isOpenRefund)) : owedPesewas(charge);
}

async function takenAgain(
  outside: Outside,
  takes: readonly Take[],
  charges: ReadonlyMap<string, Charge>,
): Promise<TakenAgain[]> {
  const undone = takes.filter(({ reference }) => charges.get(reference)?.state === 'cancelled');
  if (undone.length === 0) return [];
  const receipts = await getReceipts(
    outside,
    undone.map(({ receipt_id }) => receipt_id),
  );
  const now = new Map(receipts.map((receipt) => [receipt.receipt_id, receipt.reference]));
  const last = new Map(takes.map((take) => [take.receipt_id, take]));
  return undone.flatMap((take) => {
    const later = last.get(take.receipt_id);
    const reference = now.get(take.receipt_id) ?? (later === take ? undefined : later?.reference);
    return reference ? [{ take, reference }] : [];
  });
}

function lineOf(
  tills: readonly Till[],
  takes: readonly Take[],
  charges: ReadonlyMap<string, Charge>,
  again: readonly TakenAgain[],
): ClosingLine[] {
  const [first] = takes;
  const till = tills.find(({ till_id }) => till_id === first?.till_id);
  const last = takes.at(-1);
  if (!first || !last || !till) return [];
  const taken = takes.flatMap(({ at, reference, amount_pesewas }) => {
    const charge = charges.get(reference);
    return charge ? [{ at, charge, pesewas: amount_pesewas }] : [];
  });
  return [
    {
      till,
      by: first.by,
      firstAt: first.at,
      lastAt: last.at,
      ...sumsOf(taken),
      hours: sumsByHour(taken),
      again: again.filter(({ take }) => takes.includes(take)),
    },
  ];
}

interface Taken {
  readonly at: string;
  readonly charge: Charge;
  readonly pesewas: number;
}

function sumsByHour(taken: readonly Taken[]): ClosingLine['hours'] {
  const byHour = Map.groupBy(taken, ({ at }) => hourOf(at));
  return Array.from({ length: HOURS_A_DAY }, (_, hour) => sumsOf(byHour.get(hour) ?? []));
}

function sumsOf(all: readonly Taken[]) {
  const sum = (is: (charge: Charge) => boolean) =>
    sumOf(all.flatMap(({ charge, pesewas }) => (is(charge) ? [pesewas] : [])));
  const isPaid = ({ state }: Charge) => state === 'success';
  return {
    counted: sum(isPaid),
    unproven: sum((charge) => isPaid(charge) && isPaidUnproven(charge)),
    disputed: sum((charge) => isPaid(charge) && isDoubted(charge)),
    undone: sum(({ state }) => state === 'cancelled'),
    takenBack: sum(({ state }) => state === 'reversed'),
  };
}

/**
 * Maximum time between a charge's creation and its payment. A charge expires after half an hour, and payments can be
 * assigned to an expired charge for another day.
 */
const PAID_WITHIN_MS = 2 * DAY_MS;

/**
 * Adds up a day's payments at a till's stickers. For a reversed charge, counts only `payment`, because the charge's
 * parts are held again.
 */
async function stickerLine(outside: Outside, till: Till, { fromMs, toMs }: { fromMs: number; toMs: number }) {
  const between = madeBetween({ fromMs: fromMs - PAID_WITHIN_MS, toMs: toMs + CLOCK_TOLERANCE_MS });
  const read = await Promise.all(
    stickersOf(till).map((slug) =>
      readPages(MOST, async (start) => {
        const page = { between, start, limit: PAGE };
        const { entries, next } = await listPaidAtSticker(outside, till.merchant_id, slug, page);
        return { items: entries, next };
      }),
    ),
  );
  const isMore = read.some((all) => all.isMore);
  const paid = read
    .flatMap(({ items }) => items)
    .filter((charge) => !paymentsOf(charge).some(({ marked }) => marked))
    .filter(({ paid_at }) => paid_at !== undefined && Date.parse(paid_at) >= fromMs && Date.parse(paid_at) <= toMs)
    .toSorted((one, other) => (one.paid_at ?? '').localeCompare(other.paid_at ?? ''));
  const [firstAt, lastAt] = [paid[0]?.paid_at, paid.at(-1)?.paid_at];
  if (firstAt === undefined || lastAt === undefined) return { isMore };
  const pesewasOf = (charge: Charge) =>
    charge.state === 'reversed' ? (charge.payment?.amount_pesewas ?? 0) : paidPesewas(charge);
  const taken = paid.map((charge) => ({ at: charge.paid_at ?? '', charge, pesewas: pesewasOf(charge) }));
  return { line: { till, firstAt, lastAt, ...sumsOf(taken), hours: sumsByHour(taken), again: [] }, isMore };
}

function sumOf(amounts: readonly number[]): Sum {
  return { count: amounts.length, pesewas: amounts.reduce((sum, pesewas) => sum + pesewas, 0) };
}

interface OnePage<Row> {
  readonly items: readonly Row[];
  readonly next: PageStart | undefined;
}

interface OfDay {
  readonly between: readonly [string, string];
  readonly start: PageStart | undefined;
}

async function receiptsOf(
  outside: Outside,
  merchantId: string,
  list: Parameters<typeof listReceipts>[2],
  { between, start }: OfDay,
): Promise<OnePage<Receipt>> {
  const { receipts, next } = await listReceipts(outside, merchantId, list, { between, start, limit: PAGE });
  return { items: receipts, next };
}

async function takesOf(outside: Outside, till: Till, { between, start }: OfDay): Promise<OnePage<Take>> {
  const { entries: takes, next } = await takeRows.page(outside, till, { between, start, limit: PAGE });
  return { items: takes, next };
}
