import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { requireMerchant } from './manage-merchant.ts';
import { replaceMerchant } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';

/**
 * Suspends a merchant, or takes it back: its keys are refused, its people can look and change nothing, and its checkout pages ask for no
 * money. Texts that fall due meanwhile fail and are refunded; payments that arrive are matched, and events are delivered.
 * @throws NoSuch merchant; PublicError `invalid_request` where it is so already.
 */
export async function suspendMerchant(outside: TimedOutside, merchantId: string, isSuspended: boolean): Promise<void> {
  const before = await requireMerchant(outside, merchantId);
  if (isSuspended === (before.suspended_at !== undefined))
    throw new PublicError(
      'invalid_request',
      `${before.name} is ${isSuspended ? 'suspended already' : 'not suspended'}.`,
    );
  const suspended_at = isSuspended ? nowIso(outside) : undefined;
  await outside.table.write(replaceMerchant(before, { ...before, suspended_at }));
}

/** What its keys are answered; undefined for a merchant that is not suspended. */
export function suspension({ suspended_at }: Pick<Merchant, 'suspended_at'>): PublicError | undefined {
  if (suspended_at === undefined) return undefined;
  return new PublicError(
    'forbidden',
    'This merchant is suspended: its keys do nothing until the operator takes it back. Texts that fall due meanwhile fail and are refunded, and payments still arrive. Ask the operator.',
  );
}
