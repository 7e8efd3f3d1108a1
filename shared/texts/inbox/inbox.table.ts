/*
 * answer   INBOX#<merchant>#<number> / ANSWER#<received_at>#<id>   what a person wrote to a number of a merchant's
 *   gsi1   MERCHANT#<merchant>#INBOX / <created_at>#<id>           a merchant's, by the time at which they reached the service
 * reply    INBOX#<merchant>#<number> / REPLY#<created_at>#<send>   a text that was written in reply at the dashboard
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { keywords } from '../conversation/keywords.ts';

/** `looks_private`: it is worded as a bank's, a wallet's or a code's; `may_hold_code`: it has four digits, and a code may be valid that went to its sender. */
export const reasonsToWithhold = ['looks_private', 'may_hold_code'] as const;
export type WhyWithheld = (typeof reasonsToWithhold)[number];

export const Answer = z.object({
  /** `ans_` and 32 hexadecimal digits; the same text always has the same. */
  answer_id: z.string(),
  merchant_id: z.string(),
  /** Whom the phone names as its sender, `+233…`. It can be forged. */
  number: z.string(),
  /** The number that it came to. */
  to: z.string(),
  /** Empty where it is withheld. */
  message: z.string(),
  /** The reason why its words are stored nowhere. */
  withheld: z.optional(z.enum(reasonsToWithhold)),
  /** STOP, START or HELP, if it is nothing else. */
  keyword: z.optional(z.enum(keywords)),
  /** The last text of the merchant's to that person, if there was one lately. */
  in_reply_to: z.optional(z.string()),
  /** By the clock of the phone that got it. */
  received_at: z.string(),
  /** When it reached the service. */
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

/** A merchant's are listed by the time at which they reached the service. */
export const answerRows = rows(Answer, {
  pk: partitionOf,
  sk: 'ANSWER#<received_at>#<answer_id>',
  gsi1: { pk: indexPartition, sk: '<created_at>#<answer_id>' },
  largestUnits: 2,
});
export const replyRows = rows(Reply, { pk: partitionOf, sk: 'REPLY#<created_at>#<send_id>' });

/** The id of a merchant's newest answer; one read of a key. */
export async function newestAnswer(outside: TableOutside, merchant_id: string): Promise<string | undefined> {
  const page = { newestFirst: true, limit: 1 };
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition({ merchant_id }), page);
  return keys[0]?.sort;
}

/** More of a conversation are not shown at once. */
const MAX_SHOWN = 50;

/** The newest answers of a person to a merchant, and the replies to them, oldest first. */
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
