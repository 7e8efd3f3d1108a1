import * as z from 'zod/mini';

/**
 * Maximum wallet balances in pesewas, lowest first. The Bank of Ghana sets them by how thoroughly the owner was
 * identified (KYC). The network refuses a payment that would exceed the limit, and the payer keeps the money.
 */
export const BALANCE_LIMITS_PESEWAS = [5_000_00, 40_000_00, 75_000_00] as const;

export const BalanceLimit = z.literal([...BALANCE_LIMITS_PESEWAS]);
export type BalanceLimit = z.infer<typeof BalanceLimit>;
