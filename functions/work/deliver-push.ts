import * as z from 'zod/mini';
import { deliverPush } from '../../shared/push/deliver-push.ts';
import { PushJob, ReceiptJob } from '../../shared/push/notice.ts';
import { textReceipt } from '../../shared/push/receipt-text.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { manifest } from '../manifest.ts';

const Job = z.union([ReceiptJob, PushJob]);

/** Tells a merchant's people on their own phones what happened, and payers that they have paid. */
export const handler = queue(manifest['work/deliver-push'], Job, (job, delivery, outside) =>
  job.kind === 'receipt' ? textReceipt(outside, job) : deliverPush(outside, job, delivery),
);
