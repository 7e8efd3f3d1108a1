import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, ReturnedMetadata, time, timeOrNull, uuid } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { purposes } from './send-request.ts';
import { messageStates } from './states.ts';

const MessageId = uuid('The id of one text to one number.');

const Sender = phoneNumber('The number that the text is sent from.');

const Size = {
  segments: described(
    z.int(),
    'How many SMS the text is split into. Phones refuse more than 8 (over 1,224 characters in GSM-7 or 536 in UCS-2), and so does this service.',
    { examples: [1] },
  ),
  encoding: described(
    z.enum(['GSM-7', 'UCS-2']),
    'The encoding it is sent in. A single character outside GSM-7 makes the whole text UCS-2.',
  ),
};

const Purpose = described(z.enum(purposes), 'What the text was said to be for. STOP ends `marketing` and `reminder`.');

const Status = described(
  z.enum(messageStates),
  'Moves forward only: `scheduled` (accepted and debited, for later), `pending` (waits for its turn), `sending` (phone and SIM chosen), `sent` (the phone sent it), `delivered` (reported by the network, which some never do); or it ends as `cancelled` (by you), `expired` (too late) or `failed`, and its credit is refunded.',
);

const SendAt = timeOrNull(
  'When it may leave: your `send_at`, or the end of your quiet hours; null if that is at once.',
);
const ExpiresAt = timeOrNull('When it expires if it has not left; null if it was not given `valid_for`.');

const Replaced = z.array(
  z.object({
    from: described(z.string(), 'A character that GSM-7 lacks.', { examples: ['’'] }),
    to: described(z.string(), 'What stands for it; empty for nothing.', { examples: ["'"] }),
  }),
);

export const SendResponse = answer('QueuedSend', {
  id: uuid('The id of the first text, which is also the id of the send.'),
  livemode: Livemode,
  ids: described(z.array(MessageId), 'The ids of all texts, in the order of `to`.'),
  to: described(
    z.array(phoneNumber('A recipient.')),
    'The recipients in international form; always a list, even if the request gave a single string.',
  ),
  from: Sender,
  status: z.enum(['pending', 'scheduled']),
  send_at: SendAt,
  expires_at: ExpiresAt,
  gateway_message_id: described(z.string(), 'The id of the first text at the downstream gateway.'),
  count: described(z.int(), 'How many texts were queued, each for one credit.', { examples: [1] }),
  ...Size,
  warning: described(
    z.optional(z.string()),
    'Present only if characters outside GSM-7 make it more SMS than it would be without them.',
  ),
  replaced: described(z.optional(Replaced), 'Present only if `encoding` made something be replaced.'),
  as_gsm7: described(
    z.optional(z.object({ segments: Size.segments, replaced: Replaced })),
    'What `"encoding": "gsm7"` would make of it. Present only for a text in UCS-2 that can be in GSM-7.',
  ),
});
export type SendResponse = z.infer<typeof SendResponse>;

const Words = described(
  z.string(),
  'The text; asterisks where it is about a charge or a payment request, such as a receipt: a key for texts learns nothing of those.',
);

export const MessageResponse = answer('Message', {
  id: MessageId,
  livemode: Livemode,
  send_id: uuid('The id of the send that the text belongs to.'),
  to: phoneNumber('The recipient.'),
  from: Sender,
  status: Status,
  gateway_message_id: described(z.string(), 'Its id at the downstream gateway.'),
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
  failure_reason: described(z.nullable(z.string()), 'Why it failed or expired, for a person to read.'),
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
  count: described(z.int(), 'How many recipients it has.'),
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
