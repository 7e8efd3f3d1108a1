import { ghsOf } from '../../ghana/money.ts';
import type { Merchant, MomoAccount } from '../../merchants/merchant/merchant.ts';
import { listPhones } from '../../phones/gateway/phone.table.ts';
import { isSilent } from '../../phones/sender/phone-silence.ts';
import { isoOf, type TimedOutside } from '../../runtime/outside/outside.ts';
import { chainRows } from '../../wallets/chain/chain.table.ts';
import { type Chain, headOf } from '../../wallets/chain/chain.ts';
import { soleMerchantOf } from '../../wallets/chain/change-chain.ts';
import { hearingOf } from '../../wallets/wallet/hearing.table.ts';
import { nearLimit } from '../../wallets/wallet/record-wallet-notices.ts';
import type { WalletResponse } from '../../wallets/wallet/responses.ts';

/**
 * Lists a merchant's payment numbers and their status, in the order shown to customers. Never includes balances of
 * shared numbers.
 */
export async function listMerchantWallets(
  outside: TimedOutside,
  { momo_accounts }: Pick<Merchant, 'momo_accounts'>,
  seesBalances: boolean,
): Promise<WalletResponse[]> {
  const wallets = momo_accounts.map(({ network, number }) => ({ network, momo_number: number }));
  const numbers = wallets.map(({ momo_number }) => momo_number);
  const [chains, heard, owners] = await Promise.all([
    chainRows.findMany(outside, wallets),
    heardOf(outside, numbers),
    Promise.all(wallets.map((wallet) => soleMerchantOf(outside, wallet))),
  ]);
  return momo_accounts.map((account, n) => {
    const { network, number, account_name } = account;
    const own = chains.find((chain) => chain.network === network && chain.momo_number === number);
    const chain = owners[n] === undefined ? undefined : own;
    return {
      network,
      number,
      account_name,
      last_text_at: heard[n]?.textAt ?? null,
      phone_silent: heard[n]?.textAt === undefined ? null : heard[n].isSilent,
      near_limit: chain ? nearLimitOf(chain, account) : null,
      balance: chain && seesBalances ? ghsOf(headOf(chain).balance) : null,
    };
  });
}

export interface Heard {
  readonly textAt: string | undefined;
  /** Last contact with the number's phone (ISO), and whether the phone has been silent for too long. */
  readonly phoneAt: string | undefined;
  readonly isSilent: boolean;
}

/** Returns the last contact with each wallet's phone, in the order of `numbers`. Takes two reads in total. */
export async function heardOf(outside: TimedOutside, numbers: readonly string[]): Promise<Heard[]> {
  const [hearings, { phones, pingsSinceMs }] = await Promise.all([hearingOf(outside, numbers), listPhones(outside)]);
  return hearings.map(({ phones: [last] }) => {
    if (!last) return { textAt: undefined, phoneAt: undefined, isSilent: false };
    const phone = phones.find((one) => one.gateway === last.gateway && one.device_id === last.device_id);
    return {
      textAt: last.heard_at,
      phoneAt: phone && isoOf(phone.heard_ms),
      isSilent: isSilent(outside, { in_use_since: last.heard_at }, phone, pingsSinceMs.get(last.gateway)),
    };
  });
}

function nearLimitOf(chain: Chain, { balance_limit_pesewas }: MomoAccount): number | null {
  const near = nearLimit(headOf(chain).balance, balance_limit_pesewas);
  return near ? ghsOf(near.limit_pesewas) : null;
}
