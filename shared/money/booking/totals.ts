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
  /** Unverified money that counts for charges. Less again when it is verified or counts no more, so a single day may be below 0. */
  'unverified_pesewas',
  /** Payments that the network took back. */
  'reversed',
  'reversed_pesewas',
  /** Parts of charges that ended without being paid: they count for none, and are held. */
  'released',
  'released_pesewas',
  /** Refunds that have left the wallet. The sum leaves out those of money that was not verified when they left. */
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

/** What happened at a moment or on a day. */
export interface Happened {
  readonly totals: SomeTotals;
  /** The references of charges that became disputed. */
  readonly disputed: readonly string[];
}

/** What a row or a note has of it. */
export const Stored = z.partialRecord(z.enum(totalNames), z.number());
const NOTHING: Totals = z.parse(
  z.record(z.enum(totalNames), z.number()),
  Object.fromEntries(totalNames.map((name) => [name, 0])),
);
const References = z._default(z.array(z.string()), []);

/** What a row of the table says of it, which has its key and its end beside it. */
export function parseHappened(item: Readonly<Record<string, unknown>>): Happened {
  const named = totalNames.flatMap((name) => (name in item ? [[name, item[name]]] : []));
  return { totals: z.parse(Stored, Object.fromEntries(named)), disputed: z.parse(References, item.disputed_charges) };
}

/** The attributes of such a row: nothing that is 0 or empty. */
export function storedHappened({ totals, disputed }: Happened): Readonly<Record<string, unknown>> {
  return { ...withoutZeros(totals), ...(disputed.length > 0 && { disputed_charges: disputed }) };
}

/** Several together. */
export function allHappened(each: readonly Happened[]): {
  readonly totals: Totals;
  readonly disputed: readonly string[];
} {
  return { totals: addUp(each.map(({ totals }) => totals)), disputed: each.flatMap(({ disputed }) => disputed) };
}

/** So many charges were created, which are not booked: their list says when. */
export function createdCharges(count: number): Happened {
  return { totals: { charges_created: count }, disputed: [] };
}

export function addUp(each: Iterable<SomeTotals>): Totals {
  const sums: Record<TotalName, number> = { ...NOTHING };
  for (const one of each) for (const name of totalNames) sums[name] += one[name] ?? 0;
  return sums;
}

/** What is not 0: rows stay small. */
export function withoutZeros(totals: SomeTotals): SomeTotals {
  return Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== 0));
}

/** What charges got, in pesewas: less than nothing where more was taken back than came. */
export function moneyInPesewas({ payments_pesewas, reversed_pesewas, released_pesewas }: Totals): number {
  return payments_pesewas - reversed_pesewas - released_pesewas;
}
