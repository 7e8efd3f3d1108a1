import type { TimedOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { getSendAndMessages, type SendAndMessages } from '../sms/message.table.ts';
import { parseMessageId, partIds } from '../sms/message-id.ts';
import { sendRows } from '../sms/send.table.ts';

/**
 * Returns the sends of a merchant's bulk send, in order.
 * @throws PublicError `not_found`.
 */
export async function findBulk(outside: TimedOutside, merchantId: string, id: string): Promise<SendAndMessages[]> {
  const ids = await idsOfBulk(outside, merchantId, id);
  const found = await Promise.all(ids.map((sendId) => getSendAndMessages(outside, sendId)));
  return found.filter((one) => one !== undefined);
}

/** Returns the ids of the sends in a bulk send. @throws PublicError `not_found`. */
export async function idsOfBulk(outside: TimedOutside, merchantId: string, id: string): Promise<string[]> {
  const sendId = parseMessageId(id)?.sendId;
  const first = sendId === id.toLowerCase() ? await sendRows.find(outside, { send_id: sendId }) : undefined;
  if (first?.merchant_id !== merchantId || first.bulk?.id !== first.send_id)
    throw new PublicError(
      'not_found',
      'You have no bulk send with this id. Use the id that POST /api/v1/sms/bulk returned.',
    );
  return partIds(first.send_id, first.bulk.parts);
}
