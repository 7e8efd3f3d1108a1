import * as z from 'zod/mini';
import { phoneNumber, ReturnedMetadata, time, timeOrNull, uuid } from '../runtime/http/responses.ts';
import { messageStates } from './states.ts';

const MessageId = uuid('The id of one text to one number.');

const Sender = phoneNumber('The number that the text leaves from.');

const Size = {
  segments: z.int().check(
    z.meta({
      description:
        'How many SMS the text takes on the air. Phones may refuse more than 8 (past 1,224 characters of GSM-7 or 536 of UCS-2): such a text is taken, and fails with its credit back if the phone does not send it.',
      examples: [1],
    }),
  ),
  encoding: z
    .enum(['GSM-7', 'UCS-2'])
    .check(z.describe('The alphabet it is sent in. One character that GSM-7 has not makes the whole text UCS-2.')),
};

const Status = z
  .enum(messageStates)
  .check(
    z.describe(
      'Moves forward only: `pending` (accepted and debited), `sending` (phone and SIM chosen), `sent` (the phone sent it), `delivered` (the network says so; may never come), or `failed` (its credit is back).',
    ),
  );

export const SendResponse = z
  .object({
    id: uuid('The id of the first text, which is also that of the send.'),
    ids: z.array(MessageId).check(z.describe('The ids of all texts, in the order of `to`.')),
    to: z
      .array(phoneNumber('A recipient.'))
      .check(z.describe('The recipients in international form, also where the request gave one as a string.')),
    from: Sender,
    status: z.literal('pending'),
    gateway_message_id: z.string().check(z.describe('The id of the first text at the downstream gateway.')),
    count: z.int().check(z.meta({ description: 'How many texts were queued, each for one credit.', examples: [1] })),
    ...Size,
    warning: z
      .optional(z.string())
      .check(z.describe('There only where a phone may refuse the text: it takes more than 8 SMS.')),
  })
  .check(z.meta({ id: 'NewSend' }));
export type SendResponse = z.infer<typeof SendResponse>;

export const MessageResponse = z
  .object({
    id: MessageId,
    send_id: uuid('The id of the request’s first text.'),
    to: phoneNumber('The recipient.'),
    from: Sender,
    status: Status,
    gateway_message_id: z.string().check(z.describe('Its id at the downstream gateway.')),
    message: z.string().check(z.describe('The text.')),
    metadata: ReturnedMetadata,
    ...Size,
    created_at: time('When it was accepted.'),
    sending_at: timeOrNull('When its phone and SIM were chosen.'),
    sent_at: timeOrNull('When the phone had sent it.'),
    delivered_at: timeOrNull('When the network reported it delivered.'),
    failed_at: timeOrNull('When it was given up.'),
    failure_reason: z.nullable(z.string()).check(z.describe('Why it failed, in words for a person.')),
  })
  .check(z.meta({ id: 'Message' }));
export type MessageResponse = z.infer<typeof MessageResponse>;

export const SendAndMessagesResponse = z
  .object({
    id: uuid('The id of the send, and of its first text.'),
    from: Sender,
    to: z.array(phoneNumber('A recipient.')),
    message: z.string().check(z.describe('The text.')),
    metadata: ReturnedMetadata,
    ...Size,
    count: z.int().check(z.describe('How many recipients it has.')),
    created_at: time('When it was accepted.'),
    messages: z
      .array(z.object({ id: MessageId, to: phoneNumber('The recipient.'), status: Status }))
      .check(z.describe('What became of each text, in the order of `to`.')),
  })
  .check(z.meta({ id: 'Send' }));
export type SendAndMessagesResponse = z.infer<typeof SendAndMessagesResponse>;

export const SendListResponse = z.object({ sends: z.array(SendAndMessagesResponse) });
export type SendListResponse = z.infer<typeof SendListResponse>;
