import * as z from 'zod/mini';

export const totalNames = [
  'charges_created',
  'charges_paid',
  'charges_expired',
  'charges_cancelled',
  'charges_reversed',
  'payments',
  'payments_pesewas',
  /** Overpayments, minus those on reversed charges. */
  'overpaid_pesewas',
  /**
   * Unverified money counted towards charges. Falls when money is verified, so a day's value may be negative: see
   * `unverified_earlier`. Also falls when money is removed on the day on which it arrived.
   */
  'unverified_pesewas',
  'reversed',
  'reversed_pesewas',
  'released',
  'released_pesewas',
  /** Refunds sent from the wallet, except refunds of money that was unverified at the time. */
  'refunds',
  'refunds_pesewas',
  'texts_accepted',
  'texts_failed',
] as const;
export type TotalName = (typeof totalNames)[number];
export type Totals = Readonly<Record<TotalName, number>>;
export type SomeTotals = Readonly<Partial<Totals>>;

export interface Happened {
  readonly totals: SomeTotals;
  readonly disputed: readonly string[];
  /**
   * The share of `unverified_pesewas` that belongs to earlier days, by day. Unset if nothing belongs to earlier days.
   */
  readonly unverified_earlier?: PesewasByDay | undefined;
}

export const PesewasByDay = z.record(z.string(), z.number());
export type PesewasByDay = Readonly<z.infer<typeof PesewasByDay>>;

export const Stored = z.partialRecord(z.enum(totalNames), z.number());
const NOTHING: Totals = z.parse(
  z.record(z.enum(totalNames), z.number()),
  Object.fromEntries(totalNames.map((name) => [name, 0])),
);
const References = z._default(z.array(z.string()), []);

export function parseHappened(item: Readonly<Record<string, unknown>>): Happened {
  const named = totalNames.flatMap((name) => (name in item ? [[name, item[name]]] : []));
  return {
    totals: z.parse(Stored, Object.fromEntries(named)),
    disputed: z.parse(References, item.disputed_charges),
    unverified_earlier: z.parse(z.optional(PesewasByDay), item.unverified_earlier),
  };
}

export function storedHappened({
  totals,
  disputed,
  unverified_earlier = {},
}: Happened): Readonly<Record<string, unknown>> {
  return {
    ...withoutZeros(totals),
    ...(disputed.length > 0 && { disputed_charges: disputed }),
    ...(Object.keys(unverified_earlier).length > 0 && { unverified_earlier }),
  };
}

export function allHappened(each: readonly Happened[]): {
  readonly totals: Totals;
  readonly disputed: readonly string[];
  readonly unverified_earlier: PesewasByDay;
} {
  const earlier = new Map<string, number>();
  for (const [day, pesewas] of each.flatMap(({ unverified_earlier = {} }) => Object.entries(unverified_earlier)))
    earlier.set(day, (earlier.get(day) ?? 0) + pesewas);
  return {
    totals: addUp(each.map(({ totals }) => totals)),
    disputed: each.flatMap(({ disputed }) => disputed),
    unverified_earlier: Object.fromEntries([...earlier].filter(([, pesewas]) => pesewas !== 0)),
  };
}

export function createdCharges(count: number): Happened {
  return { totals: { charges_created: count }, disputed: [] };
}

export function addUp(each: Iterable<SomeTotals>): Totals {
  const sums: Record<TotalName, number> = { ...NOTHING };
  for (const one of each) for (const name of totalNames) sums[name] += one[name] ?? 0;
  return sums;
}

export function withoutZeros(totals: SomeTotals): SomeTotals {
  return Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== 0));
}

/** Returns the money received for charges, in pesewas. Negative if reversals exceed arrivals. */
export function moneyInPesewas({ payments_pesewas, reversed_pesewas, released_pesewas }: Totals): number {
  return payments_pesewas - reversed_pesewas - released_pesewas;
}
