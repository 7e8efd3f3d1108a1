import * as z from 'zod/mini';
import { DAY_MS, HOUR_MS } from '../../runtime/values/calendar.ts';

/** A wallet's usual number of texts by time of day. Used to estimate how many texts should have arrived by now. */

const HOURS_TOGETHER = 3;
const PARTS = 24 / HOURS_TOGETHER;
const KNOWN_AFTER_MS = 3 * DAY_MS;
const FORGETS_AFTER_MS = 60 * DAY_MS;
const MAX_LOOKED_AT_MS = 7 * DAY_MS;

export const BusyHours = z.object({
  since_ms: z.number(),
  /** Number of linked texts per three-hour period of the day, starting at midnight in Ghana. */
  texts: z.array(z.number()),
});
export type BusyHours = z.infer<typeof BusyHours>;

export function withText(busy: BusyHours | undefined, atMs: number): BusyHours {
  const known = busy ?? { since_ms: atMs, texts: Array.from({ length: PARTS }, () => 0) };
  const isLong = atMs - known.since_ms > FORGETS_AFTER_MS;
  const { since_ms, texts } = isLong
    ? { since_ms: atMs - FORGETS_AFTER_MS / 2, texts: known.texts.map((count) => Math.round(count / 2)) }
    : known;
  return { since_ms, texts: texts.map((count, part) => (part === partOf(atMs) ? count + 1 : count)) };
}

export function expectedTexts(busy: BusyHours | undefined, fromMs: number, toMs: number): number {
  if (!busy || toMs - busy.since_ms < KNOWN_AFTER_MS) return 0;
  const days = (toMs - busy.since_ms) / DAY_MS;
  let expected = 0;
  for (let ms = Math.max(fromMs, toMs - MAX_LOOKED_AT_MS); ms < toMs; ) {
    const endMs = Math.min(toMs, (Math.floor(ms / HOUR_MS) + 1) * HOUR_MS);
    const aDay = busy.texts[partOf(ms)] ?? 0;
    expected += (aDay / days) * ((endMs - ms) / (HOURS_TOGETHER * HOUR_MS));
    ms = endMs;
  }
  return expected;
}

function partOf(ms: number): number {
  return Math.floor((ms % DAY_MS) / (HOURS_TOGETHER * HOUR_MS));
}
