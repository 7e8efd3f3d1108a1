import * as z from 'zod/mini';
import { COUNTRY_CODE, CURRENCY } from '../../ghana/country.ts';
import { Network, networks } from '../../ghana/network.ts';
import { amountGhs, Currency, phoneNumber } from '../../ghana/responses.ts';
import { Livemode, ReturnedMetadata, time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { ProofResponse } from '../../wallets/chain/responses.ts';
import { Dispute, MarkedHow, MatchedBy, Refund } from '../payment/payment.ts';
import { goodsStates } from './goods.ts';
import { chargeStatuses } from './states.ts';

const Reference = described(z.string(), 'Identifies the charge. The customer types it when paying.', {
  pattern: '^MK-\\d{10}$',
  examples: ['MK-4071932685'],
});

const MomoNetwork = described(Network, 'The network of the number that is paid.');

export const NewChargeResponse = answer('CreatedCharge', {
  authorization_url: described(
    z.string(),
    'The checkout page. Send the customer’s browser there. Store it: later only a repeat with the same `Idempotency-Key`, or a 409 `duplicate_reference`, contains it.',
    {
      format: 'uri',
      examples: ['https://pay.example.com/checkout/4cVxrDn3K8mQzL5tWb2Yc7'],
    },
  ),
  access_code: described(z.string(), 'The checkout page’s code; `/c/{access_code}` is a short link to it.', {
    examples: ['4cVxrDn3K8mQzL5tWb2Yc7'],
  }),
  reference: Reference,
  livemode: Livemode,
  amount: amountGhs(`The amount to pay, in ${CURRENCY}.`),
  currency: Currency,
  momo_number: phoneNumber('The MoMo number that the customer pays to.'),
  momo_network: MomoNetwork,
  expires_at: time('When the charge expires.'),
  warnings: described(
    z.array(z.string()),
    'Sentences about accepted input that might not work as you expect, such as a `customer_name` that is not matched.',
  ),
});
export type NewChargeResponse = z.infer<typeof NewChargeResponse>;

export const MarkedResponse = described(
  z.nullable(z.object({ how: MarkedHow, at: time('When it was marked.') })),
  'Set if a manager or owner marked the charge as paid and typed the amount, payer and id. `how`: from a `text` that could not be read, by a `transfer` whose text was lost, or in `cash`. Such a payment is never verified. Null once its text was read, and for other payments.',
);

const TAKEN_BACK_FOR = Object.values(networks)
  .map(({ short, takesBack }) => `${takesBack.days} for ${short}`)
  .join(', ');

export const PaymentResponse = answer('Payment', {
  network: described(Network, 'The network of the number that was paid; for cash the charge’s.'),
  transaction_id: described(
    z.string(),
    'The network’s transaction id; for cash, `CASH` and digits. If it was claimed, or assigned by hand or at a till, a key without `receipts:assign` sees the last four characters.',
    {
      examples: ['62841953770'],
    },
  ),
  amount: amountGhs(
    `The amount paid, in ${CURRENCY}: more than the charge if the payer sent too much, less only if you assigned the payment by hand.`,
  ),
  payer_name: described(z.nullable(z.string()), 'The payer’s name at the network.'),
  payer_phone: described(z.nullable(z.string()), 'The payer’s number, if the network reports it.'),
  received_at: time('When the receipt reached the phone.'),
  matched_by: described(
    MatchedBy,
    'How the payment was matched: by the typed `reference`, by the payer’s `name`, by the customer’s `claim` on the page, by a code texted to the `phone` that paid, by your `hand`, or by a cashier’s tap at a `till`.',
  ),
  reversible_until: time(
    `To our knowledge, the payer can ask the network for a reversal until then (in days: ${TAKEN_BACK_FOR}). The network may reverse the payment later, too; \`charge.reversed\` reports that.`,
  ),
  proof: described(
    z.nullable(ProofResponse),
    'The proof of this payment alone; the charge’s `proof` covers all its payments. Unless `state` is `proven`, only the payment’s own text says that the money arrived, as before the wallet’s balance is named. Null for a test, and if it was not recorded.',
  ),
  marked: MarkedResponse,
  receipt_id: described(z.string(), 'The id of the receipt of this payment.', {
    examples: [`MTN-${COUNTRY_CODE.slice(1)}241234567-62841953770`],
  }),
});
export type PaymentResponse = z.infer<typeof PaymentResponse>;

const DisputeResponse = answer('Dispute', {
  at: time('When the contradiction was found.'),
  why: described(
    Dispute.shape.why,
    '`conflict`: another text reported the same payment with a different amount, name or balance, so one of them is false; `GET /api/v1/receipt` lists both. `reversal`: a text that was not fully understood, or the wallet’s balance, suggests that the payment was reversed. `forged`: the payment’s text does not belong to the wallet’s balance chain. Check the wallet before you deliver.',
  ),
});

const RefundResponse = answer('Refund', {
  refund_id: z.string(),
  status: described(
    Refund.shape.state,
    '`noted` until the money was sent (`sent`), you decide not to send it, or the network reverses the payment (`withdrawn`).',
  ),
  amount: amountGhs(`The amount that goes back, in ${CURRENCY}.`),
  proof: described(z.nullable(ProofResponse), 'The proof of the charge.'),
  reason: z.nullable(z.string()),
  noted_at: time('When you recorded it.'),
  closed_at: timeOrNull('When it was closed; null until then.'),
  closed_by: described(
    z.nullable(z.enum(['wallet', 'hand', 'network'])),
    'Who closed it: your `wallet`’s verified text about the transfer, you (`hand`), or the `network`, which reversed the payment.',
  ),
  transaction_id: described(z.nullable(z.string()), 'The network’s id of the transfer, if its text was read.'),
});
export type RefundResponse = z.infer<typeof RefundResponse>;

const SecondPaymentResponse = answer('SecondPayment', {
  receipt_id: described(z.string(), 'The `receipt_id` for a refund.', { examples: ['1763623798000-4821'] }),
  network: MomoNetwork,
  transaction_id: described(z.string(), '“…” and the last four characters of the network’s id.', {
    examples: ['…4821'],
  }),
  amount: amountGhs(`What was paid, in ${CURRENCY}.`),
  proof: described(z.nullable(ProofResponse), 'Its proof. See `warning` before you send it back.'),
  warning: described(
    z.nullable(z.string()),
    'What to do first. Null if texts verify both payments, unless it is a request’s charge, or once sent back.',
  ),
  received_at: time('When the receipt reached the phone.'),
  sent_back_at: timeOrNull('When it was recorded as sent back.'),
});
export type SecondPaymentResponse = z.infer<typeof SecondPaymentResponse>;

const HeldPartsResponse = answer('HeldParts', {
  amount: amountGhs(`The amount held, in ${CURRENCY}.`),
  proof: described(
    z.nullable(ProofResponse),
    'The weakest proof of these payments. Unless `state` is `proven`, check the wallet before you send money back. Null for a test, and if nothing is held.',
  ),
});

const LinkCodeResponse = answer('HandedOutCode', {
  status: described(
    z.enum(goodsStates),
    '`unpaid` until the charge is paid; then `given`, `waiting` until you add codes, or `to_release`: the payment is not proven and above your limit, so a person must release the code on the dashboard. `taken_back`: the network reversed the payment; nobody else gets the code.',
  ),
  number: described(z.nullable(z.int()), 'The position of the code in the link’s stock, from 1.'),
  at: timeOrNull('When the status changed.'),
});

export const ChargeResponse = answer('Charge', {
  reference: Reference,
  livemode: Livemode,
  status: described(
    z.enum(chargeStatuses),
    '`pending` until the charge is paid (`success`), expires (`expired`) or you cancel it (`cancelled`). An expired charge can still be paid by a payment whose text was on the phone in time, or by a payment that you assign; a cancelled charge only by a payment that you assign. `reversed`: the network reversed a payment.',
  ),
  amount: amountGhs(`The amount to pay, in ${CURRENCY}.`),
  currency: Currency,
  email: z.nullable(z.string()),
  customer_name: z.nullable(z.string()),
  customer_phone: z.nullable(z.string()),
  description: z.nullable(z.string()),
  merchant_reference: described(z.nullable(z.string()), 'Your own reference, such as an order number.'),
  metadata: ReturnedMetadata,
  link: described(z.nullable(z.string()), 'The slug of the payment link through which it was opened.'),
  request: described(z.nullable(z.string()), 'The slug of its payment request.'),
  customer_note: described(z.nullable(z.string()), 'The customer’s note on the link’s page.'),
  code: described(
    z.nullable(LinkCodeResponse),
    'The state of the payer’s code; null if there is none. Only the payer sees the code itself.',
  ),
  callback_url: z.nullable(z.string()),
  momo_number: phoneNumber('The MoMo number that the customer pays to.'),
  momo_network: MomoNetwork,
  created_at: time('When the charge was created.'),
  expires_at: time('When the charge expires.'),
  paid_at: timeOrNull('When it was paid.'),
  expired_at: timeOrNull(
    'When it was found expired, about 5 minutes after `expires_at`. `status` is `expired` from `expires_at` on.',
  ),
  cancelled_at: timeOrNull(
    'When you cancelled it; null if it is `cancelled` because a cashier took its payment at a till for another charge.',
  ),
  reversed_at: timeOrNull('When the network reversed the payment.'),
  unmarked_at: timeOrNull('When a mark or unverified payment was last undone.'),
  amount_paid: amountGhs(
    `The amount that arrived and was not reversed, in ${CURRENCY}: while \`pending\`, the sum of its \`parts\`; once \`expired\`, \`cancelled\` or \`reversed\`, the sum of the other payments received by then, which are held for you (see \`held\`).`,
  ),
  held: described(
    z.nullable(HeldPartsResponse),
    'The part of `amount_paid` of an `expired`, `cancelled` or `reversed` charge that is still held: not reversed by the network, assigned, set aside or sent back. Null for other charges, and if there were no parts.',
  ),
  overpaid: amountGhs(
    `The excess of \`amount_paid\` over \`amount\`, in ${CURRENCY}; a refund does not change it. If \`proof.state\` is \`proven\`, it belongs to the payer: record a refund and send it back. If not, check the wallet first. For a payment request, see its \`amount_overpaid\`.`,
  ),
  proof: described(
    z.nullable(ProofResponse),
    'Whether `amount_paid` and `overpaid` are verified: the weakest proof of `payment` and `parts`. Never `proven` while the charge is disputed, or if it ended unpaid and not all of `amount_paid` is still held. Also `proven` once your team finds the money, unless marked. Null for a test, and before money arrives.',
  ),
  parts: described(
    z.array(PaymentResponse),
    'Payments with its reference that were too small, in order; `payment` is the payment that completed the amount. When a charge ends unpaid, its parts are held again: see Receipts.',
  ),
  payment: described(
    z.nullable(PaymentResponse),
    'The payment that paid the charge or completed its parts; for a `reversed` charge, the reversed payment. A verified payment with the charge’s reference replaces an unverified one, which moves to `second_payments`.',
  ),
  disputed: described(z.nullable(DisputeResponse), 'Set if a later text contradicts the payment.'),
  refunds: described(z.array(RefundResponse), 'The refunds that you recorded, oldest first.'),
  warning: described(
    z.optional(z.nullable(z.string())),
    'Only in the response to a new refund: what to do first if the money (for a second payment, also the charge’s own) is not verified; otherwise null.',
  ),
  second_payments: described(
    z.array(SecondPaymentResponse),
    'Held payments that named its reference when it was already paid, oldest first; if more than five, first verified ones, then the largest. If `warning` and `sent_back_at` of one are null, send it back and record a refund with its `receipt_id`.',
  ),
});
export type ChargeResponse = z.infer<typeof ChargeResponse>;

export const ChargeListResponse = z.object({ transactions: z.array(ChargeResponse) });
export type ChargeListResponse = z.infer<typeof ChargeListResponse>;
