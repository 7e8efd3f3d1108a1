import { SegmentedMessage } from 'sms-segments-calculator';
import { metadataValue } from '../runtime/metadata.ts';
import type { Message } from './message.table.ts';
import { messageId } from './message-id.ts';
import type { Send } from './send.table.ts';

/** One send of the log, with the state of each of its texts. */
export function presentSendAndMessages({ send, messages }: { send: Send; messages: readonly Message[] }) {
  return {
    id: send.send_id,
    from: send.from,
    to: send.to,
    message: send.message,
    metadata: metadataValue(send.metadata),
    ...size(send.message),
    count: send.to.length,
    created_at: send.created_at,
    messages: messages.map(({ index, state }) => ({
      id: messageId(send.send_id, index),
      to: send.to[index],
      status: state,
    })),
  };
}

/** One message of the log, as `GET /api/v1/sms/{id}` shows it. */
export function presentMessage(send: Send, index: number, message: Message) {
  const id = messageId(send.send_id, index);
  return {
    id,
    send_id: send.send_id,
    to: send.to[index],
    from: send.from,
    status: message.state,
    gateway_message_id: id,
    message: send.message,
    metadata: metadataValue(send.metadata),
    ...size(send.message),
    created_at: send.created_at,
    sending_at: message.sending_at ?? null,
    sent_at: message.sent_at ?? null,
    delivered_at: message.delivered_at ?? null,
    failed_at: message.failed_at ?? null,
    failure_reason: message.failure_reason ?? null,
  };
}

/** How many SMS a text takes on the air, and in which alphabet. */
function size(text: string): { segments: number; encoding: string } {
  const { segmentsCount, encodingName } = new SegmentedMessage(text);
  return { segments: segmentsCount, encoding: encodingName };
}
