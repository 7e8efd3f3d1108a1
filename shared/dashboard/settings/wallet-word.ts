import * as z from 'zod/mini';
import { audited } from '../../audit/audited.ts';
import type { Wallet } from '../../chain/chain.table.ts';
import { denyWallet } from '../../chain/confirm-wallet.ts';
import { shownAmount } from '../../ghana/money.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { takeOwnersWord } from '../../wallet/take-owners-word.ts';
import type { Going, MerchantVisit } from '../visit.ts';
import { AmountFromZero } from './amount-from-zero.ts';
import { hintOf } from './audited-difference.ts';
import { walletOf } from './wallet.ts';
import { SHARED_WALLET, walletAddress } from './wallet-parts.ts';

/** The balance that the question was about, in pesewas. */
export const WordForm = z.object({ balance: AmountFromZero });

type WordVisit = MerchantVisit<'number', z.infer<typeof WordForm>>;

/** The owner's word that the wallet holds so much. @throws PublicError where no text that waits leads there. */
export async function confirmBalance(visit: WordVisit, outside: Outside): Promise<Going> {
  const { balance } = visit.form;
  const wallet = await ownWallet(visit, outside);
  await takeOwnersWord(noted(visit, outside, wallet, 'wallet confirm'), wallet, balance);
  const notice = `Your word is taken: GHS ${shownAmount(balance)}. What that proves is decided in a moment.`;
  return visit.commit([], { goTo: walletAddress(wallet.momo_number), notice });
}

/** The owner's word that it never held so much. @throws PublicError where no text says so. */
export async function denyBalance(visit: WordVisit, outside: Outside): Promise<Going> {
  const { balance } = visit.form;
  const wallet = await ownWallet(visit, outside);
  const forged = await denyWallet(noted(visit, outside, wallet, 'wallet deny'), wallet, balance);
  if (forged === 0) {
    const message = `No text that waits says GHS ${shownAmount(balance)} any more. Nothing was changed.`;
    throw new PublicError('invalid_request', message);
  }
  const notice = `Your word is taken: ${forged === 1 ? 'one text counts' : `${forged} texts count`} as forged.`;
  return visit.commit([], { goTo: walletAddress(wallet.momo_number), notice });
}

/** @throws PublicError `not_found`, or `forbidden` for a wallet that several merchants share. */
async function ownWallet(visit: WordVisit, outside: Outside): Promise<Wallet> {
  const { wallet, isOwn } = await walletOf(visit, outside);
  if (!isOwn) throw new PublicError('forbidden', SHARED_WALLET);
  return wallet;
}

/** The audit has no balance: those who may read it are more than those who may know what a wallet holds. */
function noted({ merchant, user }: WordVisit, outside: Outside, { network, momo_number }: Wallet, action: string) {
  const about = `${network} ${hintOf(momo_number)}`;
  return audited(outside, () => ({ merchant_id: merchant.merchant_id, by: user.user_id, action, about }));
}
