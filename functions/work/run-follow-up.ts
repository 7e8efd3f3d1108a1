import * as z from 'zod/mini';
import { FollowUpJob } from '../../shared/events/follow-up-job.ts';
import { forMerchant } from '../../shared/merchants/merchant/test-account.ts';
import { serveWaiting } from '../../shared/money/link/hand-out-code.ts';
import { settleCode } from '../../shared/money/link/settle-code.ts';
import { giveCredits } from '../../shared/money/purchase/give-credits.ts';
import { textCustomerReceipt } from '../../shared/money/receipt/text-customer-receipt.ts';
import { settleRequest } from '../../shared/money/request/settle-request.ts';
import { settleTake } from '../../shared/money/till/settle-take.ts';
import { PushJob } from '../../shared/push/notice.ts';
import { textOwner } from '../../shared/push/text-owner.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { KeywordJob } from '../../shared/texts/conversation/keyword.table.ts';
import { confirmKeyword } from '../../shared/texts/inbox/confirm-keyword.ts';
import { manifest } from '../manifest.ts';

const Job = z.union([FollowUpJob, KeywordJob, PushJob]);

/** Runs the jobs that follow a payment or reply: they update goods, credits and payment requests, and send texts. */
export const handler = queue(manifest['work/run-follow-up'], Job, (job, delivery, given) => {
  const outside = forMerchant(given, 'merchant_id' in job ? job : {});
  switch (job.kind) {
    case 'receipt':
      return textCustomerReceipt(outside, { merchant_id: job.merchant_id, reference: job.about });
    case 'keyword':
      return confirmKeyword(outside, job);
    case 'code':
      return settleCode(outside, job.about);
    case 'stock':
      return serveWaiting(outside, job.about);
    case 'purchase':
      return giveCredits(outside, job.about);
    case 'take':
      return settleTake(outside, job.about);
    case 'request':
      return settleRequest(outside, job.about);
    default:
      return textOwner(outside, job, delivery);
  }
});
