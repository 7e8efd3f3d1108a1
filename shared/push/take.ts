import { tellTake } from '../money/transaction/change-transaction.table.ts';
import { UNDO_MS } from '../money/transaction/payment.ts';
import { findTransaction, isUntold, parseTransaction } from '../money/transaction/transaction.table.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { Changed } from '../runtime/table/contention.ts';
import { RetryLater } from '../runtime/triggers/queue.ts';
import type { Change } from '../runtime/triggers/stream.ts';
import type { TakeJob } from './notice.ts';

/** Queues, for a charge that was just taken at a till, that others are told of it once its cashier can undo it no more. */
export async function queueTake(outside: WorkerOutside, { event, sk, after }: Change): Promise<void> {
  if (event !== 'INSERT' || sk !== 'TRANSACTION' || after?.till === undefined) return;
  const { merchant_id, reference } = parseTransaction(after);
  const body: TakeJob = { kind: 'take', merchant_id, about: reference };
  await outside.queues.send('deliver-push', [{ body, group: merchant_id, delaySeconds: UNDO_MS / 1000 }]);
}

/**
 * Has others told of a charge that was taken at a till, where nobody has undone it. Doing it again changes nothing. Housekeeping does it
 * where the job is lost.
 * @throws RetryLater while it may still be undone.
 */
export async function settleTake(outside: WorkerOutside, { about }: TakeJob): Promise<void> {
  const charge = await findTransaction(outside, about);
  if (!charge || !isUntold(charge)) return;
  const leftMs = Date.parse(charge.till.at) + UNDO_MS - outside.now();
  if (leftMs > 0) throw new RetryLater(Math.ceil(leftMs / 1000), 'Its cashier may still undo it');
  try {
    await outside.table.write([tellTake(outside, charge)]);
  } catch (error) {
    // Undone, told or disputed meanwhile: the next receive reads it again.
    if (!(error instanceof Changed)) throw error;
    throw new RetryLater(1, 'The charge changed at this moment', { cause: error });
  }
}
