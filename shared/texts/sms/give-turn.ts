import {
  callTurn,
  endTurn,
  endWait,
  listWaiting,
  mayLeaveMs,
  paceAfter,
  readPace,
  type WaitingText,
} from '../../phones/sender/pace.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { pauseSeconds, RetryLater } from '../../runtime/triggers/queue.ts';
import { removeCodeText } from './code-text.table.ts';
import { asideOf, barredBecause, type Delivery, deliverSms, stepAside } from './deliver-sms.ts';
import { getSendAndMessage, type SendAndMessage, senderOf } from './message.table.ts';
import { checkSoon } from './send.table.ts';
import { queueSms, queueTurn, type TurnJob } from './sms-job.ts';
import { isUntaken } from './states.ts';
import { expireMessage, failMessage } from './text-outcome.ts';
import { isTooLate } from './too-late.ts';
import { HANDING_OVER_MS } from './when-to-leave.ts';

const LOOKED_AT = 10;
/**
 * Sends a sender's first waiting text if the rate limit allows it. Queues the next turn first, in case this worker
 * crashes.
 */
export async function giveTurn(
  outside: WorkerOutside,
  job: TurnJob,
  delivery: Omit<Delivery, 'job' | 'receivesLeft'>,
): Promise<void> {
  const { senders } = delivery;
  const { sender: number, turn_ms } = job;
  const pace = await readPace(outside, number);
  if (pace.turnMs !== undefined && pace.turnMs !== turn_ms) return;
  const waiting = await listWaiting(outside, number, LOOKED_AT);
  const [first] = waiting;
  if (!first || pace.turnMs === undefined) return endQueue(outside, job);
  const { text, next, found } = (await firstToLeave(outside, number, waiting, senders)) ?? {};
  const mayMs = Math.max(turn_ms, text ? mayLeaveMs(outside, pace, text) : outside.now() + 1);
  if (!text || mayMs > outside.now()) {
    await queueTurn(outside, text ?? first, { sender: number, turn_ms: mayMs });
    if (mayMs > turn_ms) await endTurn(outside, number, turn_ms, { ...pace, turnMs: mayMs });
    return;
  }
  await checkSoon(outside, text);
  const sender = senders.find((one) => one.number === number);
  const after = paceAfter(outside, pace, sender, { text, next });
  await queueTurn(outside, text, { sender: number, turn_ms: after.turnMs });
  if (!(await endTurn(outside, number, turn_ms, after))) return;
  await letLeave(outside, text, found, delivery);
  await endWait(outside, number, text);
}

/**
 * Returns the first waiting text that can be sent, and the text after it. Removes texts that no longer wait for this
 * sender.
 */
async function firstToLeave(
  outside: WorkerOutside,
  number: string,
  waiting: readonly WaitingText[],
  senders: readonly Sender[],
) {
  for (const [n, text] of waiting.entries()) {
    const found = await getSendAndMessage(outside, text.send_id, text.index);
    const { state, sending_at = '' } = found?.message ?? { state: 'failed' };
    const isLeaving = state === 'sending' && outside.now() - Date.parse(sending_at) < HANDING_OVER_MS;
    if (isLeaving) continue;
    if (found && (await waitsHere(outside, number, found, senders))) return { text, next: waiting[n + 1], found };
    await endWait(outside, number, text);
  }
  return undefined;
}

async function waitsHere(
  outside: WorkerOutside,
  number: string,
  found: SendAndMessage,
  senders: readonly Sender[],
): Promise<boolean> {
  const { send, message } = found;
  const { state, index } = message;
  if (!isUntaken(message) && state !== 'sending') {
    // A worker may have crashed between sending the text and removing its code.
    if (send.has_code) await removeCodeText(outside, send);
    return false;
  }
  if (isTooLate(outside, send)) {
    if (isUntaken(message)) await expireMessage(outside, send, index, { isUntaken: true });
    return false;
  }
  if (state === 'sending') return true;
  if (senderOf(send, message) !== number) return false;
  const aside = asideOf(outside, found, senders);
  if (aside) {
    await stepAside(outside, found, aside);
    return false;
  }
  const barred = await barredBecause(outside, found, senders);
  if (barred !== undefined) await failMessage(outside, send, index, { reason: barred, isUntaken: true });
  return barred === undefined;
}

async function letLeave(
  outside: WorkerOutside,
  text: WaitingText,
  found: SendAndMessage | undefined,
  delivery: Omit<Delivery, 'job' | 'receivesLeft'>,
): Promise<void> {
  const job = { send_id: text.send_id, index: text.index, has_turn: true };
  try {
    await deliverSms(outside, { ...delivery, job, receivesLeft: Number.POSITIVE_INFINITY }, found);
  } catch (error) {
    outside.log.warn('turn_failed', { send_id: text.send_id, error });
    const seconds = error instanceof RetryLater ? error.seconds : pauseSeconds(1);
    await queueSms(outside, text, [{ ...job, not_before_ms: outside.now() + seconds * 1000 }]);
  }
}

/** Ends a sender's queue, unless another text has joined the queue in the meantime. */
async function endQueue(outside: WorkerOutside, { sender: number, turn_ms }: TurnJob): Promise<void> {
  const { dueMs, round } = await readPace(outside, number);
  await endTurn(outside, number, turn_ms, { dueMs, round, turnMs: undefined });
  const [late] = await listWaiting(outside, number, 1);
  const called = late && (await callTurn(outside, number, late));
  if (late && called !== undefined) await queueTurn(outside, late, { sender: number, turn_ms: called });
}
