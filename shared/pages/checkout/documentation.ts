import { Network } from '../../ghana/network.ts';
import { paid, pending } from '../../money/charge/documentation.ts';
import { SimulateRequest } from '../../money/settling/simulate-outcome.ts';
import { htmlAnswer, type Operation } from '../../runtime/http/operation.ts';
import type { Parameter } from '../../runtime/http/query-parameters.ts';
import { ClaimRequest } from './claim.ts';
import { PAY_TEXT_SENT, PayTextRequest } from './pay-text.ts';
import { CodeConfirmation, CodeRequest } from './phone-claim.ts';
import { StatusResponse } from './responses.ts';

const accessCode: Parameter = {
  description: 'The charge’s `access_code`.',
  schema: { type: 'string', pattern: '^[0-9A-Za-z]{22}$' },
  example: '4cVxrDn3K8mQzL5tWb2Yc7',
};

const network: Parameter = {
  description:
    'The customer’s network. If the merchant has numbers on several networks, the page shows how to pay from the customer’s network.',
  schema: { type: 'string', enum: Network.options },
};

const stillWaiting: StatusResponse = {
  status: 'pending',
  amount_paid: 0,
  checking: false,
  expires_at: pending.expires_at,
  redirect_url: null,
};

const isPaid = {
  message: 'The charge is paid',
  data: StatusResponse,
  example: {
    status: 'success',
    amount_paid: 36,
    checking: false,
    expires_at: paid.expires_at,
    redirect_url: 'https://shop.example.com/thanks?reference=MK-4071932685',
  } satisfies StatusResponse,
};

const onPage = { tag: 'Checkout', path: { access_code: accessCode }, errorPage: true } as const;

export const checkoutOperations = {
  'checkout/page': {
    ...onPage,
    summary: 'The checkout page',
    description:
      'The page at a charge’s `authorization_url`. It shows how to pay, and turns green (or amber, if unverified) when the payment arrives.',
    query: {
      claim: {
        description: 'Any value opens the claim form on the page.',
        schema: { type: 'string' },
      },
      network,
      text: {
        description: 'Any value opens the form for getting payment instructions by text.',
        schema: { type: 'string' },
      },
      receipt: {
        description: 'Any value redirects to the receipt.',
        schema: { type: 'string' },
      },
    },
    otherAnswers: {
      200: htmlAnswer('The page. It shows how to pay, or that the charge is paid.'),
      302: { description: 'Redirects to the receipt if `receipt` is set.' },
      403: htmlAnswer('The merchant is suspended, so nobody should pay the charge now.'),
      410: htmlAnswer('The charge has expired.'),
    },
  },
  'checkout/receipt': {
    ...onPage,
    summary: 'The receipt',
    description:
      'A page to print or send: the shop, the purpose, the time, the network’s transaction id and later changes. It does not name the payer or link to `callback_url`.',
    otherAnswers: {
      200: htmlAnswer('The receipt for a paid charge, or for a charge that the network has reversed.'),
      303: { description: 'Redirects to the checkout page if the charge is not paid yet.' },
    },
  },
  'checkout/status': {
    tag: 'Checkout',
    summary: 'Check whether a charge is paid',
    description: 'Polled by the open checkout page. Your server should use verify or webhooks instead.',
    path: { access_code: accessCode },
    success: { message: 'Charge found', data: StatusResponse, example: stillWaiting },
  },
  'checkout/claim': {
    ...onPage,
    summary: 'Claim a payment',
    description:
      'Used by the page’s form if a payment was not recognised: confirms the charge by the network’s transaction id and the name of the wallet that paid. If the payment may be meant for another charge, the claim is refused, with the same message as for any other reason, and the merchant must assign the payment. At most five attempts in ten minutes. A purchase of credits cannot be claimed by an id. Forms get a page in response.',
    query: { network },
    body: {
      schema: ClaimRequest,
      form: true,
      examples: {
        claim: { summary: 'An id and a name', value: { transaction_id: '62841953770', name: 'Kofi Mensah' } },
      },
    },
    success: isPaid,
    otherAnswers: { 303: { description: 'For a form, redirects to the page, which is now green.' } },
    errors: ['charge_expired', 'charge_cancelled', 'charge_reversed', 'payment_not_found', 'too_many_tries'],
  },
  'checkout/ask-for-code': {
    ...onPage,
    summary: 'Text a code to the payer’s number',
    description:
      'Used by the page’s form if a customer paid from another network, whose transaction id the merchant’s network does not know. If a held payment of the charge’s or the outstanding amount, at least a cedi, came from this number, a six-digit code is texted to it, at no cost to you. Receipts from MTN name only numbers on other networks, receipts from AT none. The response is the same whether or not a code is sent. At most three codes a payment, and three a number in 24 hours. A code is valid for ten minutes, five attempts and this charge only; a new code replaces it. Each request is also counted as a claim. Forms get a page in response.',
    query: { network },
    body: {
      schema: CodeRequest,
      form: true,
      examples: { phone: { summary: 'The number that the payment came from', value: { phone: '0209876543' } } },
    },
    success: {
      message:
        'If the network shows GHS 36.00 from this number, we have texted it a code. If the code does not arrive, contact Ama Stores.',
      data: StatusResponse,
      example: stillWaiting,
      pageForForm: true,
    },
    otherAnswers: { 303: { description: 'For a form, redirects to the page if the charge is already paid.' } },
    errors: ['charge_expired', 'charge_cancelled', 'charge_reversed', 'too_many_tries'],
  },
  'checkout/confirm-code': {
    ...onPage,
    summary: 'Confirm with the code',
    description:
      'Used by the page’s form. Pays the charge with the payment from this number, if the code for this charge was sent to this number (`matched_by` is `phone`). If the payer’s reference may belong to a different charge, no code is sent, and the merchant must assign the payment. Forms get a page in response.',
    query: { network },
    body: {
      schema: CodeConfirmation,
      form: true,
      examples: { code: { summary: 'The code', value: { phone: '0209876543', code: '123456' } } },
    },
    success: isPaid,
    otherAnswers: { 303: { description: 'For a form, redirects to the page, which is now green.' } },
    errors: ['charge_expired', 'charge_cancelled', 'charge_reversed', 'wrong_code'],
  },
  'checkout/simulate': {
    ...onPage,
    summary: 'Press a button on a test charge’s page',
    description:
      '`POST /api/v1/test/transaction/{reference}/simulate` by a button on a test charge’s page. Forms get the page in response.',
    body: {
      schema: SimulateRequest,
      form: true,
      examples: { paid: { summary: 'The charge is paid', value: { outcome: 'paid' } } },
    },
    success: { ...isPaid, message: 'Simulated' },
    otherAnswers: { 303: { description: 'For a form, redirects to the page.' } },
    errors: ['charge_not_pending', 'too_many_requests'],
  },
  'checkout/text': {
    ...onPage,
    summary: 'Text payment instructions',
    description:
      'Used by the page’s form if the merchant has turned it on: texts the number to pay, the amount and the reference’s ten digits, for one of your credits, because a phone in the network’s menu cannot show the page. At most three texts a charge, three a number in 24 hours, and your daily number; beyond that three for each internet address, up to ten times as many. If no text is sent, the response is 404 without a reason. A number that has had its three texts gets the usual response, which reveals nothing about it. Unsent texts are refunded. Test mode sends no SMS. Forms get a page in response.',
    query: { network },
    body: {
      schema: PayTextRequest,
      form: true,
      examples: { phone: { summary: 'The customer’s number', value: { phone: '0209876543' } } },
    },
    success: { message: PAY_TEXT_SENT, data: StatusResponse, example: stillWaiting, pageForForm: true },
    otherAnswers: { 303: { description: 'For a form, redirects to the page if the charge is already paid.' } },
    errors: ['charge_expired', 'charge_cancelled', 'charge_reversed'],
  },
  'checkout/logo': {
    tag: 'Checkout',
    summary: 'A shop’s logo',
    description:
      'The image at the top of a checkout page, at most 16 KB, set in the dashboard. A new image has a new URL.',
    path: {
      id: {
        description: 'The logo’s id, as used on the page.',
        schema: { type: 'string' },
        example: '01KAG5P3V7M8Q9R2S4T6W8X0Y1',
      },
    },
    otherAnswers: {
      200: {
        description: 'The image.',
        content: Object.fromEntries(
          ['image/png', 'image/jpeg', 'image/webp'].map((type) => [
            type,
            { schema: { type: 'string', format: 'binary' } },
          ]),
        ),
      },
    },
  },
  'checkout/short-link': {
    tag: 'Checkout',
    summary: 'The short link',
    description: 'A short link for texts. Redirects to the checkout page.',
    path: { access_code: accessCode },
    otherAnswers: {
      302: {
        description: 'Redirects to the checkout page.',
        headers: { Location: { description: 'Its address.', schema: { type: 'string', format: 'uri' } } },
      },
    },
  },
} satisfies Record<string, Operation>;
