import type { Outside } from '../runtime/outside/outside.ts';
import type { SenderResponse } from '../sender/responses.ts';
import { rememberedSenders } from '../sender/sender.table.ts';
import { presentSender, sendingOf } from '../sender/sender.ts';
import { testSenders } from '../sender/test-senders.ts';
import type { Merchant } from './merchant.ts';
import { isTwin } from './twin.ts';

/** The numbers that a merchant's texts can leave from, and why one cannot send now. */
export async function sendersOf(
  outside: Outside,
  { merchant_id }: Pick<Merchant, 'merchant_id'>,
): Promise<SenderResponse[]> {
  const known = isTwin(merchant_id) ? testSenders : await rememberedSenders(outside);
  return sendingOf(known).map((sender) => presentSender(outside, sender, merchant_id));
}
