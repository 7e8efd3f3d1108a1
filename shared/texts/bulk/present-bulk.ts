import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { SendAndMessages } from '../sms/message.table.ts';
import { largest } from '../sms/personal-text.ts';
import { presentSendAndMessages } from '../sms/present-message.ts';
import type { MessageState } from '../sms/states.ts';
import type { AcceptedBulk } from './accept-bulk.ts';
import type { BulkProgressResponse, BulkResponse } from './responses.ts';

export function presentAccepted({ parts, texts, endsMs }: AcceptedBulk): BulkResponse {
  const [first] = parts;
  if (!first) throw new Error('The bulk send has no sends');
  return {
    id: first.send_id,
    livemode: !isTestAccount(first.merchant_id),
    from: first.from,
    status: first.send_at ? 'scheduled' : 'pending',
    count: texts.to.length,
    merged: texts.merged,
    ...texts.size,
    send_at: first.send_at ?? null,
    expires_at: first.useless_at ?? null,
    ends_at: isoOf(endsMs),
  };
}

/** Builds the response for a bulk send's progress. `endsMs` is the estimated send time of its last text. */
export function presentBulk(sends: readonly SendAndMessages[], endsMs: number | undefined): BulkProgressResponse {
  const parts = sends.map(presentSendAndMessages);
  const [first] = parts;
  if (!first) throw new Error('The bulk send has no sends');
  const { id, livemode, from, message, purpose, metadata, created_at, send_at, expires_at } = first;
  const messages = parts.flatMap((part) => part.messages);
  const of = (state: MessageState) => messages.filter(({ status }) => status === state).length;
  return {
    id,
    livemode,
    from,
    message,
    purpose,
    metadata,
    ...largest(parts.map(({ segments, encoding }) => ({ segments, encoding }))),
    count: messages.length,
    created_at,
    send_at,
    expires_at,
    ends_at: endsMs === undefined ? null : isoOf(endsMs),
    progress: {
      scheduled: of('scheduled'),
      pending: of('pending'),
      sending: of('sending'),
      sent: of('sent'),
      delivered: of('delivered'),
      cancelled: of('cancelled'),
      expired: of('expired'),
      failed: of('failed'),
    },
    messages,
  };
}
