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
/** This long after its first try, the queue has either handed a text over or given it up. */
export const HANDED_OVER_MS = 6 * HOUR_MS;
/** How long after its first try a text may still be sent: the phone drops texts that it did not send within their lifetime. */
export const MAY_LEAVE_MS = HANDED_OVER_MS + TEXT_LIFETIME_SECONDS * 1000;
/** Reports that have not arrived by now will not arrive. */
export const CLOSED_MS = 72 * HOUR_MS;

/**
 * Checks a send whose texts are not all final: queues again what never reached a worker, and asks the gateway for lost
 * callbacks. Then sets the time of the next check, at growing intervals, until all is final.
 */
export async function checkSend(outside: WorkerOutside, sendId: string): Promise<void> {
  const found = await getSendAndMessages(outside, sendId);
  if (!found) return;
  const { send, messages } = found;
  const ageMs = outside.now() - Date.parse(send.created_at);
  const isClosing =
    messages.every(({ state }) => state === 'delivered' || state === 'failed') ||
    (ageMs > CLOSED_MS && !messages.some((message) => mayStillLeave(outside, message)));
  // Set first: a send that cannot be checked now must not keep the others waiting.
  await setNextCheck(outside, send, new Date(outside.now() + waitMs(ageMs)).toISOString());
  const pending = messages.filter(({ state }) => state === 'pending');
  if (!isClosing) await queueForgotten(outside, send, pending);
  await learnStates(outside, send, messages);
  if (!isClosing) return;
  await failWhatStayed(outside, sendId);
  // Last: a worker that dies before has to look again.
  await setNextCheck(outside, send);
}

/** Whether the phone may have a text that it has not sent yet. */
function mayStillLeave(outside: WorkerOutside, { state, sending_at }: Message): boolean {
  return state === 'sending' && sending_at !== undefined && outside.now() - Date.parse(sending_at) < MAY_LEAVE_MS;
}

/** A text that was not sent by now never will be. */
async function failWhatStayed(outside: WorkerOutside, sendId: string): Promise<void> {
  const found = await getSendAndMessages(outside, sendId);
  for (const { state, index } of found?.messages ?? []) {
    if (found && (state === 'pending' || state === 'sending')) {
      await failMessage(outside, found.send, index, `The phone did not send it within ${CLOSED_MS / HOUR_MS} hours`);
    }
  }
}

async function learnStates(outside: WorkerOutside, send: Send, messages: readonly Message[]): Promise<void> {
  for (const message of messages) {
    if (message.state !== 'sending' && message.state !== 'sent') continue;
    try {
      await learnState(outside, send, message);
    } catch (error) {
      outside.log.warn('gateway_silent', { gateway: message.gateway, send_id: send.send_id, error });
      // A gateway that hangs would take its ten seconds for each of the others too.
      if (error instanceof Error && error.name === 'TimeoutError') return;
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
