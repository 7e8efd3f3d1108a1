import { closePhoneEvent, getPhoneEvent, PhoneEventJob } from '../../shared/gateway/phone-event.table.ts';
import { settleReceipt } from '../../shared/receipt/settle-receipt.ts';
import { settledTextOf } from '../../shared/receipt/settled-text.ts';
import { closeRefundByText } from '../../shared/refund/close-by-text.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { rememberedSenders } from '../../shared/sender/sender.table.ts';
import { hearWallet } from '../../shared/wallet/hear-wallet.ts';
import { noticeWallet } from '../../shared/wallet/notice-wallet.ts';
import { noteReading } from '../../shared/wallet/watch-readings.ts';
import { readWalletText } from '../../shared/wallet-text/read-wallet-text.ts';
import { manifest } from '../manifest.ts';

/** Settles what arrived at the phones: receipts find their charges, and wallets at their limits are noticed. */
export const handler = queue(manifest['work/settle-receipt'], PhoneEventJob, async (job, _delivery, outside) => {
  const phoneEvent = await getPhoneEvent(outside, job);
  if (!phoneEvent) throw new Error(`The phone event ${job.event_id} is not kept`);
  // Handed out again: it is settled, and its words are forgotten.
  if (phoneEvent.settled) return;
  const senders = await rememberedSenders(outside);
  const { sender, message } = phoneEvent.event.payload;
  const reading = readWalletText(sender, message);
  await settleReceipt(outside, phoneEvent, reading, senders);
  await closeRefundByText(outside, phoneEvent, reading, senders);
  await noticeWallet(outside, phoneEvent, reading, senders);
  // These two for the operator alone: they must not keep a payment from being settled.
  await noteReading(outside, phoneEvent, reading, senders).catch((error) =>
    outside.log.warn('outcome_not_noted', { error }),
  );
  await hearWallet(outside, phoneEvent, senders).catch((error) => outside.log.warn('wallet_not_noted', { error }));
  await closePhoneEvent(outside, job, phoneEvent, settledTextOf(reading));
});
