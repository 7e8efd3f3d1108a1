/*
 * lookup   LOOKUP#<merchant>#<hash of a term> / <created_at>#<reference>   a charge that has this term, as long as the charge is kept. Charges
 *                                                                        paid at a link are sorted by the arrival of their first payment or,
 *                                                                        if that is later, by their creation
 *
 * The stream writes and deletes these rows, so they add no cost to creating or paying a charge. Terms are hashed, so
 * the rows contain no personal data. The rows lag slightly behind, so readers check the charge itself.
 *
 * Tills and matching also use the rows for names to compare a payer's name with all open charges. These rows contain the
 * amount, and the minimum number of words of the payer's name that must match: 0 if the customer typed the name.
 */

import * as z from 'zod/mini';
import type { Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { createItem, type Item, type PageStart, type TableWrite } from '../../runtime/table/table.ts';
import { type BudgetedPage, getWithin } from '../../runtime/table/within-budget.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { paymentsOf } from '../payment/payment.ts';
import { Charge, chargeRows, unitsOfCharge } from './charge.table.ts';
import { leastWords } from './customer-name.ts';
import { isNamedByMerchant } from './origin.ts';
import { type Term, termsOf, termsOfPayer } from './search.ts';

const Searched = z.partial(Charge);
const Lookup = z.object({
  /** Begins with the time of the charge (see the key above). */
  sk: z.string(),
  reference: z.string(),
  amount_pesewas: z.optional(z.number()),
  least_words: z.optional(z.number()),
});
type Lookup = z.infer<typeof Lookup>;

const partitionOf = (merchantId: string, term: Term) => `LOOKUP#${merchantId}#${sha256(term).slice(0, 32)}`;
const lookupRows = rows(Lookup, {
  pk: ({ merchant_id, term }: Pick<Charge, 'merchant_id'> & { readonly term: Term }) => partitionOf(merchant_id, term),
  sk: '<created_at>#<reference>',
});

function keyOf(charge: Charge, term: Term) {
  const paidAt = (term.startsWith('paid_at_link:') && paymentsOf(charge)[0]?.received_at) || '';
  // An assigned payment may be days older than the charge.
  const created_at = paidAt > charge.created_at ? paidAt : charge.created_at;
  return lookupRows.key({ ...charge, term, created_at });
}

/** Stores the search terms that a charge gained and deletes those that it lost. Idempotent. */
export async function noteLookups(outside: TableOutside, charge: Charge, before?: Item): Promise<void> {
  const earlier = before ? z.parse(Searched, before) : {};
  const [had, has] = [termsOf(earlier), termsOf(charge)];
  const added = [...has].filter((term) => !had.has(term));
  await Promise.all(added.map((term) => createLookup(outside, charge, term)));
  const lost = [...had].filter((term) => !has.has(term));
  if (lost.length > 0) await removeLookups(outside, { ...charge, ...earlier }, lost);
}

async function createLookup(outside: TableOutside, charge: Charge, term: Term): Promise<void> {
  const { reference, expires_at_epoch_seconds } = charge;
  const named = term.startsWith('name:') && {
    amount_pesewas: charge.amount_pesewas,
    least_words: isNamedByMerchant(charge) ? leastWords(charge.customer_name ?? '') : 0,
  };
  const lookup = { ...keyOf(charge, term), reference, ...named, expires_at_epoch_seconds };
  await outside.table.write([createItem(lookup, () => undefined)]);
}

/**
 * Deletes the terms that a charge lost, except terms that it has since regained. The stream may deliver an old change
 * late.
 */
async function removeLookups(outside: TableOutside, charge: Charge, lost: readonly Term[]): Promise<void> {
  const current = await chargeRows.find(outside, charge);
  const kept = current ? termsOf(current) : new Set<Term>();
  const gone = lost.filter((term) => !kept.has(term));
  await Promise.all(gone.map((term) => outside.table.remove(keyOf(charge, term))));
}

export async function findCharges(
  outside: TableOutside,
  merchantId: string,
  [rarest, ...others]: readonly [Term, ...Term[]],
  page: BudgetedPage,
): Promise<{ entries: Charge[]; left: number; next: PageStart | undefined }> {
  const { budget, ...range } = page;
  const { items: found, next } = await outside.table.listPage(partitionOf(merchantId, rarest), range);
  const keys = found.map((item) => ({ ...chargeRows.key(lookupRows.parse(item)), found: startAfterLookup(item) }));
  const { items, last, left } = await getWithin(outside.table, keys, budget, unitsOfCharge);
  const charges = items.map(chargeRows.parse);
  const entries = charges.filter((charge) => {
    const terms = termsOf(charge);
    return charge.merchant_id === merchantId && [rarest, ...others].every((term) => terms.has(term));
  });
  return { entries, left, next: last?.found ?? next };
}

interface PaidBy {
  readonly merchants: readonly string[];
  readonly payerName: string;
  readonly pesewas: number;
  readonly between: readonly [string, string];
}

interface InName {
  /** Charges whose full or outstanding amount is `pesewas`, and whose customer, as the merchant named them, may be the payer. */
  readonly named: readonly string[];
  /** Charges of any amount whose customer, as the merchant named them, may be the payer. Includes `named`. */
  readonly namedOfAny: readonly string[];
  /** Charges of any amount that have all words of the payer's name, for example because the payer paid them. */
  readonly withAllWords: readonly string[];
}

/** Lists charges that may be a payer's, the newest first. */
export async function listInNameOf(outside: TableOutside, paid: PaidBy): Promise<InName> {
  const { merchants, payerName, pesewas, between } = paid;
  const listOf = (term: Term) =>
    Promise.all(merchants.map((merchant_id) => lookupRows.list(outside, { merchant_id, term }, { between })));
  const [lacking, ...words] = await Promise.all([listOf(`lacks:${pesewas}`), ...termsOfPayer(payerName).map(listOf)]);
  const found = Map.groupBy(words.flat(2), ({ reference }) => reference);
  const named = [...found.values()].filter((rows) => rows.some((row) => mayFit(row, rows.length, pesewas)));
  const namedOfAny = [...found.values()].filter((rows) =>
    rows.some((row) => mayFit(row, rows.length, row.amount_pesewas)),
  );
  const ofAny = newestFirst(namedOfAny.flat());
  const lackingNamed = lacking.flat().filter(({ reference }) => ofAny.includes(reference));
  const withAllWords = [...found.values()].filter((rows) => rows.length === words.length);
  return {
    named: newestFirst([...named.flat(), ...lackingNamed]),
    namedOfAny: ofAny,
    withAllWords: newestFirst(withAllWords.flat()),
  };
}

function newestFirst(rows: readonly Lookup[]): string[] {
  const sorted = rows.toSorted((a, b) => (a.sk < b.sk ? 1 : -1));
  return [...new Set(sorted.map(({ reference }) => reference))];
}

/** True if a charge may fit the payer, judging by its row for a name. */
function mayFit({ amount_pesewas, least_words = 0 }: Lookup, words: number, pesewas: number | undefined): boolean {
  return amount_pesewas === pesewas && least_words > 0 && words >= least_words;
}

/** Counts a link's charges first paid in a given hour (`2026-11-20T08`), up to 5,000. */
export async function countPaidAtLink(
  outside: TableOutside,
  { merchant_id, slug }: Pick<Charge, 'merchant_id'> & { readonly slug: string },
  hour: string,
): Promise<number> {
  const page = { between: [hour, `${hour}~`], limit: 5_000 } as const;
  return (await lookupRows.page(outside, { merchant_id, term: `paid_at_link:${slug}` }, page)).entries.length;
}

/** Lists the newest charges that are paid, but whose code waits for a release or for new codes. May lag a few seconds. */
export async function listCodesWaiting(outside: TableOutside, merchantId: string, limit: number): Promise<string[]> {
  const page = { newestFirst: true, limit } as const;
  const { entries } = await lookupRows.page(outside, { merchant_id: merchantId, term: 'code_waiting:yes' }, page);
  return entries.map(({ reference }) => reference);
}

/**
 * Finds the newest charges with a merchant's own reference, unique or not. May miss charges from the last two seconds.
 */
export async function chargesNamed(outside: Outside, merchantId: string, merchantReference: string): Promise<Charge[]> {
  const term: Term = `merchant_reference:${merchantReference}`;
  return (await findCharges(outside, merchantId, [term], { newestFirst: true, limit: MAX_NAMED })).entries;
}

const MAX_NAMED = 20;

function startAfterLookup({ pk, sk }: Item): PageStart {
  return { pk: String(pk), sk: String(sk), sort: String(sk) };
}

export function startAfterFound(charge: Charge, rarest: Term): PageStart {
  const key = keyOf(charge, rarest);
  return { ...key, sort: key.sk };
}

/*
 * merchant reference   MERCHANT_REFERENCE#<merchant>#<sha256> / MERCHANT_REFERENCE   the charge with this unique reference, for as long as the
 *                                                                                   charge is kept
 */

export function reserveMerchantReference(charge: Charge, merchantReference: string): TableWrite {
  const { merchant_id, reference, expires_at_epoch_seconds } = charge;
  const hash = sha256(merchantReference);
  const key = { pk: `MERCHANT_REFERENCE#${merchant_id}#${hash}`, sk: 'MERCHANT_REFERENCE' };
  return createItem({ ...key, reference, expires_at_epoch_seconds }, (current) => {
    const { reference: other } = z.parse(Lookup, current);
    return other === reference ? undefined : new MerchantReferenceTaken(other);
  });
}

export class MerchantReferenceTaken extends Error {
  readonly reference: string;

  constructor(reference: string) {
    super(`The charge ${reference} already has this merchant_reference`);
    this.reference = reference;
  }
}
