import { Network, networks } from '../../ghana/network.ts';
import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { Clock, RetryOutside, TableOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { chainRows, replaceChain, type Wallet } from './chain.table.ts';
import { type Chain, ESTABLISHED, isEstablished, type ProveMode } from './chain.ts';
import { retryIfChainChanged } from './link-texts.ts';

/**
 * Finds the balance chain of a phone number.
 * @throws NoSuch if no text has reported a balance, PublicError if the caller must specify the network.
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
  if (!chain) throw new NoSuch('wallet', `No text has reported a balance for the wallet ${momoNumber} yet.`);
  if (others.length > 0) {
    const networks = found.map((one) => one.network).join(' and ');
    throw new PublicError('invalid_request', `${momoNumber} has wallets on ${networks}. Specify the network.`);
  }
  return chain;
}

export async function requireChain(outside: TableOutside, wallet: Wallet): Promise<Chain> {
  const chain = await chainRows.find(outside, wallet);
  if (chain) return chain;
  throw new NoSuch('wallet', `No text has reported a balance for the wallet ${wallet.momo_number} yet.`);
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
 * Returns the chain in the given mode. Switching to `enforce` resets the count of failed texts.
 * @throws PublicError if the chain cannot be enforced yet.
 */
export function inMode(outside: Clock, chain: Chain, mode: ProveMode): Chain {
  if (mode === 'observe') return { ...chain, mode };
  refuseToEnforce(chain);
  return { ...chain, mode, established_ms: outside.now(), failed_ms: undefined };
}

function refuseToEnforce(chain: Chain): void {
  const { network, links, outgoing_links, momo_number } = chain;
  if (!networks[network].mayEnforce) {
    const others = Network.options.filter((one) => networks[one].mayEnforce).join(' and ');
    throw new PublicError(
      'invalid_request',
      `The chain of ${momo_number} can only be observed: we have too few ${network} texts to show that their balances form a chain. Only chains on ${others} can be enforced.`,
    );
  }
  if (isEstablished(chain)) return;
  throw new PublicError(
    'invalid_request',
    `The chain of ${momo_number} is not established yet: it has ${links} of the ${ESTABLISHED.links} links it needs, and ${outgoing_links} of the ${ESTABLISHED.outgoing} links for money sent out. It also needs ${ESTABLISHED.days} days without contradictory texts. Keep it in observe mode until then.`,
  );
}

/**
 * Returns the only merchant with this wallet, or undefined. No merchant may see a shared wallet's balance.
 */
export async function soleMerchantOf(outside: TableOutside, { network, momo_number }: Wallet) {
  const [account, ...others] = await accountRows.list(outside, { number: momo_number });
  return account?.network === network && others.length === 0 ? account.merchant_id : undefined;
}
