/*
 * pace   PACE#<sender> / SENDER          when the SIM's next text is due at its pace
 * lane   PACE#<sender> / <merchant>      the time up to which slots are taken by a merchant's texts that could not leave at once
 *
 * Carriers block a SIM that sends too fast. A text leaves at once where the pace allows it (the generic cell rate algorithm:
 * `due_ms` moves on by one interval a text and may be a burst ahead of the clock). Where it does not, the text gets a slot in
 * its merchant's lane. Lanes advance side by side, so one merchant's thousand texts do not delay another's one.
 *
 * A merchant with a few texts is hardly delayed by another's thousand: its lane starts some turns behind the clock, so that these
 * texts are tried at once, and the longest lane yields the burst to the others.
 */
import type { Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import { advance } from '../../runtime/table/due-clock.ts';
import type { Sender } from './sender.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How far a SIM may run ahead of its pace: a minute's worth of texts, so that a few at a time leave together. */
const BURST_MS = 60 * 1000;
/** How many texts of a quiet merchant are tried at once while others wait. Further ones get its share of the pace. */
const QUIET_TURNS = 5;
/** A lane with fewer turns than this before its end does not yield. */
const LONG_LANE_TURNS = 10;

const paceKey = (number: string) => ({ pk: `PACE#${number}`, sk: 'SENDER' });
const laneKey = (number: string, merchantId: string) => ({ pk: `PACE#${number}`, sk: merchantId });

/** A text that has to wait, and what it carries to its next try. */
export interface Waiting {
  /** Its slot in its lane. */
  readonly slotMs: number;
  /** When it tries to leave: later than its slot if others took its turn. */
  readonly tryMs: number;
  /** Whether it yields the burst to others, because it was in the longest lane when its turn was taken. */
  readonly yields: boolean;
}

/**
 * Takes one of the sender's turns for a text, which may have waited before. Undefined if it may leave now.
 * While a lane is waiting, no text gets a turn without a place in its own: it would overtake its own merchant's texts, and a
 * trickle of such texts would leave no turns to the other merchants.
 */
export async function takeTurn(
  outside: TimedOutside & Pick<Outside, 'randomBytes'>,
  sender: Sender,
  merchantId: string,
  waited?: Pick<Waiting, 'slotMs' | 'yields'>,
): Promise<Waiting | undefined> {
  const nowMs = outside.now();
  const pace = await readPace(outside, sender.number, merchantId);
  const isIdle = pace.others === 0 && pace.ownEndMs <= nowMs;
  if (!waited && isIdle && (await advancePace(outside, sender))) return undefined;
  const slotMs = waited?.slotMs ?? (await takeSlot(outside, sender, merchantId, pace));
  if (slotMs > nowMs) return { slotMs, tryMs: slotMs, yields: false };
  const yields = waited?.yields || isLongest(pace, nowMs + LONG_LANE_TURNS * intervalMs(sender));
  const aheadMs = yields ? 0 : BURST_MS;
  if (await advancePace(outside, sender, aheadMs)) return undefined;
  const nextMs = Math.max(nowMs, (await paceDueMs(outside, sender.number)) - aheadMs);
  // A long lane's late texts must not all compete for each free turn: the later they are, the less often they try.
  const spreadMs = yields ? (nowMs - slotMs) * (outside.randomBytes(1).readUInt8() / 256) : 0;
  return { slotMs, tryMs: nextMs + spreadMs, yields };
}

/** Up to when each merchant that uses a sender has slots, in milliseconds since 1970; in the past if nothing waits. */
export async function laneEndsMs(outside: TimedOutside, number: string): Promise<ReadonlyMap<string, number>> {
  const rows = await outside.table.list(`PACE#${number}`);
  const lanes = rows.filter(({ sk }) => sk !== 'SENDER');
  return new Map(lanes.map(({ sk, due_ms }) => [String(sk), Number(due_ms)]));
}

interface Pace {
  /** How many other merchants' lanes wait, and up to when the longest of them has slots. */
  readonly others: number;
  readonly othersEndMs: number;
  /** Up to when the merchant's own lane has slots. */
  readonly ownEndMs: number;
}

async function readPace(outside: TimedOutside, number: string, merchantId: string): Promise<Pace> {
  const ends = await laneEndsMs(outside, number);
  const busy = [...ends].filter(([merchant, endMs]) => merchant !== merchantId && endMs > outside.now());
  const othersEndMs = Math.max(0, ...busy.map(([, endMs]) => endMs));
  return { others: busy.length, othersEndMs, ownEndMs: ends.get(merchantId) ?? 0 };
}

function isLongest({ ownEndMs, othersEndMs }: Pace, leastMs: number): boolean {
  return ownEndMs > Math.max(othersEndMs, leastMs);
}

/** Takes the next slot of a lane: now, or later. */
async function takeSlot(outside: TimedOutside, sender: Sender, merchantId: string, { others }: Pace): Promise<number> {
  const nowMs = outside.now();
  const stepMs = intervalMs(sender) * (1 + others);
  // If it is alone on the SIM, a lane starts after the texts that left ahead of the pace.
  const earliestMs =
    others > 0 ? nowMs - QUIET_TURNS * stepMs : Math.max(nowMs, (await paceDueMs(outside, sender.number)) - stepMs);
  const endMs = await advance(outside, laneKey(sender.number, merchantId), { stepMs, earliestMs });
  return Math.max(nowMs, endMs ?? nowMs + stepMs);
}

/** False if the pace allows no text now, or none this far ahead of it. */
async function advancePace(outside: TimedOutside, sender: Sender, aheadMs = BURST_MS): Promise<boolean> {
  const step = { stepMs: intervalMs(sender), latestMs: outside.now() + aheadMs };
  return (await advance(outside, paceKey(sender.number), step)) !== undefined;
}

async function paceDueMs(outside: TimedOutside, number: string): Promise<number> {
  return Number((await outside.table.get(paceKey(number)))?.due_ms ?? 0);
}

function intervalMs({ messages_per_hour }: Sender): number {
  return HOUR_MS / messages_per_hour;
}
