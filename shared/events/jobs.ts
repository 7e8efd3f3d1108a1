import { merchantCache } from '../merchants/merchant/merchant.table.ts';
import type { Charge } from '../money/charge/charge.table.ts';
import { givenOf, takeOf } from '../money/charge/goods.ts';
import { isCodeDue } from '../money/link/hand-out-code.ts';
import { UNDO_MS } from '../money/payment/payment.ts';
import { arePurchasedDue } from '../money/purchase/give-credits.ts';
import { proofJob, suspectedJobs } from '../money/receipt/proof-job.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { keywordJob } from '../texts/conversation/keyword.table.ts';
import { type ConsumerTable, lookUp } from './consequences.ts';
import { createFollowUp, type FollowUp } from './follow-up.table.ts';
import type { FollowUpJob } from './follow-up-job.ts';
import type { Occurrence } from './occurrence.ts';

/** Queues an occurrence's jobs, each at least once. `at` is the time of the change (ISO). */
export async function queueJobs(outside: WorkerOutside, occurrence: Occurrence, at: string): Promise<void> {
  await lookUp(jobs, occurrence, outside, at);
}

const jobs: ConsumerTable<'job', [outside: WorkerOutside, at: string], Promise<void> | undefined> = {
  // Wait until the cashier can no longer undo the payment.
  'charge.taken': ({ charge }, outside) => queueFor(outside, 'take', charge, UNDO_MS / 1000),
  'charge.success': ({ charge }, outside) => (takeOf(charge) ? undefined : queueReceiptText(outside, charge)),
  'charge.proven': ({ charge }, outside) => queueReceiptText(outside, charge),
  // A second payment may now cover the charge.
  'charge.unsettled': ({ charge }, outside) => queueSecondReceipts(outside, charge),
  // Payments that arrived during a dispute may now be late, or need none of the charge's parts.
  'charge.expired': ({ charge }, outside) => queueSecondReceipts(outside, charge),
  'charge.cancelled': ({ charge }, outside) => queueSecondReceipts(outside, charge),
  // Payments that arrived during the dispute may now pay the charge.
  'charge.undisputed': ({ charge }, outside) => queueSecondReceipts(outside, charge),
  // A mark that contradicted this payment was undone, or a person put the payment back on the list.
  'receipt.reopened': ({ receipt: { receipt_id } }, { queues }) =>
    queues.send('settle-receipt', [proofJob(receipt_id)]),
  'charge.payments_changed': ({ charge }, outside, at) =>
    charge.origin.kind === 'request' ? queueNoted(outside, 'request', charge, at) : undefined,
  'charge.goods_changed': ({ charge }, outside, at) => {
    const goods = givenOf(charge);
    if (!goods || (charge.state !== 'success' && charge.state !== 'reversed')) return undefined;
    const kind = goods.kind === 'code' ? 'code' : 'purchase';
    // If the goods were already handed over, the job only sends a text, so it need not be requeued if it is lost.
    const isNoted = isCodeDue(charge) || arePurchasedDue(charge);
    return isNoted ? queueNoted(outside, kind, charge, at) : queueFor(outside, kind, charge);
  },
  'link.stocked': ({ link: { merchant_id, slug } }, outside, at) =>
    queueNoted(outside, 'stock', { merchant_id, reference: slug }, at),
  'wallet.reversal_suspected': ({ notice }, { queues }) => queues.send('settle-receipt', suspectedJobs(notice)),
  'keyword.heard': ({ heard }, { queues }) => queues.send('run-follow-up', [keywordJob(heard)]),
};

function queueSecondReceipts({ queues }: WorkerOutside, { second_receipts = [] }: Charge): Promise<void> | undefined {
  if (second_receipts.length === 0) return undefined;
  const proofs = second_receipts.map((id) => proofJob(id));
  return queues.send('settle-receipt', proofs);
}

/** Records a job, then queues it. Housekeeping requeues recorded jobs that are lost. */
async function queueNoted(
  outside: WorkerOutside,
  kind: FollowUp['kind'],
  charge: Pick<Charge, 'merchant_id' | 'reference'>,
  at: string,
): Promise<void> {
  const { merchant_id, reference: about } = charge;
  await outside.table.write([createFollowUp(outside, { kind, merchant_id, about }, at)]);
  await queueFor(outside, kind, charge);
}

function queueFor(
  { queues }: WorkerOutside,
  kind: FollowUpJob['kind'],
  { merchant_id, reference: about }: Pick<Charge, 'merchant_id' | 'reference'>,
  delaySeconds = 0,
): Promise<void> {
  const body: FollowUpJob = { kind, merchant_id, about };
  return queues.send('run-follow-up', [{ body, group: merchant_id, delaySeconds }]);
}

async function queueReceiptText(outside: WorkerOutside, charge: Charge): Promise<void> {
  const { merchant_id, receipt_send_id } = charge;
  if (receipt_send_id !== undefined || !(await merchantCache.get(outside, merchant_id))?.text_receipts) return;
  await queueFor(outside, 'receipt', charge);
}
