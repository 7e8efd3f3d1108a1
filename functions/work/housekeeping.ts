import * as z from 'zod/mini';
import { watchChains } from '../../shared/care/wallet/watch-chains.ts';
import { isTwin } from '../../shared/merchants/merchant/twin.ts';
import { Closing, closeDays } from '../../shared/money/booking/days.ts';
import { EXPIRY_GRACE_SECONDS, type Expiry, listExpiries } from '../../shared/money/charge/expiry.table.ts';
import {
  type FollowUp,
  followUpRows,
  listFollowUps,
  moveFollowUp,
} from '../../shared/money/follow-up/follow-up.table.ts';
import type { FollowUpJob } from '../../shared/money/follow-up/follow-up-job.ts';
import { isDone } from '../../shared/money/follow-up/is-done.ts';
import { listRemindersDue, type PaymentRequest } from '../../shared/money/request/request.table.ts';
import { endCharge } from '../../shared/money/settling/charge-parts.ts';
import {
  listPostponed,
  listUnsettledPhoneEvents,
  type PhoneEventJob,
  postponePhoneEvent,
} from '../../shared/phones/gateway/phone-event.table.ts';
import { reportFailing, reportHeldBack, reportUnheard } from '../../shared/phones/sender/report-senders.ts';
import type { Sender } from '../../shared/phones/sender/sender.ts';
import { watchSenders } from '../../shared/phones/sender/watch-senders.ts';
import { noteSilence } from '../../shared/push/note-silence.ts';
import { remind } from '../../shared/push/remind.ts';
import { isoOf } from '../../shared/runtime/outside/outside.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { pagesDue } from '../../shared/runtime/table/pages-due.ts';
import { listOutcomes } from '../../shared/runtime/table/recent-outcomes.ts';
import { longestLifeSeconds } from '../../shared/runtime/triggers/queue.ts';
import { schedule } from '../../shared/runtime/triggers/schedule.ts';
import { sideBySide } from '../../shared/runtime/values/side-by-side.ts';
import { checkSends, reportOverdue } from '../../shared/texts/sms/check-send.ts';
import { listSendsToCheck } from '../../shared/texts/sms/send.table.ts';
import type { Chain } from '../../shared/wallets/chain/chain.ts';
import { testHearing } from '../../shared/wallets/wallet/test-hearing.ts';
import { watchForms } from '../../shared/wallets/wallet/watch-forms.ts';
import { reportUnread } from '../../shared/wallets/wallet/watch-readings.ts';
import { listDisabled } from '../../shared/webhook/endpoint.table.ts';
import { listDueEvents, moveOn } from '../../shared/webhook/event.table.ts';
import { queueTry, type WebhookEvent } from '../../shared/webhook/event.ts';
import { manifest, queues } from '../manifest.ts';

/** A webhook's try that is due soon has its own delayed job, and a worker may be making it until it runs out of time. */
export const TRY_LOST_AFTER_SECONDS = manifest['work/deliver-webhook'].timeoutSeconds;

/** When what was queued and is not done is queued again: after the longest that a job lives, so that it does not become one every minute. */
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

/**
 * What a part that was told to end may still take, where a gateway hangs on what it has begun, and what is measured and reported beside
 * those parts.
 */
const RESERVE_MS = 60_000;
/** The parts that go on for as long as there is something to do: webhooks, receipts, charges, follow-ups, sends, reminders and days. */
const LONG_PARTS = 7;

/** What is worked on side by side. The SDK keeps 50 connections to the table. */
const AT_ONCE = 25;
/** What failed may have been too much at a time. */
const AGAIN_AT_ONCE = 5;

/** A wallet's text is settled within seconds. */
const OVERDUE_RECEIPT_SECONDS = 5 * 60;

/** What a run notes for the next. */
const Memo = z.object({
  /** The sends with texts that should have left. */
  texts: z.catch(z.array(z.string()), []),
  /** How far the closing of days has come. */
  closing: z.catch(z.optional(Closing), undefined),
  /** The numbers whose phones are silent, which their merchants have been told. */
  silent: z.catch(z.array(z.string()), []),
});

/**
 * The safety net under the stream and the queues, and the watchman: once a minute it looks for anything that should have moved on
 * and has not, and measures what an operator has to know of. Each finding is a line in the log, with ids only.
 */
export const handler = schedule(manifest['work/housekeeping'], 'housekeeping', (outside, run) => {
  /** Gateways that do not take texts or did not answer: they are not asked again in this run. */
  const silent = new Set<string>();
  const memo = Memo.safeParse(run.memo).data ?? { texts: [], closing: undefined, silent: [] };
  run.memo = memo;
  /** Sends with texts that have not left. */
  const unfinished = [...memo.texts];
  /** Senders whose phone does not hear. */
  const deaf: Sender[] = [];
  /** Wallets whose newest texts nobody has confirmed. */
  const unproven: Chain[] = [];
  const endMs = outside.now() + manifest['work/housekeeping'].timeoutSeconds * 1000 - RESERVE_MS;
  let parts = LONG_PARTS;
  /** Until when the next long part may work: each has an equal share of the time that is left, so that none takes another's. */
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
    // Last: a run that does not come to its end is missed.
    end: async () => outside.metrics.count('housekeeping_runs'),
  };
});

async function queueDueEvents(outside: WorkerOutside, untilMs: number): Promise<void> {
  const due: Due<WebhookEvent> = {
    // A job this long overdue is lost or was never queued.
    list: (limit) => listDueEvents(outside, ago(outside, TRY_LOST_AFTER_SECONDS), limit),
    idOf: ({ event_id }) => event_id,
    failed: ({ merchant_id }, error) => outside.log.warn('event_not_queued', { merchant_id, error }),
  };
  const error = await eachDue(outside, untilMs, due, async (event) => {
    await queueTry(outside, event);
    await moveOn(outside, event, ago(outside, -AGAIN_SECONDS['deliver-webhook']));
  });
  if (error) throw error;
}

async function queueUnsettled(outside: WorkerOutside, untilMs: number): Promise<void> {
  // Those that were queued again are not done for that. A minute on, so that what arrives now is not among them.
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

/**
 * Queues follow-up jobs again that are not done after the longest that a job is tried: nearly an hour, in which a job that is only
 * slow is not doubled, and one that keeps failing has become a dead letter.
 */
async function queueFollowUps(outside: WorkerOutside, untilMs: number): Promise<void> {
  const overdue = new Set<FollowUp>();
  const due: Due<FollowUp> = {
    list: (limit) => listFollowUps(outside, ago(outside, AGAIN_SECONDS['run-follow-up']), limit),
    idOf: ({ queued_at, kind, about }) => `${queued_at}#${kind}#${about}`,
    failed: ({ merchant_id, kind, about }, error) =>
      outside.log.warn('follow_up_not_queued', { merchant_id, kind, reference: about, error }),
  };
  const error = await eachDue(outside, untilMs, due, async (followUp) => {
    if (await isDone(outside, followUp)) return outside.table.remove(followUpRows.key(followUp));
    const { kind, merchant_id, about } = followUp;
    // No customer waits for a test.
    if (!isTwin(merchant_id)) overdue.add(followUp);
    outside.log.warn('follow_up_overdue', { merchant_id, kind, reference: about });
    const body: FollowUpJob = { kind, merchant_id, about };
    await outside.queues.send('run-follow-up', [{ body, group: merchant_id }]);
    await outside.table.write(moveFollowUp(outside, followUp));
  });
  outside.metrics.count('follow_ups_overdue', overdue.size);
  if (error) throw error;
}

/** From nine in the morning, with time for what could not be done at once, to the evening: by night nobody is reminded. */
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

/** What there is to do of one kind. */
interface Due<One> {
  readonly list: (limit: number) => Promise<readonly One[]>;
  readonly idOf: (one: One) => string;
  /** Logs one that could not be done. */
  readonly failed: (one: One, error: unknown) => void;
}

/**
 * Does it side by side, until nothing is due or the time is over. One that fails keeps no other from being done, and is tried once more
 * after them. Gives an error of those that could not be done.
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
