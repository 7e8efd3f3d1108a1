import * as z from 'zod/mini';
import { BalanceLimit } from '../../ghana/balance-limit.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { ghsOf } from '../../ghana/money.ts';
import { Network } from '../../ghana/network.ts';
import type {
  MissedPaymentEventData,
  NearLimitEventData,
  RefusedPaymentEventData,
  UnclearBalanceEventData,
} from './responses.ts';

const ofWallet = {
  network: Network,
  /** Unset if the phone did not report which number the text came to. */
  momo_number: z.optional(z.string()),
  /** Who is told; unset where the number belongs to no merchant or to several. */
  merchant_id: z.optional(z.string()),
  received_at: z.string(),
};

/** The network refused a customer's payment, because the wallet had reached its daily limit. */
const RefusedPayment = z.object({
  ...ofWallet,
  kind: z.literal('payment_refused'),
  transaction_id: z.string(),
  amount_pesewas: z.number(),
  payer_name: z.string(),
});
export type RefusedPayment = z.infer<typeof RefusedPayment>;

/** The wallet is nearly full: its network will soon refuse payments. */
const NearlyFull = z.object({
  ...ofWallet,
  kind: z.literal('near_limit'),
  momo_number: z.string(),
  balance_pesewas: z.number(),
  limit_pesewas: BalanceLimit,
  assumed: z.boolean(),
});
export type NearlyFull = z.infer<typeof NearlyFull>;

/** Texts of the wallet do not continue its proven balance: its owner is asked what it holds. */
const UnclearBalance = z.object({
  ...ofWallet,
  kind: z.literal('balance_unclear'),
  momo_number: z.string(),
  /** What the last of these texts says. */
  balance_pesewas: z.number(),
  /** What the proven texts before them say. */
  proven_pesewas: z.number(),
  /** How many there are. */
  texts: z.number(),
  /** The text tells of money sent to the bank. */
  sent_to_bank: z.optional(z.boolean()),
});
export type UnclearBalance = z.infer<typeof UnclearBalance>;

/** Money came into the wallet that no text told of. */
const MissedPayment = z.object({
  ...ofWallet,
  kind: z.literal('payment_missed'),
  momo_number: z.string(),
  amount_pesewas: z.number(),
  /** The texts before and after it. */
  from: z.string(),
  to: z.string(),
  /** Whether the phone was asked for it. */
  phone_asked: z.boolean(),
  /** The charges that it may have paid. */
  references: z.array(z.string()),
});
export type MissedPayment = z.infer<typeof MissedPayment>;

/** What is known about a merchant's wallet itself, by its texts. */
export const WalletNotice = z.discriminatedUnion('kind', [RefusedPayment, NearlyFull, UnclearBalance, MissedPayment]);
export type WalletNotice = z.infer<typeof WalletNotice>;

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
