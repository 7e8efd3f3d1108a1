import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { Network } from '../../ghana/network.ts';
import { amountGhs, Currency, phoneNumber } from '../../ghana/responses.ts';
import { time } from '../../runtime/http/responses.ts';
import { described } from '../../runtime/values/described.ts';

/** The `data` of `wallet.payment_refused`. */
export const RefusedPaymentEventData = z.object({
  network: Network,
  momo_number: z.nullable(phoneNumber('The number that the customer tried to pay.')),
  transaction_id: described(z.string(), 'The network’s id of the payment that failed.'),
  amount: amountGhs(`What the customer tried to pay, in ${CURRENCY}.`),
  currency: Currency,
  payer_name: described(z.string(), 'The customer’s name at the network.'),
  reason: described(z.literal('daily_limit'), 'Always `daily_limit`: the wallet had reached its daily limit.'),
  received_at: time('When the network’s text reached the phone.'),
});
export type RefusedPaymentEventData = z.infer<typeof RefusedPaymentEventData>;

/** The `data` of `wallet.near_limit`. */
export const NearLimitEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  limit: amountGhs(`What the wallet may hold, in ${CURRENCY}.`),
  currency: Currency,
  assumed: described(
    z.boolean(),
    'True if the limit is not known: `limit` is then the lowest of 5,000, 40,000 and 75,000 that the balance has not exceeded. Tell the operator of the service which one your wallet has.',
  ),
  received_at: time('When the network’s text reached the phone.'),
});
export type NearLimitEventData = z.infer<typeof NearLimitEventData>;

/** The `data` of `wallet.balance_unclear`. */
export const UnclearBalanceEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  texts: described(z.number(), 'How many texts do not continue the proven balance.'),
  sent_to_bank: described(
    z.boolean(),
    'Whether a text tells of money sent to the bank, without saying how much: its owner is asked at once.',
  ),
  received_at: time('When the first of these texts reached the phone.'),
});
export type UnclearBalanceEventData = z.infer<typeof UnclearBalanceEventData>;

/** The `data` of `wallet.payment_missed`. */
export const MissedPaymentEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  amount: amountGhs(`By how much the balance rose, in ${CURRENCY}: one payment, or several.`),
  currency: Currency,
  from: time('The last text before it.'),
  to: time('The first text after it.'),
  phone_asked: described(z.boolean(), 'Whether the phone was asked for the text, and did not have it.'),
  may_have_paid: described(
    z.array(z.string()),
    'References of your charges for this amount that it may have paid. Nothing was confirmed.',
  ),
});
export type MissedPaymentEventData = z.infer<typeof MissedPaymentEventData>;

/** The `data` of `wallet.reversal_suspected`. */
export const SuspectedReversalEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  amount: amountGhs(`By how much the balance fell, in ${CURRENCY}.`),
  currency: Currency,
  from: time('The last text before it.'),
  to: time('The first text after it.'),
  may_be_reversed: described(
    z.array(
      z.object({
        transaction_id: described(z.string(), 'The network’s id of the payment.'),
        reference: described(z.nullable(z.string()), 'The charge that it paid; null where it paid none.'),
      }),
    ),
    'Payments of exactly this amount that may have been taken back, the newest first. Nothing was changed.',
  ),
});
export type SuspectedReversalEventData = z.infer<typeof SuspectedReversalEventData>;
