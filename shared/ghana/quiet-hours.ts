import { isoOf } from '../runtime/outside/outside.ts';
import { DAY_MS, MINUTE_MS } from '../runtime/values/calendar.ts';

const SHAPE = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

export const QUIET_HOURS_RULE = 'must be the hours without texts, in Ghana time, such as "21:00-07:00", or "none"';

/** Hours during which marketing texts are not sent, in Ghana time. */
export const NIGHT = '21:00-07:00';

/**
 * Extends quiet hours to include the night. Returns undefined if the two do not overlap, or if they cover the whole day
 * together.
 */
export function withNight(quietHours: string | undefined): string | undefined {
  const [nightFromMs, nightToMs] = hoursOf(NIGHT) ?? [0, 0];
  const [fromMs, toMs] = hoursOf(quietHours) ?? [nightFromMs, nightToMs];
  const since = (ms: number, from: number) => (ms - from + DAY_MS) % DAY_MS;
  const nightMs = since(nightToMs, nightFromMs);
  // Both times are relative to the start of the night.
  const [beginMs, lastsMs] = [since(fromMs, nightFromMs), since(toMs, fromMs)];
  const endMs = beginMs + lastsMs;
  if (beginMs > nightMs && endMs < DAY_MS) return undefined;
  const [firstMs, lastMs] =
    beginMs <= nightMs ? [0, Math.max(nightMs, endMs)] : [beginMs, Math.max(DAY_MS + nightMs, endMs)];
  if (lastMs - firstMs >= DAY_MS) return undefined;
  const shown = (ms: number) => isoOf((nightFromMs + ms) % DAY_MS).slice(11, 16);
  return `${shown(firstMs)}-${shown(lastMs)}`;
}

/** True for a range such as `21:00-07:00`. The range can cross midnight. */
export function isQuietHours(written: string): boolean {
  const [, fromHour, fromMinute, toHour, toMinute] = SHAPE.exec(written) ?? [];
  return fromHour !== undefined && `${fromHour}:${fromMinute}` !== `${toHour}:${toMinute}`;
}

/** Returns the end of the current quiet hours (ms since 1970), or undefined outside quiet hours. */
export function quietUntilMs(quietHours: string | undefined, atMs: number): number | undefined {
  const endMs = lastQuietEndMs(quietHours, atMs + DAY_MS);
  if (endMs === undefined) return undefined;
  const [fromMs, toMs] = hoursOf(quietHours) ?? [0, 0];
  const lengthMs = (toMs - fromMs + DAY_MS) % DAY_MS;
  return endMs - lengthMs <= atMs && atMs < endMs ? endMs : undefined;
}

/** Returns the next start of quiet hours, or undefined if there are none. `atMs` must be outside quiet hours. */
export function quietFromMs(quietHours: string | undefined, atMs: number): number | undefined {
  const endMs = lastQuietEndMs(quietHours, atMs);
  const [fromMs, toMs] = hoursOf(quietHours) ?? [0, 0];
  return endMs === undefined ? undefined : endMs + ((fromMs - toMs + DAY_MS) % DAY_MS);
}

/** Returns the most recent end of quiet hours, or undefined if there are none. */
export function lastQuietEndMs(quietHours: string | undefined, atMs: number): number | undefined {
  const [, toMs] = hoursOf(quietHours) ?? [];
  // Ghana is on UTC all year.
  return toMs === undefined ? undefined : Math.floor((atMs - toMs) / DAY_MS) * DAY_MS + toMs;
}

/** Adds a duration to a time, counting only time outside quiet hours. */
export function afterQuietMs(quietHours: string | undefined, fromMs: number, lastsMs: number): number {
  const [quietFromMs, quietToMs] = hoursOf(quietHours) ?? [0, 0];
  const quietMs = (quietToMs - quietFromMs + DAY_MS) % DAY_MS;
  if (quietMs === 0) return fromMs + lastsMs;
  let atMs = quietUntilMs(quietHours, fromMs) ?? fromMs;
  let leftMs = lastsMs;
  for (;;) {
    const untilMs = (lastQuietEndMs(quietHours, atMs) ?? atMs) + DAY_MS - quietMs;
    if (atMs + leftMs < untilMs) return atMs + leftMs;
    leftMs -= untilMs - atMs;
    atMs = untilMs + quietMs;
  }
}

function hoursOf(quietHours: string | undefined): readonly [number, number] | undefined {
  const [, fromHour, fromMinute, toHour, toMinute] = SHAPE.exec(quietHours ?? '') ?? [];
  if (toHour === undefined) return undefined;
  const ofDay = (hour = '', minute = '') => (Number(hour) * 60 + Number(minute)) * MINUTE_MS;
  return [ofDay(fromHour, fromMinute), ofDay(toHour, toMinute)];
}
