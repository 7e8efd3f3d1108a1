import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { noteTextOutcome } from '../texts/sms/text-outcome.ts';
import { type ConsumerTable, lookUp } from './consequences.ts';
import type { Occurrence } from './occurrence.ts';

/** Records whether a SIM sent a text. Logs errors instead of stopping the stream. */
export async function noteOutcome(outside: WorkerOutside, occurrence: Occurrence): Promise<void> {
  await lookUp(outcomes, occurrence, outside)?.catch((error) => outside.log.warn('outcome_not_noted', { error }));
}

const outcomes: ConsumerTable<'sender outcome', [outside: WorkerOutside], Promise<void>> = {
  'sms.left': ({ message }, outside) => noteTextOutcome(outside, message, false),
  'sms.failed': ({ message }, outside) => noteTextOutcome(outside, message, true),
};
