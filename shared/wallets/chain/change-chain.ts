import type { Network } from '../../ghana/network.ts';
import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { RetryOutside, TableOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { chainRows, replaceChain, type Wallet } from './chain.table.ts';
import type { Chain } from './chain.ts';
import { retryIfChainChanged } from './link-texts.ts';

/**
 * Finds the balance chain of a phone number.
 * @throws NoSuch if nobody has named its balance, PublicError if the caller must specify the network.
 */
export async function findWallet(
  outside: TableOutside,
  momoNumber: string,
  network: Network | undefined,
): Promise<Chain> {
  const found = (await chainRows.list(outside, {})).filter(
    (chain) => chain.momo_number === momoNumber && (network === undefined || chain.network === network),
  );
  const [chain, ...others] = found;
  if (!chain) throw new NoSuch('wallet', `Nobody has named the balance of the wallet ${momoNumber} yet.`);
  if (others.length > 0) {
    const networks = found.map((one) => one.network).join(' and ');
    throw new PublicError('invalid_request', `${momoNumber} has wallets on ${networks}. Specify the network.`);
  }
  return chain;
}

export async function requireChain(outside: TableOutside, wallet: Wallet): Promise<Chain> {
  const chain = await chainRows.find(outside, wallet);
  if (chain) return chain;
  throw new NoSuch('wallet', `Nobody has named the balance of the wallet ${wallet.momo_number} yet.`);
}

/**
 * Updates a chain, except for its positions, in one transaction with `also`. Writes nothing if `change` returns
 * undefined.
 */
export async function changeChain(
  outside: RetryOutside,
  wallet: Wallet,
  change: (chain: Chain) => Partial<Chain> | undefined,
  also: readonly TableWrite[] = [],
): Promise<void> {
  await retryIfChainChanged(outside, async () => {
    const chain = await requireChain(outside, wallet);
    const changes = change(chain);
    if (changes) await outside.table.write([replaceChain(chain, { ...chain, ...changes }), ...also]);
  });
}

/**
 * Returns the only merchant with this wallet, or undefined. No merchant may see a shared wallet's balance.
 */
export async function soleMerchantOf(outside: TableOutside, { network, momo_number }: Wallet) {
  const [account, ...others] = await accountRows.list(outside, { number: momo_number });
  return account?.network === network && others.length === 0 ? account.merchant_id : undefined;
}
