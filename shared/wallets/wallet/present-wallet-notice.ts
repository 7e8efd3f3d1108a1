import { CURRENCY } from '../../ghana/country.ts';
import { ghsOf } from '../../ghana/money.ts';
import type {
  MissedPaymentEventData,
  NearLimitEventData,
  RefusedPaymentEventData,
  UnclearBalanceEventData,
} from './responses.ts';
import type { MissedPayment, NearlyFull, RefusedPayment, UnclearBalance, WalletNotice } from './wallet-notice.ts';

/** What a merchant's server is told of its wallet: never what it holds, which is its owner's to know. */
export function presentWalletNotice(notice: WalletNotice) {
  switch (notice.kind) {
    case 'near_limit':
      return presentNearLimit(notice);
    case 'payment_refused':
      return presentRefused(notice);
    case 'balance_unclear':
      return presentUnclear(notice);
    case 'payment_missed':
      return presentMissed(notice);
  }
}

function presentNearLimit(notice: NearlyFull): NearLimitEventData {
  const { network, momo_number, limit_pesewas, assumed, received_at } = notice;
  return { network, momo_number, limit: ghsOf(limit_pesewas), currency: CURRENCY, assumed, received_at };
}

function presentRefused(notice: RefusedPayment): RefusedPaymentEventData {
  const { network, momo_number = null, transaction_id, amount_pesewas, payer_name, received_at } = notice;
  const amount = ghsOf(amount_pesewas);
  return {
    ...{ network, momo_number, transaction_id, amount, currency: CURRENCY, payer_name },
    ...{ reason: 'daily_limit' as const, received_at },
  };
}

function presentUnclear(notice: UnclearBalance): UnclearBalanceEventData {
  const { network, momo_number, texts, received_at, sent_to_bank = false } = notice;
  return { network, momo_number, texts, sent_to_bank, received_at };
}

function presentMissed(notice: MissedPayment): MissedPaymentEventData {
  const { network, momo_number, amount_pesewas, from, to, phone_asked, references } = notice;
  const amount = ghsOf(amount_pesewas);
  return { network, momo_number, amount, currency: CURRENCY, from, to, phone_asked, may_have_paid: references };
}
