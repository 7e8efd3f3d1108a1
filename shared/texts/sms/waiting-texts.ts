import type { IdOutside, TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { hasCode } from '../../runtime/values/errors.ts';
import { cancelTexts } from './cancel-texts.ts';
import { getSendAndMessages, senderOf } from './message.table.ts';
import { listOpenSendIds } from './send.table.ts';
import { isUntaken } from './states.ts';

/**
 * Cancels all of a merchant's texts that no phone was given, and gives their credits back; gives how many. Each send is one transaction, so
 * to repeat it after a failure goes on. Codes are left: they expire in minutes. A send of the last moments may not be in the index yet.
 */
export async function cancelWaiting(outside: TimedOutside & IdOutside, merchantId: string): Promise<number> {
  let cancelled = 0;
  // One after the other: each changes the same balance.
  for (const id of await listOpenSendIds(outside, merchantId))
    cancelled += await cancelTexts(outside, merchantId, { id }, async (writes, texts) => {
      // What was cancelled before is in the index until housekeeping has seen it.
      if (texts > 0) await outside.table.write(writes);
      return texts;
    }).catch(noneWhereItHasLeft);
  return cancelled;
}

/** For a cancel of several sends: of one of which nothing is left to cancel, none. */
export function noneWhereItHasLeft(error: unknown): number {
  if (hasCode(error, 'text_not_pending', 'not_found')) return 0;
  throw error;
}

/** How many texts of others than `owner` wait to leave from a number. They leave from another one, or fail and are refunded, once it is the owner's alone. */
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
