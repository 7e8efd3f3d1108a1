import {
  callTurn,
  endTurn,
  endWait,
  listWaiting,
  mayLeaveMs,
  paceAfter,
  readPace,
} from '../../phones/sender/pace.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { checkBy, FIRST_CHECK_MS } from './send.table.ts';
import { queueTurn, type TurnJob } from './sms-job.ts';

/**
 * The first text that waits for a sender leaves, if the pace allows it, and the next turn is queued. One job stands for all that wait.
 * What it does is queued first and noted last: if the worker dies in between, the job that comes again does the same once more.
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
  const { send_id, index } = text;
  // While all its texts wait, housekeeping leaves a send alone.
  await checkBy(outside, text, new Date(outside.now() + FIRST_CHECK_MS).toISOString());
  const sender = senders.find((one) => one.number === number);
  const after = paceAfter(outside, pace, sender, text, next);
  await queueTurn(outside, text, { sender: number, turn_ms: after.turnMs }, [{ send_id, index, has_turn: true }]);
  if (await endTurn(outside, number, turn_ms, after)) await endWait(outside, number, text);
}

/** Nobody waits, as far as was seen: a text that has come since found the queue open, and relies on this turn. */
async function endQueue(outside: WorkerOutside, { sender: number, turn_ms }: TurnJob): Promise<void> {
  const { dueMs, round } = await readPace(outside, number);
  await endTurn(outside, number, turn_ms, { dueMs, round, turnMs: undefined });
  const [late] = await listWaiting(outside, number, 1);
  const called = late && (await callTurn(outside, number, late));
  if (late && called !== undefined) await queueTurn(outside, late, { sender: number, turn_ms: called });
}
