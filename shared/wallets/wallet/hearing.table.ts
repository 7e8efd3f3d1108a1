/*
 * hearing test    HEARING / <number>                      latest test of whether a wallet's phone receives texts, and whether tests are on
 * hearing phone   HEARING / <number>#<gateway>#<device>   when the wallet received the last text that this phone forwarded
 *
 * The partition is small and always read as a whole.
 */
import * as z from 'zod/mini';
import type { Sender } from '../../phones/sender/sender.ts';
import { onceEvery } from '../../runtime/outside/once-every.ts';
import { type Clock, endsIn, isoOf, nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { Item, TableWrite } from '../../runtime/table/table.ts';
import { mayBecome, type Transitions } from '../../runtime/table/transitions.ts';
import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';

const PARTITION = 'HEARING';

interface PhoneKey {
  readonly gateway: string;
  readonly device_id: string;
}

/** Minimum time between two recorded texts for the same wallet and phone. */
const NOTED_MS = 15 * MINUTE_MS;
/** Time for which a phone counts as receiving a wallet's texts after it forwarded the last one. */
const PHONE_KEPT_SECONDS = 30 * DAY_SECONDS;
const MAX_PHONES = 4;
const NEVER = '';

const isDue = onceEvery(NOTED_MS / 1000);

/** Records the time `at` (ISO) at which a wallet received a text that its phone forwarded. */
export async function noteWalletHeard(
  outside: TimedOutside,
  number: string,
  place: PhoneKey,
  at: string,
): Promise<void> {
  const phone = { number, ...place };
  const atMs = Date.parse(at);
  // Rate-limit by the text's own time, so that a late text does not suppress a new one.
  if (!isDue(outside, `${hearingPhoneRows.key(phone).sk} ${Math.floor(atMs / NOTED_MS)}`)) return;
  const heard = { ...phone, heard_at: at, ...endsIn(outside, PHONE_KEPT_SECONDS) };
  const when = 'attribute_not_exists(heard_at) OR heard_at <= :earlier';
  const values = { ':earlier': isoOf(atMs - NOTED_MS) };
  await outside.table.update(hearingPhoneRows.change(phone, heard, { when, values }));
}

export function setCanary(outside: Clock, number: string, isOn: boolean): TableWrite {
  return hearingTestRows.change({ number }, { canary_off_at: isOn ? undefined : nowIso(outside) });
}

export async function hearingOf(outside: TimedOutside, numbers: readonly string[]): Promise<Hearing[]> {
  const items = await outside.table.list(PARTITION);
  const bySort = new Map(items.map((item) => [item.sk, item]));
  const phones = items.flatMap((item) => HearingPhone.safeParse(item).data ?? []).filter(isCurrent);
  const byNumber = Map.groupBy(phones, ({ number }) => number);
  return numbers.map((number) => {
    const item = bySort.get(number);
    const heardBy = (byNumber.get(number) ?? []).toSorted((a, b) => (a.heard_at < b.heard_at ? 1 : -1));
    return {
      number,
      canary: item?.canary_off_at === undefined,
      phones: heardBy.slice(0, MAX_PHONES),
      test: item && testOf(item),
    };
  });

  function isCurrent({ heard_at }: HearingPhone): boolean {
    return outside.now() - Date.parse(heard_at) < PHONE_KEPT_SECONDS * 1000;
  }
}

export async function findTest(outside: TimedOutside, nonceHash: string): Promise<HearingTest | undefined> {
  const items = await outside.table.list(PARTITION);
  const item = items.find(({ nonce_hash }) => nonce_hash === nonceHash);
  return item && testOf(item);
}

/** Returns undefined for a row that records only whether tests are turned on. */
function testOf(item: Item): HearingTest | undefined {
  return HearingTest.safeParse(item).data;
}

type NewTest = Pick<HearingTest, 'number' | 'nonce_hash' | 'send_id' | 'from' | 'gateway' | 'device_id' | 'misses'>;

/** Starts a test. Writes nothing if a test is pending, two tests started within a day, or tests are off. */
export function startTest(outside: Clock, test: NewTest): TableWrite {
  const { condition, names, values } = mayBecome(testTransitions, 'waiting', 'none');
  const set = { ...test, state: 'waiting' };
  return {
    update: {
      Key: hearingTestRows.key(test),
      UpdateExpression: `SET ${Object.keys(set)
        .map((name) => `#${name} = :${name}`)
        .join(', ')}, before_at = if_not_exists(started_at, :never), started_at = :now REMOVE returned_at`,
      ConditionExpression: `${condition} AND (attribute_not_exists(before_at) OR before_at <= :day_ago) AND attribute_not_exists(canary_off_at)`,
      ExpressionAttributeNames: { ...names, ...Object.fromEntries(Object.keys(set).map((name) => [`#${name}`, name])) },
      ExpressionAttributeValues: {
        ...values,
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        ':never': NEVER,
        ':now': nowIso(outside),
        ':day_ago': isoOf(outside.now() - TESTS_WINDOW_MS),
      },
    },
    refused: () => undefined,
  };
}

/** Completes a pending test. Returns false if the test has ended or a new test has started. */
export async function endTest(
  outside: TimedOutside,
  { number, nonce_hash }: HearingTest,
  to: Exclude<TestState, 'none' | 'waiting'>,
): Promise<boolean> {
  const { condition, values } = mayBecome(testTransitions, to);
  const now = nowIso(outside);
  const set = {
    state: to,
    ...(to === 'heard' && { heard_at: now, misses: 0 }),
    ...(to === 'missed' && { missed_at: now }),
  };
  const item = await outside.table.update(
    hearingTestRows.change({ number }, set, {
      when: `${condition} AND nonce_hash = :nonce`,
      values: { ...values, ':nonce': nonce_hash },
      ...(to === 'missed' && { add: { misses: 1 } }),
    }),
  );
  return item !== undefined;
}

export async function noteReturned(outside: TimedOutside, { number, nonce_hash }: HearingTest): Promise<void> {
  const when = '#state = :missed AND nonce_hash = :nonce';
  const once = { returned_at: nowIso(outside) };
  const values = { ':missed': 'missed', ':nonce': nonce_hash };
  await outside.table.update(hearingTestRows.change({ number }, {}, { when, values, once }));
}

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> waiting: the text was queued
 *   waiting --> heard: the wallet's phone forwarded the test, or another text to the wallet
 *   waiting --> missed: the text was sent, but the phone did not forward it
 *   waiting --> not_sent: the text was not sent
 *   waiting --> dropped: the phone was off, silent (which has its own alarm) or replaced
 * ```
 * The next test can start from any of the last four states. `none` is never stored.
 */
const testStates = ['none', 'waiting', 'heard', 'missed', 'not_sent', 'dropped'] as const;
export type TestState = (typeof testStates)[number];

export const testTransitions: Transitions<TestState> = {
  waiting: ['none', 'heard', 'missed', 'not_sent', 'dropped'],
  heard: ['waiting'],
  missed: ['waiting'],
  not_sent: ['waiting'],
  dropped: ['waiting'],
};

/** The latest reception test. We text the wallet's number and expect its phone to forward the text. */
export const HearingTest = z.object({
  number: z.string(),
  state: z.enum(testStates),
  nonce_hash: z.string(),
  send_id: z.string(),
  from: z.string(),
  gateway: z.string(),
  device_id: z.string(),
  started_at: z.string(),
  before_at: z.string(),
  heard_at: z.optional(z.string()),
  /** Number of consecutive missed tests, and the time of the latest missed test. */
  misses: z.number(),
  missed_at: z.optional(z.string()),
  /** Time at which the phone forwarded the text of a missed test, after it was asked to resend its inbox. */
  returned_at: z.optional(z.string()),
});
export type HearingTest = z.infer<typeof HearingTest>;
const hearingTestRows = rows(HearingTest, { pk: PARTITION, sk: '<number>' });

export const HearingPhone = z.object({
  number: z.string(),
  gateway: z.string(),
  device_id: z.string(),
  heard_at: z.string(),
});
export type HearingPhone = z.infer<typeof HearingPhone>;
const hearingPhoneRows = rows(HearingPhone, { pk: PARTITION, sk: '<number>#<gateway>#<device_id>' });

export interface Hearing {
  readonly number: string;
  readonly canary: boolean;
  /** At most four phones, most recent first. */
  readonly phones: readonly HearingPhone[];
  readonly test: HearingTest | undefined;
}

/** Usual opening hours of shops: 06:00 to 22:00 in Ghana (UTC). */
const WAKING = { fromMs: 6 * HOUR_MS, toMs: 22 * HOUR_MS };
/** Silence during opening hours after which a test starts. */
const SILENT_MS = 12 * HOUR_MS;
/** Number of consecutive missed tests that triggers the alarm. */
const DEAF_MISSES = 2;
const TESTS_WINDOW_MS = DAY_MS;
/** Time within which the phone must send the test's text. After this time, the phone drops the text. */
export const LEAVES_WITHIN_MS = 30 * MINUTE_MS;
/** Time allowed for delivery. Networks deliver half of our texts in 8 seconds and 99 % in two minutes. */
export const ARRIVES_WITHIN_MS = 30 * MINUTE_MS;
/** Minimum wait before the next test, because the missed text may still arrive. */
const RETESTED_AFTER_MS = 50 * MINUTE_MS;

type TestedSender = Pick<Sender, 'in_use_since'>;

export function isTestDue(nowMs: number, { canary, phones, test }: Hearing, sender: TestedSender): boolean {
  if (!canary || !isWaking(nowMs) || test?.state === 'waiting') return false;
  if (test && nowMs - Date.parse(test.started_at) < RETESTED_AFTER_MS) return false;
  if (test && nowMs - Date.parse(test.before_at) < TESTS_WINDOW_MS) return false;
  const sinceMs = Math.max(Date.parse(sender.in_use_since), lastHeardMs(phones), timeOf(test?.heard_at));
  return wakingMs(sinceMs, nowMs) >= SILENT_MS;
}

/** True if the phone sends texts but receives none. */
export function isUnreachable(hearing: Hearing, sender: TestedSender): boolean {
  return hearing.canary && missesOf(hearing, sender) >= DEAF_MISSES;
}

export function missesOf({ phones, test }: Hearing, sender: TestedSender): number {
  const missedMs = timeOf(test?.missed_at);
  return test && missedMs > Math.max(Date.parse(sender.in_use_since), lastHeardMs(phones)) ? test.misses : 0;
}

/** Returns the time of the latest forwarded text (ms since 1970), or 0 if unknown. */
export function lastHeardMs(phones: readonly HearingPhone[]): number {
  return Math.max(0, ...phones.map(({ heard_at }) => Date.parse(heard_at)));
}

function timeOf(at: string | undefined): number {
  return at === undefined ? 0 : Date.parse(at);
}

function isWaking(ms: number): boolean {
  const timeMs = ms % DAY_MS;
  return timeMs >= WAKING.fromMs && timeMs < WAKING.toMs;
}

function wakingMs(fromMs: number, toMs: number): number {
  return wakingUpTo(toMs) - wakingUpTo(fromMs);
}

function wakingUpTo(ms: number): number {
  const today = Math.min(WAKING.toMs, Math.max(WAKING.fromMs, ms % DAY_MS)) - WAKING.fromMs;
  return Math.floor(ms / DAY_MS) * (WAKING.toMs - WAKING.fromMs) + today;
}
