import * as z from 'zod/mini';
import { BalanceLimit } from '../../ghana/balance-limit.ts';
import { Network } from '../../ghana/network.ts';
import { NUMBER_RULE, parsePhoneNumber } from '../../ghana/phone-number.ts';

/** A number that customers pay, and the account name that their phone shows. */
export const MomoAccount = z.object({
  number: z.string(),
  network: Network,
  account_name: z.string(),
  balance_limit_pesewas: z.optional(BalanceLimit),
});
/**
 * Maximum number of payment accounts per merchant. All of them must fit in one transaction (DynamoDB allows 100
 * writes).
 */
export const MAX_MOMO_ACCOUNTS = 48;
export type MomoAccount = z.infer<typeof MomoAccount>;

/** Parses `NUMBER:NETWORK:ACCOUNT NAME`, or returns an error message. */
export function parseMomoAccount(written: string): MomoAccount | string {
  const [, numberGiven, networkGiven, name] = /^([^:]+):([^:]+):(.+)$/.exec(written.trim()) ?? [];
  const account_name = name?.trim();
  if (!numberGiven || !networkGiven || !account_name)
    return 'Use the format NUMBER:NETWORK:ACCOUNT_NAME, for example "0241234567:MTN:AMA STORES".';
  const number = parsePhoneNumber(numberGiven);
  if (!number) return NUMBER_RULE;
  const network = Network.safeParse(networkGiven.trim().toUpperCase()).data;
  return network ? { number, network, account_name } : `Use one of the networks ${Network.options.join(', ')}.`;
}

export const Merchant = z.object({
  merchant_id: z.string(),
  name: z.string(),
  /** Payment accounts. Checkout shows the first one. */
  momo_accounts: z.array(MomoAccount),
  contact: z.optional(z.string()),
  logo: z.optional(z.string()),
  /** Maximum number of payment instructions texted per day, for one credit each. Unset if none are sent. */
  pay_texts_per_day: z.optional(z.number()),
  default_from: z.optional(z.string()),
  /** Hours when no texts are sent, such as `21:00-07:00`. Codes, links and customer receipts are exempt. */
  quiet_hours: z.optional(z.string()),
  /** Largest payment that is confirmed if the payer's name matches. 0 disables matching by name. */
  match_by_name_up_to_pesewas: z.optional(z.number()),
  /** Largest payment that is confirmed without verification. 0 requires verification of every payment. */
  confirm_unproven_up_to_pesewas: z.optional(z.number()),
  /**
   * Maximum value of goods released per day for payments to a wallet that is too new to be verified. If this is 0, no
   * such goods are released.
   */
  new_wallet_daily_limit_pesewas: z.optional(z.number()),
  /** Payments above this amount need manual confirmation. Unset if no payment does. */
  confirm_always_above_pesewas: z.optional(z.number()),
  /** True if payers get a customer receipt by text, for one credit each. */
  text_receipts: z.optional(z.boolean()),
  answers: z.optional(z.boolean()),
  /** Opt-out words in addition to STOP, in upper case. */
  stop_words: z.optional(z.array(z.string())),
  created_at: z.string(),
  suspended_at: z.optional(z.string()),
});
export type Merchant = z.infer<typeof Merchant>;

/**
 * Default limit for confirming a payment by name. Low enough for a shop to accept the risk of a shared name or a forged
 * text.
 */
export const DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS = 500_00;

/**
 * Default limit for confirming an unverified payment. A shop can afford to lose the price of a lunch to a forged text.
 */
export const DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS = 50_00;

export function confirmsUnprovenUpToPesewas({ confirm_unproven_up_to_pesewas }: Merchant): number {
  return confirm_unproven_up_to_pesewas ?? DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS;
}

/**
 * Default daily limit for a new wallet: the most that a forger can gain per day. Most shops sell less than this (see
 * `npm run prove -- rounds`).
 */
export const DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS = 1_000_00;

export function newWalletDailyLimitPesewas({ new_wallet_daily_limit_pesewas }: Merchant): number {
  return new_wallet_daily_limit_pesewas ?? DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS;
}

export function nameDecidesUpToPesewas({ match_by_name_up_to_pesewas }: Merchant): number {
  return match_by_name_up_to_pesewas ?? DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS;
}
