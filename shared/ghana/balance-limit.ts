import * as z from 'zod/mini';

/**
 * How much a wallet may hold, in pesewas, the least first: the Bank of Ghana's limits by how well the network knows its owner
 * (KYC). What would go beyond is refused, and the payer pays nobody.
 */
export const BALANCE_LIMITS_PESEWAS = [5_000_00, 40_000_00, 75_000_00] as const;

export const BalanceLimit = z.literal([...BALANCE_LIMITS_PESEWAS]);
export type BalanceLimit = z.infer<typeof BalanceLimit>;
