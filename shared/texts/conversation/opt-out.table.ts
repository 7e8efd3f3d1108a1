/*
 * opt-out   OPT_OUT#<merchant> / <number>   a person who wrote STOP to a merchant, or withdrew a consent; it stays after START and after a
 *                                           newer consent, and says so
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { Page, TableWrite } from '../../runtime/table/table.ts';
import { inList, PublicError } from '../../runtime/values/errors.ts';

export const OptOut = z.object({
  merchant_id: z.string(),
  /** `+233…` */
  number: z.string(),
  opted_out: z.boolean(),
  /** When the word came that counts, by the clock of the phone that got it. */
  at: z.string(),
  /** What they wrote: STOP, START, or one of the merchant's own words. */
  word: z.string(),
});
export type OptOut = z.infer<typeof OptOut>;

/** A person's row: what they said last, if they wrote STOP or START, and when a consent was withdrawn last (ISO), if one was. */
const OptOutRow = z.extend(z.partial(OptOut, { opted_out: true, at: true, word: true }), {
  withdrawn_at: z.optional(z.string()),
  /** Of a test. */
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type OptOutRow = z.infer<typeof OptOutRow>;

const optOutRows = rows(OptOutRow, { pk: 'OPT_OUT#<merchant_id>', sk: '<number>' });

/** What a person said last to a merchant about its marketing. */
export async function findOptOut(
  outside: TableOutside,
  merchantId: string,
  number: string,
): Promise<OptOut | undefined> {
  const row = await optOutRows.find(outside, { merchant_id: merchantId, number });
  return row && saidIn([row])[0];
}

/** A row that only says that a consent was withdrawn has no word. */
function saidIn(found: readonly OptOutRow[]): OptOut[] {
  return found.filter(({ word }) => word !== undefined).map((row) => z.parse(OptOut, row));
}

/** The same of several merchants, by their ids. */
export async function optOutsOf(
  outside: TableOutside,
  number: string,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, OptOut>> {
  const found = await optOutRows.findMany(
    outside,
    merchantIds.map((merchant_id) => ({ merchant_id, number })),
  );
  return new Map(saidIn(found).map((one) => [one.merchant_id, one]));
}

/** Those of `numbers` that want no marketing and no reminders of a merchant. */
export async function optedOutOf(
  outside: TableOutside,
  merchantId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await getOptOuts(outside, merchantId, numbers);
  return new Set(numbers.filter((number) => rows.get(number)?.opted_out));
}

/** The rows of those of `numbers` who have said or withdrawn anything. */
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

/** A page of those who have opted out of a merchant's marketing, by number; fewer than its limit where some have come back. */
export async function listOptOuts(outside: TableOutside, merchant_id: string, page: Page) {
  const { entries, next } = await optOutRows.page(outside, { merchant_id }, page);
  return { optOuts: saidIn(entries).filter(({ opted_out }) => opted_out), next };
}

/** Records what a person said; refused with what `moved` gives where something was recorded since `before` was read. */
export function changeOptOut(before: OptOut | undefined, after: OptOut, moved: () => Error): TableWrite {
  const condition = before
    ? { when: '#at = :at_read AND #word = :word_read', values: { ':at_read': before.at, ':word_read': before.word } }
    : { when: 'attribute_not_exists(#word)' };
  return optOutRows.change(after, after, { ...condition, refused: moved });
}

/**
 * Records that a person withdrew their consent to a merchant's marketing. Neither START, the removal of the contact nor an erasure of the
 * person changes it, so that what was agreed to before it never counts again, as in an old list.
 */
export function recordWithdrawal(row: Omit<OptOutRow, 'opted_out' | 'at' | 'word'>): TableWrite {
  return optOutRows.change(row, row);
}

/** For the transaction that stores a consent given at `at` (ISO): it was not withdrawn since. Refused with what `withdrawn` gives. */
export function notWithdrawnSince(merchant_id: string, number: string, at: string, withdrawn: () => Error): TableWrite {
  const when = 'attribute_not_exists(withdrawn_at) OR withdrawn_at < :at';
  return optOutRows.check({ merchant_id, number }, { when, values: { ':at': at }, refused: withdrawn });
}

/**
 * For the transaction that debits: none of these has opted out. Two write units a number, and what makes a STOP and a send at the same
 * moment come one after the other.
 */
export function stillOptedIn(merchant_id: string, to: readonly string[]): TableWrite[] {
  const isIn = { when: 'attribute_not_exists(opted_out) OR opted_out = :no', values: { ':no': false } };
  return [...new Set(to)].map((number) =>
    optOutRows.check({ merchant_id, number }, { ...isIn, refused: () => recipientOptedOut(to, new Set([number])) }),
  );
}

/** The refusal of a text to people who wrote STOP, by their places in `to`, which the request names as `errorAt` does. */
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
    `${who} answered STOP to you: they get no marketing and no reminders. Nothing was debited; leave out the numbers that errors lists.`,
    { errors },
  );
}
