import type { Outside } from '../runtime/outside/outside.ts';
import { type Expiry, removeExpiry } from '../transaction/expiry.table.ts';
import { findTransaction } from '../transaction/transaction.table.ts';
import { expireCharge } from './charge-parts.ts';

/**
 * How long after its time a charge is left alone: most texts of payments that were made in the last minute have come by then.
 * 99 in 100 reach the phone within two minutes.
 */
export const EXPIRY_GRACE_SECONDS = 5 * 60;

/** Ends a charge whose time is up: unless it is paid, it is expired from now on and its parts are held again. */
export async function endCharge(outside: Pick<Outside, 'table' | 'now'>, expiry: Expiry): Promise<void> {
  const charge = await findTransaction(outside, expiry.reference);
  const writes = charge?.state === 'pending' ? await expireCharge(outside, charge) : [];
  await outside.table.write([...writes, removeExpiry(expiry)]);
}
