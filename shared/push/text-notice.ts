import { merchantRows } from '../merchants/merchant/merchant.table.ts';
import type { Device } from '../merchants/user/device.table.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { hasCode } from '../runtime/values/errors.ts';
import { fitName } from '../texts/sms/segments.ts';
import { acceptSend, REFUSED_FOR_GOOD } from '../texts/sms/send.ts';
import { countTextOfToday } from './notice-text.table.ts';
import type { Words } from './words.ts';

/** A device that is a phone number instead of a browser. */
export type Texted = Device & { readonly to: string };

/** Texts an owner a notification, once. Costs the shop one credit. */
export async function textNotice(
  outside: WorkerOutside,
  device: Texted,
  noticeId: string,
  words: Words,
): Promise<void> {
  const { merchant_id, to } = device;
  const merchant = await merchantRows.find(outside, { merchant_id });
  if (!merchant) return;
  const message = fitName(
    merchant.name,
    { orElse: 'Your shop', maxSegments: 1 },
    (shop) => `${shop}: ${words.title}. ${words.body}`,
  );
  try {
    const { writes } = await acceptSend(outside, merchant, { to: [to], message, from: 'random' });
    await outside.table.write([...countTextOfToday(outside, device, noticeId), ...writes]);
  } catch (error) {
    if (!hasCode(error, ...REFUSED_FOR_GOOD)) throw error;
    outside.log.warn('notice_not_texted', { merchant_id, code: error.code });
  }
}
