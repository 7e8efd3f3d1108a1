import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import type { Chain } from '../../../wallets/chain/chain.ts';
import { requireChain, soleMerchantOf } from '../../../wallets/chain/change-chain.ts';
import { HOME } from '../parts/addresses.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { askForAnswer, type BalanceForm, confirmAnswer, denyAnswer } from '../settings/owners-word.ts';

export const BALANCE = '/balance/{network}/{number}';

type OfWallet<Form = undefined> = MerchantVisit<'network' | 'number', Form>;
type Answered = OfWallet<typeof BalanceForm>;

export async function askBalance(visit: OfWallet, outside: Outside): Promise<Shown> {
  const chain = await ownChainOf(visit, outside);
  return {
    title: `Your ${chain.network} wallet`,
    main: await askForAnswer(visit, outside, chain, { page: BALANCE, later: HOME }),
  };
}

export function confirmBalance(isNamed: boolean) {
  return async (visit: Answered, outside: Outside): Promise<Going> =>
    confirmAnswer(visit, outside, await ownChainOf(visit, outside), { goTo: HOME, isNamed });
}

export async function denyBalance(visit: Answered, outside: Outside): Promise<Going> {
  return denyAnswer(visit, outside, await ownChainOf(visit, outside), HOME);
}

/**
 * @throws PublicError `not_found` unless only this merchant uses the wallet.
 * @throws NoSuch before the first receipt.
 */
async function ownChainOf({ path, merchant }: Pick<OfWallet, 'path' | 'merchant'>, outside: Outside): Promise<Chain> {
  const account = merchant.momo_accounts.find(
    ({ network, number }) => network === path.network && number === `+${path.number}`,
  );
  const wallet = account && { network: account.network, momo_number: account.number };
  if (!wallet || (await soleMerchantOf(outside, wallet)) !== merchant.merchant_id)
    throw new PublicError('not_found', 'This wallet is not yours, or is shared with other shops.');
  return requireChain(outside, wallet);
}
