import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { sendersOf } from '../../shared/merchants/merchant/senders.ts';
import type { SenderListResponse } from '../../shared/phones/sender/responses.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Lists the numbers that `send` accepts as `from`. */
export const handler = merchantRoute(manifest['sms/from'], {}, async ({ merchant }, outside) => {
  const senders = await sendersOf(outside, merchant);
  return ok<SenderListResponse>('Sender numbers', { default: merchant.default_from ?? null, senders });
});
