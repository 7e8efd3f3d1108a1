import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import { forMerchant, isTestAccount } from '../../merchants/merchant/test-account.ts';
import { gatewayAccount } from '../../phones/gateway/accounts.ts';
import { GatewayFull, GatewayRefused, GatewayRejects, handOver } from '../../phones/gateway/smsgate.ts';
import { openTo } from '../../phones/sender/choose-sender.ts';
import { joinQueue, wait } from '../../phones/sender/pace.table.ts';
import { noteRejected } from '../../phones/sender/sender.table.ts';
import { isAvailable, type Sender, sendsFor } from '../../phones/sender/sender.ts';
import type { Clock } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { RetryLater } from '../../runtime/triggers/queue.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { lineOf, noteWritten } from '../conversation/conversation.table.ts';
import { noteSentCode } from '../conversation/sent-code.table.ts';
import { accessEndedBecause } from './causer.ts';
import { getCodeText, removeCodeText } from './code-text.table.ts';
import { magicNumbers } from './magic-numbers.ts';
import {
  getSendAndMessage,
  leavePlace,
  type Message,
  moveMessage,
  notePlace,
  type SendAndMessage,
  senderOf,
  startSending,
} from './message.table.ts';
import { messageId } from './message-id.ts';
import { textTo } from './personal-text.ts';
import { unwantedBecause } from './promotion.ts';
import { checkSoon, OPERATOR, type Send } from './send.table.ts';
import { queueSms, queueTurn, type SmsJob } from './sms-job.ts';
import { isFinal, isUntaken } from './states.ts';
import { expireMessage, failMessage } from './text-outcome.ts';
import { isTooLate, lifetimeOnPhone } from './too-late.ts';
import { heldUntilMs, QUEUED_AHEAD_MS } from './when-to-leave.ts';

/**
 * A text is abandoned when its job has this many SQS receives left, in case the worker crashes while abandoning it.
 * With 20 receives, a text is abandoned after 17 attempts (about two hours).
 */
export const SPARE_RECEIVES = 3;

/**
 * Returns true if a text about money is outdated. The caller passes this function in, because this area must not import
 * the money area.
 */
type IsSettled = (outside: WorkerOutside, send: Send) => Promise<boolean>;

export interface Delivery {
  readonly job: SmsJob;
  readonly receivesLeft: number;
  readonly senders: readonly Sender[];
  readonly isSettled: IsSettled;
}

/** Hands a text to its sender's gateway, or abandons it with a refund. Pass `known` if the text has just been read. */
export async function deliverSms(given: WorkerOutside, delivery: Delivery, known?: SendAndMessage): Promise<void> {
  const { job } = delivery;
  const found = known ?? (await getSendAndMessage(given, job.send_id, job.index));
  const to = found?.send.to[job.index];
  if (!found || to === undefined) throw new Error(`There is no message ${job.index} of send ${job.send_id}`);
  const { send, message } = found;
  const outside = forMerchant(given, send);
  const todo =
    decideUnchecked(outside, delivery, found) ??
    decideChecked(outside, delivery, found, await reasonNotToSend(outside, delivery, found, to));
  switch (todo.task) {
    case 'step aside':
      return stepAside(outside, found, todo.aside);
    case 'expire':
      return expireMessage(outside, send, job.index, { isUntaken: true });
    case 'fail':
      return failMessage(outside, send, job.index, { reason: todo.reason, isUntaken: true });
    case 'play':
      return playText(outside, job, found);
    case 'report':
      throw new RetryLater(0, todo.reason);
    case 'forget':
      return send.has_code ? removeCodeText(outside, send) : undefined;
    case 'leave':
      return;
    case 'queue':
      if (await mustWait(outside, send, message, todo.sender)) return;
  }
  await handToPhone(outside, delivery, found, to);
}

type ToDo =
  | { readonly task: 'step aside'; readonly aside: Aside }
  | { readonly task: 'fail' | 'report'; readonly reason: string }
  | { readonly task: 'queue'; readonly sender: Sender }
  | { readonly task: 'expire' | 'play' | 'forget' | 'leave' | 'hand over' };

/** Decides what to do with a text without reading the table, if possible. The first matching condition wins. */
export function decideUnchecked(
  outside: Clock,
  { receivesLeft, senders }: Pick<Delivery, 'receivesLeft' | 'senders'>,
  found: SendAndMessage,
): ToDo | undefined {
  const { send, message } = found;
  const { state, failure_reason: reason = '' } = message;
  if (isUntaken(message)) {
    const aside = asideOf(outside, found, senders);
    if (aside) return { task: 'step aside', aside };
    return isTooLate(outside, send) ? { task: 'expire' } : undefined;
  }
  if (isTestAccount(send.merchant_id)) return { task: 'play' };
  // The text has already failed and been refunded. A dead letter informs the operator of the gateway outage.
  if (state === 'failed' && GIVEN_UP.includes(reason) && receivesLeft < SPARE_RECEIVES)
    return { task: 'report', reason };
  if (state !== 'sending') return { task: 'forget' };
  // The phone may already have the text. Housekeeping asks the gateway for the text's state.
  const mustStay = isTooLate(outside, send) || heldUntilMs(outside, send) !== undefined;
  return mustStay ? { task: 'leave' } : undefined;
}

/** Decides what to do with a text. `barred` is the reason, if any, why the text must not be sent. */
export function decideChecked(
  outside: Clock,
  delivery: Pick<Delivery, 'job' | 'receivesLeft' | 'senders'>,
  found: SendAndMessage,
  barred: string | undefined,
): ToDo {
  const { send, message } = found;
  const unchecked = decideUnchecked(outside, delivery, found);
  if (unchecked) return unchecked;
  if (barred !== undefined) return isUntaken(message) ? { task: 'fail', reason: barred } : { task: 'leave' };
  if (isTestAccount(send.merchant_id)) return { task: 'play' };
  const sender = senderWith(delivery.senders, send, message);
  // A text that an earlier attempt processed has already used its turn.
  const isQueued = isUntaken(message) && !delivery.job.has_turn;
  return isQueued && sender ? { task: 'queue', sender } : { task: 'hand over' };
}

async function handToPhone(
  outside: WorkerOutside,
  { job, receivesLeft, senders }: Delivery,
  found: SendAndMessage,
  to: string,
): Promise<void> {
  const { send, message } = found;
  const sender = senderWith(senders, send, message);
  const route = await startSending(outside, send, job.index, sender && routeOf(sender));
  if (!route) return;
  const { gateway, device_id: deviceId, sim_number: simNumber } = route;
  if (gateway === undefined || deviceId === undefined || simNumber === undefined) {
    return failMessage(outside, send, job.index, { reason: 'The sender was removed before the text was sent' });
  }
  const text = send.has_code ? await getCodeText(outside, send) : textTo(send, job.index);
  if (text === undefined) return;
  const id = messageId(job.send_id, job.index);
  const ofGateway = senders.filter((one) => one.gateway === gateway);
  try {
    // Skip a gateway that recently rejected the account, because each attempt with a wrong password costs the gateway
    // seconds of work. Housekeeping clears the fault.
    if (ofGateway.some(({ fault }) => fault?.reason === 'gateway_rejects'))
      throw new GatewayRejects('The gateway rejected this service a moment ago');
    const account = await gatewayAccount(outside, gateway);
    const isUrgent = send.merchant_id === undefined || send.has_code === true;
    // Record the conversation first, so that a quick reply can be attributed to the text.
    const isCode = send.has_code || (send.merchant_id === undefined && send.purpose === undefined);
    if (isCode && send.useless_at) await noteSentCode(outside, to, send.useless_at);
    await noteText(outside, found, to, id);
    // Compute the lifetime last, because the writes above take time.
    const ttlSeconds = lifetimeOnPhone(outside, send);
    if (ttlSeconds <= 0 || heldUntilMs(outside, send) !== undefined) return;
    await handOver(outside, account, { id, deviceId, simNumber, to, text, lifetimeSeconds: ttlSeconds, isUrgent });
  } catch (error) {
    if (error instanceof GatewayRefused) {
      // The gateway's error message may quote the code.
      const reason = error.message === '' || send.has_code ? REFUSED : `${REFUSED}: ${error.message}`;
      return failMessage(outside, send, job.index, { reason });
    }
    if (error instanceof GatewayRejects) await noteRejected(outside, ofGateway);
    if (receivesLeft > SPARE_RECEIVES) throw error;
    const reason = failureReason(error);
    await failMessage(outside, send, job.index, { reason });
    throw new RetryLater(0, reason, { cause: error });
  }
  if (send.has_code) await removeCodeText(outside, send);
}

async function reasonNotToSend(
  outside: WorkerOutside,
  { senders, isSettled }: Delivery,
  found: SendAndMessage,
  to: string,
): Promise<string | undefined> {
  const barred = await barredBecause(outside, found, senders);
  if (barred !== undefined) return barred;
  return (await isSettled(outside, found.send)) ? SETTLED : unwantedBecause(outside, found.send, to);
}

/** Returns the reason, if any, why the merchant, its key or person, or the sender may not send the text. */
export async function barredBecause(
  outside: WorkerOutside,
  { send, message }: SendAndMessage,
  senders: readonly Sender[],
): Promise<string | undefined> {
  if (send.merchant_id === undefined) return undefined;
  const merchant = await merchantCache.get(outside, send.merchant_id);
  if (merchant?.suspended_at !== undefined) return SUSPENDED;
  return isLost(send, senderWith(senders, send, message)) ? LOST : accessEndedBecause(outside, send);
}

function senderWith(senders: readonly Sender[], send: Send, message: Message): Sender | undefined {
  return sendersFor(send, senders).find(({ number }) => number === senderOf(send, message));
}

/** Returns no senders for a test text, because test texts are never sent. */
function sendersFor({ merchant_id }: Send, senders: readonly Sender[]): readonly Sender[] {
  return isTestAccount(merchant_id) ? [] : senders;
}

function isLost({ merchant_id }: Send, sender: Sender | undefined): boolean {
  return merchant_id !== undefined && sender !== undefined && !sendsFor(sender, merchant_id);
}

const SUSPENDED = 'Its merchant was suspended when it was due';
const LOST = 'The number it was to be sent from now belongs to another merchant';

async function noteText(
  outside: WorkerOutside,
  { send, message }: SendAndMessage,
  number: string,
  message_id: string,
): Promise<void> {
  const { merchant_id, category, purpose } = send;
  if (purpose === 'hearing_test') return;
  const isPromotion = category !== undefined;
  await noteWritten(outside, {
    line: lineOf({ merchant_id, from: senderOf(send, message) }),
    number,
    merchant_id,
    message_id,
    isPromotion,
  });
}

const SETTLED = 'Its payment has since been made, reversed or cancelled';
const REFUSED = 'The gateway rejected it';
const OUT_OF_REACH = 'The gateway could not be reached';
const REJECTED = 'The gateway rejected this service’s username or password';
const FULL = 'Too many texts were waiting for the phone';
const GIVEN_UP: readonly string[] = [OUT_OF_REACH, REJECTED, FULL];

function failureReason(error: unknown): string {
  if (error instanceof GatewayRejects) return REJECTED;
  return error instanceof GatewayFull ? FULL : OUT_OF_REACH;
}

/** Earliest time to send a text (epoch milliseconds), or the senders to which it may be moved. */
interface Aside {
  readonly heldMs?: number;
  readonly others?: readonly Sender[];
}

/**
 * Decides whether an unsent text must wait or be moved to another sender. A sender named by the merchant is replaced
 * only if the number now belongs to another merchant. Returns undefined if neither applies.
 */
export function asideOf(
  outside: Clock,
  { send, message }: SendAndMessage,
  senders: readonly Sender[],
): Aside | undefined {
  const heldMs = heldUntilMs(outside, send);
  if (heldMs !== undefined) return { heldMs };
  const { merchant_id = OPERATOR, any_sender = false, has_code } = send;
  const sender = senderWith(senders, send, message);
  const mustMove = isLost(send, sender) || (any_sender && !(sender && isAvailable(sender)));
  if (!mustMove) return undefined;
  const may = sendersFor(send, senders).filter((one) =>
    any_sender ? sendsFor(one, merchant_id) : one.owner === merchant_id,
  );
  const others = openTo(outside, may, { merchant_id, has_code });
  return others.length > 0 ? { others } : undefined;
}

export async function stepAside(
  outside: WorkerOutside,
  { send, message }: SendAndMessage,
  { heldMs, others }: Aside,
): Promise<void> {
  const { send_id, index, place } = message;
  const from = others?.[outside.randomBytes(4).readUInt32BE() % others.length]?.number;
  if ((place !== undefined || from !== undefined) && !(await leavePlace(outside, send, index, from))) return;
  if (heldMs !== undefined && heldMs - outside.now() > QUEUED_AHEAD_MS) await checkSoon(outside, send);
  else await queueSms(outside, send, [{ send_id, index }], heldMs);
}

function routeOf({ gateway, device_id, sim_number }: Sender) {
  return { gateway, device_id, sim_number };
}

/** Adds a text to its sender's queue. Returns true if the text must wait for its turn. */
async function mustWait(outside: WorkerOutside, send: Send, message: Message, sender: Sender): Promise<boolean> {
  const { send_id, merchant_id, has_code = false } = send;
  const taken =
    message.place ?? (await joinQueue(outside, sender, { merchantId: merchant_id ?? OPERATOR, isCode: has_code }));
  if (taken === undefined) return false;
  // A redelivered job gets the place that was stored first.
  const place = await notePlace(outside, send, message.index, taken);
  if (place === undefined) return true;
  const turnMs = await wait(outside, sender, { send_id, index: message.index, merchant_id, place });
  if (turnMs !== undefined) await queueTurn(outside, send, { sender: sender.number, turn_ms: turnMs });
  return true;
}

const SLOW_MS = MINUTE_MS;

/** Simulates the delivery of a test text. The recipient's number determines the outcome. */
async function playText(outside: WorkerOutside, job: SmsJob, found: SendAndMessage): Promise<void> {
  const { send, message } = found;
  const { state } = message;
  if (isFinal({ state })) return;
  const { not_before_ms = 0, index } = job;
  if (not_before_ms > outside.now()) return queueSms(outside, send, [job]);
  const to = send.to[index];
  if (state !== 'sent') await outside.table.update(moveMessage(outside, send, index, { to: 'sending' }));
  if (to === magicNumbers.failed)
    return failMessage(outside, send, index, { reason: 'A test: the phone could not send it' });
  if (state !== 'sent' && to !== undefined) {
    await noteText(outside, found, to, messageId(send.send_id, index));
    await outside.table.update(moveMessage(outside, send, index, { to: 'sent' }));
  }
  if (to === magicNumbers.slow && not_before_ms === 0) {
    return queueSms(outside, send, [{ ...job, not_before_ms: outside.now() + SLOW_MS }]);
  }
  await outside.table.update(moveMessage(outside, send, index, { to: 'delivered' }));
}
