import { carryUse } from '../merchants/merchant/key-use.table.ts';
import { chargeRows } from '../money/charge/charge.table.ts';
import { createExpiry } from '../money/charge/expiry.table.ts';
import { noteLookups } from '../money/charge/lookup.table.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { RowChange } from '../runtime/triggers/stream.ts';
import { noteLowCredits } from '../texts/credits/credits.table.ts';
import { webhookEventRows } from '../webhook/event.table.ts';
import { queueTry } from '../webhook/event.ts';

/** Writes rows derived only from a row's new state: search terms, expiries, key use and low credits. */
export async function writeDerivedRows(outside: WorkerOutside, { sk, before, after }: RowChange): Promise<void> {
  if (!after) return;
  if (sk === 'TRANSACTION') {
    const charge = chargeRows.parse(after);
    if (!before) await outside.table.write([createExpiry(charge)]);
    return noteLookups(outside, charge, before);
  }
  if (sk === 'KEY_USE') return carryUse(outside, after);
  if (sk === 'BALANCE') {
    const low = noteLowCredits(outside, before, after);
    if (low) await outside.table.write([low]);
  }
  // Only a new or replayed event has a new round. A delivery attempt queues the next attempt itself.
  if (sk === 'EVENT' && before?.round !== after.round) return queueTry(outside, webhookEventRows.parse(after));
}
