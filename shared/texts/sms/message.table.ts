/**
 * message   SEND#<send id> / MESSAGE#<nn>   the text's state for one recipient. Written when a worker first processes
 *                                           the message
 *   gsi1   MERCHANT#<merchant>#SEND#failed / <send id>#<nn>     only failed messages
 */
import * as z from 'zod/mini';
import type { PartOfList } from '../../runtime/http/pagination.ts';
import { type Clock, nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { type Item, LAST_SORT, type TableWrite } from '../../runtime/table/table.ts';
import { mayBecome } from '../../runtime/table/transitions.ts';
import { type BudgetedPage, getWithin, type RowUnits } from '../../runtime/table/within-budget.ts';
import { messageId, sendIdsBetween } from './message-id.ts';
import { listSends, Send, sendRows, startAfterSend } from './send.table.ts';
import { type MessageState, messageStates, messageTransitions } from './states.ts';
import { heldUntilMs } from './when-to-leave.ts';

/** The phone and SIM that send a message. Chosen once, because gateways detect duplicates per device. */
const Route = z.object({ gateway: z.string(), device_id: z.string(), sim_number: z.number() });
export type Route = z.infer<typeof Route>;

const Message = z.extend(z.partial(Route), {
  send_id: z.string(),
  index: z.number(),
  merchant_id: z.optional(z.string()),
  purpose: Send.shape.purpose,
  state: z.enum(messageStates),
  /** The message's sender, if different from the send's. */
  from: z.optional(z.string()),
  place: z.optional(z.string()),
  sending_at: z.optional(z.string()),
  sent_at: z.optional(z.string()),
  delivered_at: z.optional(z.string()),
  failed_at: z.optional(z.string()),
  cancelled_at: z.optional(z.string()),
  expired_at: z.optional(z.string()),
  failure_reason: z.optional(z.string()),
});
export type Message = z.infer<typeof Message>;

export const messageRows = rows(Message, {
  pk: 'SEND#<send_id>',
  sk: ({ index }: Pick<Message, 'index'>) => `MESSAGE#${String(index).padStart(2, '0')}`,
});

/** Index partition of a merchant's failed texts. Texts in other states are not indexed. */
const failedPartition = (merchantId: string) => `MERCHANT#${merchantId}#SEND#failed`;
const failedKey = (sendId: string, index: number) => `${sendId}#${String(index).padStart(2, '0')}`;

function pendingMessage({ send_id, merchant_id }: Send, index: number): Message {
  return { send_id, index, merchant_id, state: 'pending' };
}

export async function getSendAndMessage(
  outside: TimedOutside,
  send_id: string,
  index: number,
): Promise<SendAndMessage | undefined> {
  const items = await outside.table.getMany([sendRows.key({ send_id }), messageRows.key({ send_id, index })]);
  const found = items.find(({ sk }) => sk === 'SEND');
  if (!found) return undefined;
  const send = sendRows.parse(found);
  return { send, message: messageOf(outside, send, index, byId(messagesIn(items))) };
}

export async function getSendAndMessages(outside: TimedOutside, sendId: string): Promise<SendAndMessages | undefined> {
  const items = await outside.table.list(`SEND#${sendId}`);
  const found = items.find(({ sk }) => sk === 'SEND');
  if (!found) return undefined;
  const send = sendRows.parse(found);
  return { send, messages: messagesOf(outside, send, byId(messagesIn(items))) };
}

function messagesOf(outside: Clock, send: Send, rows: ReadonlyMap<string, Message>): Message[] {
  return send.to.map((_, index) => messageOf(outside, send, index, rows));
}

function messageOf(outside: Clock, send: Send, index: number, rows: ReadonlyMap<string, Message>): Message {
  const message = rows.get(messageId(send.send_id, index)) ?? pendingMessage(send, index);
  const isHeld = message.state === 'pending' && !message.place && heldUntilMs(outside, send) !== undefined;
  return isHeld ? { ...message, state: 'scheduled' } : message;
}

export function senderOf({ from }: Pick<Send, 'from'>, message: Pick<Message, 'from'> | undefined): string {
  return message?.from ?? from;
}

const messagesIn = (items: readonly Item[]) => items.filter(({ sk }) => sk !== 'SEND').map(messageRows.parse);

function byId(messages: readonly Message[]): ReadonlyMap<string, Message> {
  return new Map(messages.map((message) => [messageId(message.send_id, message.index), message]));
}

export interface SendAndMessage {
  readonly send: Send;
  readonly message: Message;
}

export interface SendAndMessages {
  readonly send: Send;
  readonly messages: Message[];
}

interface PartOfPeriod {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Lists a merchant's sends with their messages, newest first. Returns at least one send, and more within the read
 * budget.
 */
export async function listSendsAndMessages(
  outside: TimedOutside,
  merchantId: string,
  page: BudgetedPage,
  times: PartOfPeriod,
): Promise<PartOfList<SendAndMessages>> {
  const between = sendIdsBetween(times);
  const { sends, ...rest } = await listSends(outside, merchantId, { ...page, between }, unitsOfSend);
  return { entries: await withMessages(outside, sends), ...rest };
}

export async function listFailedSends(
  outside: TimedOutside,
  merchantId: string,
  { start, budget, ...page }: BudgetedPage,
  times: PartOfPeriod,
): Promise<PartOfList<SendAndMessages>> {
  const { keys, next } = await outside.table.listIndexKeys('gsi1', failedPartition(merchantId), {
    ...page,
    between: sendIdsBetween(times),
    // Skip the send's other failed texts.
    start: start && {
      ...messageRows.key({ send_id: sendIdOf(start), index: 0 }),
      sort: failedKey(sendIdOf(start), 0),
    },
  });
  const sendKeys = [...new Set(keys.map(sendIdOf))].map((send_id) => sendRows.key({ send_id }));
  const { items, last = next && sendKeys.at(-1), left } = await getWithin(outside.table, sendKeys, budget, unitsOfSend);
  const entries = await withMessages(outside, items.map(sendRows.parse));
  return { entries, left, next: last && startAfterSend({ send_id: sendIdOf(last) }) };
}

function sendIdOf({ pk }: { pk: string }): string {
  return pk.slice('SEND#'.length);
}

/**
 * Reading by key costs one read unit per row. Querying a send costs about one unit per thirty rows, but takes an extra
 * request.
 */
const hasFew = ({ to }: Send) => to.length <= 4;
const MESSAGES = ['MESSAGE#', `MESSAGE#${LAST_SORT}`] as const;
/** Number of message rows per read unit if each row has the longest possible failure reason. */
const LARGEST_IN_A_UNIT = 5;

const unitsOfSend: RowUnits = {
  largest: 38,
  beside: {
    most: 10,
    of: ({ to }) => {
      const count = Array.isArray(to) ? to.length : 0;
      return count < LARGEST_IN_A_UNIT ? count : Math.ceil(count / LARGEST_IN_A_UNIT);
    },
  },
};

async function withMessages(outside: TimedOutside, sends: readonly Send[]): Promise<SendAndMessages[]> {
  const [few, many] = [sends.filter(hasFew), sends.filter((send) => !hasFew(send))];
  const found = await Promise.all([
    messageRows.findMany(
      outside,
      few.flatMap(({ send_id, to }) => to.map((_, index) => ({ send_id, index }))),
    ),
    ...many.map(({ send_id }) => messageRows.list(outside, { send_id }, { between: MESSAGES })),
  ]);
  const written = byId(found.flat());
  return sends.map((send) => ({ send, messages: messagesOf(outside, send, written) }));
}

/**
 * Moves a message to `sending` and returns its route. The route of an earlier attempt takes precedence. Returns
 * undefined if the message was already sent or is in a final state.
 */
export async function startSending(outside: TimedOutside, send: Send, index: number, route: Route | undefined) {
  const item = await outside.table.update(moveMessage(outside, send, index, { to: 'sending', once: route }));
  return item && z.parse(z.partial(Route), item);
}

/**
 * Stores a text's place in its sender's queue. A place that was stored earlier is kept and returned. Returns undefined
 * if the text is no longer waiting.
 */
export async function notePlace(
  outside: TimedOutside,
  send: SendOfMessage,
  index: number,
  place: string,
): Promise<string | undefined> {
  const when = 'attribute_not_exists(#state) OR #state = :state';
  const set = pendingRow(send, index);
  const item = await outside.table.update(messageRows.change(set, set, { when, once: { place } }));
  return item && String(item.place);
}

/**
 * Removes an unsent text from its sender's queue. `from` sets another sender. Returns false if the text is no longer
 * waiting.
 */
export async function leavePlace(
  outside: TimedOutside,
  send: SendOfMessage,
  index: number,
  from?: string,
): Promise<boolean> {
  const when = 'attribute_not_exists(#state) OR #state = :state';
  const set = { ...pendingRow(send, index), place: undefined, ...(from !== undefined && { from }) };
  return (await outside.table.update(messageRows.change(set, set, { when }))) !== undefined;
}

function pendingRow({ send_id, merchant_id, purpose, expires_at_epoch_seconds }: SendOfMessage, index: number) {
  const state: MessageState = 'pending';
  return { send_id, merchant_id, purpose, index, state, expires_at_epoch_seconds };
}

export interface Move {
  readonly to: Exclude<MessageState, 'scheduled' | 'pending'>;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly once?: Readonly<Record<string, unknown>> | undefined;
  readonly device?: string | undefined;
  readonly isUntaken?: boolean;
}

export type SendOfMessage = Pick<Send, 'send_id' | 'merchant_id' | 'purpose' | 'has_code' | 'expires_at_epoch_seconds'>;

/**
 * Moves a message to a later state and records the time. Does nothing if the message has already reached that state.
 */
export function moveMessage(
  outside: Clock,
  { send_id, merchant_id, purpose, expires_at_epoch_seconds }: SendOfMessage,
  index: number,
  { to, set, once, device, isUntaken = false }: Move,
): TableWrite {
  const { condition, values } = mayBecome(messageTransitions, to, 'pending');
  const listed =
    to === 'failed' && merchant_id ? { gsi1pk: failedPartition(merchant_id), gsi1sk: failedKey(send_id, index) } : {};
  const ends = expires_at_epoch_seconds === undefined ? {} : { expires_at_epoch_seconds };
  const owner = { ...(merchant_id && { merchant_id }), ...(purpose && { purpose }) };
  const always = { send_id, ...owner, index, state: to, ...ends, ...listed, ...set };
  const first = { [`${to}_at`]: nowIso(outside), ...once };
  return messageRows.change({ send_id, index }, always, {
    when: [
      condition,
      ...(device === undefined ? [] : ['device_id = :device']),
      ...(isUntaken ? ['attribute_not_exists(sending_at)'] : []),
    ].join(' AND '),
    values: { ...values, ...(device !== undefined && { ':device': device }) },
    once: first,
    refused: () => undefined,
  });
}
