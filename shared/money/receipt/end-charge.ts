import type { Outside } from '../../runtime/outside/outside.ts';
import { type Expiry, removeExpiry } from '../transaction/expiry.table.ts';
import { findTransaction } from '../transaction/transaction.table.ts';
import { expireCharge } from './charge-parts.ts';

/**
 * How long after it expires a charge is left alone: by then most texts about last-minute payments have arrived.
 * 99 in 100 reach the phone within two minutes.
 */
export const EXPIRY_GRACE_SECONDS = 5 * 60;

/** Ends a charge whose time is up: unless it is paid, it becomes expired and its parts are held again. */
export async function endCharge(outside: Pick<Outside, 'table' | 'now'>, expiry: Expiry): Promise<void> {
  const charge = await findTransaction(outside, expiry.reference);
  const writes = charge?.state === 'pending' ? await expireCharge(outside, charge) : [];
  await outside.table.write([...writes, removeExpiry(expiry)]);
}
