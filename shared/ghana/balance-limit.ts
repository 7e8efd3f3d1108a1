import * as z from 'zod/mini';

/**
 * Maximum wallet balances in pesewas, one for each KYC level of the Bank of Ghana. The network refuses payments that
 * would exceed the limit.
 */
export const BALANCE_LIMITS_PESEWAS = [5_000_00, 40_000_00, 75_000_00] as const;

export const BalanceLimit = z.literal([...BALANCE_LIMITS_PESEWAS]);
export type BalanceLimit = z.infer<typeof BalanceLimit>;
