import * as z from 'zod/mini';
import { amountGhs } from '../../ghana/responses.ts';
import { Livemode, ReturnedMetadata, time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

function amountOrNull(description: string) {
  return z.nullable(amountGhs(description));
}

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
  amount: amountOrNull('What everybody pays, in GHS; null where the customer types it.'),
  min_amount: amountOrNull('The least that a customer may type, in GHS.'),
  max_amount: amountOrNull('The most that a customer may type, in GHS.'),
  note_label: described(z.nullable(z.string()), 'What the customer is asked to write.'),
  ends_at: timeOrNull('When it ends, or has ended; null if it does not.'),
  created_at: time('When the link was created.'),
  metadata: ReturnedMetadata,
});
export type LinkResponse = z.infer<typeof LinkResponse>;

export const LinkListResponse = z.object({ links: z.array(LinkResponse) });
export type LinkListResponse = z.infer<typeof LinkListResponse>;
