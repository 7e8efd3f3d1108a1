import * as z from 'zod/mini';
import {
  blockFollowUp,
  type FollowUp,
  followUpRows,
  listFollowUps,
  moveFollowUp,
} from '../../shared/events/follow-up.table.ts';
import type { FollowUpJob } from '../../shared/events/follow-up-job.ts';
import { progressOf } from '../../shared/events/follow-up-progress.ts';
import { isTestAccount } from '../../shared/merchants/merchant/test-account.ts';
import { Closing, closeDays } from '../../shared/money/booking/days.ts';
import { EXPIRY_GRACE_SECONDS, type Expiry, listExpiries } from '../../shared/money/charge/expiry.table.ts';
import { remind } from '../../shared/money/request/remind.ts';
import { listRemindersDue, type PaymentRequest } from '../../shared/money/request/request.table.ts';
import { endCharge } from '../../shared/money/settling/end-charge.ts';
import { watchChains } from '../../shared/money/wallet/watch-chains.ts';
import {
  listPostponed,
  listUnsettledPhoneEvents,
  type PhoneEventJob,
  postponePhoneEvent,
} from '../../shared/phones/gateway/phone-event.table.ts';
import { reportFailing, reportHeldBack, reportUnheard } from '../../shared/phones/sender/report-senders.ts';
import type { Sender } from '../../shared/phones/sender/sender.ts';
import { watchSenders } from '../../shared/phones/sender/watch-senders.ts';
import { queueEvenings } from '../../shared/push/evening.ts';
import { isoOf } from '../../shared/runtime/outside/outside.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { pagesDue } from '../../shared/runtime/table/pages-due.ts';
import { listOutcomes } from '../../shared/runtime/table/recent-outcomes.ts';
import { longestLifeSeconds } from '../../shared/runtime/triggers/queue.ts';
import { schedule } from '../../shared/runtime/triggers/schedule.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { sideBySide } from '../../shared/runtime/values/side-by-side.ts';
import { checkSends, reportOverdue } from '../../shared/texts/sms/check-send.ts';
import { listSendsToCheck } from '../../shared/texts/sms/send.table.ts';
import type { Chain } from '../../shared/wallets/chain/chain.ts';
import { noteSilence } from '../../shared/wallets/wallet/note-silence.ts';
import { testHearing } from '../../shared/wallets/wallet/test-hearing.ts';
import { watchForms } from '../../shared/wallets/wallet/watch-forms.ts';
import { reportUnread } from '../../shared/wallets/wallet/watch-readings.ts';
import { listDisabled } from '../../shared/webhook/endpoint.table.ts';
import { hideUntil, listDueEvents } from '../../shared/webhook/event.table.ts';
import { queueTry, type WebhookEvent } from '../../shared/webhook/event.ts';
import { manifest, queues } from '../manifest.ts';

/** A webhook attempt that is overdue by this much counts as lost. */
export const TRY_LOST_AFTER_SECONDS = manifest['work/deliver-webhook'].timeoutSeconds;

/**
 * Delays before unfinished work is requeued. By then, the previous job has succeeded or become a dead letter, so jobs
 * do not pile up.
 */
const AGAIN_SECONDS = {
  'settle-receipt': longestLifeSeconds(
    queues['settle-receipt'].maxReceiveCount,
    manifest['work/settle-receipt'].timeoutSeconds,
  ),
  'deliver-webhook': longestLifeSeconds(
    queues['deliver-webhook'].maxReceiveCount,
    manifest['work/deliver-webhook'].timeoutSeconds,
  ),
  'run-follow-up': longestLifeSeconds(
    queues['run-follow-up'].maxReceiveCount,
    manifest['work/run-follow-up'].timeoutSeconds,
  ),
};

const RESERVE_MS = MINUTE_MS;
/** Number of tasks without a fixed duration: webhooks, receipts, charges, follow-ups, sends, reminders and days. */
const LONG_PARTS = 7;

const AT_ONCE = 25;
const AGAIN_AT_ONCE = 5;

const OVERDUE_RECEIPT_SECONDS = 5 * 60;

const Memo = z.object({
  texts: z.catch(z.array(z.string()), []),
  closing: z.catch(z.optional(Closing), undefined),
  silent: z.catch(z.array(z.string()), []),
  evening: z.catch(z.optional(z.string()), undefined),
});

/** Requeues overdue work every minute and measures the service's health. Log lines contain only ids. */
export const handler = schedule(manifest['work/housekeeping'], 'housekeeping', (outside, run) => {
  const silent = new Set<string>();
  const memo = Memo.safeParse(run.memo).data ?? { texts: [], closing: undefined, silent: [], evening: undefined };
  run.memo = memo;
  const unfinished = [...memo.texts];
  const deaf: Sender[] = [];
  const unproven: Chain[] = [];
  const endMs = outside.now() + manifest['work/housekeeping'].timeoutSeconds * 1000 - RESERVE_MS;
  let parts = LONG_PARTS;
  /** Deadline for the next long task, which gets an equal share of the remaining time. */
  const untilMs = () => outside.now() + (endMs - outside.now()) / parts--;
  let watching: Promise<Sender[]> | undefined;
  const senders = () => {
    watching ??= watchSenders(outside, silent);
    return watching;
  };
  return {
    senders: async () => reportHeldBack(outside, await senders()),
    hearing: async () => void deaf.push(...(await testHearing(outside, await senders()))),
    phones: async () => {
      const silent = await reportUnheard(outside, await senders(), deaf);
      memo.silent = await noteSilence(outside, memo.silent, silent);
    },
    callbacks: () => watchForms(outside),
    webhooks: () => queueDueEvents(outside, untilMs()),
    receipts: () => queueUnsettled(outside, untilMs()),
    chains: async () => void unproven.push(...(await watchChains(outside, await senders()))),
    charges: () => endCharges(outside, untilMs()),
    followUps: () => queueFollowUps(outside, untilMs()),
    sends: async () => {
      const checking = { silent, untilMs: untilMs() };
      const list = (limit: number) => listSendsToCheck(outside, ago(outside, 0), limit);
      for await (const due of pagesDue(outside, checking.untilMs, ({ send_id }) => send_id, list)) {
        const sendIds = due.map(({ send_id }) => send_id);
        unfinished.push(...(await checkSends(outside, sendIds, checking)));
      }
    },
    reminders: () => sendReminders(outside, untilMs()),
    evenings: async () => {
      memo.evening = await queueEvenings(outside, memo.evening);
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
      memo.closing = await closeDays(outside, memo.closing, untilMs());
    },
    // Count the run last, so that an unfinished run raises the alarm.
    end: async () => outside.metrics.count('housekeeping_runs'),
  };
});

async function queueDueEvents(outside: WorkerOutside, untilMs: number): Promise<void> {
  const due: Due<WebhookEvent> = {
    list: (limit) => listDueEvents(outside, ago(outside, TRY_LOST_AFTER_SECONDS), limit),
    idOf: ({ event_id }) => event_id,
    failed: ({ merchant_id }, error) => outside.log.warn('event_not_queued', { merchant_id, error }),
  };
  const error = await eachDue(outside, untilMs, due, async (event) => {
    await queueTry(outside, event);
    await hideUntil(outside, event, ago(outside, -AGAIN_SECONDS['deliver-webhook']));
  });
  if (error) throw error;
}

async function queueUnsettled(outside: WorkerOutside, untilMs: number): Promise<void> {
  // Also warn about gateways whose jobs an earlier run requeued. The extra minute excludes texts that have only just
  // arrived.
  const overdue = await listPostponed(outside, ago(outside, -60));
  const due: Due<PhoneEventJob> = {
    list: (limit) => listUnsettledPhoneEvents(outside, ago(outside, OVERDUE_RECEIPT_SECONDS), limit),
    idOf: (job) => Object.values(job).join('#'),
    failed: ({ gateway }, error) => outside.log.warn('receipt_not_queued', { gateway, error }),
  };
  const error = await eachDue(outside, untilMs, due, async (job) => {
    overdue.push(job.gateway);
    await postponePhoneEvent(outside, job, ago(outside, -AGAIN_SECONDS['settle-receipt']));
    await outside.queues.send('settle-receipt', [{ body: job, group: job.gateway }]);
  });
  for (const gateway of new Set(overdue)) outside.log.warn('receipts_overdue', { gateway });
  outside.metrics.count('receipts_overdue', overdue.length);
  if (error) throw error;
}

async function endCharges(outside: WorkerOutside, untilMs: number): Promise<void> {
  const due: Due<Expiry> = {
    list: (limit) => listExpiries(outside, ago(outside, EXPIRY_GRACE_SECONDS), limit),
    idOf: ({ reference }) => reference,
    failed: ({ reference }, error) => outside.log.warn('charge_not_ended', { reference, error }),
  };
  await eachDue(outside, untilMs, due, (expiry) => endCharge(outside, expiry));
}

/** Requeues follow-up jobs after nearly an hour. By then, a failing job has become a dead letter. */
async function queueFollowUps(outside: WorkerOutside, untilMs: number): Promise<void> {
  const overdue = new Set<FollowUp>();
  const due: Due<FollowUp> = {
    list: (limit) => listFollowUps(outside, ago(outside, AGAIN_SECONDS['run-follow-up']), limit),
    idOf: ({ queued_at, kind, about }) => `${queued_at}#${kind}#${about}`,
    failed: ({ merchant_id, kind, about }, error) =>
      outside.log.warn('follow_up_not_queued', { merchant_id, kind, reference: about, error }),
  };
  const error = await eachDue(outside, untilMs, due, async (followUp) => {
    const progress = await progressOf(outside, followUp);
    if (progress === 'done') return outside.table.remove(followUpRows.key(followUp));
    if (progress === 'blocked') return outside.table.write(blockFollowUp(outside, followUp));
    const { kind, merchant_id, about, is_blocked } = followUp;
    if (!is_blocked) {
      if (!isTestAccount(merchant_id)) overdue.add(followUp);
      outside.log.warn('follow_up_overdue', { merchant_id, kind, reference: about });
    }
    const body: FollowUpJob = { kind, merchant_id, about };
    await outside.queues.send('run-follow-up', [{ body, group: merchant_id }]);
    await outside.table.write(moveFollowUp(outside, followUp));
  });
  outside.metrics.count('follow_ups_overdue', overdue.size);
  if (error) throw error;
}

/**
 * Hours (UTC) when reminders may be sent. Reminders are due between 09:00 and 11:00. The other hours are for catching
 * up.
 */
const REMINDING_HOURS = { from: 8, to: 19 } as const;

async function sendReminders(outside: WorkerOutside, untilMs: number): Promise<void> {
  const hour = new Date(outside.now()).getUTCHours();
  if (hour < REMINDING_HOURS.from || hour >= REMINDING_HOURS.to) return;
  const due: Due<PaymentRequest> = {
    list: (limit) => listRemindersDue(outside, ago(outside, 0), limit),
    idOf: ({ slug }) => slug,
    failed: ({ merchant_id }, error) => outside.log.warn('reminder_failed', { merchant_id, error }),
  };
  const error = await eachDue(outside, untilMs, due, ({ slug }) => remind(outside, slug));
  if (error) throw error;
}

interface Due<One> {
  readonly list: (limit: number) => Promise<readonly One[]>;
  readonly idOf: (one: One) => string;
  readonly failed: (one: One, error: unknown) => void;
}

/**
 * Processes due items in parallel until none are left or time runs out. Failed items are retried once at the end.
 * Returns the first remaining error, if any.
 */
async function eachDue<One>(
  outside: WorkerOutside,
  untilMs: number,
  { list, idOf, failed }: Due<One>,
  work: (one: One) => Promise<void>,
): Promise<unknown> {
  const errors = new Map<One, unknown>();
  const tried = (one: One) =>
    work(one).then(
      () => void errors.delete(one),
      (error: unknown) => void errors.set(one, error),
    );
  for await (const items of pagesDue(outside, untilMs, idOf, list))
    await sideBySide(outside, { items, atOnce: AT_ONCE, untilMs }, tried);
  await sideBySide(outside, { items: [...errors.keys()], atOnce: AGAIN_AT_ONCE, untilMs }, tried);
  for (const [one, error] of errors) failed(one, error);
  return errors.values().next().value;
}

function ago(outside: WorkerOutside, seconds: number): string {
  return isoOf(outside.now() - seconds * 1000);
}
