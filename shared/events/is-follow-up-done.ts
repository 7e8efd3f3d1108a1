import { getMerchantOrTestAccount } from '../merchants/merchant/merchant.table.ts';
import { chargeRows } from '../money/charge/charge.table.ts';
import { isCodeDone, isCoded, isStockDone } from '../money/link/hand-out-code.ts';
import { findLink } from '../money/link/link.table.ts';
import { isPurchaseDone, whileBuying } from '../money/purchase/give-credits.ts';
import { isPurchase } from '../money/purchase/last-purchases.ts';
import { planRequest, readRequestOf } from '../money/request/settle-request.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { FollowUp } from './follow-up.table.ts';

/** True if a job would change nothing, because it was done or has become needless. */
export async function isFollowUpDone(outside: Outside, { kind, about }: FollowUp): Promise<boolean> {
  switch (kind) {
    case 'code':
    case 'purchase':
      return isGivenFor(outside, about);
    case 'stock': {
      const link = await findLink(outside, about);
      return !link || isStockDone(link);
    }
    case 'request': {
      const found = await readRequestOf(outside, about);
      return !found || planRequest(outside, found).length === 0;
    }
  }
}

async function isGivenFor(outside: Outside, reference: string): Promise<boolean> {
  const charge = await chargeRows.find(outside, { reference });
  const merchant = charge && (await getMerchantOrTestAccount(outside, charge.merchant_id));
  if (!charge || !merchant) return true;
  if (isCoded(charge)) return isCodeDone(outside, merchant, charge);
  if (!isPurchase(charge)) return true;
  const mayBuy = (await whileBuying(outside, charge)) !== undefined;
  return isPurchaseDone(outside, merchant, charge, { mayBuy });
}
