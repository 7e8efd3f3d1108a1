import { differenceOf } from '../chain/branches.ts';
import { listGaps, type Wallet } from '../chain/chain.table.ts';
import { confirmWallet, type OwnersWord } from '../chain/confirm-wallet.ts';
import { requireChain } from '../chain/find-wallet.ts';
import { shownAmount } from '../ghana/money.ts';
import { listAccountsOfNumber } from '../merchant/merchant.table.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { chargesOver, wasAskedFor } from './explain-gap.ts';
import { keepMissedPayment, NOTICE_KEPT_SECONDS } from './wallet-notice.table.ts';

/**
 * Takes the owner's word about what a wallet holds, and tells its merchant of the money that came in without a text, as is certain then.
 * Taking the same word again changes nothing, and completes what a crash interrupted.
 */
export async function takeOwnersWord(
  outside: Pick<Outside, 'table' | 'now' | 'sleep' | 'randomBytes'>,
  wallet: Wallet,
  balancePesewas: number,
): Promise<OwnersWord> {
  const word = await confirmWallet(outside, wallet, balancePesewas);
  await tellMissed(outside, wallet);
  return word;
}

/** Where the owner denies a balance that no text tells. */
export function nothingSaysSo(number: string, balancePesewas: number): string {
  return `No text that waits says that ${number} held GHS ${shownAmount(balancePesewas)}.`;
}

async function tellMissed(outside: Pick<Outside, 'table' | 'now'>, wallet: Wallet): Promise<void> {
  const chain = await requireChain(outside, wallet);
  // What is older was told, and forgotten again.
  const sinceMs = outside.now() - NOTICE_KEPT_SECONDS * 1000;
  const missed = (await listGaps(outside, wallet)).filter((gap) => differenceOf(gap) > 0 && gap.to.at_ms > sinceMs);
  if (missed.length === 0) return;
  const [account, ...others] = await listAccountsOfNumber(outside, wallet.momo_number);
  const isOwn = account?.network === wallet.network && others.length === 0;
  for (const gap of missed) {
    const [from, to] = [gap.from, gap.to].map(({ at_ms }) => new Date(at_ms).toISOString());
    if (!from || !to) continue;
    await outside.table.write([
      keepMissedPayment(outside, {
        kind: 'payment_missed',
        network: wallet.network,
        momo_number: wallet.momo_number,
        merchant_id: isOwn ? account.merchant_id : undefined,
        amount_pesewas: differenceOf(gap),
        ...{ from, to, received_at: to },
        phone_asked: wasAskedFor(outside, chain, gap),
        references: await chargesOver(outside, chain, gap),
      }),
    ]);
  }
}
