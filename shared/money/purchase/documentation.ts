import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { amountGhs } from '../../ghana/responses.ts';
import type { Operation } from '../../runtime/http/operation.ts';
import { Livemode, time } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { NewChargeResponse } from '../charge/responses.ts';
import { BuyCreditsRequest } from './purchase-request.ts';

const PurchaseResponse = answer('CreditPurchase', {
  authorization_url: NewChargeResponse.shape.authorization_url,
  reference: described(z.string(), 'The reference of the seller’s charge, also in the entry of the credits.'),
  livemode: Livemode,
  credits: z.int(),
  price: amountGhs(`The price, in ${CURRENCY}.`),
  seller: described(z.nullable(z.string()), 'The seller.'),
  expires_at: time('When the charge expires.'),
});
export type PurchaseResponse = z.infer<typeof PurchaseResponse>;

export const purchaseOperations = {
  'sms/buy-credits': {
    tag: 'Texts',
    path: {},
    summary: 'Buy credits',
    description: `Opens a checkout page where you pay the seller for one of the \`bundles\` of \`GET /api/v1/sms/credits\`, within half an
hour and with the reference, never by name. Once the payment is proven, the credits are added as a \`purchase\` entry with
this \`reference\`; if it is not proven, or the seller no longer sells, the operator decides. If the network reverses the payment, or the
seller sends it back, the credits are reversed, too: spent credits are \`owed\`. After a reversal by the network, the operator must allow you to buy
again. Unpaid purchases do not block others. Credits cannot be exchanged for cash or transferred. A test does not add credits. The seller sees your name and \`callback_url\`.`,
    body: {
      schema: BuyCreditsRequest,
      examples: { bundle: { summary: 'A bundle', value: { credits: 500, price: 30 } } },
    },
    success: {
      message: 'Checkout created',
      data: PurchaseResponse,
      example: {
        authorization_url: 'https://pay.example.com/checkout/4cVxrDn3K8mQzL5tWb2Yc7',
        reference: 'MK-4071932685',
        livemode: true,
        credits: 500,
        price: 30,
        seller: 'Efua Hosting',
        expires_at: '2026-11-20T09:00:00.000Z',
      } satisfies PurchaseResponse,
    },
    errors: ['no_momo_number'],
  },
} satisfies Record<string, Operation>;
