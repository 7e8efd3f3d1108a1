import { deliverPush } from '../../shared/push/deliver-push.ts';
import { PushJob } from '../../shared/push/notice.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { manifest } from '../manifest.ts';

/** Tells a merchant's people on their own phones what happened. */
export const handler = queue(manifest['work/deliver-push'], PushJob, (job, delivery, outside) =>
  deliverPush(outside, job, delivery),
);
