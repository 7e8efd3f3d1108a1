import type { Network } from '../../ghana/network.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { getChain, listChains, type Wallet } from './chain.table.ts';
import type { Chain } from './chain.ts';

/**
 * The chain of a MoMo number, on a network where its texts came from more than one.
 * @throws NoSuch where no text of it has told a balance, PublicError where the network must be named.
 */
export async function findWallet(
  outside: Pick<Outside, 'table'>,
  momoNumber: string,
  network: Network | undefined,
): Promise<Chain> {
  const found = (await listChains(outside)).filter(
    (chain) => chain.momo_number === momoNumber && (network === undefined || chain.network === network),
  );
  const [chain, ...others] = found;
  if (!chain) throw new NoSuch('wallet', `No text of a wallet ${momoNumber} has told a balance yet.`);
  if (others.length > 0) {
    const networks = found.map((one) => one.network).join(' and ');
    throw new PublicError('invalid_request', `${momoNumber} has wallets on ${networks}: name the network.`);
  }
  return chain;
}

/** The chain of a wallet as it is now. @throws NoSuch where no text of it has told a balance. */
export async function requireChain(outside: Pick<Outside, 'table'>, wallet: Wallet): Promise<Chain> {
  const chain = await getChain(outside, wallet);
  if (chain) return chain;
  throw new NoSuch('wallet', `No text of the wallet ${wallet.momo_number} has told a balance yet.`);
}
