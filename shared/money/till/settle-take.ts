import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { RetryLater } from '../../runtime/triggers/queue.ts';
import { tellTake } from '../charge/change-charge.table.ts';
import { chargeRows, isSuccessEventDue } from '../charge/charge.table.ts';
import { UNDO_MS } from '../payment/payment.ts';

/**
 * Sends the webhook event of a tapped charge once the tap can no longer be undone. If this job is lost, the event is
 * sent when the charge expires. Idempotent.
 * @throws RetryLater while the cashier can still undo the tap.
 */
export async function settleTake(outside: WorkerOutside, reference: string): Promise<void> {
  const charge = await chargeRows.find(outside, { reference });
  if (!charge || !isSuccessEventDue(charge)) return;
  const leftMs = Date.parse(charge.goods.at) + UNDO_MS - outside.now();
  if (leftMs > 0) throw new RetryLater(Math.ceil(leftMs / 1000), 'The cashier can still undo the tap');
  try {
    await outside.table.write([tellTake(outside, charge)]);
  } catch (error) {
    // The tap was undone, or the charge was released or disputed. The next attempt reads the charge again.
    if (!(error instanceof Changed)) throw error;
    throw new RetryLater(1, 'The charge has just changed', { cause: error });
  }
}
