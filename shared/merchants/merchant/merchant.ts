import * as z from 'zod/mini';
import { BalanceLimit } from '../../ghana/balance-limit.ts';
import { Network } from '../../ghana/network.ts';
import { NUMBER_RULE, parsePhoneNumber } from '../../ghana/phone-number.ts';

/** Where a merchant is paid: the number that customers pay to and the name they see on their phone before they confirm. */
export const MomoAccount = z.object({
  number: z.string(),
  network: Network,
  account_name: z.string(),
  /** How much the wallet may hold; unset where nobody told us. */
  balance_limit_pesewas: z.optional(BalanceLimit),
});
/**
 * How many a merchant may have. A change that replaces them all is one transaction (the merchant, each old one and each new one; at the
 * dashboard also its audit entry, what tells the owners and the form's record), and DynamoDB accepts a hundred writes.
 */
export const MAX_MOMO_ACCOUNTS = 48;
export type MomoAccount = z.infer<typeof MomoAccount>;

/** `NUMBER:NETWORK:ACCOUNT NAME`; otherwise what is wrong with it. */
export function parseMomoAccount(written: string): MomoAccount | string {
  const [, numberGiven, networkGiven, name] = /^([^:]+):([^:]+):(.+)$/.exec(written.trim()) ?? [];
  const account_name = name?.trim();
  if (!numberGiven || !networkGiven || !account_name)
    return 'Write NUMBER:NETWORK:ACCOUNT_NAME, for example "0241234567:MTN:AMA STORES".';
  const number = parsePhoneNumber(numberGiven);
  if (!number) return NUMBER_RULE;
  const network = Network.safeParse(networkGiven.trim().toUpperCase()).data;
  return network ? { number, network, account_name } : `The networks are ${Network.options.join(', ')}.`;
}

export const Merchant = z.object({
  merchant_id: z.string(),
  name: z.string(),
  /** The first one is shown at checkout. */
  momo_accounts: z.array(MomoAccount),
  /** Whom customers ask: what `parseContact` returns. */
  contact: z.optional(z.string()),
  /** The id of the picture that customers see. */
  logo: z.optional(z.string()),
  /** How many customers a day may have what they are to pay texted; unset means none. Each is a credit of the merchant's. */
  pay_texts_per_day: z.optional(z.number()),
  /** The sender that texts leave from when the caller names none. */
  default_from: z.optional(z.string()),
  /** The hours in which its texts do not leave unless they say otherwise, as `21:00-07:00`; codes, links and receipts do. */
  quiet_hours: z.optional(z.string()),
  /** The largest amount for which a payer's name confirms a charge; 0 means never. */
  match_by_name_up_to_pesewas: z.optional(z.number()),
  /** Up to which sum a payment confirms that its wallet's other texts do not prove; 0 means never. */
  confirm_unproven_up_to_pesewas: z.optional(z.number()),
  /** For how much a day goods leave whose payments came to a wallet with too few texts to prove any; 0 means for nothing. */
  new_wallet_daily_limit_pesewas: z.optional(z.number()),
  /** Above this a person confirms each payment; unset means that nobody has to. */
  confirm_always_above_pesewas: z.optional(z.number()),
  /** Whether a charge that is paid is texted to its payer, for a credit. */
  text_receipts: z.optional(z.boolean()),
  /** Whether it is shown what people answer to its texts. */
  answers: z.optional(z.boolean()),
  /** What ends its marketing and reminders besides STOP, in capitals. */
  stop_words: z.optional(z.array(z.string())),
  created_at: z.string(),
  /** Since when the operator lets it do nothing. */
  suspended_at: z.optional(z.string()),
});
export type Merchant = z.infer<typeof Merchant>;

/** Two people may have the same name, and a forged text can contain a name: good enough for a lunch, not for a phone. */
export const DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS = 500_00;

/** What a shop may lose to a forged text: a lunch. Honest payments of this size need not wait for a text that is lost. */
export const DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS = 50_00;

export function confirmsUnprovenUpToPesewas({ confirm_unproven_up_to_pesewas }: Merchant): number {
  return confirm_unproven_up_to_pesewas ?? DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS;
}

/** A forger's most in a day while a wallet is too new to prove anything; an honest shop sells no more on most days (`npm run prove -- rounds`). */
export const DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS = 1_000_00;

export function newWalletDailyLimitPesewas({ new_wallet_daily_limit_pesewas }: Merchant): number {
  return new_wallet_daily_limit_pesewas ?? DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS;
}

export function nameDecidesUpToPesewas({ match_by_name_up_to_pesewas }: Merchant): number {
  return match_by_name_up_to_pesewas ?? DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS;
}
