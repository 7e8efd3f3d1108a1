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
    description: `Queues a text to each of up to ${MAX_BULK_RECIPIENTS} recipients, with their own words: \`{name}\` in the text stands for the
word \`name\` of each recipient. All is debited at once, a credit for each text, or nothing: a row in which a word is missing is refused
before, and \`errors\` names each (\`recipients[17].name\`, or the line of a file), up to 100. Give either \`recipients\` or \`csv\`.

- The texts leave at the pace of their number, 30 to 200 an hour, in turns with those of others. \`ends_at\` says when the last one leaves, about.
  What has not left after 72 hours is given up, so a bulk that takes longer is refused: 400 where so many always do, 429 \`queue_full\`
  where others are waiting.
- \`GET /api/v1/sms/bulk/{id}\` says how far it has come, and \`DELETE\` cancels the rest. Each text has an id of its own, its webhooks, and
  its refund if it fails. In \`GET /api/v1/sms\` and among the credits, a bulk is several sends of up to 50 texts.
- With the \`purpose\` \`marketing\` nothing leaves at night (${NIGHT}), and all is refused with \`consent_missing\` where the consent of a
  recipient is not stored (\`POST /api/v1/contact\`). \`marketing\` and \`reminder\` are refused with
  \`recipient_opted_out\` where a recipient has answered \`STOP\` to you; who does so later, while texts wait, gets none, and you get the credit back.
- A number may come several times. The same text to the same number is sent once; \`merged\` says how many were left out.`,
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
    description: `How many texts of a bulk are in each state, when the last one leaves, about, and the state of each, in the order of its
\`recipients\` without those that were merged.`,
    path: idOfBulk,
    success: { message: 'Bulk found', data: BulkProgressResponse, example: shown },
  },
  'sms/cancel-bulk': {
    tag: 'Texts',
    summary: 'Cancel texts to many',
    description: `Cancels what of a bulk no phone has been given yet, and refunds exactly that. What has left stays as it is. To repeat it changes
nothing, and goes on where an answer was lost. One text alone is cancelled by \`DELETE /api/v1/sms/{id}\`.`,
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
    summary: 'Send the failed ones again',
    description: `Sends those texts of a bulk again that failed and were refunded, with the same words: as a bulk of its own, with an id and a debit of
its own. Each text is sent again once, however often you ask; what fails of the new bulk is sent again by its own id. Who has written
\`STOP\` since, or whose consent is not stored any more, is left out.`,
    path: idOfBulk,
    success: {
      message: 'Queued 1 text again from +233241234567',
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
    description: `What became of each text of a bulk as a CSV file for spreadsheets: its id, number, state, why it failed, when it was sent and delivered,
and its words. What a spreadsheet would take for a formula begins with an apostrophe.`,
    path: idOfBulk,
    otherAnswers: { 200: textAnswer('The file.', 'text/csv') },
    errors: ['not_found'],
  },
} satisfies Record<string, Operation>;
