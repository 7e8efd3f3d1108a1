import { isoOf } from '../runtime/outside/outside.ts';
import { DAY_MS, MINUTE_MS } from '../runtime/values/calendar.ts';

const SHAPE = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** What quiet hours must be: the message where something else was given. */
export const QUIET_HOURS_RULE = 'must be the hours of Ghana in which no text leaves, such as "21:00-07:00", or "none"';

/** The hours in Ghana in which no marketing leaves. */
export const NIGHT = '21:00-07:00';

/** Quiet hours that have the night in them; undefined where they and the night are not one time, or nothing is left of the day. */
export function withNight(quietHours: string | undefined): string | undefined {
  const [nightFromMs, nightToMs] = hoursOf(NIGHT) ?? [0, 0];
  const [fromMs, toMs] = hoursOf(quietHours) ?? [nightFromMs, nightToMs];
  const since = (ms: number, from: number) => (ms - from + DAY_MS) % DAY_MS;
  const nightMs = since(nightToMs, nightFromMs);
  // Counted from the beginning of the night.
  const [beginMs, lastsMs] = [since(fromMs, nightFromMs), since(toMs, fromMs)];
  const endMs = beginMs + lastsMs;
  if (beginMs > nightMs && endMs < DAY_MS) return undefined;
  const [firstMs, lastMs] =
    beginMs <= nightMs ? [0, Math.max(nightMs, endMs)] : [beginMs, Math.max(DAY_MS + nightMs, endMs)];
  if (lastMs - firstMs >= DAY_MS) return undefined;
  const shown = (ms: number) => isoOf((nightFromMs + ms) % DAY_MS).slice(11, 16);
  return `${shown(firstMs)}-${shown(lastMs)}`;
}

/** Whether it is `21:00-07:00`: from a time of the day to another one, over midnight too. */
export function isQuietHours(written: string): boolean {
  const [, fromHour, fromMinute, toHour, toMinute] = SHAPE.exec(written) ?? [];
  return fromHour !== undefined && `${fromHour}:${fromMinute}` !== `${toHour}:${toMinute}`;
}

/** When the quiet hours end in which a moment lies; undefined where it lies in none. Both in milliseconds since 1970. */
export function quietUntilMs(quietHours: string | undefined, atMs: number): number | undefined {
  const endMs = lastQuietEndMs(quietHours, atMs + DAY_MS);
  if (endMs === undefined) return undefined;
  const [fromMs, toMs] = hoursOf(quietHours) ?? [0, 0];
  const lengthMs = (toMs - fromMs + DAY_MS) % DAY_MS;
  return endMs - lengthMs <= atMs && atMs < endMs ? endMs : undefined;
}

/** When quiet hours begin next, after a moment outside of them; undefined where there are none. */
export function quietFromMs(quietHours: string | undefined, atMs: number): number | undefined {
  const endMs = lastQuietEndMs(quietHours, atMs);
  const [fromMs, toMs] = hoursOf(quietHours) ?? [0, 0];
  return endMs === undefined ? undefined : endMs + ((fromMs - toMs + DAY_MS) % DAY_MS);
}

/** When quiet hours ended last, at a moment or before it; undefined where there are none. */
export function lastQuietEndMs(quietHours: string | undefined, atMs: number): number | undefined {
  const [, toMs] = hoursOf(quietHours) ?? [];
  // Ghana's time is UTC all year, so a day there is a day since 1970.
  return toMs === undefined ? undefined : Math.floor((atMs - toMs) / DAY_MS) * DAY_MS + toMs;
}

/** When so much time outside of quiet hours has passed since a moment. All in milliseconds, moments since 1970. */
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

/** From when to when, in milliseconds since midnight. */
function hoursOf(quietHours: string | undefined): readonly [number, number] | undefined {
  const [, fromHour, fromMinute, toHour, toMinute] = SHAPE.exec(quietHours ?? '') ?? [];
  if (toHour === undefined) return undefined;
  const ofDay = (hour = '', minute = '') => (Number(hour) * 60 + Number(minute)) * MINUTE_MS;
  return [ofDay(fromHour, fromMinute), ofDay(toHour, toMinute)];
}
