import { shownMoney } from '../../ghana/money.ts';
import { type AuditEntry, audited, numberHint } from '../../merchants/audit/audit.table.ts';
import { isoOf, type RetryOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { differenceOf } from '../../wallets/chain/branches.ts';
import { listGaps, listWaiting, type Wallet } from '../../wallets/chain/chain.table.ts';
import { requireChain, soleMerchantOf } from '../../wallets/chain/change-chain.ts';
import { confirmWallet, denyWallet, type OwnersWord } from '../../wallets/chain/confirm-wallet.ts';
import { keepOnce, NOTICE_KEPT_SECONDS } from '../../wallets/wallet/wallet-notice.table.ts';
import { chargesOver, wasAskedFor } from './explain-gap.ts';
import { suspectReversal } from './suspect-reversal.ts';

/** By whom the word was given, and how. */
interface WordGiven {
  /** For the audit. */
  readonly by: string;
  /** They named the balance, and did not only say yes to it. */
  readonly isNamed?: boolean | undefined;
  readonly how?: How | undefined;
}

/**
 * Takes the owner's word about what a wallet holds, and tells its merchant of the money that came in without a text, as is certain then.
 * Taking the same word again changes nothing, and completes what a crash interrupted. `by` says in the audit who gave it; `isNamed`, that
 * they named the balance and did not only say yes to it.
 *
 * @throws PublicError where no text that waits leads to the balance, or the word could mean two things.
 */
export async function confirmByOwner(
  outside: RetryOutside,
  wallet: Wallet,
  balancePesewas: number,
  { by, isNamed = true, how }: WordGiven,
): Promise<OwnersWord> {
  const [chain, waiting] = await Promise.all([requireChain(outside, wallet), listWaiting(outside, wallet)]);
  // With the word its texts wait no longer, and housekeeping would never see them fall.
  await suspectReversal(outside, chain, waiting, balancePesewas);
  const merchantId = await soleMerchantOf(outside, wallet);
  const noted = notedWord(outside, wallet, { merchant_id: merchantId, by, action: 'wallet confirm' }, how);
  const word = await confirmWallet(noted, wallet, balancePesewas, isNamed);
  await tellMissed(outside, wallet, merchantId);
  return word;
}

/** Takes the owner's word that a wallet never held so much. Gives how many texts are forged then; again, it changes nothing. */
export async function denyByOwner(
  outside: RetryOutside,
  wallet: Wallet,
  balancePesewas: number,
  { by, how }: Omit<WordGiven, 'isNamed'>,
): Promise<number> {
  const merchant_id = await soleMerchantOf(outside, wallet);
  return denyWallet(
    notedWord(outside, wallet, { merchant_id, by, action: 'wallet deny' }, how),
    wallet,
    balancePesewas,
  );
}

/** How the word was given, for the audit, where it was not at the dashboard or the command line. */
type How = NonNullable<AuditEntry['after']>;

/** The word is in the audit of the wallet's merchant, without the balance: managers may read the audit, and no balances. */
function notedWord(
  outside: RetryOutside,
  { network, momo_number }: Wallet,
  entry: { readonly merchant_id: string | undefined; readonly by: string; readonly action: string },
  how?: How,
): RetryOutside {
  const about = `${network} ${numberHint(momo_number)}`;
  return audited(outside, () => ({ ...entry, about, ...(how && { after: how }) }));
}

/** Where the owner denies a balance that no text states. */
export function nothingSaysSo(number: string, balancePesewas: number): string {
  return `No text that waits says that ${number} held ${shownMoney(balancePesewas)}.`;
}

async function tellMissed(outside: TimedOutside, wallet: Wallet, merchantId: string | undefined): Promise<void> {
  const chain = await requireChain(outside, wallet);
  // What is older was told, and forgotten again.
  const sinceMs = outside.now() - NOTICE_KEPT_SECONDS * 1000;
  const missed = (await listGaps(outside, wallet)).filter((gap) => differenceOf(gap) > 0 && gap.to.at_ms > sinceMs);
  if (missed.length === 0) return;
  for (const gap of missed) {
    const [from, to] = [gap.from, gap.to].map(({ at_ms }) => isoOf(at_ms));
    if (!from || !to) continue;
    await outside.table.write([
      keepOnce(outside, {
        kind: 'payment_missed',
        network: wallet.network,
        momo_number: wallet.momo_number,
        merchant_id: merchantId,
        amount_pesewas: differenceOf(gap),
        from,
        to,
        received_at: to,
        phone_asked: wasAskedFor(outside, chain, gap),
        references: await chargesOver(outside, chain, gap),
      }),
    ]);
  }
}
