import type { IdOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { cancelTexts } from '../sms/cancel-texts.ts';
import type { SendAndMessages } from '../sms/message.table.ts';
import { zeroIfNotPending } from '../sms/waiting-texts.ts';
import { findBulk, idsOfBulk } from './find-bulk.ts';

/**
 * Cancels a bulk send's unsent texts and refunds them. Can be repeated after a failure.
 * @throws PublicError `not_found`, or `text_not_pending` if there is nothing left to cancel.
 */
export async function cancelBulk(
  outside: TimedOutside & IdOutside,
  merchantId: string,
  id: string,
  write: (writes: readonly TableWrite[]) => Promise<unknown>,
): Promise<{ cancelled: number; sends: SendAndMessages[] }> {
  const sendIds = await idsOfBulk(outside, merchantId, id);
  const counts: number[] = [];
  // Cancel one send at a time, because each cancellation updates the same balance.
  for (const sendId of sendIds) {
    counts.push(
      await cancelTexts(outside, merchantId, { id: sendId }, async (writes, cancelled) => {
        await write(writes);
        return cancelled;
      }).catch(zeroIfNotPending),
    );
  }
  const sends = await findBulk(outside, merchantId, id);
  const cancelled = counts.reduce((total, count) => total + count, 0);
  if (!sends.some(({ messages }) => messages.some(({ state }) => state === 'cancelled')))
    throw new PublicError(
      'text_not_pending',
      'None of these texts are still scheduled or pending, so none can be cancelled. Nothing was changed.',
    );
  return { cancelled, sends };
}
