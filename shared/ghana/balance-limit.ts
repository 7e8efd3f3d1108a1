import * as z from 'zod/mini';

/**
 * Maximum balances of wallets in pesewas, lowest first: the Bank of Ghana's limits by identification of the owner
 * (KYC). Payments beyond the limit are refused, and the money stays with the payer.
 */
export const BALANCE_LIMITS_PESEWAS = [5_000_00, 40_000_00, 75_000_00] as const;

export const BalanceLimit = z.literal([...BALANCE_LIMITS_PESEWAS]);
export type BalanceLimit = z.infer<typeof BalanceLimit>;
