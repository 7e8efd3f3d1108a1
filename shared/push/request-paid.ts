import { settleRequest } from '../money/request/settle-request.ts';
import { parseTransaction } from '../money/transaction/transaction.table.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { Change } from '../runtime/triggers/stream.ts';
import type { RequestJob } from './notice.ts';

/** Queues what a charge's change means for the request that it pays: money arrived, or was taken back; at least once. */
export async function queueRequest(outside: WorkerOutside, { event, sk, before, after }: Change): Promise<void> {
  if (event !== 'MODIFY' || sk !== 'TRANSACTION' || after?.request === undefined) return;
  const facts = (image: typeof before) => JSON.stringify([image?.state, image?.payment, image?.parts]);
  if (facts(before) === facts(after)) return;
  const { merchant_id, reference } = parseTransaction(after);
  const body: RequestJob = { kind: 'request', merchant_id, about: reference };
  await outside.queues.send('deliver-push', [{ body, group: merchant_id }]);
}

/** Records what the request's charges say now. */
export function settleRequestOf(outside: WorkerOutside, { about }: RequestJob): Promise<void> {
  return settleRequest(outside, about);
}
