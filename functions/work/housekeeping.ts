import { listUnsettledPhoneEvents, postponePhoneEvent } from '../../shared/gateway/phone-event.table.ts';
import { EXPIRY_GRACE_SECONDS, endCharge } from '../../shared/receipt/end-charge.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { longestLifeSeconds } from '../../shared/runtime/triggers/queue.ts';
import { schedule } from '../../shared/runtime/triggers/schedule.ts';
import { watchSenders } from '../../shared/sender/watch-senders.ts';
import { checkSend } from '../../shared/sms/check-send.ts';
import { listSendsToCheck } from '../../shared/sms/send.table.ts';
import { listExpiries } from '../../shared/transaction/expiry.table.ts';
import { listDueEvents, moveOn } from '../../shared/webhook/event.table.ts';
import { queueTry } from '../../shared/webhook/webhook-job.ts';
import { manifest, queues } from '../manifest.ts';

/** A webhook's try that is due soon has its own delayed job, and a worker may be making it until it runs out of time. */
export const TRY_LOST_AFTER_SECONDS = manifest['work/deliver-webhook'].timeoutSeconds;

/** When what was queued and is not done is queued again: what cannot be done must not become a job every minute. */
const AGAIN_SECONDS = {
  'settle-receipt': lifeSeconds('settle-receipt'),
  'deliver-webhook': lifeSeconds('deliver-webhook'),
};

/**
 * No send is started in the second half of the function's time: the gateway may hang on the last one. The next run continues.
 */
const CHECKING_MS = (manifest['work/housekeeping'].timeoutSeconds * 1000) / 2;
/** Charges are ended by our own database alone, which does not hang. */
const ENDING_MS = CHECKING_MS / 2;

/**
 * The safety net under the stream and the queues: once a minute it looks for anything that should have moved on and has not.
 */
export const handler = schedule(manifest['work/housekeeping'], {
  watchSenders,
  webhooks: async (outside) => {
    // A job this long overdue is lost or was never queued.
    const events = await listDueEvents(outside, ago(outside, TRY_LOST_AFTER_SECONDS), 500);
    for (const event of events) {
      await queueTry(outside, event);
      await moveOn(outside, event, ago(outside, -AGAIN_SECONDS['deliver-webhook']));
    }
  },
  receipts: async (outside) => {
    for (const job of await listUnsettledPhoneEvents(outside, ago(outside, 300), 500)) {
      await postponePhoneEvent(outside, job, ago(outside, -AGAIN_SECONDS['settle-receipt']));
      await outside.queues.send('settle-receipt', [{ body: job, group: job.gateway }]);
    }
  },
  charges: async (outside) => {
    const untilMs = outside.now() + ENDING_MS;
    for (const expiry of await listExpiries(outside, ago(outside, EXPIRY_GRACE_SECONDS), 1000)) {
      if (outside.now() > untilMs) break;
      const { reference } = expiry;
      await endCharge(outside, expiry).catch((error) => outside.log.warn('charge_not_ended', { reference, error }));
    }
  },
  sends: async (outside) => {
    const untilMs = outside.now() + CHECKING_MS;
    for (const { send_id } of await listSendsToCheck(outside, ago(outside, 0), 100)) {
      if (outside.now() > untilMs) break;
      await checkSend(outside, send_id).catch((error) => outside.log.warn('send_unchecked', { send_id, error }));
    }
  },
});

/** The longest that a job of the queue lives. */
function lifeSeconds(queue: 'settle-receipt' | 'deliver-webhook'): number {
  return longestLifeSeconds(queues[queue].maxReceiveCount, manifest[`work/${queue}`].timeoutSeconds);
}

function ago(outside: WorkerOutside, seconds: number): string {
  return new Date(outside.now() - seconds * 1000).toISOString();
}
