import { BALANCE_LIMITS_PESEWAS, type BalanceLimit } from '../../ghana/balance-limit.ts';
import type { Network } from '../../ghana/network.ts';
import { type AccountOfNumber, accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { type ArrivedText, paidNumber, receivedAt } from './paid-number.ts';
import { keepNearlyFull, keepOnce } from './wallet-notice.table.ts';

/** Stores a notice about a wallet: a refused payment or a balance near the limit. Idempotent. */
export async function recordWalletNotices(outside: WorkerOutside, { phoneEvent, reading, senders }: ArrivedText) {
  if (!('balancePesewas' in reading)) return;
  const { network, transactionId: transaction_id, balancePesewas: balance_pesewas } = reading;
  const refused = reading.kind === 'payment' ? undefined : reading.refusedPayment;
  const mayBeNear = balance_pesewas !== null && balance_pesewas >= LEAST_NEAR_PESEWAS;
  if (!refused && !mayBeNear) return;

  const momo_number = paidNumber(phoneEvent, senders);
  const accounts = momo_number ? await accountRows.list(outside, { number: momo_number }) : [];
  const wallet = { network, merchant_id: soleMerchant(accounts, network), received_at: receivedAt(phoneEvent) };

  if (refused && transaction_id) {
    const { payerName: payer_name, amountPesewas: amount_pesewas } = refused;
    const facts = { ...wallet, momo_number, transaction_id, amount_pesewas, payer_name };
    await outside.table.write([keepOnce(outside, { kind: 'payment_refused', ...facts })]);
  }
  const near = mayBeNear && accounts.length > 0 && nearLimit(balance_pesewas, limitOf(accounts));
  if (near && momo_number) {
    const facts = { ...wallet, momo_number, balance_pesewas, ...near };
    await outside.table.write([keepNearlyFull(outside, { kind: 'near_limit', ...facts })]);
  }
}

/** Only the operator may see the payers, payees and balance of a shared wallet. */
export function soleMerchant([account, ...others]: readonly AccountOfNumber[], network: Network): string | undefined {
  return others.length === 0 && account?.network === network ? account.merchant_id : undefined;
}

/** Returns the wallet's balance limit. If merchants that share the wallet set different limits, returns the lowest. */
function limitOf(accounts: readonly AccountOfNumber[]): BalanceLimit | undefined {
  const limits = accounts.flatMap(({ balance_limit_pesewas }) => balance_limit_pesewas ?? []);
  return limits.toSorted((a, b) => a - b)[0];
}

/** A wallet is nearly full at this many tenths of its limit. */
const NEAR_TENTHS = 9;

interface NearLimit {
  readonly limit_pesewas: BalanceLimit;
  readonly assumed: boolean;
}

/** Lowest balance that can be near a limit. */
export const LEAST_NEAR_PESEWAS = (BALANCE_LIMITS_PESEWAS[0] * NEAR_TENTHS) / 10;

/**
 * Returns the limit that a balance is near, if any. If the wallet's limit is unknown, assumes the lowest possible one.
 */
export function nearLimit(balancePesewas: number, setLimit: BalanceLimit | undefined): NearLimit | undefined {
  const limit_pesewas = setLimit ?? BALANCE_LIMITS_PESEWAS.find((limit) => balancePesewas <= limit);
  if (limit_pesewas === undefined || balancePesewas * 10 < limit_pesewas * NEAR_TENTHS) return undefined;
  return { limit_pesewas, assumed: setLimit === undefined };
}
