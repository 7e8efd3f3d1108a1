import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import { gatewayAccount } from '../../phones/gateway/accounts.ts';
import { GatewayFull, GatewayRefused, GatewayRejects, handOver } from '../../phones/gateway/smsgate.ts';
import { openTo } from '../../phones/sender/choose-sender.ts';
import { takePlace, wait } from '../../phones/sender/pace.table.ts';
import { noteRejected } from '../../phones/sender/sender.table.ts';
import { isAvailable, type Sender, sendsFor } from '../../phones/sender/sender.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { RetryLater } from '../../runtime/triggers/queue.ts';
import { lineOf, noteWritten } from '../conversation/conversation.table.ts';
import { noteSentCode } from '../conversation/sent-code.table.ts';
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
  takeMessage,
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
 * This many receives before the queue's last, a text is given up: with twenty, after 17 tries over about two hours. The rest
 * are for a worker that dies while giving up; a text that was given up uses them to become a dead letter.
 */
export const SPARE_RECEIVES = 3;

/**
 * Hands one text to the gateway of its sender when its turn has come, or gives it up and refunds its credit. `receivesLeft` is
 * how often the queue will deliver the job after this time.
 */
export async function deliverSms(
  outside: WorkerOutside,
  job: SmsJob,
  receivesLeft: number,
  senders: readonly Sender[],
  isSettled?: IsSettled,
): Promise<void> {
  const found = await getSendAndMessage(outside, job.send_id, job.index);
  await deliverFound(outside, job, found, receivesLeft, senders, isSettled);
}

/** Whether what a text says of money is not true any more. Texts know nothing of money: whoever has them delivered does. */
export type IsSettled = (outside: WorkerOutside, send: Send) => Promise<boolean>;

/** The same for a text as it was just read. */
export async function deliverFound(
  outside: WorkerOutside,
  job: SmsJob,
  found: SendAndMessage | undefined,
  receivesLeft: number,
  senders: readonly Sender[],
  isSettled: IsSettled = async () => false,
): Promise<void> {
  const to = found?.send.to[job.index];
  if (!found || to === undefined) throw new Error(`There is no message ${job.index} of send ${job.send_id}`);
  const { send, message } = found;
  const whyNoMore = () => leavesNoMore(outside, found, to, senders, isSettled);
  if (isUntaken(message)) {
    if (await stepAside(outside, found, senders)) return;
    if (isTooLate(outside, send)) return expireMessage(outside, send, job.index, { isUntaken: true });
    const why = await whyNoMore();
    if (why !== undefined) return failMessage(outside, send, job.index, why, { isUntaken: true });
  }
  if (isTwin(send.merchant_id)) return playText(outside, job, found);
  const { failure_reason = '' } = message;
  if (message.state === 'failed' && GIVEN_UP.includes(failure_reason) && receivesLeft < SPARE_RECEIVES) {
    // The dead letter tells the operator that a gateway was down. The text itself is settled.
    throw new RetryLater(0, failure_reason);
  }
  if (!isUntaken(message) && message.state !== 'sending')
    return send.has_code ? removeCodeText(outside, send) : undefined;
  // The phone may have it from an earlier try: housekeeping finds out, and ends it. An outage of its gateway is no way into the night.
  if (isTooLate(outside, send) || heldUntilMs(outside, send) !== undefined) return;
  // What a phone may have already may have left: housekeeping finds that out, too.
  if (!isUntaken(message) && (await whyNoMore()) !== undefined) return;
  const sender = senderWith(senders, send, message);
  // A text that was tried has had its turn.
  if (isUntaken(message) && sender && !job.has_turn && (await mustWait(outside, send, message, sender))) return;

  const route = await takeMessage(outside, send, job.index, sender && routeOf(sender));
  if (!route) return;
  const { gateway, device_id: deviceId, sim_number: simNumber } = route;
  if (gateway === undefined || deviceId === undefined || simNumber === undefined) {
    return failMessage(outside, send, job.index, 'The sender was removed before the text left');
  }
  const text = send.has_code ? await getCodeText(outside, send) : textTo(send, job.index);
  // It was handed over in an earlier try.
  if (text === undefined) return;
  const id = messageId(job.send_id, job.index);
  const ofGateway = senders.filter((one) => one.gateway === gateway);
  try {
    // Each try with a wrong password costs the server seconds of work. Housekeeping asks once a minute, and ends the pause.
    if (ofGateway.some(({ fault }) => fault?.reason === 'gateway_rejects'))
      throw new GatewayRejects('It did a moment ago');
    const account = await gatewayAccount(outside, gateway);
    const isUrgent = send.merchant_id === undefined || send.has_code === true;
    // Before it leaves: an answer finds whose it is.
    await noteText(outside, found, to, id);
    // At the last moment: what is written before may take its time.
    const ttlSeconds = lifetimeOnPhone(outside, send);
    if (ttlSeconds <= 0 || heldUntilMs(outside, send) !== undefined) return;
    await handOver(outside, account, { id, deviceId, simNumber, to, text, lifetimeSeconds: ttlSeconds, isUrgent });
  } catch (error) {
    if (error instanceof GatewayRefused) {
      // It may quote the text.
      const reason = error.message === '' || send.has_code ? REFUSED : `${REFUSED}: ${error.message}`;
      return failMessage(outside, send, job.index, reason);
    }
    if (error instanceof GatewayRejects) await noteRejected(outside, ofGateway);
    if (receivesLeft > SPARE_RECEIVES) throw error;
    const reason = whyGivenUp(error);
    await failMessage(outside, send, job.index, reason);
    throw new RetryLater(0, reason, { cause: error });
  }
  if (send.has_code) await removeCodeText(outside, send);
}

/** Why a text may not leave any more, though it was accepted; undefined if it may. */
async function leavesNoMore(
  outside: WorkerOutside,
  found: SendAndMessage,
  to: string,
  senders: readonly Sender[],
  isSettled: IsSettled,
): Promise<string | undefined> {
  const barred = await barredBecause(outside, found, senders);
  if (barred !== undefined) return barred;
  return (await isSettled(outside, found.send)) ? SETTLED : unwantedBecause(outside, found.send, to);
}

/** The same as far as its merchant and its number say so, which are asked again as each text leaves. What waits for its turn takes none then. */
export async function barredBecause(
  outside: WorkerOutside,
  { send, message }: SendAndMessage,
  senders: readonly Sender[],
): Promise<string | undefined> {
  // A test leaves from no number of ours.
  if (send.merchant_id === undefined || isTwin(send.merchant_id)) return undefined;
  const merchant = await merchantCache.get(outside, send.merchant_id);
  if (merchant?.suspended_at !== undefined) return SUSPENDED;
  return isLost(send, senderWith(senders, send, message)) ? LOST : undefined;
}

function senderWith(senders: readonly Sender[], send: Send, message: Message): Sender | undefined {
  return senders.find(({ number }) => number === senderOf(send, message));
}

/** Whether the number of a text went to another merchant since it was accepted. */
function isLost({ merchant_id }: Send, sender: Sender | undefined): boolean {
  return merchant_id !== undefined && sender !== undefined && !sendsFor(sender, merchant_id);
}

const SUSPENDED = 'Its merchant was suspended when it was to leave';
const LOST = 'The number that it was to leave from belongs to another merchant now';

/** A hearing test goes to a number of the stage's own, which answers nothing. */
async function noteText(
  outside: WorkerOutside,
  { send, message }: SendAndMessage,
  number: string,
  message_id: string,
): Promise<void> {
  const { merchant_id, category, purpose, has_code, useless_at } = send;
  if (purpose === 'hearing_test') return;
  // Before it can come back. A test's code is no secret.
  const isCode = has_code || (merchant_id === undefined && purpose === undefined);
  if (isCode && useless_at && !isTwin(merchant_id)) await noteSentCode(outside, number, useless_at);
  const isPromotion = category !== undefined;
  await noteWritten(outside, {
    line: lineOf({ merchant_id, from: senderOf(send, message) }),
    number,
    merchant_id,
    message_id,
    isPromotion,
  });
}

const SETTLED = 'What it says was paid or taken back meanwhile, or is asked for no more';
const REFUSED = 'The gateway refused it';
const OUT_OF_REACH = 'The gateway could not be reached';
const REJECTED = 'The gateway rejected this service’s username or password';
const FULL = 'Too many texts were waiting for the phone';
const GIVEN_UP: readonly string[] = [OUT_OF_REACH, REJECTED, FULL];

function whyGivenUp(error: unknown): string {
  if (error instanceof GatewayRejects) return REJECTED;
  return error instanceof GatewayFull ? FULL : OUT_OF_REACH;
}

/**
 * Takes a text that no phone was given out of its sender's queue where it may not leave yet, or where its sender cannot send and another one
 * may: it comes again when it may, or to the other. False where it stays.
 */
export async function stepAside(
  outside: WorkerOutside,
  { send, message }: SendAndMessage,
  senders: readonly Sender[],
): Promise<boolean> {
  const { send_id, index } = message;
  const heldMs = heldUntilMs(outside, send);
  const from = heldMs === undefined ? otherSender(outside, send, message, senders) : undefined;
  if (heldMs === undefined && from === undefined) return false;
  const isInQueue = message.place !== undefined;
  // A phone was given it at this moment, or it ended: there is nothing left to do here.
  if ((isInQueue || from !== undefined) && !(await leavePlace(outside, send, index, from))) return true;
  if (heldMs !== undefined && heldMs - outside.now() > QUEUED_AHEAD_MS) await checkSoon(outside, send);
  else await queueSms(outside, send, [{ send_id, index }], heldMs);
  return true;
}

/**
 * Where a text goes whose sender cannot send now, and whose merchant named none, or whose number went to another merchant: then to another of
 * its merchant's own, if one was named. Undefined where it stays.
 */
function otherSender(
  outside: WorkerOutside,
  send: Send,
  message: Message,
  senders: readonly Sender[],
): string | undefined {
  const { merchant_id = OPERATOR, any_sender = false, has_code } = send;
  const sender = senderWith(senders, send, message);
  const mustMove = isLost(send, sender) || (any_sender && !(sender && isAvailable(sender)));
  if (!mustMove || isTwin(send.merchant_id)) return undefined;
  const may = senders.filter((one) => (any_sender ? sendsFor(one, merchant_id) : one.owner === merchant_id));
  const open = openTo(outside, may, { merchant_id, has_code });
  return open[outside.randomBytes(4).readUInt32BE() % open.length]?.number;
}

function routeOf({ gateway, device_id, sim_number }: Sender) {
  return { gateway, device_id, sim_number };
}

/** Whether the text has to wait for its turn: then it does so in the table, and the turn that comes next is queued. */
async function mustWait(outside: WorkerOutside, send: Send, message: Message, sender: Sender): Promise<boolean> {
  const { send_id, merchant_id, has_code = false } = send;
  const taken =
    message.place ?? (await takePlace(outside, sender, { merchantId: merchant_id ?? OPERATOR, isCode: has_code }));
  if (taken === undefined) return false;
  // A job that is delivered twice finds the place of the first time.
  const place = await notePlace(outside, send, message.index, taken);
  if (place === undefined) return true;
  const turnMs = await wait(outside, sender, { send_id, index: message.index, merchant_id, place });
  if (turnMs !== undefined) await queueTurn(outside, send, { sender: sender.number, turn_ms: turnMs });
  return true;
}

/** How long a slow text is on its way. */
const SLOW_MS = 60_000;

/**
 * Does with a test key's text what a phone and its network would do, as the number that it goes to asks for. No phone hears of it, so
 * a try that died is simply made again.
 */
async function playText(outside: WorkerOutside, job: SmsJob, found: SendAndMessage): Promise<void> {
  const { send, message } = found;
  const { state } = message;
  if (isFinal({ state })) return;
  const { not_before_ms = 0, index } = job;
  if (not_before_ms > outside.now()) return queueSms(outside, send, [job]);
  const to = send.to[index];
  if (state !== 'sent') await outside.table.update(moveMessage(outside, send, index, 'sending'));
  if (to === magicNumbers.failed) return failMessage(outside, send, index, 'A test: the phone could not send it');
  if (state !== 'sent' && to !== undefined) {
    await noteText(outside, found, to, messageId(send.send_id, index));
    await outside.table.update(moveMessage(outside, send, index, 'sent'));
  }
  if (to === magicNumbers.slow && not_before_ms === 0) {
    return queueSms(outside, send, [{ ...job, not_before_ms: outside.now() + SLOW_MS }]);
  }
  await outside.table.update(moveMessage(outside, send, index, 'delivered'));
}
