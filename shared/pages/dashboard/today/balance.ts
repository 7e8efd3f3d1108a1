import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { chainRows, listWaiting, type Wallet } from '../../../wallets/chain/chain.table.ts';
import { soleMerchantOf } from '../../../wallets/chain/change-chain.ts';
import { whyAsked } from '../../../wallets/chain/question.ts';
import { CLOSING, merchantWalletAddress } from '../parts/addresses.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { type BalanceForm, balanceForm, nameBalance } from '../settings/name-balance.ts';

export const BALANCE = '/balance/{network}/{number}';

type OfWallet<Form = undefined> = MerchantVisit<'network' | 'number', Form>;

export async function askBalance(visit: OfWallet, outside: Outside): Promise<Shown> {
  const wallet = await ownWalletOf(visit, outside);
  const chain = await chainRows.find(outside, wallet);
  const waiting = chain ? await listWaiting(outside, wallet) : [];
  const why = chain ? whyAsked(chain, waiting, outside.now()) : 'first look';
  return { title: `Your ${wallet.network} wallet`, main: balanceForm(visit, wallet, BALANCE, why) };
}

export async function setBalance(visit: OfWallet<typeof BalanceForm>, outside: Outside): Promise<Going> {
  const wallet = await ownWalletOf(visit, outside);
  const goTo = visit.form.from === 'closing' ? CLOSING : merchantWalletAddress(wallet.momo_number);
  return nameBalance(visit, outside, wallet, goTo);
}

/** @throws PublicError `not_found` unless only this merchant uses the wallet. */
async function ownWalletOf({ path, merchant }: Pick<OfWallet, 'path' | 'merchant'>, outside: Outside): Promise<Wallet> {
  const account = merchant.momo_accounts.find(
    ({ network, number }) => network === path.network && number === `+${path.number}`,
  );
  const wallet = account && { network: account.network, momo_number: account.number };
  if (!wallet || (await soleMerchantOf(outside, wallet)) !== merchant.merchant_id)
    throw new PublicError('not_found', 'This wallet is not yours, or is shared with other shops.');
  return wallet;
}
