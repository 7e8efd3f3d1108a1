/*
 * pace   PACE#<sender> / SENDER          when the SIM's next text is due at its pace
 * lane   PACE#<sender> / <merchant>      up to when a merchant's texts that could not leave at once have slots
 *
 * Carriers block a SIM that sends too fast. A text leaves at once where the pace allows it (the generic cell rate algorithm:
 * `due_ms` moves on by one interval a text and may be a burst ahead of the clock). Where it does not, the text gets a slot in
 * its merchant's lane. Lanes advance side by side, so one merchant's thousand texts do not stand before another's one.
 */
import type { Outside } from '../runtime/outside.ts';
import type { Sender } from './sender.ts';

type TableOutside = Pick<Outside, 'table' | 'now'>;

const HOUR_MS = 60 * 60 * 1000;
/** How far a SIM may run ahead of its pace: a minute's worth of texts, so that a few at a time leave together. */
const BURST_MS = 60 * 1000;

const paceKey = (number: string) => ({ pk: `PACE#${number}`, sk: 'SENDER' });
const laneKey = (number: string, merchantId: string) => ({ pk: `PACE#${number}`, sk: merchantId });

/** Takes a turn of the sender's now; false where its pace allows none. */
export async function takeTurn(outside: TableOutside, sender: Sender): Promise<boolean> {
  const nowMs = outside.now();
  return (await advance(outside, paceKey(sender.number), nowMs, intervalMs(sender), nowMs + BURST_MS)) !== undefined;
}

/** The time (milliseconds since 1970) of the next slot in a merchant's lane of a sender, which is taken by this. */
export async function takeSlot(outside: TableOutside, sender: Sender, merchantId: string): Promise<number> {
  const nowMs = outside.now();
  const lanes = (await outside.table.list(`PACE#${sender.number}`)).filter(({ sk }) => sk !== 'SENDER');
  const others = lanes.filter(({ sk, due_ms }) => sk !== merchantId && Number(due_ms) > nowMs).length;
  const stepMs = intervalMs(sender) * (1 + others);
  const due = await advance(outside, laneKey(sender.number, merchantId), nowMs, stepMs);
  return due ?? nowMs;
}

/** Up to when the sender's longest lane has slots, in milliseconds since 1970; the past where nothing waits. */
export async function lanesEndMs(outside: TableOutside, number: string): Promise<number> {
  const rows = await outside.table.list(`PACE#${number}`);
  return Math.max(0, ...rows.filter(({ sk }) => sk !== 'SENDER').map(({ due_ms }) => Number(due_ms)));
}

/**
 * Moves `due_ms` on by a step, from now where it lies in the past, and gives its new value; undefined where it is past
 * `latestMs` already. Each branch is one conditional write, so no two texts get the same place.
 */
async function advance(
  outside: TableOutside,
  Key: { pk: string; sk: string },
  nowMs: number,
  stepMs: number,
  latestMs = Number.MAX_SAFE_INTEGER,
): Promise<number | undefined> {
  const queued = await outside.table.update({
    update: {
      Key,
      UpdateExpression: 'SET due_ms = due_ms + :step, expires_at_epoch_seconds = :expires',
      ConditionExpression: 'due_ms > :now AND due_ms <= :latest',
      ExpressionAttributeValues: { ':step': stepMs, ':now': nowMs, ':latest': latestMs, ':expires': inAWeek(nowMs) },
    },
  });
  if (queued) return Number(queued.due_ms);
  const idle = await outside.table.update({
    update: {
      Key,
      UpdateExpression: 'SET due_ms = :next, expires_at_epoch_seconds = :expires',
      ConditionExpression: 'attribute_not_exists(due_ms) OR due_ms <= :now',
      ExpressionAttributeValues: { ':next': nowMs + stepMs, ':now': nowMs, ':expires': inAWeek(nowMs) },
    },
  });
  return idle && Number(idle.due_ms);
}

export function intervalMs({ messages_per_hour }: Sender): number {
  return HOUR_MS / messages_per_hour;
}

/** Rows of lanes that nobody uses any more go away by themselves. */
function inAWeek(nowMs: number): number {
  return Math.floor(nowMs / 1000) + 7 * 24 * 60 * 60;
}
