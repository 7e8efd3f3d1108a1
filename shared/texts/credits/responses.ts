import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { amountGhs } from '../../ghana/responses.ts';
import { time, uuid } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

const Threshold = described(z.int(), 'Below this balance your credits are low. The operator sets it; 0 means never.', {
  examples: [50],
});

export const CreditEntryResponse = answer('CreditEntry', {
  id: described(z.string(), 'Its id. That of a `send` is the id of the send.'),
  type: described(
    z.enum(['top_up', 'send', 'refund', 'purchase', 'taken_back']),
    '`top_up`: the operator added credits. `send`: you sent a text, for one credit for each recipient. `refund`: texts failed, expired or were cancelled. `purchase`: you bought a bundle. `taken_back`: the payment of a bundle was taken back by the network or sent back by the seller, and its credits with it.',
  ),
  credits: described(z.int(), 'By how much the balance changed: negative for a `send` and what was `taken_back`.', {
    examples: [-2],
  }),
  send_id: z.nullable(uuid('The send that it was for; null for what is no text.')),
  message_id: z.nullable(
    uuid('The text that it was for; null unless it is a `refund`, and for one of several texts at once.'),
  ),
  reference: described(
    z.nullable(z.string()),
    'Of the seller’s charge that bought them; null for all but `purchase` and `taken_back`.',
  ),
  created_at: time('When the balance changed.'),
});
export type CreditEntryResponse = z.infer<typeof CreditEntryResponse>;

const BundleResponse = answer('CreditBundle', {
  credits: z.int().check(z.meta({ examples: [500] })),
  price: amountGhs(`What it costs, in ${CURRENCY}, taxes included.`),
});
const Bundles = described(
  z.array(BundleResponse),
  'What you can buy now, by `POST /api/v1/sms/credits`; empty where nobody sells credits here.',
);

export const CreditsResponse = z.object({
  balance: described(z.int(), 'How many texts you can still send.', { examples: [941] }),
  owed: described(
    z.int(),
    'Credits that were taken back after you had spent them. Credits that you buy, and those of texts that fail, expire or are cancelled, pay them first.',
    { examples: [0] },
  ),
  low_below: Threshold,
  bundles: Bundles,
  entries: z.array(CreditEntryResponse),
});
export type CreditsResponse = z.infer<typeof CreditsResponse>;

export const LowCreditsEventData = z.object({
  balance: described(z.int(), 'What was left when it fell below.', { examples: [49] }),
  low_below: Threshold,
  bundles: Bundles,
});
export type LowCreditsEventData = z.infer<typeof LowCreditsEventData>;
