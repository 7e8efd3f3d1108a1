import type { IdOutside, TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { hasCode } from '../../runtime/values/errors.ts';
import { cancelTexts } from './cancel-texts.ts';
import { getSendAndMessages, senderOf } from './message.table.ts';
import { listOpenSendIds } from './send.table.ts';
import { isUntaken } from './states.ts';

/**
 * Cancels and refunds all of a merchant's texts that no phone has taken, and returns their number. Each send is
 * cancelled in its own transaction, so a failed cancellation can be continued by calling this again. Skips codes, which
 * expire within minutes. The newest sends may be missing from the index.
 */
export async function cancelWaiting(outside: TimedOutside & IdOutside, merchantId: string): Promise<number> {
  let cancelled = 0;
  // Sends are cancelled one after another, because every cancellation changes the same balance.
  for (const id of await listOpenSendIds(outside, merchantId))
    cancelled += await cancelTexts(outside, merchantId, { id }, async (writes, texts) => {
      if (texts > 0) await outside.table.write(writes);
      return texts;
    }).catch(noneWhereItHasLeft);
  return cancelled;
}

export function noneWhereItHasLeft(error: unknown): number {
  if (hasCode(error, 'text_not_pending', 'not_found')) return 0;
  throw error;
}

/**
 * Counts the texts of merchants other than `owner` that are waiting at a sender. Once the sender belongs to the owner,
 * these texts move to another sender, or fail and are refunded.
 */
export async function countOthersWaiting(
  outside: TimedOutside & TableOutside,
  number: string,
  owner: string | undefined,
): Promise<number> {
  let waiting = 0;
  for (const id of await listOpenSendIds(outside)) {
    const { send, messages = [] } = (await getSendAndMessages(outside, id)) ?? {};
    if (!send?.merchant_id || send.merchant_id === owner) continue;
    waiting += messages.filter((one) => isUntaken(one) && senderOf(send, one) === number).length;
  }
  return waiting;
}
