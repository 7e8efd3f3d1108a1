import { countOccurrences } from '../../shared/care/metrics/count-occurrence.ts';
import { carryUse } from '../../shared/merchants/merchant/key-use.table.ts';
import { forMerchant } from '../../shared/merchants/merchant/twin.ts';
import { book } from '../../shared/money/booking/booking.table.ts';
import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { createExpiry } from '../../shared/money/charge/expiry.table.ts';
import { noteLookups } from '../../shared/money/charge/lookup.table.ts';
import { bookingOf } from '../../shared/money/occurrence/booking-of.ts';
import { type ByOccurrence, lookUp, occurrencesOf } from '../../shared/money/occurrence/occurrences-of.ts';
import { tellPeople } from '../../shared/push/notice.ts';
import { queueJobs } from '../../shared/push/queue-jobs.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import type { TableWrite } from '../../shared/runtime/table/table.ts';
import { type Change, stream } from '../../shared/runtime/triggers/stream.ts';
import { noteLowCredits } from '../../shared/texts/credits/credits.table.ts';
import { noteTextOutcome } from '../../shared/texts/sms/text-outcome.ts';
import { createWebhookEvent, webhookEventRows } from '../../shared/webhook/event.table.ts';
import { queueTry } from '../../shared/webhook/event.ts';
import { eventOf } from '../../shared/webhook/event-of.ts';
import { manifest } from '../manifest.ts';

/** What follows from what was written: rows by which it is found, webhook events, bookings, what people are told. The stream's second reader, in lanes of its own. */
export const handler = stream(manifest['work/follow-up'], async (change, given) => {
  const outside = forMerchant(given, change.after ?? {});
  await writeRows(outside, change);
  const occurrences = occurrencesOf(change);
  for (const occurrence of occurrences) {
    const event = await eventOf(outside, occurrence, change);
    await write(outside, event && createWebhookEvent(event));
  }
  const booking = bookingOf(occurrences, change);
  await write(outside, booking && book(booking));
  for (const occurrence of occurrences) {
    await tellPeople(outside, occurrence, change.at);
    await queueJobs(outside, occurrence, change.at);
  }
  countOccurrences(outside, occurrences);
  for (const occurrence of occurrences) {
    // For the operator alone: it must not stop what the stream carries.
    await lookUp(outcomes, occurrence, outside)?.catch((error) => outside.log.warn('outcome_not_noted', { error }));
  }
});

/** What is written because of how a row is now, whatever that means to anybody. */
async function writeRows(outside: WorkerOutside, { sk, before, after }: Change): Promise<void> {
  if (!after) return;
  if (sk === 'TRANSACTION') {
    const charge = chargeRows.parse(after);
    if (!before) await outside.table.write([createExpiry(charge)]);
    return noteLookups(outside, charge, before);
  }
  if (sk === 'KEY_USE') return carryUse(outside, after);
  if (sk === 'BALANCE') return write(outside, noteLowCredits(outside, before, after));
  // A new event, or one that is replayed; its own tries change it too and queue themselves.
  if (sk === 'EVENT' && before?.round !== after.round) return queueTry(outside, webhookEventRows.parse(after));
}

const outcomes: ByOccurrence<[outside: WorkerOutside], Promise<void>> = {
  'sms.left': ({ message }, outside) => noteTextOutcome(outside, message, false),
  'sms.failed': ({ message }, outside) => noteTextOutcome(outside, message, true),
};

async function write({ table }: WorkerOutside, what: TableWrite | undefined): Promise<void> {
  if (what) await table.write([what]);
}
