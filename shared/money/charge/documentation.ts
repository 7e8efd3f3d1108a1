import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import {
  choiceParameter,
  type Parameter,
  pageParameters,
  timeParameters,
} from '../../runtime/http/query-parameters.ts';
import { EXPIRY_GRACE_SECONDS } from './expiry.table.ts';
import { InitializeRequest } from './initialize-request.ts';
import { ChargeListResponse, ChargeResponse, NewChargeResponse } from './responses.ts';
import { chargeStatuses } from './states.ts';

export const pending: ChargeResponse = {
  reference: 'MK-4071932685',
  livemode: true,
  status: 'pending',
  amount: 36,
  currency: 'GHS',
  email: null,
  customer_name: 'Kofi Mensah',
  customer_phone: null,
  description: 'Two yards of kente',
  merchant_reference: 'A-1007',
  metadata: { order_id: 'A-1007' },
  link: null,
  request: null,
  customer_note: null,
  code: null,
  callback_url: 'https://shop.example.com/thanks',
  momo_number: '+233241234567',
  momo_network: 'MTN',
  created_at: '2026-11-20T08:26:10.412Z',
  expires_at: '2026-11-21T08:26:10.412Z',
  paid_at: null,
  expired_at: null,
  cancelled_at: null,
  reversed_at: null,
  unmarked_at: null,
  amount_paid: 0,
  held: null,
  overpaid: 0,
  proof: null,
  parts: [],
  payment: null,
  disputed: null,
  refunds: [],
  second_payments: [],
};

export const paid: ChargeResponse = {
  ...pending,
  status: 'success',
  paid_at: '2026-11-20T08:30:00.000Z',
  amount_paid: 36,
  proof: { state: 'proven', why: null },
  payment: {
    network: 'MTN',
    transaction_id: '62841953770',
    amount: 36,
    payer_name: 'KOFI MENSAH',
    payer_phone: null,
    received_at: '2026-11-20T08:29:58.000Z',
    matched_by: 'reference',
    reversible_until: '2026-12-05T08:29:58.000Z',
    proof: { state: 'proven', why: null },
    marked: null,
    receipt_id: 'MTN-233241234567-62841953770',
  },
};

export const reference: Parameter = {
  description: 'The charge’s reference.',
  schema: { type: 'string', pattern: '^MK-\\d{10}$' },
  example: pending.reference,
};

export const chargeOperations = {
  'transaction/initialize': {
    tag: 'Charges',
    summary: 'Create a charge',
    description: `Creates a charge and returns the address of its checkout page, which shows your MoMo number. The customer can return to
the page and pay until the charge expires or you cancel it. No event reports that a customer left the page.

A payment confirms a charge if it names the charge’s reference and is at least its amount (\`overpaid\` is the excess).
A smaller payment is a part (\`amount_paid\`), and the payment that completes the amount confirms the charge.
A payment without anything like a reference confirms the charge if its amount is exact and at most GHS 500 (your operator can change
this limit), comes from \`customer_name\` within two hours, and fits no other customer’s charge (see \`customer_phone\`). Any other payment is held for
you: see Receipts.`,
    path: {},
    body: {
      schema: InitializeRequest,
      examples: {
        least: { summary: 'The minimum', value: { amount: 36 } },
        recommended: {
          summary: 'Recommended',
          value: {
            amount: 36,
            email: 'kofi@example.com',
            customer_name: 'Kofi Mensah',
            callback_url: 'https://shop.example.com/thanks',
            description: 'Two yards of kente',
            merchant_reference: 'A-1007',
            metadata: { order_id: 'A-1007' },
          },
        },
      },
    },
    success: {
      message: 'Charge created',
      data: NewChargeResponse,
      example: {
        authorization_url: 'https://pay.example.com/checkout/4cVxrDn3K8mQzL5tWb2Yc7',
        access_code: '4cVxrDn3K8mQzL5tWb2Yc7',
        reference: 'MK-4071932685',
        livemode: true,
        amount: 36,
        currency: 'GHS',
        momo_number: '+233241234567',
        momo_network: 'MTN',
        expires_at: '2026-11-21T08:26:10.412Z',
        warnings: [],
      } satisfies NewChargeResponse,
    },
    errors: ['no_momo_number', 'duplicate_reference'],
  },
  'transaction/verify': {
    tag: 'Charges',
    summary: 'Verify a charge',
    description:
      'One complete charge: whether it is paid (`status`) and verified (`proof.state`), the payer, and your `metadata`.',
    path: { reference },
    success: { message: 'Charge found', data: ChargeResponse, example: paid },
  },
  'transaction/cancel': {
    tag: 'Charges',
    summary: 'Cancel a charge',
    description: `Cancels a pending charge: its checkout page then tells the customer not to pay. A later payment never confirms the charge,
but is held for you, and you can assign it within a day. If a payment arrives at the same moment, the response is either
the cancelled charge or 409 \`charge_not_pending\`. Cancelling again returns the same response.`,
    path: { reference },
    success: {
      message: 'Charge cancelled',
      data: ChargeResponse,
      example: {
        ...pending,
        status: 'cancelled',
        cancelled_at: '2026-11-20T08:41:07.000Z',
      } satisfies ChargeResponse,
    },
    errors: ['charge_not_pending'],
  },
  'transaction/list': {
    tag: 'Charges',
    summary: 'List charges',
    description:
      'Your charges, newest first. Filters find a new or changed charge after a second or two. Charges that customers opened through a payment link are listed once money has arrived; `link` lists all charges of a link.',
    path: {},
    query: {
      status: choiceParameter('Only charges with this status.', chargeStatuses),
      merchant_reference: { description: 'Only charges with this reference of yours.', schema: { type: 'string' } },
      name: {
        description: 'Only charges whose customer or payer has all these names (whole words).',
        schema: { type: 'string' },
        example: 'Mensah',
      },
      email: { description: 'Only charges with this e-mail address.', schema: { type: 'string' } },
      phone: { description: 'Only charges with this customer’s or payer’s number.', schema: { type: 'string' } },
      link: {
        description: 'Only charges opened through this payment link, paid or not.',
        schema: { type: 'string' },
        example: 'k7m2q9x4',
      },
      amount: {
        description: 'Only charges of this amount, or with such a payment, in GHS.',
        schema: { type: 'string' },
      },
      transaction_id: {
        description:
          'Only the charge paid by the payment with this network id, with or without leading zeros. Also needs the `receipts:assign` scope.',
        schema: { type: 'string' },
      },
      ...timeParameters,
      ...pageParameters,
    },
    success: {
      message: 'Charges',
      data: ChargeListResponse,
      example: { transactions: [paid] } satisfies ChargeListResponse,
      isPage: true,
    },
  },
} satisfies Record<string, Operation>;

const part = paid.payment && { ...paid.payment, amount: 35 };

export const chargeEvents = {
  'charge.partly_paid': {
    summary: 'A charge is partly paid',
    description:
      'A payment with the charge’s reference was too small. The checkout page shows the customer the outstanding amount. Do not deliver yet.',
    data: ChargeResponse,
    example: { ...pending, amount_paid: 35, parts: part ? [part] : [] } satisfies ChargeResponse,
  },
  'charge.expired': {
    summary: 'A charge has expired',
    description: `Sent about ${EXPIRY_GRACE_SECONDS / 60} minutes after \`expires_at\`, but not for a charge opened through a payment link without any payment. Parts (\`amount_paid\`) are held for you. \`charge.success\` may still follow, if a text that was on the phone in time arrives late, or if you assign a payment.`,
    data: ChargeResponse,
    example: { ...pending, status: 'expired', expired_at: '2026-11-21T08:31:40.000Z' } satisfies ChargeResponse,
  },
  'charge.cancelled': {
    summary: 'A charge is cancelled',
    description:
      'Parts (`amount_paid`) are held for you, and so are later payments (`receipt.held`, `charge_cancelled`). Also sent after `charge.success` if a manager undoes a tap at a till: its payment is held again.',
    data: ChargeResponse,
    example: {
      ...pending,
      status: 'cancelled',
      cancelled_at: '2026-11-20T08:41:07.000Z',
    } satisfies ChargeResponse,
  },
  'charge.success': {
    summary: 'A charge is paid',
    description:
      'Created once per charge, and again if the charge is paid after `charge.unmarked`; an event may arrive twice. Deliver if `data.proof.state` is `proven`, or `data.livemode` is `false`. Otherwise hold the order and check the wallet: the text may be forged. No event reports that a payment has become verified, so verify the charge again.',
    data: ChargeResponse,
    example: paid,
  },
  'charge.reversed': {
    summary: 'A payment was reversed',
    description:
      'The network reversed the payment of a charge, or one of its parts. Do not deliver. The remaining `amount_paid` is held for you.',
    data: ChargeResponse,
    example: {
      ...paid,
      status: 'reversed',
      reversed_at: '2026-11-20T09:02:11.000Z',
      amount_paid: 0,
    } satisfies ChargeResponse,
  },
  'charge.unmarked': {
    summary: 'Somebody undid a payment of a charge',
    description:
      'Somebody undid a mark as paid, or did not find an unverified payment. `status` is now `pending`, `expired` or `cancelled`, unless other payments cover the charge. Do not deliver until it is paid.',
    data: ChargeResponse,
    example: { ...pending, unmarked_at: '2026-11-20T09:02:11.000Z' } satisfies ChargeResponse,
  },
  'charge.disputed': {
    summary: 'A payment is disputed',
    description:
      'A later text contradicts a charge’s payment; see `disputed`. Check the wallet before you deliver. Created once per dispute and `disputed.why`.',
    data: ChargeResponse,
    example: { ...paid, disputed: { at: '2026-11-20T08:31:40.000Z', why: 'conflict' } } satisfies ChargeResponse,
  },
} satisfies Record<string, DocumentedEvent>;
