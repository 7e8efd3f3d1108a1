/**
 * pace           PACE#<sender> / SENDER                      the time of the SIM's next text. While texts wait, also
 *                                                            the current round and the time of the next turn
 * lane           PACE#<sender> / LANE#<merchant>             the round of the merchant's last waiting text
 * lane of codes  PACE#<sender> / CODES#<merchant>            the round of the merchant's last waiting code
 * waiting text   PACE#<sender> / WAIT#<place>#<send>#<nn>    sorted in sending order
 *
 * Carriers block a SIM that sends too fast. Texts above its rate limit wait in the table. The limit is a generic cell
 * rate algorithm: `due_ms` advances by one interval per text, and can be one burst ahead of the clock.
 *
 * Each merchant has a lane, with one text per round. A thousand texts from one merchant therefore do not delay a single
 * text from another. The first waiting text gets its turn when the limit allows it (`shared/texts/sms/give-turn.ts`).
 *
 * In a lane of more than ten texts, the later ones use only one in ten rounds and no burst. No text overtakes an
 * earlier text from the same merchant.
 *
 * Codes have their own lanes and come first in each round, including the current one.
 */
import { endsIn, type TimedOutside } from '../../runtime/outside/outside.ts';
import { advance, CLOCK_KEPT_SECONDS } from '../../runtime/table/due-clock.ts';
import { changeItem, type Item } from '../../runtime/table/table.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import type { Sender } from './sender.ts';

/** Maximum time by which a SIM can be ahead of its rate limit. Allows a burst of one minute's texts. */
export const BURST_MS = MINUTE_MS;
/** Texts beyond this position in a merchant's lane are slowed down. */
const LONG_LANE = 10;
/** Slowed-down texts use only one out of this many rounds. */
const FAR_BACK_STEP = 10;

type PacedSender = Pick<Sender, 'number' | 'messages_per_hour'>;

const partition = (number: string) => `PACE#${number}`;
const paceKey = (number: string) => ({ pk: partition(number), sk: 'SENDER' });
const LANE = 'LANE#';
const CODES = 'CODES#';
const WAITS = ['WAIT#', 'WAIT#~'] as const;

export interface WaitingText {
  readonly send_id: string;
  readonly index: number;
  readonly merchant_id?: string | undefined;
  /** The round and rank. Texts are sent in the order of their places. */
  readonly place: string;
}

/** Order within a round. Ranks sort in the same order as numbers and as strings. */
const RANKS = { code: -1, usual: 0, farBack: 1 } as const;
const placeOf = (round: number, rank: keyof typeof RANKS) => `${String(round).padStart(15, '0')}#${RANKS[rank]}`;
const isFarBack = ({ place }: WaitingText) => place.endsWith('#1');
const roundOf = ({ place }: WaitingText) => Number(place.split('#')[0]);

const waitKey = (number: string, { place, send_id, index }: WaitingText) => ({
  pk: partition(number),
  sk: `WAIT#${place}#${send_id}#${String(index).padStart(2, '0')}`,
});

interface Pace {
  readonly dueMs: number;
  /** Time of the next turn. Undefined if no text is waiting. */
  readonly turnMs: number | undefined;
  /** The current round. A new queue starts at the current time (ms since 1970), so rounds never decrease. */
  readonly round: number;
}

export async function readPace(outside: TimedOutside, number: string): Promise<Pace> {
  return paceOf(outside, await outside.table.get(paceKey(number)));
}

function paceOf(outside: TimedOutside, { due_ms = 0, turn_ms, round }: Item = {}): Pace {
  const isOpen = turn_ms !== undefined;
  return {
    dueMs: Number(due_ms),
    turnMs: isOpen ? Number(turn_ms) : undefined,
    round: isOpen ? Number(round) : outside.now(),
  };
}

interface Lane {
  readonly merchantId: string;
  readonly isCode: boolean;
}

/** Returns a new text's place in the queue, or undefined if it can be sent immediately. */
export async function joinQueue(
  outside: TimedOutside,
  sender: PacedSender,
  { merchantId, isCode }: Lane,
): Promise<string | undefined> {
  const { dueMs, turnMs, round } = await readPace(outside, sender.number);
  const latestMs = outside.now() + BURST_MS;
  const step = { stepMs: intervalMs(sender), latestMs, when: 'attribute_not_exists(turn_ms)' };
  if (turnMs === undefined && dueMs <= latestMs && (await advance(outside, paceKey(sender.number), step)))
    return undefined;
  const lane = { pk: partition(sender.number), sk: `${isCode ? CODES : LANE}${merchantId}` };
  if (isCode) return placeOf((await advance(outside, lane, { stepMs: 1, earliestMs: round - 1 })) ?? round, 'code');
  // Start after the current round, so that a merchant that constantly sends texts cannot block others.
  const own = (await advance(outside, lane, { stepMs: 1, earliestMs: round })) ?? round + 1;
  if (own - round <= LONG_LANE) return placeOf(own, 'usual');
  return placeOf((await advance(outside, lane, { stepMs: FAR_BACK_STEP - 1, earliestMs: own })) ?? own, 'farBack');
}

/** Adds a text to the queue if it is not already there. @returns the time of the turn to schedule, if any. */
export async function wait(outside: TimedOutside, sender: PacedSender, text: WaitingText): Promise<number | undefined> {
  await outside.table.update(
    changeItem(waitKey(sender.number, text), { ...text, ...endsIn(outside, CLOCK_KEPT_SECONDS) }),
  );
  return callTurn(outside, sender.number, text);
}

/**
 * Schedules the next turn unless an early enough turn is already scheduled. @returns the turn's new time, if it
 * changed.
 */
export async function callTurn(outside: TimedOutside, number: string, text: WaitingText): Promise<number | undefined> {
  const pace = await readPace(outside, number);
  const turn_ms = mayLeaveMs(outside, pace, text);
  // The earlier turn finds the text, because a queue is checked again before it closes.
  if (pace.turnMs !== undefined && pace.turnMs <= turn_ms) return undefined;
  const when = 'attribute_not_exists(turn_ms) OR turn_ms > :turn_ms';
  const round = Math.max(pace.round, roundOf(text) - 1);
  const called = await outside.table.update(
    changeItem(paceKey(number), { turn_ms, ...endsIn(outside, CLOCK_KEPT_SECONDS) }, { when, once: { round } }),
  );
  return called && turn_ms;
}

/** Returns the earliest time a text may be sent (ms since 1970). */
export function mayLeaveMs(outside: TimedOutside, { dueMs }: Pick<Pace, 'dueMs'>, text: WaitingText): number {
  return Math.max(outside.now(), dueMs - (isFarBack(text) ? 0 : BURST_MS));
}

export function paceAfter(
  outside: TimedOutside,
  pace: Pace,
  sender: PacedSender | undefined,
  { text, next }: { readonly text: WaitingText; readonly next: WaitingText | undefined },
): Pace & { readonly turnMs: number } {
  const nowMs = outside.now();
  const interval = sender ? intervalMs(sender) : 0;
  // A turn that is late by up to one interval does not slow down the SIM.
  const dueMs = Math.max(pace.dueMs, nowMs - interval) + interval;
  // Turn times must be unique, to recognise a redelivered job.
  const turnMs = Math.max(nowMs + 1, next ? mayLeaveMs(outside, { dueMs }, next) : dueMs);
  return { dueMs, turnMs, round: Math.max(pace.round, roundOf(text)) };
}

/** Ends the turn at `turnMs`. Returns false if it had already ended or moved. */
export async function endTurn(outside: TimedOutside, number: string, turnMs: number, next: Pace): Promise<boolean> {
  const { dueMs: due_ms, turnMs: turn_ms, round } = next;
  const set = {
    due_ms,
    turn_ms,
    round: turn_ms === undefined ? undefined : round,
    ...endsIn(outside, CLOCK_KEPT_SECONDS),
  };
  const when = { when: '#turn_ms = :turn', values: { ':turn': turnMs } };
  return (await outside.table.update(changeItem(paceKey(number), set, when))) !== undefined;
}

/** Returns true if a late turn should be requeued. The interval between requeues doubles each time. */
export async function mayRecall(outside: TimedOutside, number: string, turnMs: number): Promise<boolean> {
  const nowMs = outside.now();
  const when = 'turn_ms = :turn AND (attribute_not_exists(recalled_ms) OR recalled_ms <= :half)';
  const values = { ':turn': turnMs, ':half': (turnMs + nowMs) / 2 };
  const recalled = changeItem(paceKey(number), { recalled_ms: nowMs }, { when, values });
  return (await outside.table.update(recalled)) !== undefined;
}

export async function listWaiting(outside: TimedOutside, number: string, limit: number): Promise<WaitingText[]> {
  const items = await outside.table.list(partition(number), { between: WAITS, limit });
  return items.map(waitingOf);
}

/** Returns true if a text is still waiting. `first` is the first text in the sender's queue. */
export function isBehind(text: WaitingText, first: WaitingText | undefined): boolean {
  return first !== undefined && waitKey('', text).sk >= waitKey('', first).sk;
}

function waitingOf({ send_id, index, merchant_id, place }: Item): WaitingText {
  const owner = merchant_id === undefined ? {} : { merchant_id: String(merchant_id) };
  return { send_id: String(send_id), index: Number(index), ...owner, place: String(place) };
}

export async function endWait(outside: TimedOutside, number: string, text: WaitingText): Promise<void> {
  await outside.table.remove(waitKey(number, text));
}

export async function laneEndsMs(outside: TimedOutside, sender: PacedSender): Promise<ReadonlyMap<string, number>> {
  const { turnMs, round } = await readPace(outside, sender.number);
  if (turnMs === undefined) return new Map();
  const rows = await outside.table.list(partition(sender.number), { between: [LANE, `${LANE}~`] });
  const lanes = rows
    .map(({ sk, due_ms }) => ({ merchantId: String(sk).slice(LANE.length), rounds: Number(due_ms) - round }))
    .filter(({ rounds }) => rounds > 0)
    .toSorted((one, other) => one.rounds - other.rounds);
  let shorter = 0;
  return new Map(
    lanes.map(({ merchantId, rounds }, n) => {
      // In each of these rounds, one text is sent from this lane and one from each longer lane.
      const turns = shorter + textsIn(rounds) * (lanes.length - n);
      shorter += textsIn(rounds);
      return [merchantId, Math.max(turnMs, outside.now()) + (turns - 1) * intervalMs(sender)];
    }),
  );
}

interface Batch {
  readonly merchantId: string;
  readonly texts: number;
  readonly fromMs: number;
}

/**
 * Estimates when the last of a merchant's new texts will be sent (ms since 1970), allowing for texts already
 * waiting.
 */
export async function lastLeavesMs(
  outside: TimedOutside,
  sender: PacedSender,
  { merchantId, texts, fromMs }: Batch,
): Promise<number> {
  const nowMs = outside.now();
  const { dueMs, turnMs, round } = await readPace(outside, sender.number);
  if (turnMs === undefined) return Math.max(fromMs, nowMs, dueMs - BURST_MS) + durationMs(sender, texts);
  const rows = await outside.table.list(partition(sender.number), { between: [LANE, `${LANE}~`] });
  const lanes = rows.map(({ sk, due_ms }) => ({
    isOwn: sk === `${LANE}${merchantId}`,
    rounds: Number(due_ms) - round,
  }));
  const waiting = (isOwn: boolean) =>
    lanes.filter((lane) => lane.isOwn === isOwn && lane.rounds > 0).map(({ rounds }) => textsIn(rounds));
  const own = sum(waiting(true)) + texts;
  const others = sum(waiting(false).map((count) => Math.min(count, own)));
  return Math.max(
    fromMs + durationMs(sender, texts),
    Math.max(turnMs, nowMs) + (own + others - 1) * intervalMs(sender),
  );
}

/** Returns the time between the first and the last of a sender's texts, in milliseconds. */
export function durationMs(sender: PacedSender, texts: number): number {
  return (texts - 1) * intervalMs(sender);
}

/** Estimates when a merchant's new code will be sent (ms since 1970). */
export async function codeLeavesMs(outside: TimedOutside, sender: PacedSender, merchantId: string): Promise<number> {
  const { turnMs = 0, round } = await readPace(outside, sender.number);
  const rows = await outside.table.list(partition(sender.number), { between: [CODES, `${LANE}~`] });
  const inUse = rows.filter(({ due_ms }) => Number(due_ms) >= round);
  const own = inUse.find(({ sk }) => sk === `${CODES}${merchantId}`);
  // Each of the merchant's earlier codes takes one round.
  const rounds = own ? Number(own.due_ms) - round + 1 : 0;
  return Math.max(turnMs, outside.now()) + rounds * inUse.length * intervalMs(sender);
}

function textsIn(rounds: number): number {
  return Math.min(rounds, LONG_LANE) + Math.max(0, rounds - LONG_LANE) / FAR_BACK_STEP;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function intervalMs({ messages_per_hour }: PacedSender): number {
  return HOUR_MS / messages_per_hour;
}
