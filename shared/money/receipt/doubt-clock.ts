import { createHash } from 'node:crypto';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { changeChain } from '../../wallets/chain/change-chain.ts';
import { type Checked, checkText } from '../../wallets/chain/check-text.ts';
import { type Stray, withStray } from '../../wallets/chain/clock-doubt.ts';
import { FEW_WAITING, linkTexts } from '../../wallets/chain/link-texts.ts';
import { proofJob } from './settle-again.ts';
import type { WalletText } from './wallet-text-of.ts';

/**
 * Notes a payment whose id the wallet's clock did not expect. Where that makes the clock doubted, its series is linked and checked anew,
 * and those that were held before it are decided again. Doing it again changes nothing more.
 */
export async function doubtClock(
  outside: WorkerOutside,
  { wallet, movement }: WalletText,
  reading: Reading,
  checked: Checked,
): Promise<Checked> {
  if (checked.proof.why !== 'clock_odd' || reading.kind !== 'payment' || !movement?.receipt_id) return checked;
  const { id, at_ms, receipt_id } = movement;
  const who = `${reading.payerName} ${reading.payerPhone ?? ''}`.toLowerCase();
  const payer = createHash('sha256').update(who).digest('hex').slice(0, 16);
  let before: readonly Stray[] = [];
  await changeChain(outside, wallet, ({ strays = [] }) => {
    before = strays;
    const after = withStray(strays, { id, at_ms, receipt_id, payer });
    return after && { strays: after };
  });
  await linkTexts(outside, wallet, [], FEW_WAITING);
  const again = await checkText(outside, wallet, movement);
  if (again.proof.why === 'clock_odd') return again;
  // Without the wallet's number, which is in no log.
  outside.log.warn('clock_doubted', { network: wallet.network });
  await outside.queues.send(
    'settle-receipt',
    before.map((stray) => proofJob(stray.receipt_id)),
  );
  return again;
}
