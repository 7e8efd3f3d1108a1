/*
 * send   SEND#<send id> / SEND   one text, all its recipients: one item, whatever their number, and the outbox row
 *   gsi1   MERCHANT#<merchant>#SEND / <send id>     a merchant's sends by time; the operator's own are in no list
 *   gsi2   OPEN#SEND#<0 or 1> / <merchant>#<next_check_at>#<send id>    while housekeeping checks it
 */
import * as z from 'zod/mini';
import { isoOf, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { listInTurns } from '../../runtime/table/in-turns.ts';
import { rows } from '../../runtime/table/rows.ts';
import { spread } from '../../runtime/table/spread.ts';
import { type Item, LAST_SORT, type PageStart, readPages, type TableWrite } from '../../runtime/table/table.ts';
import { type BudgetedPage, listWithin, type RowUnits } from '../../runtime/table/within-budget.ts';

export const Send = z.object({
  send_id: z.string(),
  /** Unset for the operator's own text: nobody pays for it, no webhook reports it, and it is in no list. */
  merchant_id: z.optional(z.string()),
  /** What an operator's own text is for, if it is no code to a payer. */
  purpose: z.optional(z.enum(['hearing_test', 'balance_question', 'invitation'])),
  /** What a merchant's text is for, where STOP ends such texts. Marketing also needs the consent of its recipients, stored still as it leaves. */
  category: z.optional(z.enum(['marketing', 'reminder'])),
  /** The sender's number, `+233…`; of a message that was moved to another, see there. */
  from: z.string(),
  /** Its merchant named no number: a text that has not left may move to another one. */
  any_sender: z.optional(z.boolean()),
  to: z.array(z.string()),
  /** With placeholders where its recipients have words of their own. */
  message: z.string(),
  /** Each recipient's words, in the order of `to`, each in the order of the placeholders. */
  words: z.optional(z.array(z.array(z.string()))),
  /** The bulk that it is a part of: the id of its first part, and how many they are. */
  bulk: z.optional(z.object({ id: z.string(), parts: z.number() })),
  /** Of a bulk: which of its texts failed and were sent again, by their places in `to`. */
  retried: z.optional(z.array(z.number())),
  /** Its words have a code, which is masked in `message`: the worker has them from a row of their own. */
  has_code: z.optional(z.boolean()),
  /** The charge whose link it carries, or whose receipt it is: only the dashboard shows it. */
  reference: z.optional(z.string()),
  /** The slug of the payment request that it reminds of: it does not leave once nothing of that is due. */
  request: z.optional(z.string()),
  /** JSON text, as the caller wrote its numbers. */
  metadata: z.optional(z.string()),
  created_at: z.string(),
  /** It is not sent earlier than this (ISO). */
  send_at: z.optional(z.string()),
  /** The hours in which it does not leave, as `21:00-07:00`. */
  quiet_hours: z.optional(z.string()),
  /** It is not sent later than this (ISO), when it is of no more use. */
  useless_at: z.optional(z.string()),
  /** For how many seconds it was said to be of use, if it was: from when it was asked for, which quiet hours put off. */
  valid_for: z.optional(z.number()),
  /** When its row, and those of its messages, are removed. */
  expires_at_epoch_seconds: z.optional(z.number()),
  /** When housekeeping checks it next; unset once its messages' states are final. */
  next_check_at: z.optional(z.string()),
});
export type Send = z.infer<typeof Send>;

/** When housekeeping first asks what became of a text that has left: half of them are delivered in 8 seconds. */
export const FIRST_CHECK_MS = 10 * 1000;

type Owned = Pick<Send, 'send_id' | 'merchant_id'>;

/** Stands for the merchant of the operator's own texts. No merchant's id looks like this. */
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

/** Notes that texts which failed are sent again; refused with what `moved` gives where others were since the send was read. */
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

/** A page of a merchant's sends; its `between` are ids. */
export async function listSends(outside: TableOutside, merchantId: string, page: BudgetedPage, units?: RowUnits) {
  const { items, ...rest } = await listWithin(outside.table, ['gsi1', indexPartition(merchantId)], page, units);
  return { sends: items.map(sendRows.parse), ...rest };
}

/** The id of a merchant's newest send; one read of a key. */
export async function newestSendId(outside: TableOutside, merchantId: string): Promise<string | undefined> {
  const page = { newestFirst: true, limit: 1 };
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition(merchantId), page);
  return keys[0]?.sort;
}

/** Where a merchant's list of sends continues after one of them. */
export function startAfterSend({ send_id }: Pick<Send, 'send_id'>): PageStart {
  return { ...sendRows.key({ send_id }), sort: send_id };
}

/** The sends that were due for a check before `at` (ISO), about `limit`, alternating between merchants. */
export async function listSendsToCheck(outside: TableOutside, at: string, limit: number): Promise<Send[]> {
  return (await listInTurns(outside.table, openSends.partitions, at, limit)).map(sendRows.parse);
}

/** The ids of the sends of which a text may still leave: a merchant's, or everybody's. From the index alone. */
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

/** Sets when housekeeping checks a send next; undefined for never. */
export async function setNextCheck(outside: TableOutside, send: Owned, nextCheckAt?: string): Promise<void> {
  await outside.table.update(nextCheck(send, nextCheckAt, { when: 'attribute_exists(pk)' }));
}

/** The longest time between two checks of a send of which a text is on its way. */
export const MAX_CHECK_MS = 60 * 60 * 1000;

/** Has housekeeping soon check a send of which a text leaves, if it was left alone while they waited. */
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
