import * as z from 'zod/mini';
import { deliverPush } from '../../shared/push/deliver-push.ts';
import { settleCode, settleStock } from '../../shared/push/link-code.ts';
import { CodeJob, PushJob, ReceiptJob, RequestJob, StockJob } from '../../shared/push/notice.ts';
import { textReceipt } from '../../shared/push/receipt-text.ts';
import { settleRequestOf } from '../../shared/push/request-paid.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { KeywordJob } from '../../shared/texts/conversation/keyword.table.ts';
import { confirmKeyword } from '../../shared/texts/inbox/confirm-keyword.ts';
import { manifest } from '../manifest.ts';

const Job = z.union([ReceiptJob, KeywordJob, CodeJob, StockJob, RequestJob, PushJob]);

/**
 * Tells a merchant's people on their own phones what happened, payers that they have paid, and who wrote STOP that it is understood; hands out
 * the codes of links, and records what is paid of requests.
 */
export const handler = queue(manifest['work/deliver-push'], Job, (job, delivery, outside) => {
  switch (job.kind) {
    case 'receipt':
      return textReceipt(outside, job);
    case 'keyword':
      return confirmKeyword(outside, job);
    case 'code':
      return settleCode(outside, job);
    case 'stock':
      return settleStock(outside, job);
    case 'request':
      return settleRequestOf(outside, job);
    default:
      return deliverPush(outside, job, delivery);
  }
});
