import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { lastClosableDay } from '../../../money/booking/booking.table.ts';
import { type Day, totalsOfDays, unverifiedByDay } from '../../../money/booking/days.ts';
import { moneyInPesewas } from '../../../money/booking/totals.ts';
import { type Charge, listChargeKeys, listChargeRows } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import type { chargeFields } from '../../../money/charge/stored-fields.ts';
import { overpaidPesewas, paymentsOf, refundedPesewas } from '../../../money/payment/payment.ts';
import { shownOf, shownPaid, shownReceipt } from '../../../money/payment/shown-payment.ts';
import { listReceiptKeys, listReceipts, receivedBetween } from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { paymentIdFor, type Reader, receiptFor } from '../../../money/receipt/shown-receipt.ts';
import type { receiptFields } from '../../../money/receipt/stored-fields.ts';
import type { Answer } from '../../../runtime/http/answer.ts';
import { metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside, TableOutside } from '../../../runtime/outside/outside.ts';
import type { Page, PageStart } from '../../../runtime/table/table.ts';
import { timesOfDays } from '../../../runtime/values/calendar.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import type { NamesIn } from '../../../runtime/values/stored-field.ts';
import { readerOf } from '../charges/reader.ts';
import { REPORTS } from '../parts/addresses.ts';
import { emptyState, type Html, shownDay, shownTime } from '../parts/content.ts';
import { type CsvColumns, csvAmount, csvFile, csvProof, csvTime } from '../parts/csv.ts';
import { table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { type Period, periodOf, queryOf } from './period.ts';

/**
 * Maximum number of entries in a file. A function can read this many in a few seconds, and the file stays far below the
 * response limit of 6 MB.
 */
export const ENTRIES_A_FILE = 1_000;
const FILES_A_PAGE = 10;

type Keys = (
  outside: TableOutside,
  merchantId: string,
  page: Page,
  times: { fromMs: number; toMs: number },
) => Promise<{ keys: PageStart[]; next: PageStart | undefined }>;

const kinds: Readonly<Record<string, { readonly noun: string; readonly keys: Keys }>> = {
  charges: { noun: 'bills', keys: listChargeKeys },
  payments: { noun: 'payments', keys: listReceiptKeys },
};

/** Lists the files of a period's charges or payments, oldest first. Reads only keys. */
export async function showFiles(visit: MerchantVisit<'what'>, outside: Outside): Promise<Shown> {
  const { merchant, query, path } = visit;
  const kind = Object.hasOwn(kinds, path.what) ? kinds[path.what] : undefined;
  if (!kind) throw new PublicError('not_found', 'Only bills and payments can be downloaded as files.');
  const period = periodOf(outside, query);
  const times = timesOfDays(period.first, period.last);
  const shown: FileShown[] = [];
  let start = pageOf({ cursor: query.cursor }).start;
  const firstPart = partOf(query.part);
  do {
    const { keys, next } = await kind.keys(outside, merchant.merchant_id, { start, limit: ENTRIES_A_FILE }, times);
    if (keys.length > 0) shown.push({ start, keys, part: firstPart + shown.length });
    start = next;
  } while (start && shown.length < FILES_A_PAGE);
  const title = `Files of ${kind.noun}`;
  const back = { name: 'Reports', path: `${REPORTS}?${queryOf(period)}` };
  const about = html`<p>${shownDay(period.first)} to ${shownDay(period.last)}</p>`;
  if (shown.length === 0)
    return {
      title,
      back,
      main: html`${about}${emptyState(`No ${kind.noun} in this period`, 'Choose other days in the report.')}`,
    };
  return {
    title,
    back,
    main: html`${about}
${table(shown, {
  caption: title,
  href: ({ start, part }) => `${REPORTS}/${path.what}.csv?${placeOf(period, start, part)}`,
  columns: {
    File: ({ part }) => `Part ${part} (spreadsheet)`,
    From: ({ keys }) => timeOf(keys[0]),
    To: ({ keys }) => timeOf(keys.at(-1)),
    [kind.noun === 'bills' ? 'Bills' : 'Payments']: { figure: ({ keys }) => String(keys.length) },
  },
})}
${start && further(path.what, period, start, firstPart + shown.length)}`,
  };
}

interface FileShown {
  readonly start: PageStart | undefined;
  readonly keys: readonly PageStart[];
  readonly part: number;
}

function timeOf(key: PageStart | undefined): string {
  return shownTime(key?.sort.split('#')[0] ?? '');
}

function further(what: string, period: Period, start: PageStart, part: number): Html {
  return html`<nav class="pages" aria-label="More files"><a class="plain button" href="${REPORTS}/files/${what}?${placeOf(period, start, part)}">More files</a></nav>`;
}

function placeOf(period: Period, start: PageStart | undefined, part: number): string {
  const { next } = metaOf({ limit: 1 }, start);
  return `${queryOf(period)}&part=${part}${next ? `&cursor=${next}` : ''}`;
}

function partOf(part: string | undefined): number {
  return part && /^[1-9]\d{0,5}$/.test(part) ? Number(part) : 1;
}

type Derived = 'overpaid_ghs' | 'payers' | 'link' | 'request' | 'customer_note' | 'proof';

const chargeColumns = (
  outside: Outside,
  reader: Reader,
): CsvColumns<Charge, NamesIn<typeof chargeFields, 'file'> | Derived> => ({
  reference: ({ reference }) => reference,
  created_at: ({ created_at }) => csvTime(created_at),
  status: (charge) => statusOf(outside, charge),
  amount_ghs: ({ amount_pesewas }) => csvAmount(amount_pesewas),
  paid_ghs: (charge) => csvAmount(shownPaid(charge).pesewas),
  overpaid_ghs: (charge) => csvAmount(shownOf(charge, overpaidPesewas(charge)).pesewas),
  refunds_ghs: ({ refunds }) => csvAmount(refundedPesewas(refunds)),
  customer_name: ({ customer_name }) => customer_name,
  customer_phone: ({ customer_phone }) => customer_phone && shownNumber(customer_phone),
  email: ({ email }) => email,
  description: ({ description }) => description,
  merchant_reference: ({ merchant_reference }) => merchant_reference,
  link: (charge) => cameWith(charge).link,
  request: (charge) => cameWith(charge).request,
  customer_note: (charge) => cameWith(charge).customer_note,
  expires_at: ({ expires_at }) => csvTime(expires_at),
  paid_at: ({ paid_at }) => csvTime(paid_at),
  expired_at: ({ expired_at }) => csvTime(expired_at),
  cancelled_at: ({ cancelled_at }) => csvTime(cancelled_at),
  reversed_at: ({ reversed_at }) => csvTime(reversed_at),
  disputed_at: ({ disputed }) => csvTime(disputed?.at),
  transaction_ids: (charge) =>
    paymentsOf(charge)
      .map((payment) => `${payment.network} ${paymentIdFor(reader, payment)}`)
      .join(', '),
  payers: (charge) =>
    paymentsOf(charge)
      .flatMap(({ payer_name }) => payer_name ?? [])
      .join(', '),
  proof: (charge) => csvProof(shownPaid(charge)),
});

export async function chargesFile({ merchant, query, user }: MerchantVisit, outside: Outside): Promise<Answer> {
  const { first, last } = periodOf(outside, query);
  const page = { start: pageOf({ cursor: query.cursor }).start, limit: ENTRIES_A_FILE };
  const { entries } = await listChargeRows(outside, merchant.merchant_id, page, timesOfDays(first, last));
  return csvFile(
    `charges-${first}-to-${last}-part-${partOf(query.part)}.csv`,
    entries,
    chargeColumns(outside, readerOf(user)),
  );
}

const paymentColumns: CsvColumns<Receipt, NamesIn<typeof receiptFields, 'file'>> = {
  received_at: ({ received_at }) => csvTime(received_at),
  network: ({ network }) => network,
  transaction_id: ({ transaction_id }) => transaction_id,
  amount_ghs: (receipt) => csvAmount(shownReceipt(receipt).pesewas),
  payer_name: ({ payer_name }) => payer_name,
  payer_phone: ({ payer_phone }) => payer_phone && shownNumber(payer_phone),
  payer_reference: ({ payer_reference }) => payer_reference,
  paid_to: ({ momo_number }) => momo_number && shownNumber(momo_number),
  charge: ({ reference }) => reference,
  matched_by: ({ matched_by }) => matched_by,
  proof: (receipt) => csvProof(shownReceipt(receipt)),
};

export async function paymentsFile({ merchant, query, user }: MerchantVisit, outside: Outside): Promise<Answer> {
  const { first, last } = periodOf(outside, query);
  const { start } = pageOf({ cursor: query.cursor });
  const { receipts } = await listReceipts(outside, merchant.merchant_id, 'matched', {
    start,
    limit: ENTRIES_A_FILE,
    between: receivedBetween(timesOfDays(first, last)),
  });
  return csvFile(
    `payments-${first}-to-${last}-part-${partOf(query.part)}.csv`,
    receipts.map((receipt) => receiptFor(readerOf(user), receipt)),
    paymentColumns,
  );
}

const dayColumns: CsvColumns<Day & { readonly unverifiedPesewas: number }> = {
  day: ({ day }) => day,
  charges_created: ({ totals }) => totals.charges_created,
  charges_paid: ({ totals }) => totals.charges_paid,
  charges_expired: ({ totals }) => totals.charges_expired,
  charges_cancelled: ({ totals }) => totals.charges_cancelled,
  charges_reversed: ({ totals }) => totals.charges_reversed,
  payments: ({ totals }) => totals.payments,
  payments_ghs: ({ totals }) => csvAmount(totals.payments_pesewas),
  reversed: ({ totals }) => totals.reversed,
  reversed_ghs: ({ totals }) => csvAmount(totals.reversed_pesewas),
  held_again: ({ totals }) => totals.released,
  held_again_ghs: ({ totals }) => csvAmount(totals.released_pesewas),
  money_in_ghs: ({ totals }) => csvAmount(moneyInPesewas(totals)),
  overpaid_ghs: ({ totals }) => csvAmount(totals.overpaid_pesewas),
  refunds: ({ totals }) => totals.refunds,
  refunds_ghs: ({ totals }) => csvAmount(totals.refunds_pesewas),
  texts: ({ totals }) => totals.texts_accepted,
  texts_failed: ({ totals }) => totals.texts_failed,
  not_verified_ghs: ({ unverifiedPesewas }) => csvAmount(unverifiedPesewas),
};

/** Returns a file of daily totals. Ends before any day that has too much activity to read. */
export async function daysFile({ merchant, query }: MerchantVisit, outside: Outside): Promise<Answer> {
  const period = periodOf(outside, query);
  const { days: read, isMore } = await totalsOfDays(outside, merchant.merchant_id, period);
  const unverified = unverifiedByDay(read);
  const days = read.map((day, n) => ({ ...day, unverifiedPesewas: unverified[n] ?? 0 }));
  const whole = isMore ? days.filter(({ day }) => day < lastClosableDay(outside)) : days;
  return csvFile(`days-${period.first}-to-${whole.at(-1)?.day ?? period.first}.csv`, whole, dayColumns);
}
