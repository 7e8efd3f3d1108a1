import { requireMerchant } from '../../merchants/merchant/manage-merchant.ts';
import { nowIso, type TableOutside, type WriteOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { type CreditEntry, type Credits, getCredits, isLow, topUpCredits } from './credits.table.ts';

/** Tops a merchant up and returns the new balance. @throws NoSuch merchant; PublicError `busy` if the balance keeps changing. */
export async function topUp(outside: WriteOutside, merchantId: string, credits: number): Promise<number> {
  await retryIfChanged(async () => outside.table.write((await prepareTopUp(outside, merchantId, credits)).writes));
  return (await getCredits(outside, merchantId)).balance;
}

/** The same before it is written. @throws NoSuch merchant; the writes `Changed` where texts move the balance over its threshold meanwhile. */
export async function prepareTopUp(outside: WriteOutside, merchantId: string, credits: number) {
  const before = await showCredits(outside, merchantId);
  const added: CreditEntry = { entry_id: newUlid(outside), credits, reason: 'top-up', created_at: nowIso(outside) };
  const lifts = !isLow({ ...before, balance: before.balance + credits });
  const writes = topUpCredits(merchantId, added, { lifts, lowBelow: before.low_below });
  return { writes, entry: { merchant_id: merchantId, action: 'credits add', after: { credits } } };
}

/** @throws NoSuch merchant. */
export async function showCredits(outside: TableOutside, merchantId: string): Promise<Credits> {
  await requireMerchant(outside, merchantId);
  return getCredits(outside, merchantId);
}
