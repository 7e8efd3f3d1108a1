import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTwin, retentionOf } from '../../merchants/merchant/twin.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { messageId, newSendId } from './message-id.ts';
import type { SendResponse } from './responses.ts';
import { MAX_SAFE_SEGMENTS, sizeOf } from './segments.ts';
import type { Send } from './send.table.ts';
import type { SendRequest } from './send-request.ts';

/** When housekeeping first asks what became of a send's texts: half of those that leave at once are delivered in 8 seconds. */
const FIRST_CHECK_MS = 10 * 1000;

/** A new send from the number `from`, not yet written; without a merchant it is the operator's own. */
export function newSend(
  outside: Pick<Outside, 'now' | 'randomBytes' | 'retentionDays'>,
  merchant: Pick<Merchant, 'merchant_id'> | undefined,
  request: SendRequest,
  from: string,
): Send {
  const nowMs = outside.now();
  const created_at = new Date(nowMs).toISOString();
  return {
    send_id: newSendId(nowMs, outside.randomBytes),
    merchant_id: merchant?.merchant_id,
    from,
    to: request.to,
    message: request.message,
    metadata: request.metadata,
    created_at,
    ...endOfRetention(retentionOf(outside, merchant?.merchant_id), created_at),
    next_check_at: new Date(nowMs + FIRST_CHECK_MS).toISOString(),
  };
}

/** The answer of `send`. The gateway uses our message ids, so the first one is known before the gateway is asked. */
export function presentSend(send: Send): SendResponse {
  const size = sizeOf(send.message);
  return {
    id: send.send_id,
    livemode: !isTwin(send.merchant_id),
    ids: send.to.map((_, index) => messageId(send.send_id, index)),
    to: send.to,
    from: send.from,
    status: 'pending',
    gateway_message_id: send.send_id,
    count: send.to.length,
    ...size,
    ...(size.segments > MAX_SAFE_SEGMENTS && {
      warning: `This text is split into ${size.segments} SMS. Phones may refuse more than ${MAX_SAFE_SEGMENTS}; if so, it fails and its credits are refunded.`,
    }),
  };
}
