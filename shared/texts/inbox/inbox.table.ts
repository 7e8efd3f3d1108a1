/*
 * answer   INBOX#<merchant>#<number> / ANSWER#<received_at>#<id>   what a person wrote to a number of a merchant's
 *   gsi1   MERCHANT#<merchant>#INBOX / <created_at>#<id>           a merchant's, by the time at which they reached the service
 * reply    INBOX#<merchant>#<number> / REPLY#<created_at>#<send>   a text that was written in reply at the dashboard
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { createItem, type Item, type Page, type TableWrite } from '../../runtime/table/table.ts';
import { keywords } from '../conversation/keywords.ts';

export const Answer = z.object({
  /** `ans_` and 32 hexadecimal digits; the same text always has the same. */
  answer_id: z.string(),
  merchant_id: z.string(),
  /** Whom the phone names as its sender, `+233…`. It can be forged. */
  number: z.string(),
  /** The number that it came to. */
  to: z.string(),
  message: z.string(),
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

const partitionOf = (merchantId: string, number: string) => `INBOX#${merchantId}#${number}`;
const indexPartition = (merchantId: string) => `MERCHANT#${merchantId}#INBOX`;

export const parseAnswer = (item: Item): Answer => z.parse(Answer, item);

/** Stores an answer; the same one again is dropped, with all that is written with it. */
export function createAnswer(answer: Answer): TableWrite {
  const { merchant_id, number, received_at, created_at, answer_id } = answer;
  const key = { pk: partitionOf(merchant_id, number), sk: `ANSWER#${received_at}#${answer_id}` };
  const listed = { gsi1pk: indexPartition(merchant_id), gsi1sk: `${created_at}#${answer_id}` };
  return createItem({ ...key, ...listed, ...answer }, () => undefined);
}

/** Notes a reply, for the transaction that sends it. */
export function createReply(reply: Reply): TableWrite {
  const { merchant_id, number, created_at, send_id } = reply;
  return createItem({ pk: partitionOf(merchant_id, number), sk: `REPLY#${created_at}#${send_id}`, ...reply });
}

/** A page of a merchant's answers that reached the service between two times (ISO), newest first. */
export async function listAnswers(outside: TableOutside, merchantId: string, page: Page) {
  const { items, next } = await outside.table.listIndex('gsi1', indexPartition(merchantId), page);
  return { answers: items.map(parseAnswer), next };
}

/** The id of a merchant's newest answer; one read of a key. */
export async function newestAnswer(outside: TableOutside, merchantId: string): Promise<string | undefined> {
  const page = { newestFirst: true, limit: 1 };
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition(merchantId), page);
  return keys[0]?.sort;
}

/** More of a conversation are not shown at once. */
const MAX_SHOWN = 50;

/** The newest answers of a person to a merchant, and the replies to them, oldest first. */
export async function getThread(outside: TableOutside, merchantId: string, number: string) {
  const newest = (prefix: string) =>
    outside.table.listPage(partitionOf(merchantId, number), {
      between: [`${prefix}#`, `${prefix}#~`],
      newestFirst: true,
      limit: MAX_SHOWN,
    });
  const [answers, replies] = await Promise.all([newest('ANSWER'), newest('REPLY')]);
  return {
    answers: answers.items.map(parseAnswer).toReversed(),
    replies: replies.items.map((item) => z.parse(Reply, item)).toReversed(),
    hasMore: answers.next !== undefined,
  };
}
