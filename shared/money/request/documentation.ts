import { CURRENCY } from '../../ghana/country.ts';
import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import { type Parameter, pageParameters } from '../../runtime/http/query-parameters.ts';
import { ManyRequestsBody, RequestBody } from './request-body.ts';
import {
  type RequestListResponse as List,
  type MadeRequestsResponse as Made,
  MadeRequestsResponse,
  RequestListResponse,
  RequestResponse,
} from './responses.ts';

const fees: RequestResponse = {
  slug: 'k7m2q9x4p3wa',
  url: 'https://pay.example.com/r/k7m2q9x4p3wa',
  livemode: true,
  status: 'open',
  overdue: false,
  title: 'School fees, term 2',
  note: null,
  customer_name: 'Kofi Mensah',
  customer_phone: '+233241112222',
  lines: [
    { description: 'Tuition', quantity: 1, amount: 750 },
    { description: 'Books', quantity: 4, amount: 25 },
  ],
  currency: CURRENCY,
  total: 850,
  amount_paid: 425,
  amount_due: 425,
  due_now: 0,
  amount_overpaid: 0,
  proof: { state: 'proven', why: null },
  due: '2027-02-01',
  every: null,
  instalments: [
    { due: '2026-12-01', amount: 425, paid: 425 },
    { due: '2027-02-01', amount: 425, paid: 0 },
  ],
  payments: [
    {
      reference: 'MK-4071932685',
      amount: 425,
      proof: { state: 'proven', why: null },
      paid_at: '2026-11-20T08:30:00.000Z',
    },
  ],
  reminders: [-3, 0, 7],
  next_reminder_at: '2027-01-29T09:41:00.000Z',
  last_reminder: null,
  merchant_reference: 'INV-2026-104',
  created_at: '2026-11-20T08:26:10.412Z',
  paid_at: null,
  cancelled_at: null,
  metadata: null,
};

const unpaid: RequestResponse = {
  ...fees,
  amount_paid: 0,
  amount_due: 850,
  proof: null,
  due: '2026-12-01',
  instalments: fees.instalments.map((one) => ({ ...one, paid: 0 })),
  payments: [],
  next_reminder_at: '2026-11-28T09:41:00.000Z',
};

export const slug: Parameter = {
  description: 'The request’s `slug`.',
  schema: { type: 'string', pattern: '^[a-hj-km-np-z2-9]{12}$' },
  example: fees.slug,
};

const tag = 'Payment requests' as const;

export const requestOperations = {
  'request/create': {
    tag,
    summary: 'Create a request',
    description: `An invoice for one customer, with its own page: send its \`url\`. The page shows the requested, paid and
outstanding amounts. Paying the whole amount or a part opens an ordinary charge with \`request\`, which can be paid for a day, but never
by the payer’s name; parts still count after that day. The request is open until the whole amount has arrived,
to the pesewa.

\`instalments\` have their own days; \`repeat\` asks for the same amount each week or month. \`reminders\` are texts with the purpose
\`reminder\`, sent once in the morning of the days that you choose, if an amount is due by that due day, and never after
\`STOP\`. If the money arrives first, a waiting reminder is cancelled and refunded.`,
    path: {},
    body: {
      schema: RequestBody,
      examples: {
        one: {
          summary: 'One amount',
          value: {
            title: 'Invoice 104',
            lines: [{ description: 'Two yards of kente', amount: 36 }],
            customer_name: 'Kofi Mensah',
            due: '2026-12-24',
          },
        },
        instalments: {
          summary: 'In two parts, with reminders',
          value: {
            title: fees.title,
            lines: [
              { description: 'Tuition', amount: 750 },
              { description: 'Books', quantity: 4, amount: 25 },
            ],
            customer_name: 'Kofi Mensah',
            customer_phone: '0241112222',
            instalments: [
              { due: '2026-12-01', amount: 425 },
              { due: '2027-02-01', amount: 425 },
            ],
            reminders: [-3, 0, 7],
            merchant_reference: 'INV-2026-104',
          },
        },
        monthly: {
          summary: 'Each month',
          value: {
            title: 'Rent, room 12',
            lines: [{ description: 'Rent', amount: 500 }],
            due: '2026-12-01',
            repeat: { every: 'month', until: '2027-11-30' },
          },
        },
      },
    },
    success: { message: 'Request created', data: RequestResponse, example: unpaid },
    errors: ['no_momo_number', 'busy'],
  },
  'request/create-many': {
    tag,
    summary: 'Create many requests',
    description:
      'Send either `requests` or `csv`. If any row is invalid, none is created, and `errors` names each invalid row (`requests[3].due`, or the line of a file). Send an Idempotency-Key: if the response is lost, a repeat with the same key completes the list without creating a request twice.',
    path: {},
    body: {
      schema: ManyRequestsBody,
      examples: {
        class: {
          summary: 'A class',
          value: {
            requests: ['PUPIL-1', 'PUPIL-2'].map((merchant_reference) => ({
              title: fees.title,
              lines: [{ description: 'Tuition', amount: 850 }],
              due: '2026-12-24',
              merchant_reference,
            })),
          },
        },
        csv: {
          summary: 'The same requests from a file',
          value: {
            csv: `title,description,amount,due,merchant_reference\n${['PUPIL-1', 'PUPIL-2'].map((pupil) => `"${fees.title}",Tuition,850,2026-12-24,${pupil}\n`).join('')}`,
          },
        },
      },
    },
    success: {
      message: 'Created 2 requests',
      data: MadeRequestsResponse,
      example: {
        count: 2,
        requests: [
          { slug: fees.slug, url: fees.url, amount_due: 850, merchant_reference: 'PUPIL-1' },
          {
            slug: 'p3wak7m2q9x4',
            url: 'https://pay.example.com/r/p3wak7m2q9x4',
            amount_due: 850,
            merchant_reference: 'PUPIL-2',
          },
        ],
      } satisfies Made,
    },
    errors: ['no_momo_number', 'busy'],
  },
  'request/list': {
    tag,
    summary: 'List requests',
    description: 'Your payment requests, newest first. Paid amounts may be a few seconds old.',
    path: {},
    query: pageParameters,
    success: {
      message: 'Requests',
      data: RequestListResponse,
      example: { requests: [fees] } satisfies List,
      isPage: true,
    },
  },
  'request/show': {
    tag,
    summary: 'Show a request',
    description: 'One request, with the amount paid so far.',
    path: { slug },
    success: { message: 'Request found', data: RequestResponse, example: fees },
  },
  'request/cancel': {
    tag,
    summary: 'Cancel a request',
    description:
      'Cancels the request and its reminders. You keep money that was paid. An existing charge can still be paid for up to a day. Cancelling again changes nothing.',
    path: { slug },
    success: {
      message: 'Request cancelled',
      data: RequestResponse,
      example: {
        ...fees,
        status: 'cancelled',
        due: null,
        next_reminder_at: null,
        cancelled_at: '2026-11-21T08:00:00.000Z',
      } satisfies RequestResponse,
    },
    errors: ['request_closed', 'busy'],
  },
} satisfies Record<string, Operation>;

const paidUp: RequestResponse = {
  ...fees,
  status: 'paid',
  amount_paid: 850,
  amount_due: 0,
  due: null,
  instalments: fees.instalments.map((one) => ({ ...one, paid: one.amount })),
  payments: [
    ...fees.payments,
    {
      reference: 'MK-5182043796',
      amount: 425,
      proof: { state: 'proven', why: null },
      paid_at: '2027-01-30T10:02:11.000Z',
    },
  ],
  next_reminder_at: null,
  paid_at: '2027-01-30T10:02:12.000Z',
};

export const requestEvents = {
  'request.paid': {
    summary: 'A request is paid',
    description:
      'The whole amount has arrived; see `proof`. Sent again if the request was reopened. Each payment also causes `charge.success`.',
    data: RequestResponse,
    example: paidUp,
  },
  'request.reopened': {
    summary: 'A request is open again',
    description: 'The network reversed a payment (`charge.reversed`). Reminders continue.',
    data: RequestResponse,
    example: { ...fees, amount_paid: 425 } satisfies RequestResponse,
  },
} satisfies Record<string, DocumentedEvent>;
