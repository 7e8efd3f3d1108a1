import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { amountGhs } from '../../ghana/responses.ts';
import { Livemode, ReturnedMetadata, time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

function amountOrNull(description: string) {
  return z.nullable(amountGhs(description));
}

const StockResponse = answer('CodeStock', {
  added: described(z.int(), 'All codes added so far.'),
  left: described(z.int(), 'The codes still available.'),
  waiting: described(z.int(), 'Paid charges that get the next codes.'),
  low_stock_at: described(z.int(), 'As in the request.'),
  text_codes: described(z.boolean(), 'Whether codes are texted too.'),
});
export type StockResponse = z.infer<typeof StockResponse>;

export const LinkResponse = answer('PaymentLink', {
  slug: described(z.string(), 'Identifies the link; the last part of its address.', { examples: ['k7m2q9x4'] }),
  url: described(z.string(), 'The page where customers pay; also `/qr.svg`, `/qr.png` and `/poster`.', {
    format: 'uri',
    examples: ['https://pay.example.com/pay/k7m2q9x4'],
  }),
  livemode: Livemode,
  status: described(z.enum(['open', 'ended']), 'An `ended` link does not open charges.'),
  title: z.string(),
  description: z.nullable(z.string()),
  amount: amountOrNull(`The amount each customer pays, in ${CURRENCY}; null if the customer types it.`),
  min_amount: amountOrNull(`The lowest amount a customer may type, in ${CURRENCY}.`),
  max_amount: amountOrNull(`The highest amount a customer may type, in ${CURRENCY}.`),
  note_label: described(z.nullable(z.string()), 'The question to the customer.'),
  ends_at: timeOrNull('When it ends or ended.'),
  created_at: time('When the link was created.'),
  codes: described(
    z.nullable(StockResponse),
    'The link’s stock, if it hands out codes. No response contains the codes themselves.',
  ),
  till: described(z.nullable(z.string()), 'The till whose sticker it is.'),
  metadata: ReturnedMetadata,
});
export type LinkResponse = z.infer<typeof LinkResponse>;

export const LinkListResponse = z.object({ links: z.array(LinkResponse) });
export type LinkListResponse = z.infer<typeof LinkListResponse>;

export const AddedCodesResponse = answer('AddedCodes', {
  added: described(z.int(), 'The number of added codes.'),
  known: described(z.int(), 'Skipped codes: known, handed out, or sent twice.'),
  link: LinkResponse,
});
export type AddedCodesResponse = z.infer<typeof AddedCodesResponse>;
