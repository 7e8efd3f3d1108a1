import { requireMerchant } from '../merchant/manage-merchant.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { newUlid } from '../runtime/values/ids.ts';
import { addCredits, getBalance } from './credits.table.ts';

/** Tops a merchant up and returns the new balance. @throws NoSuch merchant. */
export async function topUp(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes'>,
  merchantId: string,
  credits: number,
): Promise<number> {
  await requireMerchant(outside, merchantId);
  const entry = { entry_id: newUlid(outside), credits, reason: 'top-up' as const };
  await outside.table.write(addCredits(merchantId, { ...entry, created_at: new Date(outside.now()).toISOString() }));
  return getBalance(outside, merchantId);
}

/** @throws NoSuch merchant. */
export async function showBalance(outside: Pick<Outside, 'table'>, merchantId: string): Promise<number> {
  await requireMerchant(outside, merchantId);
  return getBalance(outside, merchantId);
}
