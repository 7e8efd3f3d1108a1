import { SenderListResponse } from '../../phones/sender/responses.ts';
import { unavailableMessages } from '../../phones/sender/sender.ts';
import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import { choiceParameter, pageParameters, timeParameters } from '../../runtime/http/query-parameters.ts';
import { CreditsResponse, LowCreditsEventData } from '../credits/responses.ts';
import { MessageResponse, SendAndMessagesResponse, SendListResponse, SendResponse } from './responses.ts';
import { SendRequest } from './send-request.ts';
import { messageStates } from './states.ts';

const delivered: MessageResponse = {
  id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
  livemode: true,
  send_id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
  to: '+233551112223',
  from: '+233241234567',
  status: 'delivered',
  gateway_message_id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
  message: 'Your order is ready',
  purpose: 'transactional',
  metadata: { order_id: 'A-1007' },
  segments: 1,
  encoding: 'GSM-7',
  created_at: '2026-11-20T08:30:00.000Z',
  send_at: null,
  expires_at: null,
  sending_at: '2026-11-20T08:30:00.310Z',
  sent_at: '2026-11-20T08:30:04.000Z',
  delivered_at: '2026-11-20T08:30:06.000Z',
  failed_at: null,
  cancelled_at: null,
  expired_at: null,
  failure_reason: null,
};

const ofTexts = { tag: 'Texts', path: {} } as const;

export const smsOperations = {
  'sms/send': {
    ...ofTexts,
    summary: 'Send a text',
    description: `Queues one text to up to 50 numbers, for one credit each, before it is sent. To learn the outcome, use
\`GET /api/v1/sms/{id}\` or the webhooks \`sms.delivered\`, \`sms.failed\`, \`sms.expired\` and \`sms.cancelled\`. If
a text fails, expires or is cancelled, its credit is refunded.

Texts are sent from an ordinary number, at the pace of its network: 30 to 200 an hour. A text of several SMS
(\`segments\`) also costs one credit; a text of more than 8 is refused.

- \`send_at\`: the text is sent up to a minute later. Until then its status is \`scheduled\`, and
  \`DELETE /api/v1/sms/{id}\` cancels it. If its key is revoked before then, it fails.
- \`valid_for\`: if the texts cannot all be sent in time, the request is refused with 400 (too many texts) or 429
  \`queue_full\` (other texts are waiting); the error says when they could be sent.
- \`quiet_hours\`: a text that a phone already has is sent anyway; \`marketing\` or a \`reminder\` that the phone has not sent by
  then fails.
- \`from\`: with \`random\` (or without a default), a text moves to another sender if its sender cannot send any more and no
  phone has it yet. A named number is never changed.
- \`encoding\`: one curly quote makes the whole text UCS-2, with 70 characters in an SMS instead of 160. \`gsm7\` replaces it.

If a recipient of a text with the \`purpose\` \`marketing\` or \`reminder\` has replied \`STOP\` to you, the request is refused
before the debit with \`recipient_opted_out\`; \`errors\` names each of them, and nobody gets the text. \`STOP\` is confirmed by one text, for
one of your credits; \`START\` undoes it, and is confirmed, too.`,
    body: {
      schema: SendRequest,
      examples: {
        one: { summary: 'To one number', value: { to: '0551112223', message: 'Your order is ready' } },
        several: {
          summary: 'To several, from any number',
          value: {
            to: ['0551112223', '+233201112223'],
            message: 'We open at nine tomorrow',
            from: 'random',
            purpose: 'marketing',
            metadata: { campaign: 'opening' },
          },
        },
        later: {
          summary: 'Tomorrow morning, for three hours',
          value: {
            to: '0551112223',
            message: 'Your appointment is at noon',
            send_at: '2026-11-21T08:00:00Z',
            valid_for: 10_800,
            encoding: 'gsm7',
          },
        },
      },
    },
    success: {
      message: 'Queued SMS from +233241234567',
      data: SendResponse,
      example: {
        id: delivered.id,
        livemode: true,
        ids: [delivered.id],
        to: ['+233551112223'],
        from: '+233241234567',
        status: 'pending',
        send_at: null,
        expires_at: null,
        gateway_message_id: delivered.id,
        count: 1,
        segments: 1,
        encoding: 'GSM-7',
      } satisfies SendResponse,
    },
    errors: ['insufficient_credits', 'recipient_opted_out', 'consent_missing', 'no_sender_available', 'queue_full'],
  },
  'sms/list': {
    ...ofTexts,
    summary: 'List sends',
    description: 'Your sends, newest first, with the state of each text.',
    query: {
      status: choiceParameter('Only sends with at least one text in this state.', messageStates),
      ...timeParameters,
      ...pageParameters,
    },
    success: {
      message: 'Sent texts',
      data: SendListResponse,
      example: {
        sends: [
          {
            id: delivered.id,
            livemode: true,
            from: delivered.from,
            to: [delivered.to],
            message: delivered.message,
            purpose: delivered.purpose,
            metadata: delivered.metadata,
            segments: delivered.segments,
            encoding: delivered.encoding,
            count: 1,
            created_at: delivered.created_at,
            send_at: null,
            expires_at: null,
            messages: [{ id: delivered.id, to: delivered.to, status: delivered.status }],
          },
        ],
      } satisfies SendListResponse,
      isPage: true,
    },
  },
  'sms/from': {
    ...ofTexts,
    summary: 'List sender numbers',
    description: 'The numbers from which you can send texts: own or shared, and why a number cannot be used now.',
    success: {
      message: 'Sender numbers',
      data: SenderListResponse,
      example: {
        default: '+233241234567',
        senders: [
          { number: '+233241234567', network: 'MTN', own: true, available: true, reason: null, message: null },
          {
            number: '+233201234567',
            network: 'TELECEL',
            own: false,
            available: false,
            reason: 'phone_off',
            message: unavailableMessages.phone_off,
          },
        ],
      } satisfies SenderListResponse,
    },
  },
  'sms/show': {
    tag: 'Texts',
    summary: 'Show a text',
    description: 'The state of one text to one number.',
    path: {
      id: {
        description: 'One of the `ids` that sending returned.',
        schema: { type: 'string', format: 'uuid' },
        example: delivered.id,
      },
    },
    success: { message: 'SMS found', data: MessageResponse, example: delivered },
  },
  'sms/cancel': {
    tag: 'Texts',
    summary: 'Cancel a text',
    description: `Cancels texts that no phone has yet, \`scheduled\` or \`pending\`, and refunds their credits: with the first of the \`ids\`, which is the id of the
send, all such texts of the send; with another of its \`ids\`, or with \`message_id\`, only that text. Repeating the request changes nothing.
A verification code (\`POST /api/v1/verify\`) cannot be cancelled.`,
    path: {
      id: {
        description: 'One of the `ids` that sending returned.',
        schema: { type: 'string', format: 'uuid' },
        example: delivered.id,
      },
    },
    query: {
      message_id: {
        description: 'One of the `ids`, to cancel only that text; needed for the first.',
        schema: { type: 'string', format: 'uuid' },
      },
    },
    success: {
      message: 'Cancelled 1 text',
      data: SendAndMessagesResponse,
      example: {
        id: delivered.id,
        livemode: true,
        from: delivered.from,
        to: [delivered.to],
        message: delivered.message,
        metadata: delivered.metadata,
        purpose: delivered.purpose,
        segments: delivered.segments,
        encoding: delivered.encoding,
        count: 1,
        created_at: delivered.created_at,
        send_at: '2026-11-21T08:00:00.000Z',
        expires_at: null,
        messages: [{ id: delivered.id, to: delivered.to, status: 'cancelled' }],
      } satisfies SendAndMessagesResponse,
    },
    errors: ['text_not_pending'],
  },
  'sms/credits': {
    ...ofTexts,
    summary: 'Show the credits',
    description: `Your balance, the bundles that you can buy, and the changes of the balance, newest first. A send is listed until it is deleted, other
entries for ever, so the entries add up to \`balance\` minus \`owed\` until your first sends are deleted. An entry may appear a moment
after the balance has changed.`,
    query: { ...timeParameters, ...pageParameters },
    success: {
      message: 'SMS credits',
      data: CreditsResponse,
      example: {
        balance: 999,
        owed: 0,
        low_below: 50,
        bundles: [{ credits: 500, price: 30 }],
        entries: [
          {
            id: '01K9FPWJXR3V6T9C8N5B2M4Q7Z',
            type: 'refund',
            credits: 1,
            send_id: delivered.id,
            message_id: delivered.id,
            reference: null,
            created_at: '2026-11-20T08:30:09.000Z',
          },
          {
            id: delivered.id,
            type: 'send',
            credits: -2,
            send_id: delivered.id,
            message_id: null,
            reference: null,
            created_at: '2026-11-20T08:30:00.000Z',
          },
          {
            id: '01K9FN0A4D8E2F6G1H5J9K3M7P',
            type: 'top_up',
            credits: 1000,
            send_id: null,
            message_id: null,
            reference: null,
            created_at: '2026-11-20T07:58:00.000Z',
          },
        ],
      } satisfies CreditsResponse,
      isPage: true,
    },
  },
} satisfies Record<string, Operation>;

export const smsEvents = {
  'sms.delivered': {
    summary: 'A text was delivered',
    description: 'The network reported the delivery. Some networks never do.',
    data: MessageResponse,
    example: delivered,
  },
  'sms.failed': {
    summary: 'A text failed',
    description: 'The text will not be retried, and its credit was refunded.',
    data: MessageResponse,
    example: {
      ...delivered,
      status: 'failed',
      sent_at: null,
      delivered_at: null,
      failed_at: '2026-11-20T08:30:09.000Z',
      failure_reason: 'RESULT_ERROR_NO_SERVICE',
    } satisfies MessageResponse,
  },
  'sms.expired': {
    summary: 'A text expired',
    description: 'It could not be sent within `valid_for`, and its credit was refunded.',
    data: MessageResponse,
    example: {
      ...delivered,
      status: 'expired',
      expires_at: '2026-11-20T09:30:00.000Z',
      sending_at: null,
      sent_at: null,
      delivered_at: null,
      expired_at: '2026-11-20T09:30:02.000Z',
      failure_reason: 'It could not leave in time',
    } satisfies MessageResponse,
  },
  'sms.cancelled': {
    summary: 'A text was cancelled',
    description: 'Its credit was refunded.',
    data: MessageResponse,
    example: {
      ...delivered,
      status: 'cancelled',
      send_at: '2026-11-21T08:00:00.000Z',
      sending_at: null,
      sent_at: null,
      delivered_at: null,
      cancelled_at: '2026-11-20T08:40:00.000Z',
    } satisfies MessageResponse,
  },
  'credits.low': {
    summary: 'Your credits are low',
    description:
      'A text made your balance fall below `low_below`. Sent again only if the balance falls again after a top-up, not after a refund, to `low_below` or above.',
    data: LowCreditsEventData,
    example: { balance: 49, low_below: 50, bundles: [{ credits: 500, price: 30 }] } satisfies LowCreditsEventData,
  },
} satisfies Record<string, DocumentedEvent>;
