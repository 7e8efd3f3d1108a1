import { nowIso, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { cancelCharge, closeAtParts, expireCharge, type ForMoney, tellTake } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows, isSuccessEventDue, requireCharge } from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { type Expiry, expiryRows } from '../charge/expiry.table.ts';
import { UNCOUNTED, uncountLeaving } from '../goods/decide-release.ts';
import { isDoubted } from '../payment/backing.ts';
import { paymentsOf } from '../payment/payment.ts';
import type { HeldReason } from '../receipt/receipt.ts';
import { isProven } from './change-payment.ts';
import { releaseParts } from './matched-receipt.ts';

type Ending = ForMoney & Pick<Charge, 'unmarked_at'>;

/**
 * Closes a pending charge after its deadline. The charge expires, and its parts are held again. A payment request's
 * charge that is partly paid is closed as paid instead, because its parts count towards the request. If the charge is
 * disputed, a person decides.
 */
export async function endPending(
  outside: TimedOutside,
  charge: Ending & Pick<Charge, 'amount_pesewas'>,
  expiresAt?: string,
): Promise<TableWrite[]> {
  if (closesAtParts(charge)) return [closeAtParts(charge, nowIso(outside))];
  const { parts, writes } = await freeParts(outside, charge, 'charge_expired');
  return [expireCharge(outside, charge, parts, expiresAt), ...writes];
}

/** True if the charge is closed as paid after its deadline, although only some of its parts have arrived. */
export function closesAtParts(charge: ForMoney): boolean {
  const { origin, parts, disputed } = charge;
  return origin.kind === 'request' && parts !== undefined && parts.length > 0 && disputed === undefined;
}

async function cancelWithParts(outside: TimedOutside, charge: Ending, cancelledAt: string): Promise<TableWrite[]> {
  const { parts, writes } = await freeParts(outside, charge, 'charge_cancelled');
  return [cancelCharge(charge, parts, cancelledAt), ...writes];
}

/**
 * Releases the parts of a charge that expires or is cancelled. Returns the parts to keep on record, and the writes that
 * hold their payments again and remove them from the unverified totals.
 */
async function freeParts(outside: TimedOutside, charge: Ending, reason: HeldReason) {
  const { parts = [] } = charge;
  const released = await releaseParts(outside, charge, parts, { reason });
  return {
    parts: parts.map((part) => ({ ...part, ...UNCOUNTED })),
    writes: [...released, ...uncountLeaving(outside, charge, parts)],
  };
}

export async function endCharge(outside: TimedOutside, expiry: Expiry): Promise<void> {
  const charge = await chargeRows.find(outside, expiry);
  // The job that sends the tap's event was lost.
  if (charge && isSuccessEventDue(charge))
    return outside.table.write([tellTake(outside, charge), expiryRows.remove(expiry)]);
  if (charge?.state !== 'pending') {
    const isCertain = charge?.state !== 'success' || (!isDoubted(charge) && paymentsOf(charge).every(isProven));
    if (isCertain) return outside.table.remove(expiryRows.key(expiry));
    // If a person undoes a payment in the meantime, the charge is pending and still needs its expiry.
    const same = chargeRows.check(charge, { ...asRead({ state: charge.state }), refused: chargeRows.changed });
    return outside.table.write([same, expiryRows.remove(expiry)]);
  }
  await outside.table.write([...(await endPending(outside, charge)), expiryRows.remove(expiry)]);
}

/**
 * Cancels a merchant's charge unless a payment arrives first. `commit` performs the writes and returns the result. If
 * the charge is already cancelled, there are no writes.
 * @throws PublicError `not_found`, `charge_not_pending`.
 */
export function cancelOwnCharge<Result>(
  outside: Outside,
  merchantId: string,
  reference: string,
  commit: (charge: Charge, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const charge = await requireCharge(outside, reference, merchantId);
    const status = statusOf(outside, charge);
    if (status === 'cancelled') return commit(charge, []);
    if (status !== 'pending') {
      const next = status === 'success' ? ` To refund it, use POST /api/v1/transaction/${reference}/refund.` : '';
      throw new PublicError(
        'charge_not_pending',
        `Only a pending charge can be cancelled; this one is ${status}.${next}`,
      );
    }
    const cancelled_at = nowIso(outside);
    const writes = await cancelWithParts(outside, charge, cancelled_at);
    return commit({ ...charge, state: 'cancelled', cancelled_at }, writes);
  });
}
