import { listAccountsOfNumber } from '../../merchants/merchant/merchant.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Wallet } from '../chain/chain.table.ts';

/**
 * The id of the merchant that owns a wallet; undefined where nobody is paid on it, or several are: of a shared wallet none of them may
 * know what is in it, or answer for it.
 */
export async function soleMerchantOf(
  outside: Pick<Outside, 'table'>,
  { network, momo_number }: Wallet,
): Promise<string | undefined> {
  const [account, ...others] = await listAccountsOfNumber(outside, momo_number);
  return account?.network === network && others.length === 0 ? account.merchant_id : undefined;
}
