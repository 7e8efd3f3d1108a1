import { phoneEventJob } from '../../shared/gateway/phone-event.table.ts';
import { stream } from '../../shared/runtime/stream.ts';
import { parseSend } from '../../shared/sms/send.table.ts';
import { smsJobs } from '../../shared/sms/sms-job.ts';
import { manifest } from '../manifest.ts';

/** The table's stream is the outbox: what was written becomes jobs for the workers, at least once each. */
export const handler = stream(manifest['work/relay'], async ({ event, sk, after }, outside) => {
  if (event !== 'INSERT' || !after) return;
  if (sk === 'SEND') await outside.queues.send('deliver-sms', smsJobs(parseSend(after)));
  if (sk === 'PHONE_EVENT') await outside.queues.send('settle-receipt', [phoneEventJob(after)]);
});
