import * as z from 'zod/mini';
import { BalanceLimit } from '../../ghana/balance-limit.ts';
import { Network } from '../../ghana/network.ts';

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
