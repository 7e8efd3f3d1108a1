import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { amountGhs, Currency } from '../../ghana/responses.ts';
import { Livemode, ReturnedMetadata, time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { ProofResponse } from '../../wallets/chain/responses.ts';
import { requestStates } from './states.ts';

function day(description: string) {
  return described(z.nullable(z.string()), description, { format: 'date', examples: ['2026-12-24'] });
}

const LineResponse = answer('RequestLine', {
  description: z.string(),
  quantity: z.int(),
  amount: amountGhs(`The price of one, in ${CURRENCY}.`),
});

const InstalmentResponse = answer('Instalment', {
  due: day('The day by which to pay; null: at once.'),
  amount: amountGhs(`In ${CURRENCY}.`),
  paid: amountGhs('The part paid: payments fill the instalments in order.'),
});

const RequestPaymentResponse = answer('RequestPayment', {
  reference: described(z.string(), 'The charge that was paid.', { examples: ['MK-4071932685'] }),
  amount: amountGhs(`The sum that arrived and was not taken back, in ${CURRENCY}.`),
  proof: described(z.nullable(ProofResponse), 'As in the charge.'),
  paid_at: timeOrNull('When it was paid, or its last part arrived.'),
});

export const RequestResponse = answer('PaymentRequest', {
  slug: described(z.string(), 'Identifies the request; the last part of its address.', { examples: ['k7m2q9x4p3wa'] }),
  url: described(z.string(), 'The customer’s page.', {
    format: 'uri',
    examples: ['https://pay.example.com/r/k7m2q9x4p3wa'],
  }),
  livemode: Livemode,
  status: described(
    z.enum(requestStates),
    '`open` until the whole sum has arrived, then `paid`; `open` again if the network takes a payment back; or `cancelled`.',
  ),
  overdue: described(z.boolean(), 'Whether a part was due before today and is open.'),
  title: z.string(),
  note: z.nullable(z.string()),
  customer_name: z.nullable(z.string()),
  customer_phone: z.nullable(z.string()),
  lines: z.array(LineResponse),
  currency: Currency,
  total: amountGhs(`The whole sum, in ${CURRENCY}.`),
  amount_paid: amountGhs('The sum that arrived and was not taken back.'),
  amount_due: amountGhs('The open sum.'),
  due_now: amountGhs('The open sum due by today.'),
  amount_overpaid: amountGhs(
    'The excess. Unless `proof.state` is `proven`, look in the wallet before you send it back: it may be forged.',
  ),
  proof: described(
    z.nullable(ProofResponse),
    'The weakest proof of its `payments`: unverified money can pay a request. Null for a test, and before money arrives.',
  ),
  due: day('The next day on which an open sum is due.'),
  every: described(z.nullable(z.enum(['week', 'month'])), 'How often it repeats, if it does.'),
  instalments: z.array(InstalmentResponse),
  payments: described(z.array(RequestPaymentResponse), 'The charges for which money has arrived, oldest first.'),
  reminders: described(z.array(z.int()), 'Days of reminders, counted from each due day.'),
  next_reminder_at: timeOrNull('When the next reminder about an open sum is due.'),
  last_reminder: described(
    z.nullable(
      answer('Reminder', {
        at: time('When it was due.'),
        sms_id: described(z.nullable(z.string()), 'The `id` of the text, if one was sent.'),
        not_sent: described(z.nullable(z.string()), 'Why none was sent: an error’s `code`.'),
      }),
    ),
    'The last due reminder.',
  ),
  merchant_reference: z.nullable(z.string()),
  created_at: time('When it was made.'),
  paid_at: timeOrNull('When it was found paid.'),
  cancelled_at: timeOrNull('When it was cancelled.'),
  metadata: ReturnedMetadata,
});
export type RequestResponse = z.infer<typeof RequestResponse>;

export const RequestListResponse = z.object({ requests: z.array(RequestResponse) });
export type RequestListResponse = z.infer<typeof RequestListResponse>;

const MadeRequestResponse = answer('CreatedRequest', {
  slug: RequestResponse.shape.slug,
  url: RequestResponse.shape.url,
  amount_due: amountGhs(`The sum, in ${CURRENCY}.`),
  merchant_reference: z.nullable(z.string()),
});
export type MadeRequestResponse = z.infer<typeof MadeRequestResponse>;

export const MadeRequestsResponse = answer('CreatedRequests', {
  count: described(z.int(), 'How many were made.'),
  requests: described(z.array(MadeRequestResponse), 'In your order.'),
});
export type MadeRequestsResponse = z.infer<typeof MadeRequestsResponse>;
