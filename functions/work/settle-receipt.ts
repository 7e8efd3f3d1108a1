import * as z from 'zod/mini';
import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { doubtClock } from '../../shared/money/receipt/doubt-clock.ts';
import { linkBatch } from '../../shared/money/receipt/link-batch.ts';
import { CHECKED_AFTER_SECONDS, ProofJob, proofJob, settleAgain } from '../../shared/money/receipt/settle-again.ts';
import { settleReceipt } from '../../shared/money/receipt/settle-receipt.ts';
import { settledTextOf } from '../../shared/money/receipt/settled-text.ts';
import { walletTextOf } from '../../shared/money/receipt/wallet-text-of.ts';
import { closeRefundByText } from '../../shared/money/refund/close-by-text.ts';
import { closePhoneEvent, getPhoneEvent, PhoneEventJob } from '../../shared/phones/gateway/phone-event.table.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { checkText } from '../../shared/wallets/chain/check-text.ts';
import { linkTexts } from '../../shared/wallets/chain/link-texts.ts';
import { notePush } from '../../shared/wallets/chain/note-push.ts';
import type { Proof } from '../../shared/wallets/chain/proof.ts';
import { hearWallet } from '../../shared/wallets/wallet/hear-wallet.ts';
import { noticeWallet } from '../../shared/wallets/wallet/notice-wallet.ts';
import { sendersForText } from '../../shared/wallets/wallet/paid-number.ts';
import { noteReading } from '../../shared/wallets/wallet/watch-readings.ts';
import { manifest } from '../manifest.ts';

const SettleJob = z.union([PhoneEventJob, ProofJob]);

/**
 * Settles what arrived at the phones: texts prove each other, receipts find their charges, and wallets at their limits are noticed. A
 * payment whose proof has changed since is decided about again.
 */
export const handler = queue(
  manifest['work/settle-receipt'],
  SettleJob,
  (job, _delivery, outside) => ('receipt_id' in job ? settleAgain(outside, job) : settleText(outside, job)),
  // In any order they would wait for each other.
  {
    first: (jobs, outside) =>
      linkBatch(
        outside,
        jobs.flatMap((job) => ('receipt_id' in job ? [] : [job])),
      ),
  },
);

/** Whether what is known about a payment may be more in two minutes. */
function mayChange({ state, why }: Proof): boolean {
  return state !== 'proven' && why !== 'no_balance' && why !== 'not_established';
}

async function settleText(outside: WorkerOutside, job: PhoneEventJob): Promise<void> {
  const phoneEvent = await getPhoneEvent(outside, job);
  if (!phoneEvent) throw new Error(`The phone event ${job.event_id} is not kept`);
  // Handed out again: it is settled, and its words are forgotten.
  if (phoneEvent.settled) return;
  const senders = await sendersForText(outside, phoneEvent);
  const { sender, message } = phoneEvent.event.payload;
  const reading = readWalletText(sender, message);
  const text = walletTextOf(phoneEvent, reading, senders);
  if (text?.movement) await linkTexts(outside, text.wallet, [text.movement]);
  if (text?.push) await notePush(outside, text.wallet, text.push);
  const seen = text && (await checkText(outside, text.wallet, text.movement, text.why));
  const checked = seen && (await doubtClock(outside, text, reading, seen));
  const { receipt_id } = text?.movement ?? {};
  if (receipt_id && checked && mayChange(checked.proof)) {
    // Before: the text may be proven while the payment is held for want of that.
    await outside.queues.send('settle-receipt', [proofJob(receipt_id, CHECKED_AFTER_SECONDS)]);
  }
  const notShown = await settleReceipt(outside, phoneEvent, reading, senders, checked);
  if (notShown) await outside.queues.send('settle-receipt', [proofJob(notShown, CHECKED_AFTER_SECONDS)]);
  await closeRefundByText(outside, phoneEvent, reading, senders, checked);
  await noticeWallet(outside, phoneEvent, reading, senders);
  // These two for the operator alone: they must not keep a payment from being settled.
  await noteReading(outside, phoneEvent, reading, senders).catch((error) =>
    outside.log.warn('outcome_not_noted', { error }),
  );
  await hearWallet(outside, phoneEvent, senders).catch((error) => outside.log.warn('wallet_not_noted', { error }));
  await closePhoneEvent(outside, job, phoneEvent, settledTextOf(reading));
}
