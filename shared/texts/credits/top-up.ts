import { requireMerchant } from '../../merchants/merchant/manage-merchant.ts';
import { nowIso, type TableOutside, type WriteOutside } from '../../runtime/outside/outside.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { BalanceMoved, type CreditEntry, type Credits, getCredits, isLow, topUpCredits } from './credits.table.ts';

/** Tops a merchant up and returns the new balance. @throws NoSuch merchant; PublicError `busy` if the balance keeps changing. */
export async function topUp(outside: WriteOutside, merchantId: string, credits: number): Promise<number> {
  const before = await showCredits(outside, merchantId);
  const created_at = nowIso(outside);
  const entry: CreditEntry = { entry_id: newUlid(outside), credits, reason: 'top-up', created_at };
  const lifts = !isLow({ ...before, balance: before.balance + credits });
  await add(outside, merchantId, { entry, lowBelow: before.low_below }, [lifts, !lifts, lifts, !lifts]);
  return (await getCredits(outside, merchantId)).balance;
}

/** Texts may move the balance over its threshold meanwhile: then the next guess holds. */
async function add(
  outside: TableOutside,
  merchantId: string,
  { entry, lowBelow }: { readonly entry: CreditEntry; readonly lowBelow: number },
  [lifts = false, ...guesses]: readonly boolean[],
): Promise<void> {
  try {
    await outside.table.write(topUpCredits(merchantId, entry, { lifts, lowBelow }));
  } catch (error) {
    if (!(error instanceof BalanceMoved) || guesses.length === 0) throw error;
    await add(outside, merchantId, { entry, lowBelow }, guesses);
  }
}

/** @throws NoSuch merchant. */
export async function showCredits(outside: TableOutside, merchantId: string): Promise<Credits> {
  await requireMerchant(outside, merchantId);
  return getCredits(outside, merchantId);
}
