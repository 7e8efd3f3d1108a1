/*
 * outcomes   OUTCOME / <whose>   how the last ten went, the newest last: `x` failed, `.` did not
 *
 * A row is written only while one of the ten failed. So what works costs nothing but a look, once a minute, at what does not.
 */
import * as z from 'zod/mini';
import { cached } from '../outside/cached.ts';
import { type Clock, endsIn, type TimedOutside } from '../outside/outside.ts';

const Outcomes = z.object({ whose: z.string(), recent: z.string() });
export type Outcomes = z.infer<typeof Outcomes>;

const PARTITION = 'OUTCOME';
const REMEMBERED = 10;
/** How long a function may not know that something began to fail elsewhere. */
const CACHE_SECONDS = 60;
/** After that it is not known whether it still fails: nobody tried. */
const KEPT_SECONDS = 24 * 60 * 60;
/** Far more SIMs and wallets than a stage has. */
const MAX_ROWS = 500;

const failing = cached(CACHE_SECONDS, async (outside: TimedOutside, _partition: string) => {
  return new Set((await listOutcomes(outside)).map(({ whose }) => whose));
});

/** Records how something went. Of two that are recorded at the same moment one may be left out. */
export async function noteOutcome(outside: TimedOutside, whose: string, isFailure: boolean): Promise<void> {
  if (!isFailure && !(await failing.get(outside, PARTITION))?.has(whose)) return;
  const Key = { pk: PARTITION, sk: whose };
  const before = currentOf(outside, await outside.table.get(Key))?.recent ?? '';
  const recent = `${before}${isFailure ? 'x' : '.'}`.slice(-REMEMBERED);
  await outside.table.write([{ put: { Item: { ...Key, whose, recent, ...endsIn(outside, KEPT_SECONDS) } } }]);
  // What began or ended by this function's own write, it knows.
  if (recent.includes('x') !== before.includes('x')) await failing.fresh(outside, PARTITION);
}

/** Whatever failed among its last ten, in the last day. */
export async function listOutcomes(outside: TimedOutside): Promise<Outcomes[]> {
  const items = await outside.table.list(PARTITION, { limit: MAX_ROWS });
  return items.flatMap((item) => currentOf(outside, item) ?? []).filter(({ recent }) => recent.includes('x'));
}

/** How many of the last ten failed. */
export function failuresOf({ recent }: Outcomes): number {
  return recent.replaceAll('.', '').length;
}

/** DynamoDB deletes up to two days late. */
function currentOf(outside: Clock, item: Record<string, unknown> | undefined): Outcomes | undefined {
  if (!item || Number(item.expires_at_epoch_seconds) * 1000 <= outside.now()) return undefined;
  return z.parse(Outcomes, item);
}
