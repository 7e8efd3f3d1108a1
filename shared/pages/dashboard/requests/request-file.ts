import { shownNumber } from '../../../ghana/shown-number.ts';
import { shownPayment } from '../../../money/payment/shown-payment.ts';
import { requestRows } from '../../../money/request/request.table.ts';
import { requestUrl } from '../../../money/request/request-url.ts';
import { recordedSums, requestStateOf } from '../../../money/request/sums.ts';
import type { Answer } from '../../../runtime/http/answer.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { readPages } from '../../../runtime/table/table.ts';
import { csvAmount, csvFile, csvProof, csvTime } from '../parts/csv.ts';
import type { MerchantVisit } from '../parts/visit.ts';

/** Maximum number of payment requests created from one list. */
export const MAX_IN_FILE = 1_000;
const A_READ = 100;

/** Returns a file of the newest payment requests and their links. Their totals may be seconds old. */
export async function requestsFile({ merchant }: MerchantVisit, outside: Outside): Promise<Answer> {
  const { items } = await readPages(MAX_IN_FILE, async (start) => {
    const page = { limit: A_READ, newestFirst: true, start };
    const { entries: requests, next } = await requestRows.page(outside, merchant, page);
    return { items: requests, next };
  });
  return csvFile('requests.csv', items, {
    customer_name: ({ customer_name }) => customer_name,
    customer_phone: ({ customer_phone }) => customer_phone && shownNumber(customer_phone),
    title: ({ title }) => title,
    amount_ghs: ({ total_pesewas }) => csvAmount(total_pesewas),
    open_ghs: (request) => csvAmount(recordedSums(request).openPesewas),
    url: ({ slug }) => requestUrl(outside, slug),
    status: (request) => requestStateOf(request, recordedSums(request)),
    due: ({ instalments }) => instalments[0]?.due,
    merchant_reference: ({ merchant_reference }) => merchant_reference,
    created_at: ({ created_at }) => csvTime(created_at),
    proof: (request) => {
      const { paidPesewas, backing } = recordedSums(request);
      return csvProof(shownPayment(paidPesewas, backing));
    },
  });
}
