import { rememberedSenders } from '../../shared/phones/sender/sender.table.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { deliverSms } from '../../shared/texts/sms/deliver-sms.ts';
import { SmsJob } from '../../shared/texts/sms/sms-job.ts';
import { manifest, queues } from '../manifest.ts';

/** Hands queued texts to the phones. */
export const handler = queue(manifest['work/deliver-sms'], SmsJob, async (job, { receives }, outside) =>
  deliverSms(outside, job, queues['deliver-sms'].maxReceiveCount - receives, await rememberedSenders(outside)),
);
