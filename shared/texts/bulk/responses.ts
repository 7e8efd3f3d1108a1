import * as z from 'zod/mini';
import { timeOrNull, uuid } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { SendAndMessagesResponse, SendResponse } from '../sms/responses.ts';
import type { messageStates } from '../sms/states.ts';

const EndsAt = timeOrNull('When the last of its texts leaves, about; null if none is waiting.');
const { livemode, from, segments, encoding, send_at, expires_at, status } = SendResponse.shape;
const { message, purpose, metadata, created_at, messages } = SendAndMessagesResponse.shape;

export const BulkResponse = answer('QueuedBulk', {
  id: uuid('The id of the bulk.'),
  livemode,
  from,
  status,
  count: described(z.int(), 'How many texts were queued, each for one credit.', { examples: [2] }),
  merged: described(
    z.int(),
    'How many recipients were left out, because the same text to the same number was there before.',
    { examples: [0] },
  ),
  segments,
  encoding,
  send_at,
  expires_at,
  ends_at: EndsAt,
});
export type BulkResponse = z.infer<typeof BulkResponse>;

export const RetriedBulkResponse = answer('RetriedBulk', {
  ...BulkResponse.shape,
  left_out: described(
    z.int(),
    'How many that failed were not sent again, because their recipients want no such texts any more.',
    { examples: [0] },
  ),
});
export type RetriedBulkResponse = z.infer<typeof RetriedBulkResponse>;

const count = (state: string) => described(z.int(), `How many of its texts are \`${state}\`.`);

export const BulkProgressResponse = answer('Bulk', {
  id: uuid('The id of the bulk.'),
  livemode,
  from,
  message: described(message, 'The text, with its placeholders.'),
  purpose,
  metadata,
  segments,
  encoding,
  count: described(z.int(), 'How many texts it has.'),
  created_at,
  send_at,
  expires_at,
  ends_at: EndsAt,
  progress: described(
    z.object({
      scheduled: count('scheduled'),
      pending: count('pending'),
      sending: count('sending'),
      sent: count('sent'),
      delivered: count('delivered'),
      cancelled: count('cancelled'),
      expired: count('expired'),
      failed: count('failed'),
    } satisfies Record<(typeof messageStates)[number], unknown>),
    'How many of its texts are in each state.',
  ),
  messages: described(
    messages,
    'The state of each text, in the order of `recipients`. `GET /api/v1/sms/{id}` shows its words.',
  ),
});
export type BulkProgressResponse = z.infer<typeof BulkProgressResponse>;
