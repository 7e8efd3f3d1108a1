import { shownNumber } from '../../../ghana/shown-number.ts';
import { timesOfDays } from '../../../money/booking/day.ts';
import { listReceipts, receivedBetween } from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import type { Answer } from '../../../runtime/http/answer.ts';
import { pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { readerOf } from '../charges/reader.ts';
import { type CsvField, csvAmount, csvFile, csvTime } from '../parts/csv.ts';
import type { MerchantVisit } from '../visit.ts';
import { ENTRIES_A_FILE, partOf } from './files.ts';
import { periodOf } from './period.ts';

const columns: Readonly<Record<string, (receipt: Receipt) => CsvField>> = {
  received_at: ({ received_at }) => csvTime(received_at),
  network: ({ network }) => network,
  transaction_id: ({ transaction_id }) => transaction_id,
  amount_ghs: ({ amount_pesewas }) => csvAmount(amount_pesewas),
  payer_name: ({ payer_name }) => payer_name,
  payer_phone: ({ payer_phone }) => payer_phone && shownNumber(payer_phone),
  payer_reference: ({ payer_reference }) => payer_reference,
  paid_to: ({ momo_number }) => momo_number && shownNumber(momo_number),
  charge: ({ reference }) => reference,
  matched_by: ({ matched_by }) => matched_by,
  proof: ({ proof }) => proof?.state,
};

/** A part of the payments that count for charges and arrived in a period, oldest first, as a file. */
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
    Object.keys(columns),
    receipts.map((one) => {
      const receipt = receiptFor(readerOf(user), one);
      return Object.values(columns).map((value) => value(receipt));
    }),
  );
}
