import type { SenderResponse } from '../../phones/sender/responses.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import { presentSender, type Sender, sendingOf } from '../../phones/sender/sender.ts';
import { testSenders } from '../../phones/sender/test-senders.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Merchant } from './merchant.ts';
import { isTwin } from './twin.ts';

/** The senders of a merchant's texts: a twin's are in no phone. */
export async function knownSenders(outside: Outside, merchantId: string): Promise<readonly Sender[]> {
  return isTwin(merchantId) ? testSenders : rememberedSenders(outside);
}

/** The numbers that a merchant's texts can leave from, and why one cannot send now. */
export async function sendersOf(
  outside: Outside,
  { merchant_id }: Pick<Merchant, 'merchant_id'>,
): Promise<SenderResponse[]> {
  return sendingOf(await knownSenders(outside, merchant_id)).map((sender) =>
    presentSender(outside, sender, merchant_id),
  );
}
