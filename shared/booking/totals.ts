import * as z from 'zod/mini';

/** What may happen to a merchant's money and texts: how often, and how much in pesewas. Whatever is added up of it stays true. */
export const totalNames = [
  'charges_created',
  'charges_paid',
  'charges_expired',
  'charges_cancelled',
  'charges_reversed',
  /** Payments that were counted for a charge. */
  'payments',
  'payments_pesewas',
  /** What of them is more than their charges are for; less again where one of those is reversed. */
  'overpaid_pesewas',
  /** Payments that the network took back. */
  'reversed',
  'reversed_pesewas',
  /** Parts of charges that ended without being paid: they count for none, and are held. */
  'released',
  'released_pesewas',
  /** Refunds that have left the wallet. */
  'refunds',
  'refunds_pesewas',
  'texts_accepted',
  /** Texts that failed, each with its credit given back. */
  'texts_failed',
] as const;
export type TotalName = (typeof totalNames)[number];
export type Totals = Readonly<Record<TotalName, number>>;
/** What a row says of it; what it leaves out did not happen. */
export type SomeTotals = Readonly<Partial<Totals>>;

const Stored = z.partialRecord(z.enum(totalNames), z.number());

/** What a row of the table says, which has its key and its end beside it. */
export function parseTotals(item: Readonly<Record<string, unknown>>): SomeTotals {
  return z.parse(Stored, Object.fromEntries(totalNames.flatMap((name) => (name in item ? [[name, item[name]]] : []))));
}

export function addUp(each: Iterable<SomeTotals>): Totals {
  const sums = new Map<TotalName, number>();
  for (const one of each) for (const name of totalNames) sums.set(name, (sums.get(name) ?? 0) + (one[name] ?? 0));
  return fromNames((name) => sums.get(name) ?? 0);
}

/** What is not 0: rows stay small. */
export function withoutZeros(totals: SomeTotals): SomeTotals {
  return Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== 0));
}

/** What charges got, in pesewas: less than nothing where more was taken back than came. */
export function moneyInPesewas({ payments_pesewas, reversed_pesewas, released_pesewas }: Totals): number {
  return payments_pesewas - reversed_pesewas - released_pesewas;
}

function fromNames(valueOf: (name: TotalName) => number): Totals {
  const entries = totalNames.map((name): [TotalName, number] => [name, valueOf(name)]);
  return z.parse(z.record(z.enum(totalNames), z.number()), Object.fromEntries(entries));
}
