import * as z from 'zod/mini';
import { deliverPush } from '../../shared/push/deliver-push.ts';
import { PushJob, ReceiptJob } from '../../shared/push/notice.ts';
import { textReceipt } from '../../shared/push/receipt-text.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { KeywordJob } from '../../shared/texts/conversation/keyword.table.ts';
import { confirmKeyword } from '../../shared/texts/inbox/confirm-keyword.ts';
import { manifest } from '../manifest.ts';

const Job = z.union([ReceiptJob, KeywordJob, PushJob]);

/** Tells a merchant's people on their own phones what happened, payers that they have paid, and who wrote STOP that it is understood. */
export const handler = queue(manifest['work/deliver-push'], Job, (job, delivery, outside) => {
  if (job.kind === 'receipt') return textReceipt(outside, job);
  if (job.kind === 'keyword') return confirmKeyword(outside, job);
  return deliverPush(outside, job, delivery);
});
