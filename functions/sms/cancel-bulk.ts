import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { counted } from '../../shared/runtime/values/counted.ts';
import { cancelBulk } from '../../shared/texts/bulk/cancel-bulk.ts';
import { presentBulk } from '../../shared/texts/bulk/present-bulk.ts';
import { manifest } from '../manifest.ts';

/** Cancels the unsent texts of a bulk send. */
export const handler = merchantRoute(manifest['sms/cancel-bulk'], {}, async ({ merchant, path, commit }, outside) => {
  const write = (writes: Parameters<typeof commit>[0]) => commit(writes, ok('Cancelled', {}));
  const { cancelled, sends } = await cancelBulk(outside, merchant.merchant_id, path.id, write);
  return ok(`Cancelled ${counted(cancelled, 'text')}`, presentBulk(sends, undefined));
});
