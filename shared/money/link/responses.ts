import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { amountGhs } from '../../ghana/responses.ts';
import { Livemode, ReturnedMetadata, time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

function amountOrNull(description: string) {
  return z.nullable(amountGhs(description));
}

const StockResponse = answer('CodeStock', {
  added: described(z.int(), 'How many codes it has had.'),
  left: described(z.int(), 'How many nobody has yet.'),
  waiting: described(
    z.int(),
    'How many charges are paid and wait for a code: the first codes that you add are theirs.',
  ),
  low_stock_at: described(z.int(), 'You are told when no more than this are left.'),
  text_codes: described(z.boolean(), 'Whether codes are texted too.'),
});
export type StockResponse = z.infer<typeof StockResponse>;

export const LinkResponse = answer('PaymentLink', {
  slug: described(z.string(), 'Identifies the link; the last part of its address.', { examples: ['k7m2q9x4'] }),
  url: described(
    z.string(),
    'The page where customers pay. `/qr.svg`, `/qr.png` and `/poster` below it are to print.',
    {
      format: 'uri',
      examples: ['https://pay.example.com/pay/k7m2q9x4'],
    },
  ),
  livemode: Livemode,
  status: described(z.enum(['open', 'ended']), 'An `ended` link opens no more charges.'),
  title: z.string(),
  description: z.nullable(z.string()),
  amount: amountOrNull(`What everybody pays, in ${CURRENCY}; null where the customer types it.`),
  min_amount: amountOrNull(`The least that a customer may type, in ${CURRENCY}.`),
  max_amount: amountOrNull(`The most that a customer may type, in ${CURRENCY}.`),
  note_label: described(z.nullable(z.string()), 'What the customer is asked to write.'),
  ends_at: timeOrNull('When it ends, or has ended; null if it does not.'),
  created_at: time('When the link was created.'),
  codes: described(
    z.nullable(StockResponse),
    'Its stock; null where it hands out no codes. Codes themselves are in no answer.',
  ),
  till: described(z.nullable(z.string()), 'Identifies the till whose sticker it is; null where it is none’s.'),
  metadata: ReturnedMetadata,
});
export type LinkResponse = z.infer<typeof LinkResponse>;

export const LinkListResponse = z.object({ links: z.array(LinkResponse) });
export type LinkListResponse = z.infer<typeof LinkListResponse>;

export const AddedCodesResponse = answer('AddedCodes', {
  added: described(z.int(), 'How many were added.'),
  known: described(
    z.int(),
    'How many were left out, because the link has them or has handed them out, or they were given twice.',
  ),
  link: LinkResponse,
});
export type AddedCodesResponse = z.infer<typeof AddedCodesResponse>;
