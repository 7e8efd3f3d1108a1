import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { haveLeft } from '../../../money/charge/charge.ts';
import { mayLeave } from '../../../money/goods/may-leave.ts';
import { hasEndedUnpaid } from '../../../money/payment/backing.ts';
import type { Payment } from '../../../money/payment/payment.ts';
import { shownPaid } from '../../../money/payment/shown-payment.ts';
import type { PaymentReceipt } from '../../../money/receipt/receipt.ts';
import { paymentOf } from '../../../money/settling/matched-receipt.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';

interface Giving {
  readonly receipt: PaymentReceipt;
  readonly charge: Charge;
  /** The parts of an ended charge that would count again, from `partsCountedAgain`. */
  readonly back: Payment[];
}

/**
 * Describes the goods that assigning this payment would hand over. `looked_by`: the person who vouches for the payment.
 */
export function releasedGoodsText(
  outside: Clock,
  looked_by: string | undefined,
  { receipt, charge, back, merchant }: Giving & { readonly merchant: Merchant },
): string {
  const { goods, released_by, description, state, parts = [] } = charge;
  const isPaid = state === 'success';
  if (haveLeft({ goods, released_by })) return 'Its goods have already left, so nothing else goes out.';
  if (isPaid && goods?.kind !== 'code') return 'This bill is already paid, so this does not change what you hand over.';
  if (goods?.kind === 'credits') return `The ${goods.credits} credits stay on hold until the operator releases them.`;
  if (goods?.kind === 'counter') return 'A cashier can then hand over the goods.';
  if (goods?.kind === 'code') {
    const payment = paymentOf(receipt, { matched_by: 'hand', looked_by });
    // The match ends the doubt about a bill that had ended.
    const ended = hasEndedUnpaid(charge) && { disputed: undefined, parts: back };
    const counted = isPaid ? { parts: [...parts, payment] } : { payment };
    const leaving = mayLeave(outside, merchant, { ...charge, ...ended, state: 'success', ...counted });
    return typeof leaving === 'string'
      ? `The code of “${description}” stays on hold until you release it.`
      : `A code of “${description}” will be sent at once. This cannot be undone.`;
  }
  if (!isOfWebsite(charge)) return '';
  return looked_by === undefined || shownPaid(charge).doubt
    ? 'Your website may therefore hold the order. You can release it there.'
    : 'Your website can then fulfil the order.';
}

/** True if the shop's own website created the charge, so that it may be waiting for the payment. */
export function isOfWebsite({ origin }: Charge): boolean {
  return origin.kind === 'api';
}
