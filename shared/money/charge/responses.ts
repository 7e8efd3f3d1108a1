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

const Reference = described(
  z.string(),
  'Identifies the charge: for verifying it, in webhooks, and for the customer to type when paying.',
  { pattern: '^MK-\\d{10}$', examples: ['MK-4071932685'] },
);

const MomoNetwork = described(Network, 'The network of the number that is paid.');

export const NewChargeResponse = answer('CreatedCharge', {
  authorization_url: described(
    z.string(),
    'The checkout page. Send the customer’s browser there. Keep it: later only a repeat under the same `Idempotency-Key` has it, and the 409 of a repeated `merchant_reference` that is to be unique.',
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
  expires_at: time('Until when it can be paid.'),
  warnings: described(
    z.array(z.string()),
    'Sentences about input that was accepted but may not do what you expect, such as a `customer_name` that is not matched.',
  ),
});
export type NewChargeResponse = z.infer<typeof NewChargeResponse>;

export const MarkedResponse = described(
  z.nullable(z.object({ how: MarkedHow, at: time('When it was marked.') })),
  'Set where a manager or owner marked the charge as paid, and no machine has read a text of the payment: a person typed its amount, payer and id. `how`: from a `text` that could not be read, by a `transfer` whose text was lost, or in `cash`. It is never verified. Null once its text was read, and for all other payments.',
);

const TAKEN_BACK_FOR = Object.values(networks)
  .map(({ short, takesBack }) => `${takesBack.days} for ${short}`)
  .join(', ');

export const PaymentResponse = answer('Payment', {
  network: described(Network, 'The network of the number that is paid; of cash that of the charge.'),
  transaction_id: described(
    z.string(),
    'The network’s transaction id of the payment; of cash one of ours, `CASH` and digits. Of one that your hand or a till gave, which may be held again, a key without `receipts:assign` sees the last four characters.',
    {
      examples: ['62841953770'],
    },
  ),
  amount: amountGhs(
    `What was paid, in ${CURRENCY}. More than the charge if the payer sent too much; less only if you assigned the payment by hand.`,
  ),
  payer_name: described(z.nullable(z.string()), 'The payer’s name at the network.'),
  payer_phone: described(z.nullable(z.string()), 'The payer’s number, if the network reports it.'),
  received_at: time('When the receipt reached the phone.'),
  matched_by: described(
    MatchedBy,
    'How the payment found its charge: by the `reference` that the payer typed, by the payer’s `name`, by the customer’s `claim` on the page, by a code that was texted to the `phone` that paid, by your `hand`, or by a cashier’s tap at a `till`.',
  ),
  reversible_until: time(
    `Until when its payer can ask the network to take it back, by what is known of the network, in days: ${TAKEN_BACK_FOR}. The network decides, and may do it later. \`charge.reversed\` says when it has.`,
  ),
  proof: described(
    z.nullable(ProofResponse),
    'What the wallet’s other texts say about this payment alone; the charge’s own `proof` is about all that arrived. Unless its `state` is `proven`, as in a wallet’s first week, its own text alone says that the money came. Null for a test, and where that was not recorded.',
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
    '`conflict`: another text reported the same payment with a different amount, name or balance, so one of them is false; `GET /api/v1/receipt` lists both. `reversal`: a text that is not fully understood says that the payment was reversed; it is listed among the unread ones. `forged`: the text of a payment does not belong to the wallet’s balance chain. Check the wallet before you deliver the order.',
  ),
});

const RefundResponse = answer('Refund', {
  refund_id: z.string(),
  status: described(
    Refund.shape.state,
    '`noted` until the money has left the wallet (`sent`), or you say that it will not, or the network takes the payment back (`withdrawn`).',
  ),
  amount: amountGhs(`How much goes back, in ${CURRENCY}.`),
  proof: described(z.nullable(ProofResponse), 'The proof of the money that goes back: that of its charge.'),
  reason: z.nullable(z.string()),
  noted_at: time('When you noted it.'),
  closed_at: timeOrNull('When it was closed; null until then.'),
  closed_by: described(
    z.nullable(z.enum(['wallet', 'hand', 'network'])),
    'Who said so: your `wallet`’s verified text about the transfer, you (`hand`), or the `network`, which took the payment back: nothing is left to send.',
  ),
  transaction_id: described(z.nullable(z.string()), 'The network’s id of the transfer, if its text was read.'),
});
export type RefundResponse = z.infer<typeof RefundResponse>;

const SecondPaymentResponse = answer('SecondPayment', {
  receipt_id: described(z.string(), 'What a refund takes as `receipt_id`.', { examples: ['1763623798000-4821'] }),
  network: MomoNetwork,
  transaction_id: described(z.string(), 'The last four characters of the network’s id, after “…”.', {
    examples: ['…4821'],
  }),
  amount: amountGhs(`What was paid, in ${CURRENCY}.`),
  proof: described(
    z.nullable(ProofResponse),
    'What the wallet’s other texts say about it. Unless its `state` is `proven`, its own text alone says that the money came: look into the wallet before you send anything back.',
  ),
  received_at: time('When the receipt reached the phone.'),
  sent_back_at: timeOrNull('When it was noted that it was sent back; null until then.'),
});
export type SecondPaymentResponse = z.infer<typeof SecondPaymentResponse>;

const HeldPartsResponse = answer('HeldParts', {
  amount: amountGhs(`How much it is, in ${CURRENCY}.`),
  proof: described(
    z.nullable(ProofResponse),
    'The weakest proof of these payments. Unless its `state` is `proven`, look into the wallet before you send anything back. Null for a test, and where nothing is held.',
  ),
});

const LinkCodeResponse = answer('HandedOutCode', {
  status: described(
    z.enum(goodsStates),
    '`unpaid` until the charge is paid; then `given`, `waiting` for codes that you add, or `to_release`: its payment is not proven and more than your limit for those, so a person has to let the code go at the dashboard. `taken_back`: the network reversed the payment; the code is never given to anybody else.',
  ),
  number: described(
    z.nullable(z.int()),
    'Which code of the link’s stock it is, from 1 in the order in which you added them.',
  ),
  at: timeOrNull('When it came to that.'),
});

export const ChargeResponse = answer('Charge', {
  reference: Reference,
  livemode: Livemode,
  status: described(
    z.enum(chargeStatuses),
    '`pending` until it is paid (`success`), its time has passed (`expired`) or you cancelled it (`cancelled`). A charge that expired can still be paid: by a payment whose text was on its phone in time and reaches us late, or by one that you assign; a cancelled one only by one that you assign. `reversed`: the network reversed a payment.',
  ),
  amount: amountGhs(`The amount to pay, in ${CURRENCY}.`),
  currency: Currency,
  email: z.nullable(z.string()),
  customer_name: z.nullable(z.string()),
  customer_phone: z.nullable(z.string()),
  description: z.nullable(z.string()),
  merchant_reference: described(z.nullable(z.string()), 'Your own reference of it, such as an order number.'),
  metadata: ReturnedMetadata,
  link: described(z.nullable(z.string()), 'The slug of the payment link that it was opened through.'),
  request: described(z.nullable(z.string()), 'The slug of the payment request that it pays, or pays a part of.'),
  customer_note: described(z.nullable(z.string()), 'What the customer wrote there.'),
  code: described(
    z.nullable(LinkCodeResponse),
    'What became of the code that it gets from its link’s stock; null where it gets none. The code itself is told to the payer alone.',
  ),
  callback_url: z.nullable(z.string()),
  momo_number: phoneNumber('The MoMo number that the customer pays to.'),
  momo_network: MomoNetwork,
  created_at: time('When the charge was created.'),
  expires_at: time('Until when it can be paid.'),
  paid_at: timeOrNull('When it was paid; null until then.'),
  expired_at: timeOrNull(
    'When it was found to have expired, about 5 minutes after `expires_at`; null otherwise. Its `status` is `expired` from `expires_at` on.',
  ),
  cancelled_at: timeOrNull(
    'When you cancelled it; null otherwise, also where it is `cancelled` because a cashier took its payment at a till, as another charge.',
  ),
  reversed_at: timeOrNull('When the network reversed the payment; null otherwise.'),
  unmarked_at: timeOrNull('When somebody last undid that it was marked as paid by hand; null otherwise.'),
  amount_paid: amountGhs(
    `What has arrived for it and was not reversed, in ${CURRENCY}. While it is \`pending\`, this is the sum of its \`parts\`. Once it is \`expired\`, \`cancelled\` or \`reversed\`, this is what else had arrived by then; those payments are held for you, and \`held\` says how much of them still is.`,
  ),
  held: described(
    z.nullable(HeldPartsResponse),
    'What of the `parts` of an `expired`, `cancelled` or `reversed` charge is still held for it now: the network has not taken it back, and it was not assigned, set aside or sent back. Null for any other charge, and where there were no parts.',
  ),
  overpaid: amountGhs(
    `By how much that exceeds \`amount\`, in ${CURRENCY}. Where \`proof.state\` is \`proven\`, it belongs to the payer: send it back and note that as a refund, or agree otherwise. Otherwise look into the wallet first: the excess may be forged. It stays what it was when a refund is noted.`,
  ),
  proof: described(
    z.nullable(ProofResponse),
    'How far `amount_paid` and `overpaid` are verified: the weakest proof among `payment` and `parts`, and never `proven` while the charge is disputed, or once it ended unpaid and not all of `amount_paid` is still held for it. `proven` too where a person of yours let the goods go after a warning. Null for a test, and while nothing has arrived.',
  ),
  parts: described(
    z.array(PaymentResponse),
    'Payments that named its reference and were less than what was missing, in order; `payment` is the one that completed it. When a charge ends unpaid they are held for you again: see Receipts.',
  ),
  payment: described(
    z.nullable(PaymentResponse),
    'The payment, or the one that completed its parts; null until it is paid. Of a `reversed` charge, the one that was reversed. A verified payment that names the charge takes the place of an unverified one, which `second_payments` lists then.',
  ),
  disputed: described(
    z.nullable(DisputeResponse),
    'Set if something that arrived later contradicts the payment; null otherwise.',
  ),
  refunds: described(z.array(RefundResponse), 'What you have noted to send back, oldest first.'),
  warning: described(
    z.optional(z.nullable(z.string())),
    'Only when you note a refund: what to do first where the money that goes back, or for a second payment the charge’s own, is not verified; null where it is, and for a test.',
  ),
  second_payments: described(
    z.array(SecondPaymentResponse),
    'Payments that named its reference when it was paid already, oldest first; of more than five the verified ones, then the largest. They are held and count for nothing. Where the `proof.state` of one and of the charge are both `proven`, send it back and note that by a refund with its `receipt_id`. Otherwise look into the wallet first: what paid the charge may be forged.',
  ),
});
export type ChargeResponse = z.infer<typeof ChargeResponse>;

export const ChargeListResponse = z.object({ transactions: z.array(ChargeResponse) });
export type ChargeListResponse = z.infer<typeof ChargeListResponse>;
