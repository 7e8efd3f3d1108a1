/**
 * answer   INBOX#<merchant>#<number> / ANSWER#<received_at>#<id>   a person's text to one of a merchant's numbers
 *   gsi1   MERCHANT#<merchant>#INBOX / <created_at>#<id>           sorted by arrival at the service
 * reply    INBOX#<merchant>#<number> / REPLY#<created_at>#<send>   the merchant's reply from the dashboard
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { keywords } from '../conversation/keywords.ts';

/**
 * Reasons to withhold a text. `looks_private`: the text resembles a code, or a text from a bank or wallet.
 * `may_hold_code`: the text contains four digits while this person may have a valid code.
 */
export const reasonsToWithhold = ['looks_private', 'may_hold_code'] as const;
export type WithheldReason = (typeof reasonsToWithhold)[number];

export const Answer = z.object({
  /** `ans_` followed by 32 hexadecimal digits derived from the text. */
  answer_id: z.string(),
  merchant_id: z.string(),
  /** The sender reported by the phone (`+233…`). Can be forged. */
  number: z.string(),
  to: z.string(),
  message: z.string(),
  withheld: z.optional(z.enum(reasonsToWithhold)),
  keyword: z.optional(z.enum(keywords)),
  in_reply_to: z.optional(z.string()),
  /** Time the text was received, by the phone's clock. */
  received_at: z.string(),
  created_at: z.string(),
  expires_at_epoch_seconds: z.number(),
});
export type Answer = z.infer<typeof Answer>;

export const Reply = z.object({
  merchant_id: z.string(),
  number: z.string(),
  send_id: z.string(),
  created_at: z.string(),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Reply = z.infer<typeof Reply>;

const partitionOf = ({ merchant_id, number }: Pick<Answer, 'merchant_id' | 'number'>) =>
  `INBOX#${merchant_id}#${number}`;
const indexPartition = ({ merchant_id }: Pick<Answer, 'merchant_id'>) => `MERCHANT#${merchant_id}#INBOX`;

export const answerRows = rows(Answer, {
  pk: partitionOf,
  sk: 'ANSWER#<received_at>#<answer_id>',
  gsi1: { pk: indexPartition, sk: '<created_at>#<answer_id>' },
  largestUnits: 2,
});
export const replyRows = rows(Reply, { pk: partitionOf, sk: 'REPLY#<created_at>#<send_id>' });

export async function newestAnswer(outside: TableOutside, merchant_id: string): Promise<string | undefined> {
  const page = { newestFirst: true, limit: 1 };
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition({ merchant_id }), page);
  return keys[0]?.sort;
}

const MAX_SHOWN = 50;

export async function getThread(outside: TableOutside, merchant_id: string, number: string) {
  const newest = (prefix: string) =>
    outside.table.listPage(partitionOf({ merchant_id, number }), {
      between: [`${prefix}#`, `${prefix}#~`],
      newestFirst: true,
      limit: MAX_SHOWN,
    });
  const [answers, replies] = await Promise.all([newest('ANSWER'), newest('REPLY')]);
  return {
    answers: answers.items.map(answerRows.parse).toReversed(),
    replies: replies.items.map(replyRows.parse).toReversed(),
    hasMore: answers.next !== undefined,
  };
}
