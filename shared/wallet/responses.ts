import * as z from 'zod/mini';
import { Network } from '../ghana/network.ts';
import { amountGhs, Currency, phoneNumber, time } from '../runtime/http/responses.ts';

/** The `data` of `wallet.payment_refused`. */
export const RefusedPaymentEventData = z.object({
  network: Network,
  momo_number: z.nullable(phoneNumber('The number that the customer tried to pay.')),
  transaction_id: z.string().check(z.describe('The network’s id of the payment that failed.')),
  amount: amountGhs('What the customer tried to pay, in GHS.'),
  currency: Currency,
  payer_name: z.string().check(z.describe('The customer’s name at the network.')),
  reason: z.literal('daily_limit').check(z.describe('Always `daily_limit`: the wallet had reached its daily limit.')),
  received_at: time('When the network’s text reached the phone.'),
});
export type RefusedPaymentEventData = z.infer<typeof RefusedPaymentEventData>;

/** The `data` of `wallet.near_limit`. */
export const NearLimitEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  balance: amountGhs('What is in the wallet, in GHS, as the network’s text says.'),
  limit: amountGhs('What the wallet may hold, in GHS.'),
  currency: Currency,
  assumed: z
    .boolean()
    .check(
      z.describe(
        'True if the limit is not known: `limit` is then the lowest of 5,000, 40,000 and 75,000 that the balance has not exceeded. Tell the operator of the service which one your wallet has.',
      ),
    ),
  received_at: time('When the network’s text reached the phone.'),
});
export type NearLimitEventData = z.infer<typeof NearLimitEventData>;
