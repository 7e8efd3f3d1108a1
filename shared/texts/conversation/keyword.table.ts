/*
 * keyword   KEYWORD#<hash of merchant and number> / HEARD#<keyword>   a keyword that a person wrote to a merchant, which is to be
 *                                                                     confirmed; at most one a day
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock, TableOutside } from '../../runtime/outside/outside.ts';
import { changeItem, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { type Keyword, keywords } from './keywords.ts';

const HeardKeyword = z.object({
  merchant_id: z.string(),
  number: z.string(),
  /** The number that they wrote to. */
  to: z.string(),
  keyword: z.enum(keywords),
  at: z.string(),
  /** The text that confirms it. */
  send_id: z.optional(z.string()),
});
export type HeardKeyword = z.infer<typeof HeardKeyword>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** What its job names: no number, which must not stand in a queue. */
export const KeywordJob = z.object({
  kind: z.literal('keyword'),
  id: z.string(),
  keyword: z.enum(keywords),
  at: z.string(),
});
export type KeywordJob = z.infer<typeof KeywordJob>;

const keyOf = (id: string, keyword: Keyword) => ({ pk: `KEYWORD#${id}`, sk: `HEARD#${keyword}` });
type Whose = Pick<HeardKeyword, 'merchant_id' | 'number'>;

function idOf({ merchant_id, number }: Whose): string {
  return createHash('sha256').update(`${merchant_id} ${number}`).digest('hex').slice(0, 32);
}

/** When a keyword was last confirmed, or is to be. */
export async function findKeyword(outside: TableOutside, whose: Whose & { readonly keyword: Keyword }) {
  return getKeyword(outside, { id: idOf(whose), keyword: whose.keyword });
}

export async function getKeyword(
  outside: TableOutside,
  { id, keyword }: Pick<KeywordJob, 'id' | 'keyword'>,
): Promise<HeardKeyword | undefined> {
  const item = await outside.table.get(keyOf(id, keyword));
  return item && z.parse(HeardKeyword, item);
}

/** Whether the same was confirmed within a day. */
export function isOfToday({ now }: Clock, heard: HeardKeyword | undefined): boolean {
  return heard !== undefined && now() - Date.parse(heard.at) < DAY_MS;
}

/** Has a keyword confirmed; refused with what `moved` gives where that was done since `before` was read. */
export function createKeyword(
  outside: Clock,
  before: HeardKeyword | undefined,
  whose: Omit<HeardKeyword, 'at' | 'send_id'>,
  moved: () => Error,
): TableWrite {
  const at = new Date(outside.now()).toISOString();
  const expires_at_epoch_seconds = Math.floor((outside.now() + 2 * DAY_MS) / 1000);
  const set = { ...whose, at, send_id: undefined, expires_at_epoch_seconds };
  const condition = before
    ? { when: '#at = :at_read', values: { ':at_read': before.at } }
    : { when: 'attribute_not_exists(pk)' };
  return { ...changeItem(keyOf(idOf(whose), whose.keyword), set, condition), refused: moved };
}

/** The job of a keyword that was heard just now, from the stream; undefined for any other change of its row. */
export function keywordJob(before: Item | undefined, after: Item): { body: KeywordJob; group: string } | undefined {
  const heard = z.parse(HeardKeyword, after);
  if (heard.send_id !== undefined || before?.at === heard.at) return undefined;
  const { merchant_id, keyword, at } = heard;
  return { body: { kind: 'keyword', id: idOf(heard), keyword, at }, group: merchant_id };
}

/** A keyword was confirmed already. */
export class Confirmed extends Error {}

/** Notes the text that confirms it, for the transaction that debits it: once. @throws Confirmed. */
export function noteConfirmed({ id, keyword, at }: KeywordJob, send_id: string): TableWrite {
  const when = '#at = :at_read AND attribute_not_exists(send_id)';
  const noted = changeItem(keyOf(id, keyword), { send_id }, { when, values: { ':at_read': at } });
  return { ...noted, refused: () => new Confirmed() };
}
