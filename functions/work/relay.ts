import { CHECKED_AFTER_SECONDS, gapJobs, proofJob } from '../../shared/money/receipt/proof-job.ts';
import { phoneEventJob } from '../../shared/phones/gateway/phone-event.table.ts';
import type { Job } from '../../shared/runtime/outside/queues.ts';
import { type Change, stream } from '../../shared/runtime/triggers/stream.ts';
import { sendRows } from '../../shared/texts/sms/send.table.ts';
import { queueSms, smsJobs } from '../../shared/texts/sms/sms-job.ts';
import { heldUntilMs, QUEUED_AHEAD_MS } from '../../shared/texts/sms/when-to-leave.ts';
import { manifest } from '../manifest.ts';

/**
 * Uses the table's stream as an outbox: each text and receipt is queued as a job at least once. Never reads the table: a
 * slow or throttled table must not hold up payments.
 */
export const handler = stream(manifest['work/relay'], async (change, outside) => {
  const { event, sk, after } = change;
  const proved = provedReceipt(change);
  if (proved) return outside.queues.send('settle-receipt', proofJobs(change, proved));
  const gap = gapJobs(change);
  if (gap.length > 0) return outside.queues.send('settle-receipt', gap);
  if (!after || event !== 'INSERT') return;
  if (sk === 'SEND') {
    const send = sendRows.parse(after);
    const heldMs = heldUntilMs(outside, send);
    // Housekeeping queues texts that are due later.
    if (heldMs !== undefined && heldMs - outside.now() > QUEUED_AHEAD_MS) return;
    return queueSms(outside, send, smsJobs(send), heldMs);
  }
  if (sk === 'PHONE_EVENT' && !after.stranger) return outside.queues.send('settle-receipt', [phoneEventJob(after)]);
});

/**
 * Returns the jobs that re-evaluate a text's payment. A changed text gets a second, delayed job, because a worker that
 * read the text before the change may not store the payment until after the first job.
 */
function proofJobs({ event }: Change, receiptId: string): Job[] {
  return [proofJob(receiptId), ...(event === 'MODIFY' ? [proofJob(receiptId, CHECKED_AFTER_SECONDS)] : [])];
}

/** Returns the receipt id of a text that was linked or moved in its balance chain. */
function provedReceipt({ event, sk, before, after }: Change): string | undefined {
  const isProved = (sk.startsWith('WAIT#') && event === 'REMOVE') || (sk.startsWith('TEXT#') && event === 'MODIFY');
  const receiptId = (after ?? before)?.receipt_id;
  return isProved && typeof receiptId === 'string' ? receiptId : undefined;
}
