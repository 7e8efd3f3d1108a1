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
  amount: amountGhs(`The price per unit, in ${CURRENCY}.`),
});

const InstalmentResponse = answer('Instalment', {
  due: day('The due date; null if due at once.'),
  amount: amountGhs(`In ${CURRENCY}.`),
  paid: amountGhs('The amount paid. Payments fill the instalments in order.'),
});

const RequestPaymentResponse = answer('RequestPayment', {
  reference: described(z.string(), 'The charge that was paid.', { examples: ['MK-4071932685'] }),
  amount: amountGhs(`The amount that arrived and was not reversed, in ${CURRENCY}.`),
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
    '`open` until the whole amount has arrived, then `paid`; `open` again if the network reverses a payment; or `cancelled`.',
  ),
  overdue: described(z.boolean(), 'Whether a part that was due before today is still unpaid.'),
  title: z.string(),
  note: z.nullable(z.string()),
  customer_name: z.nullable(z.string()),
  customer_phone: z.nullable(z.string()),
  lines: z.array(LineResponse),
  currency: Currency,
  total: amountGhs(`The total, in ${CURRENCY}.`),
  amount_paid: amountGhs('The amount that arrived and was not reversed or, before all is paid, refunded.'),
  amount_due: amountGhs('The outstanding amount.'),
  due_now: amountGhs('The outstanding amount due by today.'),
  amount_overpaid: amountGhs('The excess. Unless `proof.state` is `proven`, check the wallet before you send it back.'),
  proof: described(
    z.nullable(ProofResponse),
    'The weakest proof of its `payments`: unverified money can pay a request. Null for a test, and before money arrives.',
  ),
  due: day('The next day on which an outstanding amount is due.'),
  every: described(z.nullable(z.enum(['week', 'month'])), 'How often it repeats, if it does.'),
  instalments: z.array(InstalmentResponse),
  payments: described(z.array(RequestPaymentResponse), 'The charges for which money has arrived, oldest first.'),
  reminders: described(z.array(z.int()), 'Days of reminders, counted from each due day.'),
  next_reminder_at: timeOrNull('When the next reminder about an outstanding amount is due.'),
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
  created_at: time('When it was created.'),
  paid_at: timeOrNull('When full payment was recorded.'),
  cancelled_at: timeOrNull('When it was cancelled.'),
  metadata: ReturnedMetadata,
});
export type RequestResponse = z.infer<typeof RequestResponse>;

export const RequestListResponse = z.object({ requests: z.array(RequestResponse) });
export type RequestListResponse = z.infer<typeof RequestListResponse>;

const MadeRequestResponse = answer('CreatedRequest', {
  slug: RequestResponse.shape.slug,
  url: RequestResponse.shape.url,
  amount_due: amountGhs(`The amount due, in ${CURRENCY}.`),
  merchant_reference: z.nullable(z.string()),
});
export type MadeRequestResponse = z.infer<typeof MadeRequestResponse>;

export const MadeRequestsResponse = answer('CreatedRequests', {
  count: described(z.int(), 'The number of created requests.'),
  requests: described(z.array(MadeRequestResponse), 'In the order of your list.'),
});
export type MadeRequestsResponse = z.infer<typeof MadeRequestsResponse>;
