import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { isTwin } from '../../shared/merchant/twin.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import type { SenderListResponse } from '../../shared/sender/responses.ts';
import { rememberedSenders } from '../../shared/sender/sender.table.ts';
import { presentSender } from '../../shared/sender/sender.ts';
import { testSenders } from '../../shared/sender/test-senders.ts';
import { manifest } from '../manifest.ts';

/** Lists the numbers that `send` accepts as `from`. */
export const handler = merchantRoute(manifest['sms/from'], {}, async ({ merchant }, outside) => {
  const known = isTwin(merchant.merchant_id) ? testSenders : await rememberedSenders(outside);
  const senders = known.map((sender) => presentSender(outside, sender, merchant.merchant_id));
  return ok<SenderListResponse>('Sender numbers', { default: merchant.default_from ?? null, senders });
});
