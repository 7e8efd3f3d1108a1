import * as z from 'zod/mini';
import { timeOrNull, uuid } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { SendAndMessagesResponse, SendResponse } from '../sms/responses.ts';
import type { messageStates } from '../sms/states.ts';

const EndsAt = timeOrNull('About when the last text is sent; null if none is waiting.');
const { livemode, from, segments, encoding, send_at, expires_at, status } = SendResponse.shape;
const { message, purpose, metadata, created_at, messages } = SendAndMessagesResponse.shape;

export const BulkResponse = answer('QueuedBulk', {
  id: uuid('The id of the bulk.'),
  livemode,
  from,
  status,
  count: described(z.int(), 'The number of queued texts, one credit each.', { examples: [2] }),
  merged: described(z.int(), 'Left-out duplicates: the same number and text.', {
    examples: [0],
  }),
  segments,
  encoding,
  send_at,
  expires_at,
  ends_at: EndsAt,
});
export type BulkResponse = z.infer<typeof BulkResponse>;

export const RetriedBulkResponse = answer('RetriedBulk', {
  ...BulkResponse.shape,
  left_out: described(z.int(), 'Failed texts not resent, because their recipients no longer want such texts.', {
    examples: [0],
  }),
});
export type RetriedBulkResponse = z.infer<typeof RetriedBulkResponse>;

export const BulkProgressResponse = answer('Bulk', {
  id: uuid('The id of the bulk.'),
  livemode,
  from,
  message: described(message, 'The text, with its placeholders.'),
  purpose,
  metadata,
  segments,
  encoding,
  count: described(z.int(), 'The number of texts.'),
  created_at,
  send_at,
  expires_at,
  ends_at: EndsAt,
  progress: described(
    z.object({
      scheduled: z.int(),
      pending: z.int(),
      sending: z.int(),
      sent: z.int(),
      delivered: z.int(),
      cancelled: z.int(),
      expired: z.int(),
      failed: z.int(),
    } satisfies Record<(typeof messageStates)[number], unknown>),
    'The number of texts in each state.',
  ),
  messages: described(
    messages,
    'The state of each text, in the order of `recipients`. `GET /api/v1/sms/{id}` shows its content.',
  ),
});
export type BulkProgressResponse = z.infer<typeof BulkProgressResponse>;
