import * as z from 'zod/mini';
import { watchChains } from '../../shared/care/wallet/watch-chains.ts';
import { Closing, closeDays } from '../../shared/money/booking/days.ts';
import { EXPIRY_GRACE_SECONDS, endCharge } from '../../shared/money/receipt/charge-parts.ts';
import { listExpiries } from '../../shared/money/transaction/expiry.table.ts';
import {
  listPostponed,
  listUnsettledPhoneEvents,
  postponePhoneEvent,
} from '../../shared/phones/gateway/phone-event.table.ts';
import { reportFailing, reportHeldBack, reportUnheard } from '../../shared/phones/sender/report-senders.ts';
import type { Sender } from '../../shared/phones/sender/sender.ts';
import { watchSenders } from '../../shared/phones/sender/watch-senders.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { listOutcomes } from '../../shared/runtime/table/recent-outcomes.ts';
import { longestLifeSeconds } from '../../shared/runtime/triggers/queue.ts';
import { schedule } from '../../shared/runtime/triggers/schedule.ts';
import { checkSends, reportOverdue } from '../../shared/texts/sms/check-send.ts';
import { listSendsToCheck } from '../../shared/texts/sms/send.table.ts';
import type { Chain } from '../../shared/wallets/chain/chain.ts';
import { testHearing } from '../../shared/wallets/wallet/test-hearing.ts';
import { reportUnread } from '../../shared/wallets/wallet/watch-readings.ts';
import { listDisabled } from '../../shared/webhook/endpoint.table.ts';
import { listDueEvents, moveOn } from '../../shared/webhook/event.table.ts';
import { queueTry } from '../../shared/webhook/event.ts';
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
/** How many sends are checked in a run, which takes some ten seconds; those of a phone at its pace are due at a few a minute. */
const MAX_SENDS = 500;
/** Charges are ended by our own database alone, which does not hang. */
const ENDING_MS = CHECKING_MS / 2;

/** A wallet's text is settled within seconds. */
const OVERDUE_RECEIPT_SECONDS = 5 * 60;

/** Days are closed by our own database alone, in whatever time is left. */
const CLOSING_MS = ENDING_MS;

/** What a run notes for the next. */
const Memo = z.object({
  /** The sends with texts that should have left. */
  texts: z.catch(z.array(z.string()), []),
  /** How far the closing of days has come. */
  closing: z.catch(z.optional(Closing), undefined),
});

/**
 * The safety net under the stream and the queues, and the watchman: once a minute it looks for anything that should have moved on
 * and has not, and measures what an operator has to know of. Each finding is a line in the log, with ids only.
 */
export const handler = schedule(manifest['work/housekeeping'], 'housekeeping', (outside, run) => {
  /** Gateways that do not take texts or did not answer: they are not asked again in this run. */
  const silent = new Set<string>();
  const memo = Memo.safeParse(run.memo).data ?? { texts: [], closing: undefined };
  run.memo = memo;
  /** Sends with texts that have not left. */
  const unfinished = [...memo.texts];
  /** Senders whose phone does not hear. */
  const deaf: Sender[] = [];
  /** Wallets whose newest texts nobody has confirmed. */
  const unproven: Chain[] = [];
  let watching: Promise<Sender[]> | undefined;
  const senders = () => {
    watching ??= watchSenders(outside, silent);
    return watching;
  };
  return {
    senders: async () => reportHeldBack(outside, await senders()),
    hearing: async () => void deaf.push(...(await testHearing(outside, await senders()))),
    phones: async () => reportUnheard(outside, await senders(), deaf),
    webhooks: () => queueDueEvents(outside),
    receipts: () => queueUnsettled(outside),
    chains: async () => void unproven.push(...(await watchChains(outside, await senders()))),
    charges: () => endCharges(outside),
    sends: async () => {
      const due = await listSendsToCheck(outside, ago(outside, 0), MAX_SENDS);
      const untilMs = outside.now() + CHECKING_MS;
      const sendIds = due.map(({ send_id }) => send_id);
      unfinished.push(...(await checkSends(outside, sendIds, { silent, untilMs })));
    },
    texts: async () => {
      memo.texts = await reportOverdue(outside, unfinished, await senders());
    },
    outcomes: async () => {
      const outcomes = await listOutcomes(outside);
      reportUnread(outside, outcomes, unproven);
      reportFailing(outside, await senders(), outcomes);
    },
    disabledWebhooks: async () => {
      const merchants = await listDisabled(outside);
      for (const merchant_id of merchants) outside.log.warn('webhook_off', { merchant_id });
      outside.metrics.count('webhooks_off', merchants.length);
    },
    days: async () => {
      memo.closing = await closeDays(outside, memo.closing, outside.now() + CLOSING_MS);
    },
    // Last: a run that does not come to its end is missed.
    end: async () => outside.metrics.count('housekeeping_runs'),
  };
});

async function queueDueEvents(outside: WorkerOutside): Promise<void> {
  // A job this long overdue is lost or was never queued.
  const events = await listDueEvents(outside, ago(outside, TRY_LOST_AFTER_SECONDS), 500);
  for (const event of events) {
    await queueTry(outside, event);
    await moveOn(outside, event, ago(outside, -AGAIN_SECONDS['deliver-webhook']));
  }
}

async function queueUnsettled(outside: WorkerOutside): Promise<void> {
  const unsettled = await listUnsettledPhoneEvents(outside, ago(outside, OVERDUE_RECEIPT_SECONDS), 500);
  // Those that were queued again are not done for that. A minute on, so that what arrives now is not among them.
  const overdue = [...unsettled.map(({ gateway }) => gateway), ...(await listPostponed(outside, ago(outside, -60)))];
  for (const gateway of new Set(overdue)) outside.log.warn('receipts_overdue', { gateway });
  outside.metrics.count('receipts_overdue', overdue.length);
  for (const job of unsettled) {
    await postponePhoneEvent(outside, job, ago(outside, -AGAIN_SECONDS['settle-receipt']));
    await outside.queues.send('settle-receipt', [{ body: job, group: job.gateway }]);
  }
}

async function endCharges(outside: WorkerOutside): Promise<void> {
  const untilMs = outside.now() + ENDING_MS;
  for (const expiry of await listExpiries(outside, ago(outside, EXPIRY_GRACE_SECONDS), 1000)) {
    if (outside.now() > untilMs) break;
    const { reference } = expiry;
    await endCharge(outside, expiry).catch((error) => outside.log.warn('charge_not_ended', { reference, error }));
  }
}

/** The longest that a job of the queue lives. */
function lifeSeconds(queue: 'settle-receipt' | 'deliver-webhook'): number {
  return longestLifeSeconds(queues[queue].maxReceiveCount, manifest[`work/${queue}`].timeoutSeconds);
}

function ago(outside: WorkerOutside, seconds: number): string {
  return new Date(outside.now() - seconds * 1000).toISOString();
}
