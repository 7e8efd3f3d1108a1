import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { bulkEndsMs } from '../../shared/texts/bulk/ends-at.ts';
import { findBulk } from '../../shared/texts/bulk/find-bulk.ts';
import { presentBulk } from '../../shared/texts/bulk/present-bulk.ts';
import { manifest } from '../manifest.ts';

/** Returns the progress and estimated end of a bulk send. */
export const handler = merchantRoute(manifest['sms/show-bulk'], {}, async ({ merchant, path }, outside) => {
  const sends = await findBulk(outside, merchant.merchant_id, path.id);
  const endsMs = await bulkEndsMs(outside, merchant.merchant_id, sends);
  return ok('Bulk found', presentBulk(sends, endsMs));
});
