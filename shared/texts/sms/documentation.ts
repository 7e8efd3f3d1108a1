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
    description: `Queues one text to one number or up to 50, for one credit each. The answer comes before the text leaves; use
\`GET /api/v1/sms/{id}\` or the webhooks \`sms.delivered\`, \`sms.failed\`, \`sms.expired\` and \`sms.cancelled\` to learn the outcome. If
a text fails, expires or is cancelled, its credit is refunded.

It is sent from an ordinary number, at the pace that its network allows: 30 to 200 texts an hour. A text of more than one SMS
(\`segments\`) also costs one credit; one of more than 8 is refused.

- \`send_at\`: it leaves then, or up to a minute later, and never earlier. Until then its status is \`scheduled\`, and
  \`DELETE /api/v1/sms/{id}\` cancels it.
- \`valid_for\`: what has not left by then expires. Where the texts cannot all leave in time, nothing is debited, and the error says
  when they could: 400 where that is never so for so many, 429 \`queue_full\` where others are waiting.
- \`quiet_hours\`: texts that would leave at night wait until the morning. What a phone has been given by then leaves; \`marketing\` or
  a \`reminder\` that it has not sent by then fails instead.
- \`from\`: with \`random\` (or where you have no default), a text whose sender cannot send any more moves to another one, as long as no
  phone was given it. A number that you name stays.
- \`encoding\`: one curly quote makes the whole text UCS-2, of which an SMS holds 70 characters in place of 160. \`gsm7\` replaces it.

Say what it is for. The default, \`transactional\`, is for what its recipient just asked for or has to know: it goes to everybody. A
text with the \`purpose\` \`marketing\` or \`reminder\` is refused with \`recipient_opted_out\` before the debit where a recipient has
answered \`STOP\` to you; \`errors\` names each of them, and nothing is sent to the others either. \`STOP\` is confirmed by one text, for
one of your credits; \`START\` ends it, and is confirmed too.`,
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
    description:
      'The numbers that texts can be sent from, whether each is yours alone or shared, and why one cannot be used now.',
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
    description: `Cancels what no phone has been given yet, \`scheduled\` or \`pending\`, and refunds its credits. With the id of a send, all of its
texts that have not left; with the id of another of its texts, or with \`message_id\`, that one alone. The answer shows the send: what
has left already is not \`cancelled\` there. To repeat it changes nothing. A code (\`POST /api/v1/verify\`) cannot be cancelled.`,
    path: {
      id: {
        description: 'One of the `ids` that sending returned. The first is the id of the send.',
        schema: { type: 'string', format: 'uuid' },
        example: delivered.id,
      },
    },
    query: {
      message_id: {
        description:
          'One of the `ids`, to cancel that text alone: for the first one, whose id is also that of the send.',
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
    description: `Your balance, the bundles that you can buy, and what changed it, newest first. A send is listed for as long as it can be
shown, all else for good, so the entries add up to the balance less what you owe until your first sends are deleted. An entry may appear a
moment after the balance has changed.`,
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
    description: 'It failed for good. Its credit was refunded.',
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
    description: 'It could not leave in the time that `valid_for` gave it. Its credit was refunded.',
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
    description: 'You cancelled it before it left. Its credit was refunded.',
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
      'A text made your balance fall below `low_below`. Sent once: again only after a top-up has lifted the balance to `low_below` or above and it falls again. Refunds do not repeat it.',
    data: LowCreditsEventData,
    example: { balance: 49, low_below: 50, bundles: [{ credits: 500, price: 30 }] } satisfies LowCreditsEventData,
  },
} satisfies Record<string, DocumentedEvent>;
