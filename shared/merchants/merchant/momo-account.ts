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
