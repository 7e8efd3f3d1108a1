import { getMerchantOrTwin } from '../../merchants/merchant/merchant.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { chargeRows } from '../charge/charge.table.ts';
import { isCodeDone, isCoded, isStockDone } from '../link/hand-out.ts';
import { findLink } from '../link/link.table.ts';
import { isPurchaseDone, whileBuying } from '../purchase/give-credits.ts';
import { isPurchase } from '../purchase/last-purchases.ts';
import { planRequest, readRequestOf } from '../request/settle-request.ts';
import type { FollowUp } from './follow-up.table.ts';

/** True where a job would change nothing: it was done, or there is nothing left to do. */
export async function isDone(outside: Outside, { kind, about }: FollowUp): Promise<boolean> {
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
  const merchant = charge && (await getMerchantOrTwin(outside, charge.merchant_id));
  if (!charge || !merchant) return true;
  if (isCoded(charge)) return isCodeDone(outside, merchant, charge);
  if (!isPurchase(charge)) return true;
  const mayBuy = (await whileBuying(outside, charge)) !== undefined;
  return isPurchaseDone(outside, merchant, charge, { mayBuy });
}
