import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import { choiceParameter, pageParameters } from '../../runtime/http/query-parameters.ts';
import { paid, pending, reference } from '../charge/documentation.ts';
import { ChargeResponse } from '../charge/responses.ts';
import { receiptLists } from '../receipt/receipt.ts';
import { ReceiptListResponse, ReceiptResponse } from '../receipt/responses.ts';
import { AssignRequest } from './assign-request.ts';
import { SimulateRequest } from './simulate-outcome.ts';

const held: ReceiptResponse = {
  id: 'MTN-233241234567-62841953812',
  livemode: true,
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
  proof: { state: 'proven', why: null },
  matched_by: null,
  marked: null,
  reference: null,
  suggested_reference: null,
  set_aside: null,
};

export const receiptOperations = {
  'receipt/list': {
    tag: 'Receipts',
    summary: 'List receipts',
    description:
      'Payments that arrived, newest first: held, unread (`decided`: somebody has dealt with it), matched, or set aside, on the dashboard or by a refund with `receipt_id`.',
    path: {},
    query: {
      status: choiceParameter('Only these.', receiptLists, 'held'),
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
      'Assigns a held payment to a charge, whatever its amount, so compare the two first. If the payment is not verified, check the wallet first. The charge is then paid, and `charge.success` is sent; with `as_part` it waits for the rest. The charge must be pending, or have ended unpaid less than a day ago (a payment request’s: at any time); then its other parts are restored too. A payment can be assigned only once. Assigning does not change `payment.proof`: the code for an unverified payment is handed out only within your limits.',
    path: { id: { description: 'The receipt’s id.', schema: { type: 'string' }, example: held.id } },
    body: {
      schema: AssignRequest,
      examples: { charge: { summary: 'The charge that it pays', value: { reference: pending.reference } } },
    },
    success: {
      message: 'Receipt assigned',
      data: ChargeResponse,
      example: {
        ...paid,
        payment: paid.payment && { ...paid.payment, receipt_id: held.id, matched_by: 'hand' },
      } satisfies ChargeResponse,
    },
    errors: ['receipt_not_held', 'charge_not_pending'],
  },
} satisfies Record<string, Operation>;

export const simulationOperations = {
  'test/simulate': {
    tag: 'Test mode',
    summary: 'Pay a test charge',
    description: `Simulates an outcome and returns the changed test charge. Matching and webhooks are the same as for a real payment. The transaction id
starts with \`TEST\`; a held payment can be claimed on the checkout page by this id and the payer’s name, \`Test Stranger\`. The buttons on
a test charge’s checkout page do the same.`,
    path: { reference },
    body: {
      schema: SimulateRequest,
      examples: {
        paid: { summary: 'The charge is paid', value: { outcome: 'paid' } },
        held: { summary: 'Somebody else pays, without the reference', value: { outcome: 'held' } },
      },
    },
    success: {
      message: 'Simulated',
      data: ChargeResponse,
      example: {
        ...paid,
        livemode: false,
        momo_number: '+233001234560',
        payment: paid.payment && {
          ...paid.payment,
          proof: null,
          transaction_id: 'TEST62841953770',
          receipt_id: 'MTN-233001234560-TEST62841953770',
        },
      } satisfies ChargeResponse,
    },
    errors: ['charge_not_pending'],
  },
} satisfies Record<string, Operation>;

export const receiptEvents = {
  'receipt.held': {
    summary: 'A payment is held',
    description:
      'A payment does not confirm a charge, or no longer does (`reason`); `suggested_reference` is the intended charge. If `data.proof.state` is `proven`, assign the payment or send it back (not if `reversed`; if `already_paid`, only if the charge’s own payments are, too). Otherwise check the wallet first: the payment may be forged. No event reports that a colleague has dealt with it: `GET /api/v1/receipt?status=held` lists held payments.',
    data: ReceiptResponse,
    example: held,
  },
  'receipt.unread': {
    summary: 'A text could not be read',
    description:
      'A text from your wallet’s network, which may report a payment, confirmed nothing. Check the wallet. A manager or owner then marks the charge as paid on the dashboard, or marks the text “not a payment”. The event has no amount and no `text`: `GET /api/v1/receipt?status=unread` shows it. Not sent for a number that several merchants share.',
    data: ReceiptResponse,
    example: {
      ...held,
      id: 'TEXT-5f2d1c0e9b8a47665544332211ffeedd',
      status: 'unread',
      reason: null,
      transaction_id: null,
      amount: null,
      payer_name: null,
      payer_reference: null,
      text: null,
      proof: null,
    },
  },
} satisfies Record<string, DocumentedEvent>;
