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
  amount: amountGhs(`What one of them costs, in ${CURRENCY}.`),
});

const InstalmentResponse = answer('Instalment', {
  due: day('The day by which it is to be paid; null: at once.'),
  amount: amountGhs(`In ${CURRENCY}.`),
  paid: amountGhs('What of it is paid: payments fill the instalments in their order.'),
});

const RequestPaymentResponse = answer('RequestPayment', {
  reference: described(z.string(), 'The charge that was paid.', { examples: ['MK-4071932685'] }),
  amount: amountGhs(`What arrived for it and was not taken back, in ${CURRENCY}.`),
  proof: described(z.nullable(ProofResponse), 'How far that is verified, as in the charge. Null for a test.'),
  paid_at: timeOrNull('When it was paid, or the last part of it arrived.'),
});

export const RequestResponse = answer('PaymentRequest', {
  slug: described(z.string(), 'Identifies the request; the last part of its address.', { examples: ['k7m2q9x4p3wa'] }),
  url: described(z.string(), 'The page for the customer: what is asked, paid and open, and how to pay.', {
    format: 'uri',
    examples: ['https://pay.example.com/r/k7m2q9x4p3wa'],
  }),
  livemode: Livemode,
  status: described(
    z.enum(requestStates),
    '`open` until the whole sum has arrived, then `paid`; `open` again if the network takes a payment back. `cancelled` asks for nothing any more.',
  ),
  overdue: described(z.boolean(), 'Whether it is open and something of it was due before today.'),
  title: z.string(),
  note: z.nullable(z.string()),
  customer_name: z.nullable(z.string()),
  customer_phone: z.nullable(z.string()),
  lines: z.array(LineResponse),
  currency: Currency,
  total: amountGhs(`The whole sum, in ${CURRENCY}.`),
  amount_paid: amountGhs('What has arrived and was not taken back.'),
  amount_due: amountGhs('What is still open of the whole sum; 0 once all of it has arrived.'),
  due_now: amountGhs('What of that is due today or was due earlier.'),
  amount_overpaid: amountGhs(
    'What arrived beyond the sum. Unless `proof.state` is `proven`, look into the wallet before you send it back: it may be forged.',
  ),
  proof: described(
    z.nullable(ProofResponse),
    'How far `amount_paid` is verified: the weakest proof among its `payments`. A request can be `paid` by money that is not verified. Null for a test, and while nothing has arrived.',
  ),
  due: day('The next day on which something open is due; null where there is none.'),
  every: described(z.nullable(z.enum(['week', 'month'])), 'How often it repeats; null where it does not.'),
  instalments: z.array(InstalmentResponse),
  payments: described(z.array(RequestPaymentResponse), 'The charges for which money has arrived, the first one first.'),
  reminders: described(z.array(z.int()), 'The days, counted from each due day, on which the customer is reminded.'),
  next_reminder_at: timeOrNull(
    'When the next reminder is due; those about what is paid already are passed over. It leaves if something is still open then.',
  ),
  last_reminder: described(
    z.nullable(
      answer('Reminder', {
        at: time('When it was due.'),
        sms_id: described(z.nullable(z.string()), 'The `id` of the text; null where none was sent.'),
        not_sent: described(z.nullable(z.string()), 'Why none was sent, as an error’s `code`.'),
      }),
    ),
    'The reminder that was due last.',
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
  amount_due: amountGhs(`What is asked, in ${CURRENCY}.`),
  merchant_reference: z.nullable(z.string()),
});
export type MadeRequestResponse = z.infer<typeof MadeRequestResponse>;

export const MadeRequestsResponse = answer('CreatedRequests', {
  count: described(z.int(), 'How many were made.'),
  requests: described(z.array(MadeRequestResponse), 'In the order in which you gave them.'),
});
export type MadeRequestsResponse = z.infer<typeof MadeRequestsResponse>;
