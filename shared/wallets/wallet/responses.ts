import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { Network } from '../../ghana/network.ts';
import { amountGhs, Currency, phoneNumber } from '../../ghana/responses.ts';
import { time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

export const RefusedPaymentEventData = z.object({
  network: Network,
  momo_number: z.nullable(phoneNumber('The number that the customer tried to pay.')),
  transaction_id: described(z.string(), 'The network’s id of the payment that failed.'),
  amount: amountGhs(`The amount that the customer tried to pay, in ${CURRENCY}.`),
  currency: Currency,
  payer_name: described(z.string(), 'The customer’s name at the network.'),
  reason: described(z.literal('daily_limit'), 'Always `daily_limit`.'),
  received_at: time('When the network’s text reached the phone.'),
});
export type RefusedPaymentEventData = z.infer<typeof RefusedPaymentEventData>;

export const NearLimitEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  limit: amountGhs(`The limit of the wallet’s balance, in ${CURRENCY}.`),
  currency: Currency,
  assumed: described(
    z.boolean(),
    'True if the limit is not known: `limit` is then the lowest of 5,000, 40,000 and 75,000 that the balance has not exceeded. Tell the operator your wallet’s limit.',
  ),
  received_at: time('When the network’s text reached the phone.'),
});
export type NearLimitEventData = z.infer<typeof NearLimitEventData>;

export const UnclearBalanceEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  texts: described(z.number(), 'The number of texts that do not continue the verified balance.'),
  sent_to_bank: described(z.boolean(), 'True if a text reports money sent to the bank.'),
  received_at: time('When the first of these texts reached the phone.'),
});
export type UnclearBalanceEventData = z.infer<typeof UnclearBalanceEventData>;

export const MissedPaymentEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  amount: amountGhs(`The increase in the balance, in ${CURRENCY}: one payment, or several.`),
  currency: Currency,
  from: time('The last text before it.'),
  to: time('The first text after it.'),
  phone_asked: described(z.boolean(), 'True if the phone was asked to resend the text but did not have it.'),
  may_have_paid: described(
    z.array(z.string()),
    'References of your charges for exactly this amount that were pending then. None was confirmed.',
  ),
});
export type MissedPaymentEventData = z.infer<typeof MissedPaymentEventData>;

export const SuspectedReversalEventData = z.object({
  network: Network,
  momo_number: phoneNumber('The number of the wallet.'),
  amount: amountGhs(`The decrease in the balance, in ${CURRENCY}.`),
  currency: Currency,
  from: time('The last text before it.'),
  to: time('The first text after it.'),
  may_be_reversed: described(
    z.array(
      z.object({
        transaction_id: described(z.string(), 'The network’s id of the payment.'),
        reference: described(z.nullable(z.string()), 'The charge that it paid, if any.'),
      }),
    ),
    'Payments of exactly this amount that may have been reversed, newest first. None was changed.',
  ),
});
export type SuspectedReversalEventData = z.infer<typeof SuspectedReversalEventData>;

export const WalletResponse = answer('Wallet', {
  network: Network,
  number: phoneNumber('The number that your customers pay to.'),
  account_name: described(z.string(), 'The name that payers see.'),
  last_text_at: timeOrNull(
    'When the wallet’s last text reached its phone, updated at most every quarter of an hour. Null before the first text, and a month after the last.',
  ),
  phone_silent: described(
    z.nullable(z.boolean()),
    'True if the phone that last received its texts has been silent unusually long: payments wait until it is back. Null before the first text.',
  ),
  near_limit: described(
    z.nullable(amountGhs(`The limit, in ${CURRENCY}.`)),
    `The limit of the balance, once nine tenths of it are reached: the network will soon refuse payments. Null before, if texts contain no balance, and for a number that several merchants share.`,
  ),
  balance: described(
    z.nullable(amountGhs(`In ${CURRENCY}.`)),
    'The verified balance. Null without `balances:read`, for a number that several merchants share, and in test mode.',
  ),
});
export type WalletResponse = z.infer<typeof WalletResponse>;

export const WalletListResponse = z.object({ wallets: z.array(WalletResponse) });
export type WalletListResponse = z.infer<typeof WalletListResponse>;
