/**
 * keyword   KEYWORD#<hash of line and number> / HEARD#<keyword>   a keyword that a person sent to a number, and its
 *                                                                 confirmation (at most one per day)
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import type { Job } from '../../runtime/outside/queues.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { type Keyword, keywords } from './keywords.ts';

const HeardKeyword = z.object({
  /** The number that received the keyword, or the test account in test mode. */
  line: z.string(),
  number: z.string(),
  keyword: z.enum(keywords),
  /** Time of the person's last text with this keyword, by the receiving phone's clock. */
  word_at: z.string(),
  /** Merchants that the last STOP applied to. START opts the person in again. */
  ended: z.optional(z.array(z.string())),
  /** The confirmation text: time of request, paying merchant, number of other merchants, recipient and text id. */
  at: z.optional(z.string()),
  merchant_id: z.optional(z.string()),
  others: z.optional(z.number()),
  to: z.optional(z.string()),
  send_id: z.optional(z.string()),
});
export type HeardKeyword = z.infer<typeof HeardKeyword>;
type KeywordSource = Pick<HeardKeyword, 'line' | 'number'>;

/** A job that sends a confirmation. Contains no phone numbers. */
export const KeywordJob = z.object({
  kind: z.literal('keyword'),
  id: z.string(),
  keyword: z.enum(keywords),
  at: z.string(),
});
export type KeywordJob = z.infer<typeof KeywordJob>;

export const keywordRows = rows(HeardKeyword, {
  pk: (of: KeywordSource | Pick<KeywordJob, 'id'>) => `KEYWORD#${'id' in of ? of.id : idOf(of)}`,
  sk: 'HEARD#<keyword>',
});

function idOf({ line, number }: KeywordSource): string {
  return sha256(`${line} ${number}`).slice(0, 32);
}

export async function listKeywords(
  outside: TableOutside,
  source: KeywordSource,
): Promise<ReadonlyMap<Keyword, HeardKeyword>> {
  return new Map((await keywordRows.list(outside, source)).map((one) => [one.keyword, one]));
}

export function isOfToday({ now }: Clock, heard: HeardKeyword | undefined): boolean {
  return heard?.at !== undefined && now() - Date.parse(heard.at) < DAY_MS;
}

export type Confirmation = Required<Pick<HeardKeyword, 'merchant_id' | 'others' | 'to'>>;

export function noteKeyword(
  outside: Clock & { readonly retentionDays: number },
  heard: Pick<HeardKeyword, 'line' | 'number' | 'keyword' | 'word_at' | 'ended'>,
  confirmation: Confirmation | undefined,
): TableWrite {
  const { ended, ...kept } = heard;
  const at = nowIso(outside);
  const ends = kept.keyword === 'stop' ? endOfRetention(outside, at) : endsIn(outside, 2 * DAY_SECONDS);
  return keywordRows.change(kept, {
    ...kept,
    ...(ended && { ended }),
    ...(confirmation && { ...confirmation, at, send_id: undefined }),
    ...ends,
  });
}

export function forgetEnded(source: KeywordSource): TableWrite {
  return keywordRows.change({ ...source, keyword: 'stop' }, { ended: undefined });
}

export type Confirmable = HeardKeyword & Required<Pick<HeardKeyword, 'merchant_id' | 'at'>>;

export function keywordJob(heard: Confirmable): Job {
  const { merchant_id, keyword, at } = heard;
  return { body: { kind: 'keyword', id: idOf(heard), keyword, at } satisfies KeywordJob, group: merchant_id };
}

export class Confirmed extends Error {}

/**
 * Marks the keyword as confirmed. Commit this in the same transaction as the debit.
 * @throws Confirmed if it was already confirmed.
 */
export function noteConfirmed(job: KeywordJob, send_id: string): TableWrite {
  const when = '#at = :at_read AND attribute_not_exists(send_id)';
  const once = { when, values: { ':at_read': job.at }, refused: () => new Confirmed() };
  return keywordRows.change(job, { send_id }, once);
}
