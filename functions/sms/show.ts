import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { getSendAndMessage } from '../../shared/texts/sms/message.table.ts';
import { parseMessageId } from '../../shared/texts/sms/message-id.ts';
import { presentMessage } from '../../shared/texts/sms/present-message.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(manifest['sms/show'], {}, async ({ merchant, path }, outside) => {
  const place = parseMessageId(path.id);
  const found = place && (await getSendAndMessage(outside, place.sendId, place.index));
  if (!found || found.send.merchant_id !== merchant.merchant_id || found.send.to[place.index] === undefined) {
    throw new PublicError(
      'not_found',
      'You have no text with this id. Use one of the ids that POST /api/v1/sms/send returned.',
    );
  }
  return ok('SMS found', presentMessage(found.send, place.index, found.message));
});
