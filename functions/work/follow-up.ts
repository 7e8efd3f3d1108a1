import { countChange } from '../../shared/care/metrics/count-change.ts';
import { carryUse } from '../../shared/merchants/merchant/key-use.table.ts';
import { book } from '../../shared/money/booking/booking.table.ts';
import { bookingOfChange } from '../../shared/money/booking/booking-of-change.ts';
import { queueSecond } from '../../shared/money/receipt/settle-again.ts';
import { createExpiry } from '../../shared/money/transaction/expiry.table.ts';
import { noteLookups } from '../../shared/money/transaction/lookup.table.ts';
import { parseTransaction, type Transaction } from '../../shared/money/transaction/transaction.table.ts';
import { queueReply } from '../../shared/push/answer-owner.ts';
import { queueCodes } from '../../shared/push/link-code.ts';
import { tellPeople } from '../../shared/push/notice.ts';
import { queueReceiptText } from '../../shared/push/receipt-text.ts';
import { queueRequest } from '../../shared/push/request-paid.ts';
import { queueTake } from '../../shared/push/take.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import type { TableWrite } from '../../shared/runtime/table/table.ts';
import { type Change, stream } from '../../shared/runtime/triggers/stream.ts';
import { noteLowCredits } from '../../shared/texts/credits/credits.table.ts';
import { queueConfirmation } from '../../shared/texts/inbox/confirm-keyword.ts';
import { noteTextOutcome } from '../../shared/texts/sms/text-outcome.ts';
import { createWebhookEvent, parseWebhookEvent } from '../../shared/webhook/event.table.ts';
import { queueTry } from '../../shared/webhook/event.ts';
import { eventOfChange } from '../../shared/webhook/event-of-change.ts';
import { manifest } from '../manifest.ts';

/** What follows from what was written: webhook events, what people are told, bookings, what is looked up by. The stream's second reader, in lanes of its own. */
export const handler = stream(manifest['work/follow-up'], async (change, outside) => {
  await followUp(change, outside);
  const booking = bookingOfChange(change);
  await write(outside, booking && book(booking));
  await tellPeople(outside, change);
  await queueReceiptText(outside, change);
  await queueConfirmation(outside, change);
  await queueReply(outside, change);
  await queueCodes(outside, change);
  await queueTake(outside, change);
  await queueSecond(outside, change);
  await queueRequest(outside, change);
  countChange(outside, change);
  // For the operator alone: it must not stop what the stream carries.
  await noteTextOutcome(outside, change).catch((error) => outside.log.warn('outcome_not_noted', { error }));
});

async function followUp(change: Change, outside: WorkerOutside): Promise<void> {
  const { event, sk, before, after } = change;
  if (!after) return;
  if (sk === 'TRANSACTION' && event === 'INSERT') return noteNewCharge(outside, parseTransaction(after));
  if (sk === 'TRANSACTION') await noteLookups(outside, parseTransaction(after), before);
  if (sk === 'KEY_USE') return carryUse(outside, after);
  if (sk === 'BALANCE') return write(outside, noteLowCredits(outside, before, after));
  // A new event, or one that is replayed; its own tries change it too and queue themselves.
  if (sk === 'EVENT' && before?.round !== after.round) return queueTry(outside, parseWebhookEvent(after));
  const told = await eventOfChange(outside, change);
  return write(outside, told && createWebhookEvent(told));
}

async function noteNewCharge(outside: WorkerOutside, charge: Transaction): Promise<void> {
  await outside.table.write([createExpiry(charge)]);
  await noteLookups(outside, charge);
}

async function write({ table }: WorkerOutside, what: TableWrite | undefined): Promise<void> {
  if (what) await table.write([what]);
}
