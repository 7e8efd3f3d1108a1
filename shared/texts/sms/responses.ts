import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, ReturnedMetadata, time, timeOrNull, uuid } from '../../runtime/http/responses.ts';
import { purposes } from './send-request.ts';
import { messageStates } from './states.ts';

const MessageId = uuid('The id of one text to one number.');

const Sender = phoneNumber('The number that the text is sent from.');

const Size = {
  segments: z.int().check(
    z.meta({
      description:
        'How many SMS the text is split into. Phones refuse more than 8 (over 1,224 characters in GSM-7 or 536 in UCS-2), and so does this service.',
      examples: [1],
    }),
  ),
  encoding: z
    .enum(['GSM-7', 'UCS-2'])
    .check(z.describe('The encoding it is sent in. A single character outside GSM-7 makes the whole text UCS-2.')),
};

const Purpose = z
  .enum(purposes)
  .check(z.describe('What the text was said to be for. STOP ends `marketing` and `reminder`.'));

const Status = z
  .enum(messageStates)
  .check(
    z.describe(
      'Moves forward only: `scheduled` (accepted and debited, for later), `pending` (waits for its turn), `sending` (phone and SIM chosen), `sent` (the phone sent it), `delivered` (reported by the network, which some never do); or it ends as `cancelled` (by you), `expired` (too late) or `failed`, and its credit is refunded.',
    ),
  );

const SendAt = timeOrNull(
  'When it may leave: your `send_at`, or the end of your quiet hours; null if that is at once.',
);
const ExpiresAt = timeOrNull('When it expires if it has not left; null if it was not given `valid_for`.');

const Replaced = z.array(
  z.object({
    from: z.string().check(z.meta({ description: 'A character that GSM-7 lacks.', examples: ['’'] })),
    to: z.string().check(z.meta({ description: 'What stands for it; empty for nothing.', examples: ["'"] })),
  }),
);

export const SendResponse = z
  .object({
    id: uuid('The id of the first text, which is also the id of the send.'),
    livemode: Livemode,
    ids: z.array(MessageId).check(z.describe('The ids of all texts, in the order of `to`.')),
    to: z
      .array(phoneNumber('A recipient.'))
      .check(
        z.describe('The recipients in international form; always a list, even if the request gave a single string.'),
      ),
    from: Sender,
    status: z.enum(['pending', 'scheduled']),
    send_at: SendAt,
    expires_at: ExpiresAt,
    gateway_message_id: z.string().check(z.describe('The id of the first text at the downstream gateway.')),
    count: z.int().check(z.meta({ description: 'How many texts were queued, each for one credit.', examples: [1] })),
    ...Size,
    warning: z
      .optional(z.string())
      .check(z.describe('Present only if characters outside GSM-7 make it more SMS than it would be without them.')),
    replaced: z.optional(Replaced).check(z.describe('Present only if `encoding` made something be replaced.')),
    as_gsm7: z
      .optional(z.object({ segments: Size.segments, replaced: Replaced }))
      .check(
        z.describe(
          'What `"encoding": "gsm7"` would make of it. Present only for a text in UCS-2 that can be in GSM-7.',
        ),
      ),
  })
  .check(z.meta({ id: 'QueuedSend' }));
export type SendResponse = z.infer<typeof SendResponse>;

const Words = z
  .string()
  .check(
    z.describe(
      'The text; asterisks where it is about a charge or a payment request, such as a receipt: a key for texts learns nothing of those.',
    ),
  );

export const MessageResponse = z
  .object({
    id: MessageId,
    livemode: Livemode,
    send_id: uuid('The id of the send that the text belongs to.'),
    to: phoneNumber('The recipient.'),
    from: Sender,
    status: Status,
    gateway_message_id: z.string().check(z.describe('Its id at the downstream gateway.')),
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
    failure_reason: z.nullable(z.string()).check(z.describe('Why it failed or expired, for a person to read.')),
  })
  .check(z.meta({ id: 'Message' }));
export type MessageResponse = z.infer<typeof MessageResponse>;

export const SendAndMessagesResponse = z
  .object({
    id: uuid('The id of the send, and of its first text.'),
    livemode: Livemode,
    from: Sender,
    to: z.array(phoneNumber('A recipient.')),
    message: Words,
    purpose: Purpose,
    metadata: ReturnedMetadata,
    ...Size,
    count: z.int().check(z.describe('How many recipients it has.')),
    created_at: time('When it was accepted.'),
    send_at: SendAt,
    expires_at: ExpiresAt,
    messages: z
      .array(z.object({ id: MessageId, to: phoneNumber('The recipient.'), status: Status }))
      .check(z.describe('The state of each text, in the order of `to`.')),
  })
  .check(z.meta({ id: 'Send' }));
export type SendAndMessagesResponse = z.infer<typeof SendAndMessagesResponse>;

export const SendListResponse = z.object({ sends: z.array(SendAndMessagesResponse) });
export type SendListResponse = z.infer<typeof SendListResponse>;
