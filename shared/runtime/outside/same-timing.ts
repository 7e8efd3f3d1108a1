import type { Outside } from './outside.ts';

/**
 * The minimum time before an answer, so that its timing reveals nothing. Longer than all the pauses of a write in contention,
 * because a write happens only in some cases.
 */
export const ANSWER_TAKES_MS = 2_000;

export async function waitUntil(outside: Pick<Outside, 'now' | 'sleep'>, ms: number): Promise<void> {
  await outside.sleep(Math.max(0, ms - outside.now()));
}
