import * as z from 'zod/mini';
import type { Sender } from '../../phones/sender/sender.ts';
import type { Transitions } from '../../runtime/table/transitions.ts';

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

/** A phone that posted a wallet's text, and when the wallet got the last one that was noted. */
export const HearingPhone = z.object({
  number: z.string(),
  gateway: z.string(),
  device_id: z.string(),
  heard_at: z.string(),
});
export type HearingPhone = z.infer<typeof HearingPhone>;

/** What is known of how a wallet is heard. */
export interface Hearing {
  readonly number: string;
  /** Whether its hearing is tested when it is silent. */
  readonly canary: boolean;
  /** At most four, the one that heard the latest text first. */
  readonly phones: readonly HearingPhone[];
  readonly test: HearingTest | undefined;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** When shops are open: 06 to 22 in Ghana, whose time is UTC. */
const WAKING = { fromMs: 6 * HOUR_MS, toMs: 22 * HOUR_MS };
/** A wallet whose phone has heard nothing for so many waking hours is tested. */
const SILENT_MS = 12 * HOUR_MS;
/** So many misses in a row ring: one text may be lost on its way. */
const DEAF_MISSES = 2;
/** At most two tests start in so many milliseconds. */
export const TESTS_WINDOW_MS = DAY_MS;
/** A test text that has not left by then is dropped by the phone. */
export const LEAVES_WITHIN_MS = 30 * 60 * 1000;
/** How long a text that left may take. The networks deliver half of theirs in 8 seconds, 99 % in two minutes. */
export const ARRIVES_WITHIN_MS = 30 * 60 * 1000;
/** After a test that was not heard, the phone has this long to return its text before the next one replaces it. */
const RETESTED_AFTER_MS = 50 * 60 * 1000;

type TestedSender = Pick<Sender, 'in_use_since' | 'created_at'>;

/** Whether a wallet's hearing is to be tested now. */
export function isTestDue(nowMs: number, { canary, phones, test }: Hearing, sender: TestedSender): boolean {
  if (!canary || !isWaking(nowMs) || test?.state === 'waiting') return false;
  if (test && nowMs - Date.parse(test.started_at) < RETESTED_AFTER_MS) return false;
  if (test && nowMs - Date.parse(test.before_at) < TESTS_WINDOW_MS) return false;
  const sinceMs = Math.max(inUseMs(sender), lastHeardMs(phones), timeOf(test?.heard_at));
  return wakingMs(sinceMs, nowMs) >= SILENT_MS;
}

/** Whether a wallet's phone sends and does not hear. Whatever it hears ends that, and so does another phone or SIM. */
export function isUnreachable(hearing: Hearing, sender: TestedSender): boolean {
  return hearing.canary && missesOf(hearing, sender) >= DEAF_MISSES;
}

/** How many tests the wallet's phone has missed since it last heard anything. */
export function missesOf({ phones, test }: Hearing, sender: TestedSender): number {
  const missedMs = timeOf(test?.missed_at);
  return test && missedMs > Math.max(inUseMs(sender), lastHeardMs(phones)) ? test.misses : 0;
}

/** When the wallet got the last text that was posted, in milliseconds since 1970; 0 if none is known. */
export function lastHeardMs(phones: readonly HearingPhone[]): number {
  return Math.max(0, ...phones.map(({ heard_at }) => Date.parse(heard_at)));
}

function inUseMs({ in_use_since, created_at }: TestedSender): number {
  return Date.parse(in_use_since ?? created_at);
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
