import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { amountGhs } from '../../ghana/responses.ts';
import { time, uuid } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

const Threshold = described(z.int(), 'Below this balance your credits are low; set by the operator, 0 for never.', {
  examples: [50],
});

export const CreditEntryResponse = answer('CreditEntry', {
  id: described(z.string(), 'For a `send`, the id of the send.'),
  type: described(
    z.enum(['top_up', 'send', 'refund', 'purchase', 'taken_back']),
    '`top_up`: by the operator. `send`: one credit for each recipient. `refund`: texts failed, expired or were cancelled. `purchase`: of a bundle. `taken_back`: the network reversed the payment for a bundle, or the seller sent it back.',
  ),
  credits: described(z.int(), 'The change, negative for `send` and `taken_back`.', {
    examples: [-2],
  }),
  send_id: z.nullable(uuid('The send, if the entry is about texts.')),
  message_id: z.nullable(uuid('The text of a `refund`; null for several texts at once.')),
  reference: described(z.nullable(z.string()), 'The seller’s charge of a `purchase` or `taken_back`.'),
  created_at: time('When the balance changed.'),
});
export type CreditEntryResponse = z.infer<typeof CreditEntryResponse>;

const BundleResponse = answer('CreditBundle', {
  credits: z.int().check(z.meta({ examples: [500] })),
  price: amountGhs(`What it costs, in ${CURRENCY}, taxes included.`),
});
const Bundles = described(
  z.array(BundleResponse),
  'Bundles that you can buy now (`POST /api/v1/sms/credits`); empty if nobody sells credits.',
);

export const CreditsResponse = z.object({
  balance: described(z.int(), 'The number of texts that you can still send.', { examples: [941] }),
  owed: described(
    z.int(),
    'Credits that were reversed after you had spent them. New and refunded credits cover them first.',
    { examples: [0] },
  ),
  low_below: Threshold,
  bundles: Bundles,
  entries: z.array(CreditEntryResponse),
});
export type CreditsResponse = z.infer<typeof CreditsResponse>;

export const LowCreditsEventData = z.object({
  balance: described(z.int(), 'The balance after the text.', { examples: [49] }),
  low_below: Threshold,
  bundles: Bundles,
});
export type LowCreditsEventData = z.infer<typeof LowCreditsEventData>;
