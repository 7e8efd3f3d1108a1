import { requireMerchant } from '../../merchants/merchant/manage-merchant.ts';
import { nowIso, type TableOutside, type WriteOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { bookCredits, type CreditEntry, type Credits, getCredits, isLow, topUpCredits } from './credits.table.ts';

/**
 * Adds credits to a merchant's balance.
 * @throws NoSuch if the merchant does not exist.
 * @throws PublicError `busy` if the balance keeps changing.
 */
export async function topUp(outside: WriteOutside, merchantId: string, credits: number): Promise<number> {
  await retryIfChanged(async () => outside.table.write((await prepareTopUp(outside, merchantId, credits)).writes));
  return (await getCredits(outside, merchantId)).balance;
}

/**
 * Prepares the writes of `topUp`. `reference` is the charge that paid for a bundle.
 * @throws NoSuch if the merchant does not exist. The writes fail with `Changed` if the balance crosses its threshold in
 * the meantime.
 */
export async function prepareTopUp(outside: WriteOutside, merchantId: string, credits: number, reference?: string) {
  const before = await showCredits(outside, merchantId);
  const added = newEntry(
    outside,
    credits,
    reference === undefined ? { reason: 'top-up' } : { reason: 'purchase', reference },
  );
  const lifts = !isLow({ ...before, balance: before.balance - before.owed + credits });
  const writes = topUpCredits(merchantId, added, { lifts, lowBelow: before.low_below });
  return { writes, entry: { merchant_id: merchantId, action: 'credits add', after: { credits } } };
}

/** Revokes purchased credits. The merchant owes those already spent, and cannot send until this debt is paid. */
export function revokeCredits(
  outside: WriteOutside,
  merchantId: string,
  credits: number,
  reference: string,
): TableWrite[] {
  return bookCredits(merchantId, newEntry(outside, -credits, { reason: 'taken-back', reference }));
}

function newEntry(
  outside: WriteOutside,
  credits: number,
  more: Pick<CreditEntry, 'reason' | 'reference'>,
): CreditEntry {
  return { entry_id: newUlid(outside), credits, ...more, created_at: nowIso(outside) };
}

/** @throws NoSuch if the merchant does not exist. */
export async function showCredits(outside: TableOutside, merchantId: string): Promise<Credits> {
  await requireMerchant(outside, merchantId);
  return getCredits(outside, merchantId);
}
