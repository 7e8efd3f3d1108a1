import * as z from 'zod/mini';
import { BalanceLimit } from '../../ghana/balance-limit.ts';
import { Network } from '../../ghana/network.ts';
import { NUMBER_RULE, parsePhoneNumber } from '../../ghana/phone-number.ts';

/** A number that customers pay, and the account name that a customer's phone shows before the payment is confirmed. */
export const MomoAccount = z.object({
  number: z.string(),
  network: Network,
  account_name: z.string(),
  balance_limit_pesewas: z.optional(BalanceLimit),
});
/**
 * Maximum number of accounts per merchant. DynamoDB allows 100 writes per transaction. One transaction contains the
 * merchant, each old and new account and, on the dashboard, the audit entry, the owners' notification and the form's
 * record.
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
  /** Payment accounts. The checkout page shows the first one. */
  momo_accounts: z.array(MomoAccount),
  contact: z.optional(z.string()),
  logo: z.optional(z.string()),
  /**
   * Maximum number of customers per day who can get payment instructions by text, for one credit each. If unset, nobody
   * can.
   */
  pay_texts_per_day: z.optional(z.number()),
  default_from: z.optional(z.string()),
  /**
   * Hours when no texts are sent, such as `21:00-07:00`, unless the send overrides them. Codes, links and customer
   * receipts are exempt.
   */
  quiet_hours: z.optional(z.string()),
  /** Largest payment that a matching payer name confirms. 0 means that a name never confirms a payment. */
  match_by_name_up_to_pesewas: z.optional(z.number()),
  /**
   * Largest payment that is confirmed without verification by the wallet's other texts. 0 means that every payment must
   * be verified.
   */
  confirm_unproven_up_to_pesewas: z.optional(z.number()),
  /**
   * Maximum daily value of goods handed out for payments to a wallet that is too new to verify them. 0 means that
   * nothing is handed out.
   */
  new_wallet_daily_limit_pesewas: z.optional(z.number()),
  /**
   * Payments above this amount must be confirmed by a person. Unset means that no payment needs a person's
   * confirmation.
   */
  confirm_always_above_pesewas: z.optional(z.number()),
  /** True if each payer gets a customer receipt by text, for one credit. */
  text_receipts: z.optional(z.boolean()),
  answers: z.optional(z.boolean()),
  /** Words other than STOP that end marketing and reminders, in capitals. */
  stop_words: z.optional(z.array(z.string())),
  created_at: z.string(),
  suspended_at: z.optional(z.string()),
});
export type Merchant = z.infer<typeof Merchant>;

/**
 * Default limit for confirming a payment by name. Two people can share a name, and a forged text can contain it. That
 * risk is acceptable for a lunch, but not for a phone.
 */
export const DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS = 500_00;

/**
 * Default limit for confirming an unverified payment: the price of a lunch. A shop can afford to lose that amount to a
 * forged text, and small honest payments need not wait for a missing text.
 */
export const DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS = 50_00;

export function confirmsUnprovenUpToPesewas({ confirm_unproven_up_to_pesewas }: Merchant): number {
  return confirm_unproven_up_to_pesewas ?? DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS;
}

/**
 * Default daily limit for a new wallet: a forger's maximum gain per day until the wallet's payments can be verified.
 * Honest shops sell less than this on most days (`npm run prove -- rounds`).
 */
export const DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS = 1_000_00;

export function newWalletDailyLimitPesewas({ new_wallet_daily_limit_pesewas }: Merchant): number {
  return new_wallet_daily_limit_pesewas ?? DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS;
}

export function nameDecidesUpToPesewas({ match_by_name_up_to_pesewas }: Merchant): number {
  return match_by_name_up_to_pesewas ?? DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS;
}
