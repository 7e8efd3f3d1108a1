import { gatewayAccount } from '../gateway/accounts.ts';
import { askState, TEXT_LIFETIME_SECONDS } from '../gateway/smsgate.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { laneEndsMs } from '../sender/pace.table.ts';
import { failMessage } from './fail-message.ts';
import { getSendAndMessages, type Message, moveMessage } from './message.table.ts';
import { messageId } from './message-id.ts';
import { OPERATOR, type Send, setNextCheck } from './send.table.ts';
import { queueSms } from './sms-job.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
/** This long after its first try, a text has either been handed over or given up. */
export const HANDED_OVER_MS = 6 * HOUR_MS;
/** How long after its first try a text may still be sent: the phone drops texts that it did not send within their lifetime. */
export const MAY_LEAVE_MS = HANDED_OVER_MS + TEXT_LIFETIME_SECONDS * 1000;
/** Less than the time between two runs. */
const PUT_OFF_MS = MINUTE_MS / 2;
/** Reports that have not arrived by now will not arrive. */
export const CLOSED_MS = 72 * HOUR_MS;

/** What a run of checks knows: the gateways that do not answer, and until when it may ask the others. */
export interface Checking {
  readonly silent: Set<string>;
  readonly untilMs: number;
}

/**
 * Checks a send whose texts are not all final: queues again what never reached a worker, and asks the gateway for lost
 * callbacks. Then sets the time of the next check, at growing intervals, until all is final. Gives whether a text of it has not
 * left, as far as was known before.
 */
export async function checkSend(outside: WorkerOutside, sendId: string, checking: Checking): Promise<boolean> {
  const found = await getSendAndMessages(outside, sendId);
  if (!found) return false;
  const { send, messages } = found;
  const ageMs = outside.now() - Date.parse(send.created_at);
  const isClosing =
    messages.every(({ state }) => state === 'delivered' || state === 'failed') ||
    (ageMs > CLOSED_MS && !messages.some((message) => mayStillLeave(outside, message)));
  const isPutOff = messages.some((message) => mayHaveMoved(message) && checking.silent.has(message.gateway ?? ''));
  // Set first: a send that cannot be checked now must not keep the others waiting. One whose gateway hung for another send is
  // checked in the next run, so that a single text that cannot be asked about does not keep the others from being.
  const nextMs = outside.now() + (isPutOff ? PUT_OFF_MS : waitMs(ageMs));
  await setNextCheck(outside, send, new Date(nextMs).toISOString());
  const pending = messages.filter(({ state }) => state === 'pending');
  if (!isClosing) await queueForgotten(outside, send, pending);
  await learnStates(outside, send, messages, checking);
  if (!isClosing) return messages.some(({ state }) => state === 'pending' || state === 'sending');
  await failWhatStayed(outside, sendId);
  // Last: if the worker dies before this, the send is checked again.
  await setNextCheck(outside, send);
  return false;
}

/** Whether the gateway may know more of a text than we do. */
function mayHaveMoved({ state }: Message): boolean {
  return state === 'sending' || state === 'sent';
}

/** Whether the phone may have a text that it has not sent yet. */
function mayStillLeave(outside: WorkerOutside, { state, sending_at }: Message): boolean {
  return state === 'sending' && sending_at !== undefined && outside.now() - Date.parse(sending_at) < MAY_LEAVE_MS;
}

/** A text that has not been sent by now never will be. */
async function failWhatStayed(outside: WorkerOutside, sendId: string): Promise<void> {
  const found = await getSendAndMessages(outside, sendId);
  for (const { state, index } of found?.messages ?? []) {
    if (found && (state === 'pending' || state === 'sending')) {
      await failMessage(outside, found.send, index, `The phone did not send it within ${CLOSED_MS / HOUR_MS} hours`);
    }
  }
}

async function learnStates(
  outside: WorkerOutside,
  send: Send,
  messages: readonly Message[],
  { silent, untilMs }: Checking,
): Promise<void> {
  for (const message of messages) {
    if (!mayHaveMoved(message)) continue;
    if (outside.now() > untilMs || silent.has(message.gateway ?? '')) continue;
    try {
      await learnState(outside, send, message);
    } catch (error) {
      outside.log.warn('gateway_silent', { gateway: message.gateway, send_id: send.send_id, error });
      // A gateway that hangs would cost ten seconds for each of the others too, of this send and of the next ones.
      if (error instanceof Error && error.name === 'TimeoutError') silent.add(message.gateway ?? '');
    }
  }
}

/** A text without a row was never seen by a worker. While the merchant's texts wait for slots, those without a row may be among them. */
async function queueForgotten(outside: WorkerOutside, send: Send, pending: readonly Message[]): Promise<void> {
  if (pending.length === 0) return;
  const laneEndMs = (await laneEndsMs(outside, send.from)).get(send.merchant_id ?? OPERATOR) ?? 0;
  if (laneEndMs > outside.now()) return;
  outside.log.warn('sms_queued_again', { merchant_id: send.merchant_id, send_id: send.send_id });
  await queueSms(
    outside,
    send,
    pending.map(({ send_id, index }) => ({ send_id, index })),
  );
}

async function learnState(outside: WorkerOutside, send: Send, message: Message): Promise<void> {
  const { gateway, index, state, sending_at } = message;
  if (gateway === undefined || sending_at === undefined) return;
  const account = await gatewayAccount(outside, gateway);
  const known = await askState(outside, account, messageId(send.send_id, index));
  if (known === 'sent' || known === 'delivered') await outside.table.write([moveMessage(outside, send, index, known)]);
  if (known === 'failed') await failMessage(outside, send, index, 'The phone could not send it');
  if (known === undefined && state === 'sending' && outside.now() - Date.parse(sending_at) > HANDED_OVER_MS) {
    await failMessage(outside, send, index, 'The gateway does not have it');
  }
}

function waitMs(ageMs: number): number {
  if (ageMs < HOUR_MS) return 10 * MINUTE_MS;
  return ageMs < HANDED_OVER_MS ? HOUR_MS : 6 * HOUR_MS;
}
