import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { requireMerchant } from './manage-merchant.ts';
import { replaceMerchant } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';

/**
 * Suspends or resumes a merchant. A suspended merchant's keys are rejected, its dashboard is read-only, and its
 * scheduled texts are refunded. Payments to the merchant are still matched.
 * @throws NoSuch if the merchant does not exist.
 */
export async function prepareSuspension(outside: TimedOutside, merchantId: string, isSuspended: boolean) {
  const before = await requireMerchant(outside, merchantId);
  const { merchant_id, name, suspended_at } = before;
  const isSo = isSuspended === (suspended_at !== undefined);
  const after = { ...before, suspended_at: isSuspended ? nowIso(outside) : undefined };
  const entry = { merchant_id, action: isSuspended ? 'merchant suspend' : 'merchant take-back' };
  return { merchant_id, name, writes: isSo ? [] : replaceMerchant(before, after), entry };
}

export function suspension({ suspended_at }: Pick<Merchant, 'suspended_at'>): PublicError | undefined {
  if (suspended_at === undefined) return undefined;
  return new PublicError(
    'forbidden',
    'This merchant is suspended, so its keys do not work. Scheduled texts fail and are refunded when they fall due. Payments still arrive. Ask the operator to reinstate the merchant.',
  );
}
