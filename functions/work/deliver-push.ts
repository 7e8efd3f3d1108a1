import { forMerchant } from '../../shared/merchants/merchant/test-account.ts';
import { deliverPush } from '../../shared/push/deliver-push.ts';
import { PushJob } from '../../shared/push/notice.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { manifest } from '../manifest.ts';

export const handler = queue(manifest['work/deliver-push'], PushJob, (job, delivery, outside) =>
  deliverPush(forMerchant(outside, job), job, delivery),
);
