/**
 * send   SEND#<send id> / SEND   one text to all its recipients. Also the outbox entry
 *   gsi1   MERCHANT#<merchant>#SEND / <send id>     a merchant's sends by time
 *   gsi2   OPEN#SEND#<0 or 1> / <merchant>#<next_check_at>#<send id>    while housekeeping checks the send
 */
import * as z from 'zod/mini';
import { isoOf, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { listInTurns } from '../../runtime/table/in-turns.ts';
import { rows } from '../../runtime/table/rows.ts';
import { spread } from '../../runtime/table/spread.ts';
import { type Item, LAST_SORT, type PageStart, readPages, type TableWrite } from '../../runtime/table/table.ts';
import { type BudgetedPage, listWithin, type RowUnits } from '../../runtime/table/within-budget.ts';
import { HOUR_MS } from '../../runtime/values/calendar.ts';
import { Causer } from './causer.ts';

export const Send = z.object({
  send_id: z.string(),
  /** Unset for the operator's own texts, which are free, cause no webhook events and are not listed. */
  merchant_id: z.optional(z.string()),
  purpose: z.optional(z.enum(['hearing_test', 'balance_question', 'invitation'])),
  category: z.optional(z.enum(['marketing', 'reminder'])),
  /** Unset for texts in the service's own words. */
  by: z.optional(Causer),
  /** The sender (`+233…`). A message that was moved has its new sender in its own row. */
  from: z.string(),
  /** True if the merchant did not name a sender. Unsent texts may then be moved to another sender. */
  any_sender: z.optional(z.boolean()),
  to: z.array(z.string()),
  message: z.string(),
  words: z.optional(z.array(z.array(z.string()))),
  bulk: z.optional(z.object({ id: z.string(), parts: z.number() })),
  /** Positions in `to` of failed texts that were resent. Only for bulk sends. */
  retried: z.optional(z.array(z.number())),
  /** True if a code in `message` is masked. The full text is in a separate row. */
  has_code: z.optional(z.boolean()),
  /** The charge that the text is about. Shown only on the dashboard. */
  reference: z.optional(z.string()),
  /** Slug of the payment request that this reminder is about. */
  request: z.optional(z.string()),
  /** JSON text, to preserve the caller's number format. */
  metadata: z.optional(z.string()),
  created_at: z.string(),
  send_at: z.optional(z.string()),
  quiet_hours: z.optional(z.string()),
  /** Time (ISO) after which the text is not sent. */
  useless_at: z.optional(z.string()),
  /** Requested validity in seconds. */
  valid_for: z.optional(z.number()),
  expires_at_epoch_seconds: z.optional(z.number()),
  next_check_at: z.optional(z.string()),
});
export type Send = z.infer<typeof Send>;

/** Delay before the first status check. Half of all texts are delivered within 8 seconds. */
export const FIRST_CHECK_MS = 10 * 1000;

type Owned = Pick<Send, 'send_id' | 'merchant_id'>;

/** Replaces the merchant id in the operator's own texts. Never a valid merchant id. */
export const OPERATOR = 'OPERATOR';

export const sendRows = rows(Send, { pk: 'SEND#<send_id>', sk: 'SEND' });

const indexPartition = (merchantId: string) => `MERCHANT#${merchantId}#SEND`;
const openSends = spread('OPEN#SEND', 2);
const openKey = ({ send_id, merchant_id }: Owned, nextCheckAt: string | undefined) =>
  nextCheckAt ? { gsi2pk: openSends.of(send_id), gsi2sk: `${merchant_id ?? OPERATOR}#${nextCheckAt}#${send_id}` } : {};

export function createSend(send: Send): TableWrite {
  return sendRows.create({
    ...(send.merchant_id && { gsi1pk: indexPartition(send.merchant_id), gsi1sk: send.send_id }),
    ...openKey(send, send.next_check_at),
    ...send,
  });
}

export function noteRetried(
  { send_id, retried }: Pick<Send, 'send_id' | 'retried'>,
  indexes: readonly number[],
  moved: () => Error,
): TableWrite {
  const condition = retried
    ? { when: '#retried = :read', values: { ':read': retried } }
    : { when: 'attribute_exists(pk) AND attribute_not_exists(#retried)' };
  const all = [...(retried ?? []), ...indexes];
  return sendRows.change({ send_id }, { retried: all }, { ...condition, refused: moved });
}

export async function listSends(outside: TableOutside, merchantId: string, page: BudgetedPage, units?: RowUnits) {
  const { items, ...rest } = await listWithin(outside.table, ['gsi1', indexPartition(merchantId)], page, units);
  return { sends: items.map(sendRows.parse), ...rest };
}

export async function newestSendId(outside: TableOutside, merchantId: string): Promise<string | undefined> {
  const page = { newestFirst: true, limit: 1 };
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition(merchantId), page);
  return keys[0]?.sort;
}

export function startAfterSend({ send_id }: Pick<Send, 'send_id'>): PageStart {
  return { ...sendRows.key({ send_id }), sort: send_id };
}

/** Returns about `limit` sends that were due for a check before `at` (ISO), alternating between merchants. */
export async function listSendsToCheck(outside: TableOutside, at: string, limit: number): Promise<Send[]> {
  return (await listInTurns(outside.table, openSends.partitions, at, limit)).map(sendRows.parse);
}

/** Returns the ids of unfinished sends, for one merchant or for all. Reads only the index. */
export async function listOpenSendIds(outside: TableOutside, merchantId?: string): Promise<string[]> {
  const between = merchantId === undefined ? undefined : ([`${merchantId}#`, `${merchantId}#${LAST_SORT}`] as const);
  const lists = openSends.partitions.map((partition) =>
    readPages(Number.POSITIVE_INFINITY, async (start) => {
      const { keys, next } = await outside.table.listIndexKeys('gsi2', partition, {
        start,
        ...(between && { between }),
      });
      return { items: keys, next };
    }),
  );
  return (await Promise.all(lists)).flatMap(({ items }) => items.map(({ pk }) => pk.slice('SEND#'.length)));
}

export async function setNextCheck(outside: TableOutside, send: Owned, nextCheckAt?: string): Promise<void> {
  await outside.table.update(nextCheck(send, nextCheckAt, { when: 'attribute_exists(pk)' }));
}

/** Maximum interval between checks while a text is being sent. */
export const MAX_CHECK_MS = HOUR_MS;

export async function checkSoon(outside: TimedOutside, send: Owned): Promise<void> {
  const [soon, late] = [FIRST_CHECK_MS, MAX_CHECK_MS].map((ms) => isoOf(outside.now() + ms));
  const values = { ':late': late };
  await outside.table.update(nextCheck(send, soon, { when: 'attribute_exists(pk) AND next_check_at > :late', values }));
}

function nextCheck(
  send: Owned,
  nextCheckAt: string | undefined,
  condition: { when: string; values?: Item },
): TableWrite {
  const { gsi2pk, gsi2sk } = openKey(send, nextCheckAt);
  return sendRows.change(send, { next_check_at: nextCheckAt, gsi2pk, gsi2sk }, condition);
}
