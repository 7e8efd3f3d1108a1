/*
 * hearing test    HEARING / <number>                      the last test of whether a wallet's phone hears, and whether it is tested
 * hearing phone   HEARING / <number>#<gateway>#<device>   when the wallet got the last text that this phone posted
 *
 * Few, and read together.
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

interface Place {
  readonly gateway: string;
  readonly device_id: string;
}

/** A wallet's texts are noted this often for each phone that posts them, however many there are. */
const NOTED_MS = 15 * MINUTE_MS;
/** A phone that has posted no text of a wallet for this long no longer counts as one that hears it. */
const PHONE_KEPT_SECONDS = 30 * DAY_SECONDS;
const MAX_PHONES = 4;
/** Sorts before every time: there was no test before the first. */
const NEVER = '';

const isDue = onceEvery(NOTED_MS / 1000);

/** Records that a phone posted a text which a wallet got `at` (ISO). */
export async function noteWalletHeard(outside: TimedOutside, number: string, place: Place, at: string): Promise<void> {
  const phone = { number, ...place };
  const atMs = Date.parse(at);
  // By the text's own time: an old one that a phone posts late must not keep a new one from being noted.
  if (!isDue(outside, `${hearingPhoneRows.key(phone).sk} ${Math.floor(atMs / NOTED_MS)}`)) return;
  const heard = { ...phone, heard_at: at, ...endsIn(outside, PHONE_KEPT_SECONDS) };
  const when = 'attribute_not_exists(heard_at) OR heard_at <= :earlier';
  const values = { ':earlier': isoOf(atMs - NOTED_MS) };
  await outside.table.update(hearingPhoneRows.change(phone, heard, { when, values }));
}

/** Sets whether the hearing of a wallet is tested when it is silent; it is unless this says otherwise. */
export function setCanary(outside: Clock, number: string, isOn: boolean): TableWrite {
  return hearingTestRows.change({ number }, { canary_off_at: isOn ? undefined : nowIso(outside) });
}

/** What is known of how these wallets are heard, in their order: all of it is one read. */
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

  /** DynamoDB deletes up to two days late. */
  function isCurrent({ heard_at }: HearingPhone): boolean {
    return outside.now() - Date.parse(heard_at) < PHONE_KEPT_SECONDS * 1000;
  }
}

/** The tests with this nonce: one, or none. */
export async function findTest(outside: TimedOutside, nonceHash: string): Promise<HearingTest | undefined> {
  const items = await outside.table.list(PARTITION);
  const item = items.find(({ nonce_hash }) => nonce_hash === nonceHash);
  return item && testOf(item);
}

/** A row may only say that its wallet is not tested. */
function testOf(item: Item): HearingTest | undefined {
  return HearingTest.safeParse(item).data;
}

/** What is new in a test. */
type NewTest = Pick<HearingTest, 'number' | 'nonce_hash' | 'send_id' | 'from' | 'gateway' | 'device_id' | 'misses'>;

/** Starts a test, unless one is waiting, two were started within a day, or its wallet is not to be tested. */
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

/** Ends a test that waits. False if it does not, or another one has begun. */
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

/** Records that the text of a missed test was in the phone's inbox all the same. */
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
 *   waiting --> heard: the wallet's phone posted it, or a text of the wallet
 *   waiting --> missed: it left, and did not come back
 *   waiting --> not_sent: it did not leave
 *   waiting --> dropped: the phone is off or silent, which rings by itself, or was replaced
 * ```
 * From each of the last four the next test begins. `none` is not written.
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

/** The last test of whether a wallet's phone hears: a text of ours to the wallet's number, which its phone has to post. */
export const HearingTest = z.object({
  number: z.string(),
  state: z.enum(testStates),
  nonce_hash: z.string(),
  send_id: z.string(),
  /** The sender that it left from. */
  from: z.string(),
  /** The phone that has to post it. */
  gateway: z.string(),
  device_id: z.string(),
  started_at: z.string(),
  /** When the test before it was started. */
  before_at: z.string(),
  heard_at: z.optional(z.string()),
  /** How many in a row were missed, and when the last one was. */
  misses: z.number(),
  missed_at: z.optional(z.string()),
  /** When the phone posted it after all, because it was asked for its inbox. */
  returned_at: z.optional(z.string()),
});
export type HearingTest = z.infer<typeof HearingTest>;
const hearingTestRows = rows(HearingTest, { pk: PARTITION, sk: '<number>' });

/** A phone that posted a wallet's text, and when the wallet got the last one that was noted. */
export const HearingPhone = z.object({
  number: z.string(),
  gateway: z.string(),
  device_id: z.string(),
  heard_at: z.string(),
});
export type HearingPhone = z.infer<typeof HearingPhone>;
const hearingPhoneRows = rows(HearingPhone, { pk: PARTITION, sk: '<number>#<gateway>#<device_id>' });

/** What is known of how a wallet is heard. */
export interface Hearing {
  readonly number: string;
  /** Whether its hearing is tested when it is silent. */
  readonly canary: boolean;
  /** At most four, the one that heard the latest text first. */
  readonly phones: readonly HearingPhone[];
  readonly test: HearingTest | undefined;
}

/** When shops are open: 06 to 22 in Ghana, whose time is UTC. */
const WAKING = { fromMs: 6 * HOUR_MS, toMs: 22 * HOUR_MS };
/** A wallet whose phone has heard nothing for so many waking hours is tested. */
const SILENT_MS = 12 * HOUR_MS;
/** So many misses in a row ring: one text may be lost on its way. */
const DEAF_MISSES = 2;
/** At most two tests start in so many milliseconds. */
const TESTS_WINDOW_MS = DAY_MS;
/** A test text that has not left by then is dropped by the phone. */
export const LEAVES_WITHIN_MS = 30 * MINUTE_MS;
/** How long a text that left may take. The networks deliver half of theirs in 8 seconds, 99 % in two minutes. */
export const ARRIVES_WITHIN_MS = 30 * MINUTE_MS;
/** After a test that was not heard, the phone has this long to return its text before the next one replaces it. */
const RETESTED_AFTER_MS = 50 * MINUTE_MS;

type TestedSender = Pick<Sender, 'in_use_since'>;

/** Whether a wallet's hearing is to be tested now. */
export function isTestDue(nowMs: number, { canary, phones, test }: Hearing, sender: TestedSender): boolean {
  if (!canary || !isWaking(nowMs) || test?.state === 'waiting') return false;
  if (test && nowMs - Date.parse(test.started_at) < RETESTED_AFTER_MS) return false;
  if (test && nowMs - Date.parse(test.before_at) < TESTS_WINDOW_MS) return false;
  const sinceMs = Math.max(Date.parse(sender.in_use_since), lastHeardMs(phones), timeOf(test?.heard_at));
  return wakingMs(sinceMs, nowMs) >= SILENT_MS;
}

/** Whether a wallet's phone sends and does not hear. Whatever it hears ends that, and so does another phone or SIM. */
export function isUnreachable(hearing: Hearing, sender: TestedSender): boolean {
  return hearing.canary && missesOf(hearing, sender) >= DEAF_MISSES;
}

/** How many tests the wallet's phone has missed since it last heard anything. */
export function missesOf({ phones, test }: Hearing, sender: TestedSender): number {
  const missedMs = timeOf(test?.missed_at);
  return test && missedMs > Math.max(Date.parse(sender.in_use_since), lastHeardMs(phones)) ? test.misses : 0;
}

/** When the wallet got the last text that was posted, in milliseconds since 1970; 0 if none is known. */
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

/** How much of a period is waking hours. */
function wakingMs(fromMs: number, toMs: number): number {
  return wakingUpTo(toMs) - wakingUpTo(fromMs);
}

function wakingUpTo(ms: number): number {
  const today = Math.min(WAKING.toMs, Math.max(WAKING.fromMs, ms % DAY_MS)) - WAKING.fromMs;
  return Math.floor(ms / DAY_MS) * (WAKING.toMs - WAKING.fromMs) + today;
}
