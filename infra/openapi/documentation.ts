import { manifest } from '../../functions/manifest.ts';
import { ClaimRequest } from '../../shared/checkout/claim.ts';
import { StatusResponse } from '../../shared/checkout/responses.ts';
import { AssignRequest } from '../../shared/receipt/assign-receipt.ts';
import { ReceiptState } from '../../shared/receipt/receipt.ts';
import { ReceiptListResponse, ReceiptResponse } from '../../shared/receipt/responses.ts';
import type { PathNames } from '../../shared/runtime/http.ts';
import { NoData } from '../../shared/runtime/responses.ts';
import type { Row } from '../../shared/runtime/row.ts';
import { SenderListResponse } from '../../shared/sender/responses.ts';
import { MessageResponse, SendListResponse, SendResponse } from '../../shared/sms/responses.ts';
import { SendRequest } from '../../shared/sms/send-request.ts';
import { messageStates } from '../../shared/sms/states.ts';
import { InitializeRequest } from '../../shared/transaction/initialize-request.ts';
import {
  NewTransactionResponse,
  TransactionListResponse,
  TransactionResponse,
} from '../../shared/transaction/responses.ts';
import { transactionStatuses } from '../../shared/transaction/states.ts';
import { WebhookRequest } from '../../shared/webhook/endpoint.ts';
import type { WebhookEventType } from '../../shared/webhook/event.ts';
import {
  EventAndAttemptsResponse,
  EventListResponse,
  EventResponse,
  TestEventData,
  WebhookAndSecretResponse,
  WebhookResponse,
} from '../../shared/webhook/responses.ts';
import type { DocumentedEvent, DocumentedRoute } from './document.ts';
import type { LeftOut, Operation } from './operation.ts';
import { choiceParameter, type Parameter, pageParameters, timeParameters } from './query-parameters.ts';

const rows: Readonly<Record<string, Row>> = manifest;

type Manifest = typeof manifest;
type Documentation = {
  readonly [Name in keyof Manifest as Manifest[Name] extends { path: string } ? Name : never]: Manifest[Name] extends {
    path: infer Path extends string;
  }
    ? Operation<PathNames<Path>> | LeftOut
    : never;
};

const pending: TransactionResponse = {
  reference: 'MK-4071932685',
  status: 'pending',
  amount: 36,
  currency: 'GHS',
  email: null,
  customer_name: 'Kofi Mensah',
  customer_phone: null,
  description: 'Two yards of kente',
  metadata: { order_id: 'A-1007' },
  callback_url: 'https://shop.example.com/thanks',
  momo_number: '+233241234567',
  momo_network: 'MTN',
  created_at: '2026-11-20T08:26:10.412Z',
  expires_at: '2026-11-21T08:26:10.412Z',
  paid_at: null,
  reversed_at: null,
  payment: null,
  disputed: null,
};

const paid: TransactionResponse = {
  ...pending,
  status: 'success',
  paid_at: '2026-11-20T08:30:00.000Z',
  payment: {
    network: 'MTN',
    transaction_id: '62841953770',
    amount: 36,
    payer_name: 'KOFI MENSAH',
    payer_phone: null,
    received_at: '2026-11-20T08:29:58.000Z',
    matched_by: 'reference',
    receipt_id: 'MTN-233241234567-62841953770',
  },
};

const held: ReceiptResponse = {
  id: 'MTN-233241234567-62841953812',
  status: 'held',
  reason: 'no_charge',
  network: 'MTN',
  momo_number: '+233241234567',
  transaction_id: '62841953812',
  amount: 17.35,
  currency: 'GHS',
  payer_name: 'ABENA OWUSU',
  payer_phone: null,
  payer_reference: 'kente',
  sender: 'MobileMoney',
  text: 'Payment received for GHS 17.35 from ABENA OWUSU …',
  received_at: '2026-11-20T08:41:07.000Z',
  matched_by: null,
  reference: null,
};

const delivered: MessageResponse = {
  id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
  send_id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
  to: '+233551112223',
  from: '+233241234567',
  status: 'delivered',
  gateway_message_id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
  message: 'Your order is ready',
  metadata: { order_id: 'A-1007' },
  segments: 1,
  encoding: 'GSM-7',
  created_at: '2026-11-20T08:30:00.000Z',
  sending_at: '2026-11-20T08:30:00.310Z',
  sent_at: '2026-11-20T08:30:04.000Z',
  delivered_at: '2026-11-20T08:30:06.000Z',
  failed_at: null,
  failure_reason: null,
};

const webhook: WebhookResponse = {
  url: 'https://shop.example.com/hooks',
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: '2026-11-20T08:00:00.000Z',
};

const webhookAndSecret: WebhookAndSecretResponse = { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

const event: EventResponse = {
  id: 'evt_9f86d081884c7d659a2feaa0c55ad015',
  type: 'charge.success',
  status: 'delivered',
  tries: 1,
  next_try_at: null,
  created_at: '2026-11-20T08:30:00.000Z',
  body: { type: 'charge.success', timestamp: '2026-11-20T08:30:00.000Z', data: paid },
};

const reference: Parameter = {
  description: 'The charge’s reference.',
  schema: { type: 'string', pattern: '^MK-\\d{10}$' },
  example: pending.reference,
};
const eventId: Parameter = { description: 'The event’s id.', schema: { type: 'string' }, example: event.id };
const accessCode: Parameter = {
  description: 'The `access_code` of the charge.',
  schema: { type: 'string', pattern: '^[0-9A-Za-z]{22}$' },
  example: '4cVxrDn3K8mQzL5tWb2Yc7',
};

const html = (description: string) =>
  ({ description, content: { 'text/html': { schema: { type: 'string' } } } }) as const;

/** What the API reference says of each route. A route without its entry does not compile. */
const documentation: Documentation = {
  'transaction/initialize': {
    tag: 'Charges',
    summary: 'Create a charge',
    description: `Creates a charge and answers with the address of its checkout page, where the customer sees your MoMo number and
pays to it. The charge can be paid for 24 hours.

A payment confirms a charge when its amount is exact and it names the charge’s reference. Without anything like a reference it
does so when it comes from \`customer_name\` within two hours, up to GHS 500 (the operator sets another limit for you), and no
other customer’s charge fits. Any other payment is held for you: see Receipts.`,
    path: {},
    body: {
      schema: InitializeRequest,
      examples: {
        least: { summary: 'The least', value: { amount: 36 } },
        recommended: {
          summary: 'As recommended',
          value: {
            amount: 36,
            email: 'kofi@example.com',
            customer_name: 'Kofi Mensah',
            callback_url: 'https://shop.example.com/thanks',
            description: 'Two yards of kente',
            metadata: { order_id: 'A-1007' },
          },
        },
      },
    },
    success: {
      message: 'Charge created',
      data: NewTransactionResponse,
      example: {
        authorization_url: 'https://pay.example.com/checkout/4cVxrDn3K8mQzL5tWb2Yc7',
        access_code: '4cVxrDn3K8mQzL5tWb2Yc7',
        reference: 'MK-4071932685',
        amount: 36,
        currency: 'GHS',
        momo_number: '+233241234567',
        momo_network: 'MTN',
        warnings: [],
      } satisfies NewTransactionResponse,
    },
    errors: ['no_momo_number'],
  },
  'transaction/verify': {
    tag: 'Charges',
    summary: 'Verify a charge',
    description: 'A charge, whole: whether it is paid, by whom, and the `metadata` that you gave it.',
    path: { reference },
    success: { message: 'Charge found', data: TransactionResponse, example: paid },
  },
  'transaction/list': {
    tag: 'Charges',
    summary: 'List charges',
    description: 'Your charges, newest first.',
    path: {},
    query: {
      status: choiceParameter('Only charges that read so.', transactionStatuses),
      ...timeParameters,
      ...pageParameters,
    },
    success: {
      message: 'Charges',
      data: TransactionListResponse,
      example: { transactions: [paid] } satisfies TransactionListResponse,
      isPage: true,
    },
  },
  'sms/send': {
    tag: 'Texts',
    summary: 'Send a text',
    description: `Queues one text to one number or up to 50, for one credit each. The answer comes before the text leaves; what became of
it is told by \`GET /api/v1/sms/{id}\` and the webhooks \`sms.delivered\` and \`sms.failed\`. A text that fails gives its credit back.

It leaves from an ordinary number, at the pace that its network allows. A text of more than one SMS (\`segments\`) costs one credit
too.`,
    path: {},
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
            metadata: { campaign: 'opening' },
          },
        },
      },
    },
    success: {
      message: 'Queued SMS from +233241234567',
      data: SendResponse,
      example: {
        id: delivered.id,
        ids: [delivered.id],
        to: ['+233551112223'],
        from: '+233241234567',
        status: 'pending',
        gateway_message_id: delivered.id,
        count: 1,
        segments: 1,
        encoding: 'GSM-7',
      } satisfies SendResponse,
    },
    errors: ['insufficient_credits', 'no_sender_available'],
  },
  'sms/list': {
    tag: 'Texts',
    summary: 'List sends',
    description: 'What you sent, newest first, with the state of each text.',
    path: {},
    query: {
      status: choiceParameter('Only sends of which at least one text is in this state.', messageStates),
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
            from: delivered.from,
            to: [delivered.to],
            message: delivered.message,
            metadata: delivered.metadata,
            segments: delivered.segments,
            encoding: delivered.encoding,
            count: 1,
            created_at: delivered.created_at,
            messages: [{ id: delivered.id, to: delivered.to, status: delivered.status }],
          },
        ],
      } satisfies SendListResponse,
      isPage: true,
    },
  },
  'sms/from': {
    tag: 'Texts',
    summary: 'List sender numbers',
    description: 'The numbers that texts can leave from.',
    path: {},
    success: {
      message: 'Sender numbers',
      data: SenderListResponse,
      example: {
        default: '+233241234567',
        senders: [
          { number: '+233241234567', network: 'MTN', available: true },
          { number: '+233201234567', network: 'TELECEL', available: false },
        ],
      } satisfies SenderListResponse,
    },
  },
  'sms/show': {
    tag: 'Texts',
    summary: 'Show a text',
    description: 'What became of one text to one number.',
    path: {
      id: {
        description: 'One of the `ids` that sending gave.',
        schema: { type: 'string', format: 'uuid' },
        example: delivered.id,
      },
    },
    success: { message: 'SMS found', data: MessageResponse, example: delivered },
  },
  'checkout/page': {
    tag: 'Checkout',
    summary: 'The checkout page',
    description:
      'The `authorization_url` of a charge: a page that shows how to pay, and turns green when the payment has arrived.',
    path: { access_code: accessCode },
    query: {
      claim: {
        description: 'Given, whatever its value, the page opens its form for claims.',
        schema: { type: 'string' },
      },
    },
    otherAnswers: {
      200: html('How to pay the charge, or that it is paid.'),
      410: html('The charge has expired.'),
    },
    errorPage: true,
  },
  'checkout/status': {
    tag: 'Checkout',
    summary: 'Ask whether a charge is paid',
    description: 'What the checkout page asks every few seconds. Your server has better ways: verify, and webhooks.',
    path: { access_code: accessCode },
    success: {
      message: 'Charge found',
      data: StatusResponse,
      example: { status: 'pending', expires_at: pending.expires_at, redirect_url: null } satisfies StatusResponse,
    },
  },
  'checkout/claim': {
    tag: 'Checkout',
    summary: 'Claim a payment',
    description:
      'What the page’s form does when a customer paid and the payment was not recognised: confirms the charge by the network’s transaction id and the name of the wallet that paid. Refused, in the same words whatever the reason, where the payment may be meant for another charge: that one is for the merchant to assign. Five tries in ten minutes. A form is answered with a page in place of JSON.',
    path: { access_code: accessCode },
    body: {
      schema: ClaimRequest,
      form: true,
      examples: {
        claim: { summary: 'An id and a name', value: { transaction_id: '62841953770', name: 'Kofi Mensah' } },
      },
    },
    success: {
      message: 'The charge is paid',
      data: StatusResponse,
      example: {
        status: 'success',
        expires_at: paid.expires_at,
        redirect_url: 'https://shop.example.com/thanks?reference=MK-4071932685',
      } satisfies StatusResponse,
    },
    otherAnswers: { 303: { description: 'To a form: back to the page, which is green now.' } },
    errors: ['charge_expired', 'charge_reversed', 'payment_not_found', 'too_many_tries'],
    errorPage: true,
  },
  'checkout/short-link': {
    tag: 'Checkout',
    summary: 'The short link',
    description: 'Leads to the checkout page, for where an address must be short, as in a text.',
    path: { access_code: accessCode },
    otherAnswers: {
      302: {
        description: 'To the checkout page.',
        headers: { Location: { description: 'Its address.', schema: { type: 'string', format: 'uri' } } },
      },
    },
  },
  'receipt/list': {
    tag: 'Receipts',
    summary: 'List receipts',
    description:
      'Payments that arrived, newest first: those that are held for you, those that could not be read, or those that paid a charge.',
    path: {},
    query: {
      status: choiceParameter('Which ones.', ReceiptState.options, 'held'),
      ...pageParameters,
    },
    success: {
      message: 'Receipts',
      data: ReceiptListResponse,
      example: { receipts: [held] } satisfies ReceiptListResponse,
      isPage: true,
    },
  },
  'receipt/assign': {
    tag: 'Receipts',
    summary: 'Assign a held payment',
    description:
      'Gives a held payment to a pending charge by hand, whatever its amount: you have looked at both. The charge is paid then, and `charge.success` goes out. A payment is given once.',
    path: { id: { description: 'The receipt’s id.', schema: { type: 'string' }, example: held.id } },
    body: {
      schema: AssignRequest,
      examples: { charge: { summary: 'The charge that it pays', value: { reference: pending.reference } } },
    },
    success: {
      message: 'Receipt assigned',
      data: TransactionResponse,
      example: {
        ...paid,
        payment: paid.payment && { ...paid.payment, receipt_id: held.id, matched_by: 'hand' },
      } satisfies TransactionResponse,
    },
    errors: ['receipt_not_held', 'charge_not_pending'],
  },
  'webhook/set': {
    tag: 'Your webhook',
    summary: 'Set the webhook',
    description:
      'Sets where your events go, and shows the secret that signs them. A second address takes the place of the first and keeps its secret; setting one again also ends its being disabled.',
    path: {},
    body: {
      schema: WebhookRequest,
      examples: { url: { summary: 'An address', value: { url: 'https://shop.example.com/hooks' } } },
    },
    success: { message: 'Webhook set', data: WebhookAndSecretResponse, example: webhookAndSecret },
  },
  'webhook/show': {
    tag: 'Your webhook',
    summary: 'Show the webhook',
    description: 'Where your events go, and whether they arrive.',
    path: {},
    success: { message: 'Webhook', data: WebhookResponse, example: webhook },
    errors: ['not_found'],
  },
  'webhook/remove': {
    tag: 'Your webhook',
    summary: 'Remove the webhook',
    description: 'Ends it, and its secret. Removing none is fine too.',
    path: {},
    success: { message: 'Webhook removed', data: NoData, example: {} },
  },
  'webhook/roll-secret': {
    tag: 'Your webhook',
    summary: 'Roll the secret',
    description:
      'Makes a new secret. For 24 hours both sign each event, so that your server can change over in its own time.',
    path: {},
    success: { message: 'Webhook secret rolled', data: WebhookAndSecretResponse, example: webhookAndSecret },
    errors: ['not_found'],
  },
  'webhook/test': {
    tag: 'Your webhook',
    summary: 'Send a test event',
    description: 'Posts an event of type `webhook.test` to your address.',
    path: {},
    success: {
      message: 'Test event queued',
      data: EventResponse,
      example: {
        ...event,
        type: 'webhook.test',
        status: 'pending',
        tries: 0,
        next_try_at: event.created_at,
        body: {
          type: 'webhook.test',
          timestamp: event.created_at,
          data: { message: 'Webhooks of Momo Kiosk arrive here.' },
        },
      } satisfies EventResponse,
    },
    errors: ['not_found'],
  },
  'webhook/list-events': {
    tag: 'Your webhook',
    summary: 'List events',
    description: 'Your events of the last 30 days, newest first.',
    path: {},
    query: pageParameters,
    success: {
      message: 'Webhook events',
      data: EventListResponse,
      example: { events: [event] } satisfies EventListResponse,
      isPage: true,
    },
  },
  'webhook/show-event': {
    tag: 'Your webhook',
    summary: 'Show an event',
    description: 'One event with every try that was made to deliver it.',
    path: { id: eventId },
    success: {
      message: 'Webhook event',
      data: EventAndAttemptsResponse,
      example: {
        ...event,
        attempts: [
          {
            number: 1,
            started_at: '2026-11-20T08:30:00.512Z',
            duration_ms: 84,
            status_code: 200,
            answer: 'ok',
            error: null,
          },
        ],
      } satisfies EventAndAttemptsResponse,
    },
  },
  'webhook/replay': {
    tag: 'Your webhook',
    summary: 'Replay an event',
    description: 'Sends an event again, under the same `webhook-id` and with ten tries of its own.',
    path: { id: eventId },
    success: {
      message: 'Webhook event queued',
      data: EventResponse,
      example: { ...event, status: 'pending', next_try_at: '2026-11-20T09:12:00.000Z' } satisfies EventResponse,
    },
  },
  'docs/openapi': {
    tag: 'Reference',
    summary: 'The reference for programs',
    description: 'This document, OpenAPI 3.1. Generate a client from it.',
    path: {},
    otherAnswers: {
      200: {
        description: 'The document.',
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
    },
  },
  'docs/page': {
    tag: 'Reference',
    summary: 'The reference for people',
    description: 'This page.',
    path: {},
    otherAnswers: { 200: html('The page.') },
  },
  'docs/file': { leftOut: 'What the page loads, and nobody else.' },
  'callback/smsgate': {
    leftOut: 'The phone’s own protocol, which SMSGate describes. Nobody but the phone can sign it.',
  },
};

/** What the reference says of each webhook. */
export const eventDocumentation: Readonly<Record<WebhookEventType, DocumentedEvent>> = {
  'charge.success': {
    summary: 'A charge is paid',
    description: 'Once for each charge. `data` is the charge, as verify shows it.',
    data: TransactionResponse,
    example: paid,
  },
  'charge.reversed': {
    summary: 'A payment was taken back',
    description: 'The network took back the payment of a charge. Do not hand over what was bought.',
    data: TransactionResponse,
    example: { ...paid, status: 'reversed', reversed_at: '2026-11-20T09:02:11.000Z' } satisfies TransactionResponse,
  },
  'charge.disputed': {
    summary: 'A payment is in doubt',
    description:
      'Something that arrived later speaks against the payment of a charge; `disputed` says what. Check the wallet before you hand over what was bought. Once for each charge.',
    data: TransactionResponse,
    example: { ...paid, disputed: { at: '2026-11-20T08:31:40.000Z', why: 'conflict' } } satisfies TransactionResponse,
  },
  'receipt.held': {
    summary: 'A payment fits no charge',
    description: 'A payment arrived that no charge was found for. Look at it, and assign it to a charge.',
    data: ReceiptResponse,
    example: held,
  },
  'sms.delivered': {
    summary: 'A text was delivered',
    description: 'The network reported it. Some networks never do.',
    data: MessageResponse,
    example: delivered,
  },
  'sms.failed': {
    summary: 'A text failed',
    description: 'It will not be sent any more. Its credit is back.',
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
  'webhook.test': {
    summary: 'A test event',
    description: 'What `POST /api/v1/webhook/test` sends.',
    data: TestEventData,
    example: { message: 'Webhooks of Momo Kiosk arrive here.' },
  },
};

/** The routes of the manifest with what is said of them. */
export const documentedRoutes: readonly DocumentedRoute[] = Object.entries<Operation | LeftOut>(documentation).flatMap(
  ([name, operation]) => {
    const row = rows[name];
    return row?.on === 'http' ? [{ name, row, operation }] : [];
  },
);
