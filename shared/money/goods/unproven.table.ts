/*
 * unproven sum   UNPROVEN#<merchant> / <day>#<kind>   pesewas of payments that nothing proved as they confirmed something, or goods left for them, on that
 *                                                     day in Ghana; `new`: their wallet had too few texts to prove any, `known`: it had enough
 */
import { type Clock, todayOf } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { countUpTo } from '../../runtime/table/limits.ts';
import { changeItem, type TableWrite } from '../../runtime/table/table.ts';

export type UnprovenKind = 'new' | 'known';

const keyOf = (merchantId: string, sum: string) => ({ pk: `UNPROVEN#${merchantId}`, sk: sum });

/** The sum of today that payments of a kind are counted in: its sort key. */
export function sumOf(outside: Clock, kind: UnprovenKind): string {
  return `${todayOf(outside)}#${kind}`;
}

/** Adds to a sum. Refused with `UnprovenLimitReached` beyond `mostPesewas`. */
export function addUnproven(
  outside: Clock,
  merchantId: string,
  sum: string,
  { pesewas, mostPesewas }: { readonly pesewas: number; readonly mostPesewas: number },
): TableWrite {
  const key = () => keyOf(merchantId, sum);
  const refused = () => new UnprovenLimitReached();
  return countUpTo(outside, { key, per: 'day', most: { pesewas: mostPesewas }, refused }, pesewas);
}

/** Takes from a sum what payments added; nothing where the sum is not of today any more. The payments' own rows say that they were counted, once. */
export function takeUnproven(outside: Clock, merchantId: string, sum: string, pesewas: number): TableWrite[] {
  if (!sum.startsWith(todayOf(outside))) return [];
  return [changeItem(keyOf(merchantId, sum), {}, { add: { pesewas: -pesewas }, when: 'attribute_exists(pk)' })];
}

/** As much as may has confirmed something today, or left for nothing that is proven. */
export class UnprovenLimitReached extends Changed {
  constructor() {
    super(
      'receipt_not_held',
      'This payment is not verified, and today goods have left for as much of that kind as may. A manager decides.',
    );
  }
}
