import { shownNumber } from '../../../ghana/shown-number.ts';
import { timesOfDays } from '../../../money/booking/day.ts';
import { paymentIdFor, type Reader } from '../../../money/receipt/shown-receipt.ts';
import { overpaidPesewas, paidPesewas, paymentsOf, refundedPesewas } from '../../../money/transaction/payment.ts';
import { listTransactions, type Transaction } from '../../../money/transaction/transaction.table.ts';
import { statusOf } from '../../../money/transaction/transaction.ts';
import type { Answer } from '../../../runtime/http/answer.ts';
import { pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { readerOf } from '../charges/reader.ts';
import { type CsvField, csvAmount, csvFile, csvTime } from '../parts/csv.ts';
import type { MerchantVisit } from '../visit.ts';
import { ENTRIES_A_FILE, partOf } from './files.ts';
import { periodOf } from './period.ts';

type Column = (charge: Transaction, outside: Outside, reader: Reader) => CsvField;

const columns: Readonly<Record<string, Column>> = {
  reference: ({ reference }) => reference,
  created_at: ({ created_at }) => csvTime(created_at),
  status: (charge, outside) => statusOf(outside, charge),
  amount_ghs: ({ amount_pesewas }) => csvAmount(amount_pesewas),
  paid_ghs: (charge) => csvAmount(paidPesewas(charge)),
  overpaid_ghs: (charge) => csvAmount(overpaidPesewas(charge)),
  refunds_ghs: ({ refunds }) => csvAmount(refundedPesewas(refunds)),
  customer_name: ({ customer_name }) => customer_name,
  customer_phone: ({ customer_phone }) => customer_phone && shownNumber(customer_phone),
  email: ({ email }) => email,
  description: ({ description }) => description,
  merchant_reference: ({ merchant_reference }) => merchant_reference,
  expires_at: ({ expires_at }) => csvTime(expires_at),
  paid_at: ({ paid_at }) => csvTime(paid_at),
  expired_at: ({ expired_at }) => csvTime(expired_at),
  cancelled_at: ({ cancelled_at }) => csvTime(cancelled_at),
  reversed_at: ({ reversed_at }) => csvTime(reversed_at),
  disputed_at: ({ disputed }) => csvTime(disputed?.at),
  transaction_ids: (charge, _, reader) =>
    paymentsOf(charge)
      .map((payment) => `${payment.network} ${paymentIdFor(reader, payment)}`)
      .join(', '),
  payers: (charge) =>
    paymentsOf(charge)
      .flatMap(({ payer_name }) => payer_name ?? [])
      .join(', '),
};

/** A part of the charges that were created in a period, oldest first, as a file. */
export async function chargesFile({ merchant, query, user }: MerchantVisit, outside: Outside): Promise<Answer> {
  const { first, last } = periodOf(outside, query);
  const page = { start: pageOf({ cursor: query.cursor }).start, limit: ENTRIES_A_FILE };
  const { entries } = await listTransactions(outside, merchant.merchant_id, page, timesOfDays(first, last));
  return csvFile(
    `charges-${first}-to-${last}-part-${partOf(query.part)}.csv`,
    Object.keys(columns),
    entries.map((charge) => Object.values(columns).map((value) => value(charge, outside, readerOf(user)))),
  );
}
