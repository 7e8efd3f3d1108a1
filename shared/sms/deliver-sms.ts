import { addCredits } from '../credits/credits.table.ts';
import { gatewayAccount } from '../gateway/accounts.ts';
import { GatewayRefused, handOver } from '../gateway/smsgate.ts';
import { newUlid } from '../runtime/ids.ts';
import { RetryLater } from '../runtime/queue.ts';
import type { WorkerOutside } from '../runtime/worker-outside.ts';
import type { Sender } from '../sender/sender.ts';
import { claimMessage, failMessage, getSendAndMessage } from './message.table.ts';
import { messageId } from './message-id.ts';
import { getSend, type Send } from './send.table.ts';
import type { SmsJob } from './sms-job.ts';

/**
 * How many tries a text gets, over about an hour and a half. The queue allows three receives more, for a worker that dies
 * while it gives up; a text that was given up uses them to become a dead letter.
 */
export const DELIVERY_TRIES = 17;

/** Hands one text to the gateway of its sender, or gives it up and refunds its credit. */
export async function deliverSms(
  outside: WorkerOutside,
  job: SmsJob,
  receives: number,
  senders: readonly Sender[],
): Promise<void> {
  const send = await getSend(outside, job.send_id);
  const to = send?.to[job.index];
  if (!send || to === undefined) throw new Error(`There is no message ${job.index} of send ${job.send_id}`);
  const sender = senders.find(({ number }) => number === send.from);
  const route = await claimMessage(outside, job.send_id, job.index, sender && routeOf(sender));
  if (!route) return becomeDeadLetterIfGivenUp(outside, job, receives);
  const { gateway, device_id: deviceId, sim_number: simNumber } = route;
  if (gateway === undefined || deviceId === undefined || simNumber === undefined) {
    return giveUp(outside, send, job.index, 'The sender was removed before the text left');
  }
  const id = messageId(job.send_id, job.index);
  try {
    const account = await gatewayAccount(outside, gateway);
    await handOver(outside, account, { id, deviceId, simNumber, to, text: send.message });
  } catch (error) {
    if (error instanceof GatewayRefused) {
      return giveUp(outside, send, job.index, `The gateway refused it: ${error.message}`);
    }
    if (receives < DELIVERY_TRIES) throw error;
    await giveUp(outside, send, job.index, OUT_OF_REACH);
    throw new RetryLater(0, 'The gateway stayed out of reach', { cause: error });
  }
}

const OUT_OF_REACH = 'The gateway stayed out of reach';

function routeOf({ gateway, device_id, sim_number }: Sender) {
  return { gateway, device_id, sim_number };
}

/** State and refund change together, so a text is refunded once, however often it is given up. */
async function giveUp(outside: WorkerOutside, send: Send, index: number, reason: string): Promise<void> {
  const message_id = messageId(send.send_id, index);
  const refund = { entry_id: newUlid(outside), credits: 1, reason: 'refund' as const, message_id };
  await outside.table.write([
    failMessage(outside, send.send_id, index, reason),
    ...addCredits(send.merchant_id, { ...refund, created_at: new Date(outside.now()).toISOString() }),
  ]);
  outside.log.error('sms_failed', { merchant_id: send.merchant_id, message_id });
}

/** The letter is for the operator, who learns from it that a gateway was down for hours. The text itself is settled. */
async function becomeDeadLetterIfGivenUp(outside: WorkerOutside, job: SmsJob, receives: number): Promise<void> {
  if (receives <= DELIVERY_TRIES) return;
  const found = await getSendAndMessage(outside, job.send_id, job.index);
  if (found?.message.failure_reason === OUT_OF_REACH) throw new RetryLater(0, OUT_OF_REACH);
}
