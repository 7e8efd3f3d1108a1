/*
 * pace   PACE#<sender> / SENDER          when the SIM's next text is due at its pace
 * lane   PACE#<sender> / <merchant>      up to when a merchant's texts that could not leave at once have slots
 *
 * Carriers block a SIM that sends too fast. A text leaves at once where the pace allows it (the generic cell rate algorithm:
 * `due_ms` moves on by one interval a text and may be a burst ahead of the clock). Where it does not, the text gets a slot in
 * its merchant's lane. Lanes advance side by side, so one merchant's thousand texts do not stand before another's one.
 */
import type { Outside } from '../runtime/outside/outside.ts';
import type { Item, Key } from '../runtime/table/table.ts';
import type { Sender } from './sender.ts';

type TableOutside = Pick<Outside, 'table' | 'now'>;

const HOUR_MS = 60 * 60 * 1000;
/** How far a SIM may run ahead of its pace: a minute's worth of texts, so that a few at a time leave together. */
const BURST_MS = 60 * 1000;

/** Rows of unused lanes expire. */
export const LANE_KEPT_SECONDS = 7 * 24 * 60 * 60;

const paceKey = (number: string) => ({ pk: `PACE#${number}`, sk: 'SENDER' });
const laneKey = (number: string, merchantId: string) => ({ pk: `PACE#${number}`, sk: merchantId });

/** Takes one of the sender's turns now; false if its pace allows none. */
export async function takeTurn(outside: TableOutside, sender: Sender): Promise<boolean> {
  const nowMs = outside.now();
  return (await advance(outside, paceKey(sender.number), nowMs, intervalMs(sender), nowMs + BURST_MS)) !== undefined;
}

/** When the sender's pace allows the next text, in milliseconds since 1970. */
export async function nextTurnMs(outside: TableOutside, sender: Sender): Promise<number> {
  const row = await outside.table.get(paceKey(sender.number));
  return Math.max(outside.now(), Number(row?.due_ms ?? 0) - BURST_MS);
}

/**
 * The time (milliseconds since 1970) at which a new text may leave: now, where it gets a turn, or the slot that it takes in
 * its merchant's lane. While any lane is waiting it gets no turn at once: it would overtake its own merchant's texts, and a
 * trickle of such texts would leave the other merchants none.
 */
export async function takePlace(outside: TableOutside, sender: Sender, merchantId: string): Promise<number> {
  const nowMs = outside.now();
  const busy = (await lanesOf(outside, sender.number)).filter(({ due_ms }) => Number(due_ms) > nowMs);
  if (busy.length === 0 && (await takeTurn(outside, sender))) return nowMs;
  const others = busy.filter(({ sk }) => sk !== merchantId).length;
  const stepMs = intervalMs(sender) * (1 + others);
  return (await advance(outside, laneKey(sender.number, merchantId), nowMs, stepMs)) ?? nowMs + stepMs;
}

/** Up to when the sender's longest lane has slots, in milliseconds since 1970; the past where nothing waits. */
export async function lanesEndMs(outside: TableOutside, number: string): Promise<number> {
  return Math.max(0, ...(await lanesOf(outside, number)).map(({ due_ms }) => Number(due_ms)));
}

async function lanesOf(outside: Pick<Outside, 'table'>, number: string): Promise<Item[]> {
  return (await outside.table.list(`PACE#${number}`)).filter(({ sk }) => sk !== 'SENDER');
}

/**
 * Moves `due_ms` on by a step, from now where it lies in the past, and gives its new value; undefined if it is past `latestMs`
 * already. Each write is conditional, so no two texts get the same place.
 */
async function advance(
  outside: TableOutside,
  key: Key,
  nowMs: number,
  stepMs: number,
  latestMs = Number.MAX_SAFE_INTEGER,
): Promise<number | undefined> {
  const expires = Math.floor(nowMs / 1000) + LANE_KEPT_SECONDS;
  const fromDue = {
    UpdateExpression: 'SET due_ms = due_ms + :step, expires_at_epoch_seconds = :expires',
    ConditionExpression: 'due_ms > :now AND due_ms <= :latest',
    ExpressionAttributeValues: { ':step': stepMs, ':now': nowMs, ':latest': latestMs, ':expires': expires },
  };
  const fromNow = {
    UpdateExpression: 'SET due_ms = :next, expires_at_epoch_seconds = :expires',
    ConditionExpression: 'attribute_not_exists(due_ms) OR due_ms <= :now',
    ExpressionAttributeValues: { ':next': nowMs + stepMs, ':now': nowMs, ':expires': expires },
  };
  // The third: of two texts that meet at an idle SIM, the second finds it busy by then.
  for (const update of [fromDue, fromNow, fromDue]) {
    const item = await outside.table.update({ update: { Key: key, ...update } });
    if (item) return Number(item.due_ms);
  }
  return undefined;
}

function intervalMs({ messages_per_hour }: Sender): number {
  return HOUR_MS / messages_per_hour;
}
