import { bookOccurrences } from '../../shared/events/bookings.ts';
import { writeDerivedRows } from '../../shared/events/derived-rows.ts';
import { queueJobs } from '../../shared/events/jobs.ts';
import { countOccurrences } from '../../shared/events/metrics.ts';
import { notifyPeople } from '../../shared/events/notifications.ts';
import { occurrencesOf } from '../../shared/events/occurrences-of.ts';
import { noteOutcome } from '../../shared/events/sender-outcomes.ts';
import { storeWebhookEvent } from '../../shared/events/webhook-events.ts';
import { forMerchant } from '../../shared/merchants/merchant/test-account.ts';
import { stream } from '../../shared/runtime/triggers/stream.ts';
import { manifest } from '../manifest.ts';

/**
 * Derives occurrences from each table change and passes them to every consumer (`consequences.ts`). Reads the stream
 * independently of `relay.ts`.
 */
export const handler = stream(manifest['work/follow-up'], async (change, given) => {
  const outside = forMerchant(given, change.after ?? {});
  await writeDerivedRows(outside, change);
  const occurrences = occurrencesOf(change);
  for (const occurrence of occurrences) await storeWebhookEvent(outside, occurrence, change);
  await bookOccurrences(outside, occurrences, change);
  for (const occurrence of occurrences) {
    await notifyPeople(outside, occurrence, change.at);
    await queueJobs(outside, occurrence, change.at);
  }
  countOccurrences(outside, occurrences);
  for (const occurrence of occurrences) await noteOutcome(outside, occurrence);
});
