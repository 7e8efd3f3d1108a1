import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { type Movement, OVERTAKEN_MS } from '../../wallets/chain/chain.ts';
import { getReceipts } from './receipt.table.ts';
import { proofJob } from './settle-again.ts';

const MINUTE_MS = 60 * 1000;
/** A payment has a job of its own for the moment at which its time is over, which is not to be made twice. */
const LATE_MS = OVERTAKEN_MS + MINUTE_MS;
/** What cannot be decided must not become a job every minute. */
const AGAIN_MINUTES = 10;

/**
 * Has payments decided about whose time to be checked is over, and whose own job was lost. Called each minute, or `isSeldom`: every ten
 * minutes.
 */
export async function queueChecking(
  outside: WorkerOutside,
  waiting: readonly Movement[],
  isSeldom = false,
): Promise<void> {
  const lateMinutes = ({ arrived_ms }: Movement) => Math.floor((outside.now() - arrived_ms - LATE_MS) / MINUTE_MS);
  const late = waiting.filter(
    (text) => lateMinutes(text) >= 0 && (isSeldom || lateMinutes(text) % AGAIN_MINUTES === 0),
  );
  const receiptIds = [...new Set(late.flatMap(({ receipt_id }) => receipt_id ?? []))];
  if (receiptIds.length === 0) return;
  const checking = (await getReceipts(outside, receiptIds)).filter(({ reason }) => reason === 'checking');
  const jobs = checking.map(({ receipt_id }) => proofJob(receipt_id));
  if (jobs.length > 0) await outside.queues.send('settle-receipt', jobs);
}
