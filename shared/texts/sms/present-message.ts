import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { metadataValue } from '../../runtime/values/metadata.ts';
import { type Message, type SendAndMessages, senderOf } from './message.table.ts';
import { messageId } from './message-id.ts';
import { sizeOfSend, textTo } from './personal-text.ts';
import type { MessageResponse, SendAndMessagesResponse } from './responses.ts';
import { sizeOf } from './segments.ts';
import type { Send } from './send.table.ts';

export function presentSendAndMessages({ send, messages }: SendAndMessages): SendAndMessagesResponse {
  return {
    id: send.send_id,
    livemode: !isTestAccount(send.merchant_id),
    from: send.from,
    to: send.to,
    message: shownWords(send, send.message),
    purpose: send.category ?? 'transactional',
    metadata: metadataValue(send.metadata),
    ...sizeOfSend(send),
    count: send.to.length,
    created_at: send.created_at,
    ...timesOf(send),
    messages: messages.map(({ index, state }) => ({
      id: messageId(send.send_id, index),
      to: recipientOf(send, index),
      status: state,
    })),
  };
}

export function presentMessage(send: Send, index: number, message: Message): MessageResponse {
  const id = messageId(send.send_id, index);
  const text = textTo(send, index);
  return {
    id,
    livemode: !isTestAccount(send.merchant_id),
    send_id: send.send_id,
    to: recipientOf(send, index),
    from: senderOf(send, message),
    status: message.state,
    gateway_message_id: id,
    message: shownWords(send, text),
    purpose: send.category ?? 'transactional',
    metadata: metadataValue(send.metadata),
    ...sizeOf(text),
    created_at: send.created_at,
    ...timesOf(send),
    sending_at: message.sending_at ?? null,
    sent_at: message.sent_at ?? null,
    delivered_at: message.delivered_at ?? null,
    failed_at: message.failed_at ?? null,
    cancelled_at: message.cancelled_at ?? null,
    expired_at: message.expired_at ?? null,
    failure_reason: message.failure_reason ?? null,
  };
}

/** Masks a text that contains a charge's id, reference or URL. `sms` keys must not reveal charges. */
function shownWords({ reference, request }: Send, words: string): string {
  return reference === undefined && request === undefined ? words : '********';
}

function timesOf({ send_at, useless_at }: Send) {
  return { send_at: send_at ?? null, expires_at: useless_at ?? null };
}

function recipientOf({ send_id, to }: Send, index: number): string {
  const number = to[index];
  if (number === undefined) throw new Error(`The send ${send_id} has no recipient ${index}`);
  return number;
}
