import { shownMoney } from '../../ghana/money.ts';
import { type AuditEntry, audited, numberHint } from '../../merchants/audit/audit.table.ts';
import { isoOf, type RetryOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { differenceOf } from '../../wallets/chain/branches.ts';
import { listGaps, listWaiting, type Wallet } from '../../wallets/chain/chain.table.ts';
import { requireChain, soleMerchantOf } from '../../wallets/chain/change-chain.ts';
import { type ConfirmOutcome, confirmWallet, denyWallet } from '../../wallets/chain/confirm-wallet.ts';
import { keepOnce, NOTICE_KEPT_SECONDS } from '../../wallets/wallet/wallet-notice.table.ts';
import { chargesOver, wasAskedFor } from './explain-gap.ts';
import { suspectReversal } from './suspect-reversal.ts';

interface AnswerGiven {
  readonly by: string;
  /** True if the owner typed the balance instead of confirming it. */
  readonly isNamed?: boolean | undefined;
  readonly how?: How | undefined;
}

/**
 * Accepts a balance that the owner confirmed, and notifies the merchant of money that must have arrived without a text.
 * `by` and `how` go into the audit log. Idempotent.
 * @throws PublicError if no waiting text, or more than one, leads to the balance.
 */
export async function confirmByOwner(
  outside: RetryOutside,
  wallet: Wallet,
  balancePesewas: number,
  { by, isNamed = true, how }: AnswerGiven,
): Promise<ConfirmOutcome> {
  const [chain, waiting] = await Promise.all([requireChain(outside, wallet), listWaiting(outside, wallet)]);
  // Look for a reversal first. Once the balance is accepted, no text is waiting, so housekeeping would miss the fall.
  await suspectReversal(outside, chain, waiting, balancePesewas);
  const merchantId = await soleMerchantOf(outside, wallet);
  const noted = auditedAnswer(outside, wallet, { merchant_id: merchantId, by, action: 'wallet confirm' }, how);
  const outcome = await confirmWallet(noted, wallet, balancePesewas, isNamed);
  await tellMissed(outside, wallet, merchantId);
  return outcome;
}

/**
 * Accepts the owner's statement that a wallet never had this balance. Returns the number of texts that are therefore
 * forged. Idempotent.
 */
export async function denyByOwner(
  outside: RetryOutside,
  wallet: Wallet,
  balancePesewas: number,
  { by, how }: Omit<AnswerGiven, 'isNamed'>,
): Promise<number> {
  const merchant_id = await soleMerchantOf(outside, wallet);
  return denyWallet(
    auditedAnswer(outside, wallet, { merchant_id, by, action: 'wallet deny' }, how),
    wallet,
    balancePesewas,
  );
}

/** Channel of the owner's answer, for the audit log. Unset for the dashboard and the command line. */
type How = NonNullable<AuditEntry['after']>;

/** Builds an audit entry without the balance: managers can read the audit log but must not see balances. */
function auditedAnswer(
  outside: RetryOutside,
  { network, momo_number }: Wallet,
  entry: { readonly merchant_id: string | undefined; readonly by: string; readonly action: string },
  how?: How,
): RetryOutside {
  const about = `${network} ${numberHint(momo_number)}`;
  return audited(outside, () => ({ ...entry, about, ...(how && { after: how }) }));
}

export function noTextReports(number: string, balancePesewas: number): string {
  return `No waiting text reports a balance of ${shownMoney(balancePesewas)} for ${number}.`;
}

async function tellMissed(outside: TimedOutside, wallet: Wallet, merchantId: string | undefined): Promise<void> {
  const chain = await requireChain(outside, wallet);
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
