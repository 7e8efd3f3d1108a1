import { type AuditEntry, audited, numberHint } from '../../merchants/audit/audit.table.ts';
import { tellOwners } from '../../merchants/merchant/money-change.table.ts';
import { type IdOutside, isoOf, type RetryOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { differenceOf } from '../../wallets/chain/branches.ts';
import { chainRows, listGaps, listWaiting, type Wallet } from '../../wallets/chain/chain.table.ts';
import { requireChain, soleMerchantOf } from '../../wallets/chain/change-chain.ts';
import { type Naming, nameBalance } from '../../wallets/chain/name-balance.ts';
import { keepOnce, NOTICE_KEPT_SECONDS } from '../../wallets/wallet/wallet-notice.table.ts';
import { chargesOver, wasAskedFor } from './explain-gap.ts';
import { suspectReversal } from './suspect-reversal.ts';

interface NamedBy {
  /** User id, or the command line. */
  readonly by: string;
  /** For a shared number: the person who told the operator the balance, and the time (ISO). */
  readonly toldBy?: NonNullable<AuditEntry['after']>;
}

/**
 * Records the balance (in pesewas) that an owner named. Tells the other owners, and notifies the merchant of money that
 * must have arrived without a text. `by` and `toldBy` go into the audit log. Idempotent.
 * @throws PublicError if the network's texts state no balance.
 */
export async function nameByOwner(
  outside: RetryOutside & IdOutside,
  wallet: Wallet,
  balancePesewas: number,
  { by, toldBy }: NamedBy,
): Promise<Naming> {
  const chain = await chainRows.find(outside, wallet);
  // Look for a reversal first. Once the balance is accepted, no text is waiting, so housekeeping would miss the fall.
  if (chain) await suspectReversal(outside, chain, await listWaiting(outside, wallet), balancePesewas);
  const merchantId = await soleMerchantOf(outside, wallet);
  const { network, momo_number } = wallet;
  // No balance: managers can read the audit log but must not see balances.
  const about = `${network} ${numberHint(momo_number)}`;
  const entry = { merchant_id: merchantId, by, action: 'wallet balance', about, ...(toldBy && { after: toldBy }) };
  const naming = await nameBalance(
    audited(outside, () => entry),
    wallet,
    balancePesewas,
  );
  if (merchantId !== undefined)
    await outside.table.write(
      tellOwners(outside, merchantId, [{ kind: 'balance', network, number: momo_number, outcome: naming.outcome }], {
        by,
      }),
    );
  await tellMissed(outside, wallet, merchantId);
  return naming;
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
