import { countChange } from '../../shared/care/metrics/count-change.ts';
import { carryUse } from '../../shared/merchants/merchant/key-use.table.ts';
import { book } from '../../shared/money/booking/booking.table.ts';
import { bookingOfChange } from '../../shared/money/booking/booking-of-change.ts';
import { proofJob } from '../../shared/money/receipt/settle-again.ts';
import { noteExpiry } from '../../shared/money/transaction/expiry.table.ts';
import { noteLookups } from '../../shared/money/transaction/lookup.table.ts';
import { parseTransaction, type Transaction } from '../../shared/money/transaction/transaction.table.ts';
import { phoneEventJob } from '../../shared/phones/gateway/phone-event.table.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import type { TableWrite } from '../../shared/runtime/table/table.ts';
import { type Change, stream } from '../../shared/runtime/triggers/stream.ts';
import { noteLowCredits } from '../../shared/texts/credits/credits.table.ts';
import { parseSend } from '../../shared/texts/sms/send.table.ts';
import { queueSms, smsJobs } from '../../shared/texts/sms/sms-job.ts';
import { noteTextOutcome } from '../../shared/texts/sms/text-outcome.ts';
import { createWebhookEvent, parseWebhookEvent } from '../../shared/webhook/event.table.ts';
import { queueTry } from '../../shared/webhook/event.ts';
import { eventOfChange } from '../../shared/webhook/event-of-change.ts';
import { manifest } from '../manifest.ts';

/** The table's stream is the outbox: what was written becomes jobs for the workers, at least once each. */
export const handler = stream(manifest['work/relay'], async (change, outside) => {
  await carryOn(change, outside);
  const booking = bookingOfChange(change);
  await write(outside, booking && book(booking));
  countChange(outside, change);
  // For the operator alone: it must not stop what the stream carries.
  await noteTextOutcome(outside, change).catch((error) => outside.log.warn('outcome_not_noted', { error }));
});

async function noteNewCharge(outside: WorkerOutside, charge: Transaction): Promise<void> {
  await outside.table.write([noteExpiry(charge)]);
  await noteLookups(outside, charge);
}

async function carryOn(change: Change, outside: WorkerOutside): Promise<void> {
  const { event, sk, before, after } = change;
  const proved = provedReceipt(change);
  if (proved) return outside.queues.send('settle-receipt', [proofJob(proved)]);
  if (!after) return;
  if (sk === 'SEND' && event === 'INSERT') {
    const send = parseSend(after);
    return queueSms(outside, send, smsJobs(send));
  }
  if (sk === 'TRANSACTION' && event === 'INSERT') return noteNewCharge(outside, parseTransaction(after));
  if (sk === 'TRANSACTION') await noteLookups(outside, parseTransaction(after), before);
  if (sk === 'KEY_USE') return carryUse(outside, after);
  if (sk === 'BALANCE') return write(outside, noteLowCredits(outside, before, after));
  if (sk === 'PHONE_EVENT' && event === 'INSERT' && !after.stranger)
    return outside.queues.send('settle-receipt', [phoneEventJob(after)]);
  // A new event, or one that is replayed; its own tries change it too and queue themselves.
  if (sk === 'EVENT' && before?.round !== after.round) return queueTry(outside, parseWebhookEvent(after));
  const told = await eventOfChange(outside, change);
  return write(outside, told && createWebhookEvent(told));
}

/** The receipt of a text that waits no longer, or whose place in the chain has changed. */
function provedReceipt({ event, sk, before, after }: Change): string | undefined {
  const isProved = (sk.startsWith('WAIT#') && event === 'REMOVE') || (sk.startsWith('TEXT#') && event === 'MODIFY');
  const receiptId = (after ?? before)?.receipt_id;
  return isProved && typeof receiptId === 'string' ? receiptId : undefined;
}

async function write({ table }: WorkerOutside, what: TableWrite | undefined): Promise<void> {
  if (what) await table.write([what]);
}
