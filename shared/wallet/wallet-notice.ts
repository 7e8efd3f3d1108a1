import * as z from 'zod/mini';
import { BalanceLimit } from '../ghana/balance-limit.ts';
import { Network } from '../ghana/network.ts';

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

/** What a text said about a merchant's wallet itself. */
export const WalletNotice = z.discriminatedUnion('kind', [RefusedPayment, NearlyFull]);
export type WalletNotice = z.infer<typeof WalletNotice>;
