/**
 * outcomes   OUTCOME / <subject>   the last ten outcomes, newest last: `x` is a failure, `.` is a success
 *
 * Written only while one of the last ten outcomes is a failure. A subject without failures costs one read a minute.
 */
import * as z from 'zod/mini';
import { cached } from '../outside/cached.ts';
import { type Clock, endsIn, type TimedOutside } from '../outside/outside.ts';
import { DAY_SECONDS } from '../values/calendar.ts';

const Outcomes = z.object({ whose: z.string(), recent: z.string() });
export type Outcomes = z.infer<typeof Outcomes>;

const PARTITION = 'OUTCOME';
const REMEMBERED = 10;
/** Maximum delay until a failure recorded by one function affects another function. */
const CACHE_SECONDS = 60;
const KEPT_SECONDS = DAY_SECONDS;
const MAX_ROWS = 500;

const failing = cached(CACHE_SECONDS, async (outside: TimedOutside, _partition: string) => {
  return new Set((await listOutcomes(outside)).map(({ whose }) => whose));
});

/** Records an outcome. One of two simultaneous outcomes may be lost. */
export async function noteOutcome(outside: TimedOutside, subject: string, isFailure: boolean): Promise<void> {
  if (!isFailure && !(await failing.get(outside, PARTITION))?.has(subject)) return;
  const Key = { pk: PARTITION, sk: subject };
  const before = currentOf(outside, await outside.table.get(Key))?.recent ?? '';
  const recent = `${before}${isFailure ? 'x' : '.'}`.slice(-REMEMBERED);
  await outside.table.write([{ put: { Item: { ...Key, whose: subject, recent, ...endsIn(outside, KEPT_SECONDS) } } }]);
  // The list gained its first failure or lost its last one, so the cache is outdated.
  if (recent.includes('x') !== before.includes('x')) await failing.fresh(outside, PARTITION);
}

export async function listOutcomes(outside: TimedOutside): Promise<Outcomes[]> {
  const items = await outside.table.list(PARTITION, { limit: MAX_ROWS });
  return items.flatMap((item) => currentOf(outside, item) ?? []).filter(({ recent }) => recent.includes('x'));
}

export function failuresOf({ recent }: Outcomes): number {
  return recent.replaceAll('.', '').length;
}

function currentOf(outside: Clock, item: Record<string, unknown> | undefined): Outcomes | undefined {
  if (!item || Number(item.expires_at_epoch_seconds) * 1000 <= outside.now()) return undefined;
  return z.parse(Outcomes, item);
}
