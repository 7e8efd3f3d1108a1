import * as z from 'zod/mini';
import { FollowUpJob } from '../../shared/events/follow-up-job.ts';
import { forMerchant } from '../../shared/merchants/merchant/test-account.ts';
import { deliverPush } from '../../shared/push/deliver-push.ts';
import { PushJob, queueOf } from '../../shared/push/notice.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { KeywordJob } from '../../shared/texts/conversation/keyword.table.ts';
import { QuestionJob } from '../../shared/texts/question/question.table.ts';
import { manifest } from '../manifest.ts';

/** Schema of jobs that release 1.0.0 queued. Remove it in the next release. */
const Earlier = z.union([FollowUpJob, KeywordJob, QuestionJob]);

export const handler = queue(
  manifest['work/deliver-push'],
  z.union([Earlier, PushJob]),
  async (job, delivery, outside) => {
    if ('slot' in job && queueOf(job) === 'deliver-push') return deliverPush(forMerchant(outside, job), job, delivery);
    const group = 'merchant_id' in job ? job.merchant_id : job.id;
    await outside.queues.send('run-follow-up', [{ body: job, group }]);
  },
);
