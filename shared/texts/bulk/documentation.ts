import { NIGHT } from '../../ghana/quiet-hours.ts';
import { type Operation, textAnswer } from '../../runtime/http/operation.ts';
import { BulkRequest, MAX_BULK_RECIPIENTS } from './bulk-request.ts';
import { BulkProgressResponse, BulkResponse, RetriedBulkResponse } from './responses.ts';

const queued: BulkResponse = {
  id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4800',
  livemode: true,
  from: '+233241234567',
  status: 'pending',
  count: 2,
  merged: 0,
  segments: 1,
  encoding: 'GSM-7',
  send_at: null,
  expires_at: null,
  ends_at: '2026-11-20T08:30:20.000Z',
};

const shown: BulkProgressResponse = {
  id: queued.id,
  livemode: true,
  from: queued.from,
  message: 'Hello {name}, your order {order} is ready',
  purpose: 'transactional',
  metadata: null,
  segments: 1,
  encoding: 'GSM-7',
  count: 2,
  created_at: '2026-11-20T08:30:00.000Z',
  send_at: null,
  expires_at: null,
  ends_at: '2026-11-20T08:30:20.000Z',
  progress: { scheduled: 0, pending: 1, sending: 0, sent: 0, delivered: 1, cancelled: 0, expired: 0, failed: 0 },
  messages: [
    { id: queued.id, to: '+233551112223', status: 'delivered' },
    { id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4801', to: '+233201112223', status: 'pending' },
  ],
};

const idOfBulk = {
  id: {
    description: 'The `id` that `POST /api/v1/sms/bulk` returned.',
    schema: { type: 'string', format: 'uuid' },
    example: queued.id,
  },
} as const;

export const bulkOperations = {
  'sms/bulk': {
    tag: 'Texts',
    summary: 'Send a text to many',
    description: `Queues a personalised text to each of up to ${MAX_BULK_RECIPIENTS} recipients: \`{name}\` in the text stands for the recipient’s value
\`name\`. All texts are debited at once, a credit each, or none: if a value is missing, the request is refused,
and \`errors\` names up to 100 rows (\`recipients[17].name\`, or the line of a file). Send either \`recipients\` or \`csv\`.

- The texts are sent at the pace of their number, 30 to 200 an hour, in turns with other merchants’ texts.
  A bulk that would take over 72 hours is refused: 400 (too many texts), or 429 \`queue_full\`
  (other texts are waiting).
- \`GET /api/v1/sms/bulk/{id}\` shows the progress, and \`DELETE\` cancels the rest. Each text has its own id, webhooks and
  refund. In \`GET /api/v1/sms\` and among the credits, a bulk is several sends of up to 50 texts.
- \`marketing\` waits at night (${NIGHT}), and the request is refused with \`consent_missing\` if one recipient’s consent is not
  stored. \`marketing\` and \`reminder\` are refused with \`recipient_opted_out\` if a recipient has replied \`STOP\` to you;
  a recipient who does so while texts wait gets none, and the credit is refunded.`,
    path: {},
    body: {
      schema: BulkRequest,
      examples: {
        orders: {
          summary: 'To two, with their names and orders',
          value: {
            message: 'Hello {name}, your order {order} is ready',
            recipients: [
              { to: '0551112223', name: 'Ama', order: 'A-1007' },
              { to: '0201112223', name: 'Kofi', order: 'A-1008' },
            ],
          },
        },
        csv: {
          summary: 'The same from a file',
          value: {
            message: 'Hello {name}, your order {order} is ready',
            csv: 'to,name,order\n0551112223,Ama,A-1007\n0201112223,Kofi,A-1008\n',
          },
        },
      },
    },
    success: { message: 'Queued 2 texts from +233241234567', data: BulkResponse, example: queued },
    errors: ['insufficient_credits', 'recipient_opted_out', 'consent_missing', 'no_sender_available', 'queue_full'],
  },
  'sms/show-bulk': {
    tag: 'Texts',
    summary: 'Show texts to many',
    description: `The progress of a bulk and the state of each text, in the order of its \`recipients\`, without the merged ones.`,
    path: idOfBulk,
    success: { message: 'Bulk found', data: BulkProgressResponse, example: shown },
  },
  'sms/cancel-bulk': {
    tag: 'Texts',
    summary: 'Cancel texts to many',
    description: `Cancels and refunds the texts that no phone has yet. A repeat changes nothing, or continues after a lost response. To cancel one text, use \`DELETE /api/v1/sms/{id}\`.`,
    path: idOfBulk,
    success: {
      message: 'Cancelled 1 text',
      data: BulkProgressResponse,
      example: {
        ...shown,
        ends_at: null,
        progress: { ...shown.progress, pending: 0, cancelled: 1 },
        messages: shown.messages.map((one, n) => (n === 0 ? one : { ...one, status: 'cancelled' as const })),
      },
    },
    errors: ['text_not_pending'],
  },
  'sms/retry-bulk': {
    tag: 'Texts',
    summary: 'Resend failed texts',
    description: `Resends the failed and refunded texts of a bulk as a new bulk, with its own id and debit. A repeat does not send them twice;
texts that fail again are retried with the id of the new bulk. Recipients who have replied
\`STOP\`, or whose consent is no longer stored, are left out.`,
    path: idOfBulk,
    success: {
      message: 'Requeued 1 text from +233241234567',
      data: RetriedBulkResponse,
      example: { ...queued, id: '019a9f6e-5d2e-7f10-8a61-2b3c4d5e6f00', count: 1, left_out: 0 },
    },
    errors: [
      'nothing_to_retry',
      'insufficient_credits',
      'recipient_opted_out',
      'consent_missing',
      'no_sender_available',
      'queue_full',
    ],
  },
  'sms/bulk-results': {
    tag: 'Texts',
    summary: 'Results of texts to many',
    description: `A CSV file with each text’s id, number, state, reason for failure, times of sending and delivery, and placeholder values. A cell that a spreadsheet would take for a formula begins with an apostrophe.`,
    path: idOfBulk,
    otherAnswers: { 200: textAnswer('The file.', 'text/csv') },
    errors: ['not_found'],
  },
} satisfies Record<string, Operation>;
