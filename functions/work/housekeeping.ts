import { listUnsettledPhoneEvents, postponePhoneEvent } from '../../shared/gateway/phone-event.table.ts';
import { schedule } from '../../shared/runtime/schedule.ts';
import type { WorkerOutside } from '../../shared/runtime/worker-outside.ts';
import { watchSenders } from '../../shared/sender/watch-senders.ts';
import { checkSend } from '../../shared/sms/check-send.ts';
import { listSendsToCheck } from '../../shared/sms/send.table.ts';
import { listDueEvents } from '../../shared/webhook/event.table.ts';
import { queueTry } from '../../shared/webhook/webhook-job.ts';
import { manifest } from '../manifest.ts';

/** The net under the stream and the queues: once a minute it looks for what should have moved on and has not. */
export const handler = schedule(manifest['work/housekeeping'], {
  watchSenders,
  webhooks: async (outside) => {
    // A try that is due soon has its own delayed job; half a minute past its time the job is lost or was never queued.
    const events = await listDueEvents(outside, ago(outside, 30), 500);
    for (const event of events) await queueTry(outside, event);
  },
  receipts: async (outside) => {
    for (const job of await listUnsettledPhoneEvents(outside, ago(outside, 300), 500)) {
      // Longer than a job lives: one that cannot be settled must not become a job a minute.
      await postponePhoneEvent(outside, job, ago(outside, -3 * 60 * 60));
      await outside.queues.send('settle-receipt', [{ body: job, group: job.gateway }]);
    }
  },
  sends: async (outside) => {
    for (const { send_id } of await listSendsToCheck(outside, ago(outside, 0), 100)) {
      await checkSend(outside, send_id).catch((error) => outside.log.warn('send_unchecked', { send_id, error }));
    }
  },
});

function ago(outside: WorkerOutside, seconds: number): string {
  return new Date(outside.now() - seconds * 1000).toISOString();
}
