import { BALANCE_LIMITS_PESEWAS, type BalanceLimit } from '../../ghana/balance-limit.ts';

/** A wallet is nearly full from this fraction of its limit on: the merchant has time to empty it before a customer is refused. */
const NEAR_TENTHS = 9;

export interface NearLimit {
  readonly limit_pesewas: BalanceLimit;
  /** The wallet's limit is not known. */
  readonly assumed: boolean;
}

/** Below this no wallet is near its limit, whichever it is. */
export const LEAST_NEAR_PESEWAS = (BALANCE_LIMITS_PESEWAS[0] * NEAR_TENTHS) / 10;

/**
 * The limit that a wallet with this balance is near; undefined if it is near none. If its limit is not known, it is the lowest
 * that the balance has not exceeded.
 */
export function nearLimit(balancePesewas: number, setLimit: BalanceLimit | undefined): NearLimit | undefined {
  const limit_pesewas = setLimit ?? BALANCE_LIMITS_PESEWAS.find((limit) => balancePesewas <= limit);
  if (limit_pesewas === undefined || balancePesewas * 10 < limit_pesewas * NEAR_TENTHS) return undefined;
  return { limit_pesewas, assumed: setLimit === undefined };
}
