import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, ReturnedMetadata, time, timeOrNull, uuid } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { purposes } from './send-request.ts';
import { messageStates } from './states.ts';

const MessageId = uuid('The id of one text to one number.');

const Sender = phoneNumber('The text’s sender.');

const Size = {
  segments: described(
    z.int(),
    'The number of SMS that the text needs, at most 8 (1,224 characters in GSM-7 or 536 in UCS-2).',
    { examples: [1] },
  ),
  encoding: described(z.enum(['GSM-7', 'UCS-2']), 'One character outside GSM-7 makes the whole text UCS-2.'),
};

const Purpose = described(z.enum(purposes), 'The purpose of the request.');

const Status = described(
  z.enum(messageStates),
  'Moves forward only: `scheduled` (debited, for later), `pending` (waits for its turn), `sending` (phone and SIM chosen), `sent` (by the phone), `delivered` (reported by the network; some never report). Or it ends as `cancelled` (by you), `expired` (too late) or `failed`, and its credit is refunded.',
);

const SendAt = timeOrNull('Your `send_at`, or the end of your quiet hours; null if sent at once.');
const ExpiresAt = timeOrNull('When it expires if unsent; null without `valid_for`.');

const Replaced = z.array(
  z.object({
    from: described(z.string(), 'A character that GSM-7 lacks.', { examples: ['’'] }),
    to: described(z.string(), 'Its replacement; may be empty.', { examples: ["'"] }),
  }),
);

export const SendResponse = answer('QueuedSend', {
  id: uuid('The id of the send, and of its first text.'),
  livemode: Livemode,
  ids: described(z.array(MessageId), 'The ids of all texts, in the order of `to`.'),
  to: described(z.array(phoneNumber('A recipient.')), 'The recipients in international form, always a list.'),
  from: Sender,
  status: z.enum(['pending', 'scheduled']),
  send_at: SendAt,
  expires_at: ExpiresAt,
  gateway_message_id: described(z.string(), 'The id of the first text at the gateway.'),
  count: described(z.int(), 'The number of queued texts, one credit each.', { examples: [1] }),
  ...Size,
  warning: described(z.optional(z.string()), 'Present only if characters outside GSM-7 increase the number of SMS.'),
  replaced: described(z.optional(Replaced), 'Present only if `encoding` replaced characters.'),
  as_gsm7: described(
    z.optional(z.object({ segments: Size.segments, replaced: Replaced })),
    'The effect that `"encoding": "gsm7"` would have. Present only for a UCS-2 text that can be in GSM-7.',
  ),
});
export type SendResponse = z.infer<typeof SendResponse>;

const Words = described(
  z.string(),
  'The text; asterisks if it is about a charge or a payment request, because a key for texts must not learn about these.',
);

export const MessageResponse = answer('Message', {
  id: MessageId,
  livemode: Livemode,
  send_id: uuid('The id of the send that the text belongs to.'),
  to: phoneNumber('The recipient.'),
  from: Sender,
  status: Status,
  gateway_message_id: described(z.string(), 'Its id at the gateway.'),
  message: Words,
  purpose: Purpose,
  metadata: ReturnedMetadata,
  ...Size,
  created_at: time('When it was accepted.'),
  send_at: SendAt,
  expires_at: ExpiresAt,
  sending_at: timeOrNull('When its phone and SIM were chosen.'),
  sent_at: timeOrNull('When the phone sent it.'),
  delivered_at: timeOrNull('When the network reported it delivered.'),
  failed_at: timeOrNull('When it failed.'),
  cancelled_at: timeOrNull('When you cancelled it.'),
  expired_at: timeOrNull('When it expired.'),
  failure_reason: described(z.nullable(z.string()), 'The reason for the failure or expiry, for people.'),
});
export type MessageResponse = z.infer<typeof MessageResponse>;

export const SendAndMessagesResponse = answer('Send', {
  id: uuid('The id of the send, and of its first text.'),
  livemode: Livemode,
  from: Sender,
  to: z.array(phoneNumber('A recipient.')),
  message: Words,
  purpose: Purpose,
  metadata: ReturnedMetadata,
  ...Size,
  count: described(z.int(), 'The number of recipients.'),
  created_at: time('When it was accepted.'),
  send_at: SendAt,
  expires_at: ExpiresAt,
  messages: described(
    z.array(z.object({ id: MessageId, to: phoneNumber('The recipient.'), status: Status })),
    'The state of each text, in the order of `to`.',
  ),
});
export type SendAndMessagesResponse = z.infer<typeof SendAndMessagesResponse>;

export const SendListResponse = z.object({ sends: z.array(SendAndMessagesResponse) });
export type SendListResponse = z.infer<typeof SendListResponse>;
