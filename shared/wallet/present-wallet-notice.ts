import { ghsOf } from '../ghana/money.ts';
import type { NearLimitEventData, RefusedPaymentEventData } from './responses.ts';
import type { WalletNotice } from './wallet-notice.ts';

/** What a merchant's server is told of its wallet. */
export function presentWalletNotice(notice: WalletNotice): RefusedPaymentEventData | NearLimitEventData {
  const { network, received_at } = notice;
  if (notice.kind === 'near_limit') {
    const { momo_number, balance_pesewas, limit_pesewas, assumed } = notice;
    const [balance, limit] = [ghsOf(balance_pesewas), ghsOf(limit_pesewas)];
    return { network, momo_number, balance, limit, currency: 'GHS', assumed, received_at };
  }
  return {
    network,
    momo_number: notice.momo_number ?? null,
    transaction_id: notice.transaction_id,
    amount: ghsOf(notice.amount_pesewas),
    currency: 'GHS',
    payer_name: notice.payer_name,
    reason: 'daily_limit',
    received_at,
  };
}
