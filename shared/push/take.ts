import { tellTake } from '../money/charge/change-charge.table.ts';
import { chargeRows, isUntold } from '../money/charge/charge.table.ts';
import type { FollowUpJob } from '../money/follow-up/follow-up-job.ts';
import { UNDO_MS } from '../money/payment/payment.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { Changed } from '../runtime/table/contention.ts';
import { RetryLater } from '../runtime/triggers/queue.ts';

/**
 * Has others told of a charge that was taken at a till, where nobody has undone it. Doing it again changes nothing. Housekeeping does it
 * where the job is lost.
 * @throws RetryLater while it may still be undone.
 */
export async function settleTake(outside: WorkerOutside, { about }: FollowUpJob): Promise<void> {
  const charge = await chargeRows.find(outside, { reference: about });
  if (!charge || !isUntold(charge)) return;
  const leftMs = Date.parse(charge.goods.at) + UNDO_MS - outside.now();
  if (leftMs > 0) throw new RetryLater(Math.ceil(leftMs / 1000), 'Its cashier may still undo it');
  try {
    await outside.table.write([tellTake(outside, charge)]);
  } catch (error) {
    // Undone, told or disputed meanwhile: the next receive reads it again.
    if (!(error instanceof Changed)) throw error;
    throw new RetryLater(1, 'The charge changed at this moment', { cause: error });
  }
}
