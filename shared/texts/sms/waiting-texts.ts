import type { IdOutside, TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { hasCode } from '../../runtime/values/errors.ts';
import { cancelTexts } from './cancel-texts.ts';
import { getSendAndMessages, senderOf } from './message.table.ts';
import { listOpenSendIds } from './send.table.ts';
import { isUntaken } from './states.ts';

/**
 * Cancels and refunds a merchant's unsent texts, and returns their number. Skips codes. Can be repeated after a
 * failure. The index may not yet contain the newest sends.
 */
export async function cancelWaiting(outside: TimedOutside & IdOutside, merchantId: string): Promise<number> {
  let cancelled = 0;
  // Cancel one send at a time, because each cancellation updates the same balance.
  for (const id of await listOpenSendIds(outside, merchantId))
    cancelled += await cancelTexts(outside, merchantId, { id }, async (writes, texts) => {
      if (texts > 0) await outside.table.write(writes);
      return texts;
    }).catch(zeroIfNotPending);
  return cancelled;
}

export function zeroIfNotPending(error: unknown): number {
  if (hasCode(error, 'text_not_pending', 'not_found')) return 0;
  throw error;
}

/**
 * Counts other merchants' texts that are queued for a sender. If the sender is given an owner, these texts are moved to
 * another sender or fail.
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
