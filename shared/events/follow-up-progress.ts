import { getMerchantOrTestAccount } from '../merchants/merchant/merchant.table.ts';
import { chargeRows } from '../money/charge/charge.table.ts';
import { isCodeDone, isCoded, isStockDone } from '../money/link/hand-out-code.ts';
import { findLink } from '../money/link/link.table.ts';
import { isPurchaseBlocked, isPurchaseDone } from '../money/purchase/give-credits.ts';
import { isPurchase } from '../money/purchase/last-purchases.ts';
import { isRequestDone, readRequestOf } from '../money/request/settle-request.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { FollowUp } from './follow-up.table.ts';

/** `done`: nothing left to do. `blocked`: waiting for an event that will not requeue the job. `due`: work to do. */
type Progress = 'done' | 'blocked' | 'due';

export async function progressOf(outside: Outside, { kind, about }: FollowUp): Promise<Progress> {
  switch (kind) {
    case 'code':
    case 'purchase':
      return progressOfGoods(outside, about);
    case 'stock': {
      const link = await findLink(outside, about);
      return doneIf(!link || isStockDone(link));
    }
    case 'request': {
      const found = await readRequestOf(outside, about);
      return doneIf(!found || (await isRequestDone(outside, found)));
    }
  }
}

function doneIf(isDone: boolean): Progress {
  return isDone ? 'done' : 'due';
}

async function progressOfGoods(outside: Outside, reference: string): Promise<Progress> {
  const charge = await chargeRows.find(outside, { reference });
  const merchant = charge && (await getMerchantOrTestAccount(outside, charge.merchant_id));
  if (!charge || !merchant) return 'done';
  if (isCoded(charge)) return doneIf(isCodeDone(outside, merchant, charge));
  if (!isPurchase(charge) || isPurchaseDone(outside, merchant, charge)) return 'done';
  return (await isPurchaseBlocked(outside, charge)) ? 'blocked' : 'due';
}
