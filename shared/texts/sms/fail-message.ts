import type { Outside } from '../../runtime/outside/outside.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { refundCredits } from '../credits/credits.table.ts';
import { moveMessage, type SendOfMessage } from './message.table.ts';
import { messageId } from './message-id.ts';

/**
 * Fails a text and refunds its credit; the operator's own texts and tests cost none. State and refund change together and a final state
 * never changes, so a text is refunded once, however often it fails. With `device`, only the phone that sends it may fail it.
 */
export async function failMessage(
  outside: Outside,
  send: SendOfMessage,
  index: number,
  reason: string,
  device?: string,
): Promise<void> {
  const { send_id, merchant_id } = send;
  const refund = {
    entry_id: newUlid(outside),
    credits: 1,
    reason: 'refund' as const,
    message_id: messageId(send_id, index),
    created_at: new Date(outside.now()).toISOString(),
  };
  await outside.table.write([
    moveMessage(outside, send, index, 'failed', { set: { failure_reason: reason }, device }),
    ...(merchant_id ? refundCredits(merchant_id, refund) : []),
  ]);
}
