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
import { deliverSms } from './deliver-sms.ts';
import { checkSoon } from './send.table.ts';
import { queueSms, queueTurn, type TurnJob } from './sms-job.ts';

/**
 * The first text that waits for a sender leaves, if the pace allows it, and the next turn is queued. One job stands for all that wait.
 * The next turn is queued first, and the text waits until it has left: if the worker dies in between, the text has the next turn.
 */
export async function giveTurn(outside: WorkerOutside, job: TurnJob, senders: readonly Sender[]): Promise<void> {
  const { sender: number, turn_ms } = job;
  const pace = await readPace(outside, number);
  // Another job has its place.
  if (pace.turnMs !== undefined && pace.turnMs !== turn_ms) return;
  const [text, next] = await listWaiting(outside, number, 2);
  if (!text || pace.turnMs === undefined) return endQueue(outside, job);
  const mayMs = Math.max(turn_ms, mayLeaveMs(outside, pace, text));
  if (mayMs > outside.now()) {
    await queueTurn(outside, text, { sender: number, turn_ms: mayMs });
    if (mayMs > turn_ms) await endTurn(outside, number, turn_ms, { ...pace, turnMs: mayMs });
    return;
  }
  await checkSoon(outside, text);
  const sender = senders.find((one) => one.number === number);
  const after = paceAfter(outside, pace, sender, text, next);
  await queueTurn(outside, text, { sender: number, turn_ms: after.turnMs });
  if (!(await endTurn(outside, number, turn_ms, after))) return;
  await letLeave(outside, text, senders);
  await endWait(outside, number, text);
}

/** Hands a text over now. Where that fails it is tried again by a job of its own, which does not hold up the turns. */
async function letLeave(outside: WorkerOutside, text: WaitingText, senders: readonly Sender[]): Promise<void> {
  const job = { send_id: text.send_id, index: text.index, has_turn: true };
  try {
    await deliverSms(outside, job, Number.POSITIVE_INFINITY, senders);
  } catch (error) {
    outside.log.warn('turn_failed', { send_id: text.send_id, error });
    const seconds = error instanceof RetryLater ? error.seconds : pauseSeconds(1);
    await queueSms(outside, text, [{ ...job, not_before_ms: outside.now() + seconds * 1000 }]);
  }
}

/** Nobody waits, as far as was seen: a text that has come since found the queue open, and relies on this turn. */
async function endQueue(outside: WorkerOutside, { sender: number, turn_ms }: TurnJob): Promise<void> {
  const { dueMs, round } = await readPace(outside, number);
  await endTurn(outside, number, turn_ms, { dueMs, round, turnMs: undefined });
  const [late] = await listWaiting(outside, number, 1);
  const called = late && (await callTurn(outside, number, late));
  if (late && called !== undefined) await queueTurn(outside, late, { sender: number, turn_ms: called });
}
