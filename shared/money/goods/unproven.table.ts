/*
 * unproven sums    UNPROVEN#<merchant> / UNPROVEN#<kind>   pesewas of payments that were unverified when they confirmed a charge or released goods,
 *                                                          by hour in Ghana: in total (`all_2026112509`), and for taps (`till_…`) and other payments (`alone_…`).
 *                                                          `new`: the wallet had too few texts to verify a payment;
 *                                                          `known`: it had enough texts
 * limit reached    UNPROVEN#<merchant> / REACHED#<day>     set when the limit refused a payment on that day
 */

import * as z from 'zod/mini';
import { type Clock, endsIn, isoOf, nowIso, type TimedOutside, todayOf } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, changeItem, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS, HOUR_MS } from '../../runtime/values/calendar.ts';
import { TRY_AGAIN } from '../../runtime/values/errors.ts';

export type UnprovenKind = 'new' | 'known';

export type Way = 'till' | 'alone';

/**
 * Maximum share of a limit that taps (`till`) may use. The same share applies to all other payments (`alone`), so
 * neither kind can use up the other's share.
 */
export const MOST_OF_ONE_WAY = 3 / 4;

/** Hourly totals to add up: the current hour and the 24 before it. The limit thus holds for any 24 hours. */
const HOURS = 25;

/** The hourly total that includes a payment. Stored on the payment's charge as `new#alone#2026112509`. */
export interface UnprovenSum {
  readonly kind: UnprovenKind;
  readonly way: Way;
  readonly atMs: number;
}

const keyOf = (merchantId: string, sk: string) => ({ pk: `UNPROVEN#${merchantId}`, sk });
const sumsKey = (merchantId: string, kind: string) => keyOf(merchantId, `UNPROVEN#${kind}`);
const hourOf = (ms: number) => isoOf(ms).slice(0, 13).replace(/\D/g, '');
const hoursUntil = (ms: number) => Array.from({ length: HOURS }, (_, n) => hourOf(ms - n * HOUR_MS));

export function sumName({ kind, way, atMs }: UnprovenSum): string {
  return `${kind}#${way}#${hourOf(atMs)}`;
}

/**
 * Adds an amount to an hourly unverified total. Fails if a total changed since it was read. Fails with
 * `UnprovenLimitReached` if 24 hours would exceed `mostPesewas`, or the share of this limit for taps (`till`) or other
 * payments (`alone`). The shop's staff are then notified, at most once a day.
 */
export async function addUnproven(
  outside: TimedOutside,
  merchantId: string,
  sum: UnprovenSum,
  { pesewas, mostPesewas }: { readonly pesewas: number; readonly mostPesewas: number },
): Promise<TableWrite> {
  const { kind, way, atMs } = sum;
  const key = sumsKey(merchantId, kind);
  const row = (await outside.table.get(key)) ?? {};
  const [hour = '', ...before] = hoursUntil(atMs);
  const oldest = before.at(-1) ?? hour;
  // Include later hours: another server's clock may be ahead, or this hour may end before the write.
  const next = hourOf(atMs + HOUR_MS);
  const later = Object.keys(row).flatMap((name) => (isField(name) && hourIn(name) > hour ? [hourIn(name)] : []));
  const others = [...new Set([next, ...later, ...before])];
  const mostNow = (item: Item) => ({
    [`all_${hour}`]: mostPesewas - sumOver(item, 'all', others),
    [`${way}_${hour}`]: mostPesewas * MOST_OF_ONE_WAY - sumOver(item, way, others),
  });
  const fits = (item: Item) =>
    Object.entries(mostNow(item)).every(([name, most]) => pesewasOf(item[name]) + pesewas <= most);
  // Only the next and the previous hour can still get a new total. All other totals only decrease, when payments are
  // verified.
  const mayBegin = [next, before[0]];
  const read = Object.fromEntries(
    others.flatMap((one) =>
      ['all', way]
        .map((part) => `${part}_${one}`)
        .flatMap((name) => (mayBegin.includes(one) || name in row ? [[name, row[name]]] : [])),
    ),
  );
  const stale = Object.keys(row).filter((name) => isField(name) && hourIn(name) < oldest);
  return changeItem(
    key,
    { ...Object.fromEntries(stale.map((name) => [name, undefined])), ...endsIn(outside, 2 * DAY_SECONDS) },
    {
      ...asRead(read),
      upTo: mostNow(row),
      by: pesewas,
      refused: async (current = {}) => {
        if (fits(current)) return new Changed('busy', `Others are paying this shop right now. ${TRY_AGAIN}`);
        if (mostPesewas > 0) await outside.table.update(noteReached(outside, merchantId));
        return new UnprovenLimitReached();
      },
    },
  );
}

/** True if the limit still covers the hour in which a payment was counted. */
export function isCounted(outside: Clock, countedIn: string): boolean {
  const [, , hour = ''] = countedIn.split('#');
  // A future hour counts too: another server's clock may be ahead.
  return hour >= hourOf(outside.now() - (HOURS - 1) * HOUR_MS);
}

export function subtractUnproven(
  outside: Clock,
  merchantId: string,
  counted: readonly { readonly counted_in: string; readonly pesewas: number }[],
): TableWrite[] {
  const byRow = new Map<string, Record<string, number>>();
  for (const { counted_in, pesewas } of counted) {
    const [kind = '', way = '', hour = ''] = counted_in.split('#');
    if (!isCounted(outside, counted_in)) continue;
    const { sk } = sumsKey(merchantId, kind);
    const adds = byRow.get(sk) ?? {};
    for (const name of [`all_${hour}`, `${way}_${hour}`]) adds[name] = (adds[name] ?? 0) - pesewas;
    byRow.set(sk, adds);
  }
  return [...byRow].map(([sk, add]) => changeItem(keyOf(merchantId, sk), {}, { add, when: 'attribute_exists(pk)' }));
}

const Reached = z.object({ merchant_id: z.string(), reached_at: z.string() });
export type Reached = z.infer<typeof Reached>;
export const reachedRows = rows(Reached, { pk: 'UNPROVEN#<merchant_id>', sk: 'REACHED#<day>' });

function noteReached(outside: Clock, merchant_id: string): TableWrite {
  const once = { merchant_id, reached_at: nowIso(outside), ...endsIn(outside, 2 * DAY_SECONDS) };
  return reachedRows.change({ merchant_id, day: todayOf(outside) }, {}, { once });
}

export function findReached(outside: TimedOutside, merchant_id: string): Promise<Reached | undefined> {
  return reachedRows.find(outside, { merchant_id, day: todayOf(outside) });
}

function isField(name: string): boolean {
  return /^[a-z]+_\d{10}$/.test(name);
}

function hourIn(name: string): string {
  return name.split('_')[1] ?? '';
}

function sumOver(item: Item, part: string, hours: readonly string[]): number {
  return hours.reduce((sum, hour) => sum + pesewasOf(item[`${part}_${hour}`]), 0);
}

/**
 * Treats a negative total as 0. If servers' clocks differ, one server can delete an hour's total before another
 * subtracts from it.
 */
function pesewasOf(stored: unknown): number {
  return typeof stored === 'number' ? Math.max(0, stored) : 0;
}

export class UnprovenLimitReached extends Changed {
  constructor() {
    super(
      'receipt_not_held',
      'Today’s limit for payments that are not verified is used up. Ask a manager to check your MoMo balance and decide.',
    );
  }
}
