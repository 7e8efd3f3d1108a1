import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { requireMerchant } from './manage-merchant.ts';
import { replaceMerchant } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';

/**
 * What suspends a merchant, or takes it back: its keys are refused, its people can look and change nothing, and its checkout pages ask for no
 * money. Texts that fall due meanwhile fail and are refunded; payments that arrive are matched, and events are delivered.
 * @throws NoSuch merchant.
 */
export async function prepareSuspension(outside: TimedOutside, merchantId: string, isSuspended: boolean) {
  const before = await requireMerchant(outside, merchantId);
  const { merchant_id, name, suspended_at } = before;
  const isSo = isSuspended === (suspended_at !== undefined);
  const after = { ...before, suspended_at: isSuspended ? nowIso(outside) : undefined };
  const entry = { merchant_id, action: isSuspended ? 'merchant suspend' : 'merchant take-back' };
  return { merchant_id, name, writes: isSo ? [] : replaceMerchant(before, after), entry };
}

/** What its keys are answered; undefined for a merchant that is not suspended. */
export function suspension({ suspended_at }: Pick<Merchant, 'suspended_at'>): PublicError | undefined {
  if (suspended_at === undefined) return undefined;
  return new PublicError(
    'forbidden',
    'This merchant is suspended: its keys do nothing until the operator takes it back. Texts that fall due meanwhile fail and are refunded, and payments still arrive. Ask the operator.',
  );
}
