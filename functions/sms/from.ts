import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { sendersOf } from '../../shared/merchant/senders-of.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import type { SenderListResponse } from '../../shared/sender/responses.ts';
import { manifest } from '../manifest.ts';

/** Lists the numbers that `send` accepts as `from`. */
export const handler = merchantRoute(manifest['sms/from'], {}, async ({ merchant }, outside) => {
  const senders = await sendersOf(outside, merchant);
  return ok<SenderListResponse>('Sender numbers', { default: merchant.default_from ?? null, senders });
});
