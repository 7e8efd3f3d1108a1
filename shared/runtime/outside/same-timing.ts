import type { Outside } from './outside.ts';

/**
 * Minimum response time, so that timing does not reveal the outcome. Must be longer than all pauses of a contended
 * write together, because only some outcomes cause a write.
 */
export const ANSWER_TAKES_MS = 2_000;

export async function waitUntil(outside: Pick<Outside, 'now' | 'sleep'>, ms: number): Promise<void> {
  await outside.sleep(Math.max(0, ms - outside.now()));
}
