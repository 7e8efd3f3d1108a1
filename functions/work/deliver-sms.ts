import { isTextSettled } from '../../shared/money/request/text-settled.ts';
import { rememberedSenders } from '../../shared/phones/sender/sender.table.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { deliverSms } from '../../shared/texts/sms/deliver-sms.ts';
import { giveTurn } from '../../shared/texts/sms/give-turn.ts';
import { DeliveryJob } from '../../shared/texts/sms/sms-job.ts';
import { manifest, queues } from '../manifest.ts';

export const handler = queue(manifest['work/deliver-sms'], DeliveryJob, async (job, { receives }, outside) => {
  const known = { senders: await rememberedSenders(outside), isSettled: isTextSettled };
  if ('sender' in job) return giveTurn(outside, job, known);
  return deliverSms(outside, { ...known, job, receivesLeft: queues['deliver-sms'].maxReceiveCount - receives });
});
