import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { csvFile } from '../../shared/pages/dashboard/parts/csv.ts';
import { findBulk } from '../../shared/texts/bulk/find-bulk.ts';
import { resultsOf } from '../../shared/texts/bulk/results.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(manifest['sms/bulk-results'], {}, async ({ merchant, path }, outside) => {
  const { columns, texts } = resultsOf(await findBulk(outside, merchant.merchant_id, path.id));
  return csvFile('results.csv', texts, columns);
});
