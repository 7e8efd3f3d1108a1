import { closePhoneEvent, getPhoneEvent, PhoneEventJob } from '../../shared/gateway/phone-event.table.ts';
import { settleReceipt } from '../../shared/receipt/settle-receipt.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { rememberedSenders } from '../../shared/sender/sender.table.ts';
import { manifest } from '../manifest.ts';

/** Settles what arrived at the phones: receipts find their charges. */
export const handler = queue(manifest['work/settle-receipt'], PhoneEventJob, async (job, _delivery, outside) => {
  const phoneEvent = await getPhoneEvent(outside, job);
  if (!phoneEvent) throw new Error(`The phone event ${job.event_id} is not kept`);
  await settleReceipt(outside, phoneEvent, await rememberedSenders(outside));
  await closePhoneEvent(outside, job);
});
