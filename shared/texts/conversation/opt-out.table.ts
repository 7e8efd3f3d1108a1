/**
 * opt-out   OPT_OUT#<merchant> / <number>   a person who opted out of a merchant's marketing or withdrew consent. START
 *                                           updates the row; a newer consent does not
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { Page, TableWrite } from '../../runtime/table/table.ts';
import { inList, PublicError } from '../../runtime/values/errors.ts';

export const OptOut = z.object({
  merchant_id: z.string(),
  number: z.string(),
  opted_out: z.boolean(),
  /** Time of the keyword, by the receiving phone's clock. */
  at: z.string(),
  word: z.string(),
});
export type OptOut = z.infer<typeof OptOut>;

/** The person's last keyword, and the time they last withdrew consent (ISO). Either may be missing. */
const OptOutRow = z.extend(z.partial(OptOut, { opted_out: true, at: true, word: true }), {
  withdrawn_at: z.optional(z.string()),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type OptOutRow = z.infer<typeof OptOutRow>;

const optOutRows = rows(OptOutRow, { pk: 'OPT_OUT#<merchant_id>', sk: '<number>' });

export async function findOptOut(
  outside: TableOutside,
  merchantId: string,
  number: string,
): Promise<OptOut | undefined> {
  const row = await optOutRows.find(outside, { merchant_id: merchantId, number });
  return row && optOutsIn([row])[0];
}

/** Skips rows that only record a withdrawal of consent. */
function optOutsIn(found: readonly OptOutRow[]): OptOut[] {
  return found.filter(({ word }) => word !== undefined).map((row) => z.parse(OptOut, row));
}

export async function optOutsOf(
  outside: TableOutside,
  number: string,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, OptOut>> {
  const found = await optOutRows.findMany(
    outside,
    merchantIds.map((merchant_id) => ({ merchant_id, number })),
  );
  return new Map(optOutsIn(found).map((one) => [one.merchant_id, one]));
}

export async function optedOutOf(
  outside: TableOutside,
  merchantId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await getOptOuts(outside, merchantId, numbers);
  return new Set(numbers.filter((number) => rows.get(number)?.opted_out));
}

export async function getOptOuts(
  outside: TableOutside,
  merchant_id: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, OptOutRow>> {
  const found = await optOutRows.findMany(
    outside,
    numbers.map((number) => ({ merchant_id, number })),
  );
  return new Map(found.map((row) => [row.number, row]));
}

/**
 * Lists people who opted out of a merchant's marketing, by number. A page may be short, because other rows are skipped.
 */
export async function listOptOuts(outside: TableOutside, merchant_id: string, page: Page) {
  const { entries, next } = await optOutRows.page(outside, { merchant_id }, page);
  return { optOuts: optOutsIn(entries).filter(({ opted_out }) => opted_out), next };
}

/** Records a keyword. The write fails with `moved` if the row no longer matches `before`. */
export function changeOptOut(before: OptOut | undefined, after: OptOut, moved: () => Error): TableWrite {
  const condition = before
    ? { when: '#at = :at_read AND #word = :word_read', values: { ':at_read': before.at, ':word_read': before.word } }
    : { when: 'attribute_not_exists(#word)' };
  return optOutRows.change(after, after, { ...condition, refused: moved });
}

/**
 * Records that a person withdrew consent. The record outlives START and the contact, so an older consent stays invalid.
 */
export function recordWithdrawal(row: Omit<OptOutRow, 'opted_out' | 'at' | 'word'>): TableWrite {
  return optOutRows.change(row, row);
}

/** Returns a condition that fails with `withdrawn` if consent was withdrawn after `at` (ISO). */
export function notWithdrawnSince(merchant_id: string, number: string, at: string, withdrawn: () => Error): TableWrite {
  const when = 'attribute_not_exists(withdrawn_at) OR withdrawn_at < :at';
  return optOutRows.check({ merchant_id, number }, { when, values: { ':at': at }, refused: withdrawn });
}

/**
 * Returns transaction conditions that fail if a recipient has opted out. The conditions cost two write units per
 * number.
 */
export function stillOptedIn(merchant_id: string, to: readonly string[]): TableWrite[] {
  const isIn = { when: 'attribute_not_exists(opted_out) OR opted_out = :no', values: { ':no': false } };
  return [...new Set(to)].map((number) =>
    optOutRows.check({ merchant_id, number }, { ...isIn, refused: () => recipientOptedOut(to, new Set([number])) }),
  );
}

export function recipientOptedOut(
  to: readonly string[],
  optedOut: ReadonlySet<string>,
  errorAt = inList('to'),
): PublicError {
  const errors = to.flatMap((number, n) => (optedOut.has(number) ? [errorAt(n, `${number} has opted out`)] : []));
  const [first = '', ...others] = optedOut;
  const who = others.length > 0 ? `${first} and ${others.length} more have` : `${first} has`;
  return new PublicError(
    'recipient_opted_out',
    `${who} replied STOP, so you cannot send them marketing or reminders. Nothing was debited. Leave out the numbers listed in errors.`,
    { errors },
  );
}
