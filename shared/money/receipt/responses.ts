import * as z from 'zod/mini';
import { COUNTRY_CODE, CURRENCY } from '../../ghana/country.ts';
import { shownMoney } from '../../ghana/money.ts';
import { Network } from '../../ghana/network.ts';
import { amountGhs, Currency, phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time } from '../../runtime/http/responses.ts';
import { answer, described, describedValues } from '../../runtime/values/described.ts';
import { YOUNG_PESEWAS } from '../../wallets/chain/anchor.ts';
import { ProofResponse } from '../../wallets/chain/responses.ts';
import { MarkedResponse } from '../charge/responses.ts';
import { MatchedBy } from '../payment/payment.ts';
import { HeldReason, ReceiptState } from './receipt.ts';

const NAMED_CHARGE = 'the state of the charge in `suggested_reference`';
const heldReasons: Readonly<Record<HeldReason, string>> = {
  already_paid: NAMED_CHARGE,
  charge_expired: NAMED_CHARGE,
  charge_cancelled: NAMED_CHARGE,
  charge_disputed: NAMED_CHARGE,
  before_charge: 'it arrived before that charge was created (only in 1.1.0 and earlier)',
  charge_reversed: 'another payment for its charge was reversed',
  amount_differs: 'it is too small, and its charge already has twenty parts',
  amount_of_another:
    'it names one charge, but its amount is exactly that of another charge of the same customer: references may have been swapped',
  reference_unclear: 'its reference nearly names a charge or its details',
  name_differs: 'charges for this amount were created within two hours before, but none in the payer’s name',
  several_fit: 'more than one charge fits',
  too_many_open: 'more than 200 charges for this amount are pending, too many to compare names',
  name_only: 'one charge fits, but the amount is above your limit for names',
  no_charge: 'no charge for this amount was created within two hours before',
  conflict: 'another text reported the same payment differently, or its reversal is in doubt: check the wallet',
  network_differs: 'the number paid belongs to another network',
  number_unknown: 'the phone did not report the number paid',
  number_not_placed: 'the number that was paid is not assigned to a phone: tell the operator',
  reversed: 'the network reversed the payment, so send no money back; remove it from the list on its dashboard page',
  checking: 'an earlier text of the wallet may still arrive; decided within two minutes',
  balance_gap:
    'the balance in its text does not continue the wallet’s: an earlier text is missing, and will confirm the charge when it arrives, or this text is forged',
  balance_unsure:
    'someone may be guessing the wallet’s balance, because other texts failed to continue it or it was 0; it confirms its charge once its owner names it',
  anchor_young: `it is above the ${shownMoney(YOUNG_PESEWAS)} a day that a balance named once verifies; it confirms its charge once its owner names it again`,
  clock_odd: 'its transaction id does not match the time at which it arrived',
  balance_impossible: 'it is larger than the balance after it',
  large_amount: 'it is above your limit for any text (`confirm_always_above`)',
};

export const ReceiptResponse = answer('Receipt', {
  id: z.string().check(z.meta({ examples: [`MTN-${COUNTRY_CODE.slice(1)}241234567-62841953770`] })),
  livemode: Livemode,
  status: described(
    ReceiptState,
    '`matched`: paid `reference`, or a part of it. `held`: not matched automatically. `unread`: could not be read.',
  ),
  reason: describedValues(z.nullable(HeldReason), 'Why it is held.', heldReasons),
  network: z.nullable(Network),
  momo_number: z.nullable(phoneNumber('The number that was paid.')),
  transaction_id: described(
    z.nullable(z.string()),
    'The network’s id. While the payment is held, a key without `receipts:assign` sees the last four characters, because the whole id would suffice for a claim; `id` and `text` then omit it, too.',
  ),
  amount: z.nullable(amountGhs(`The amount paid, in ${CURRENCY}.`)),
  currency: Currency,
  payer_name: z.nullable(z.string()),
  payer_phone: z.nullable(z.string()),
  payer_reference: described(z.nullable(z.string()), 'The reference that the payer typed.'),
  sender: described(z.nullable(z.string()), 'The sender of the SMS, as the phone shows it.'),
  text: described(
    z.nullable(z.string()),
    'The SMS, with `…` for the wallet’s balance, or for every number in an unread text.',
  ),
  received_at: time('When it reached the phone.'),
  proof: described(z.nullable(ProofResponse), 'The proof of a payment; null for a test or an unread text.'),
  matched_by: z.nullable(MatchedBy),
  marked: MarkedResponse,
  reference: described(
    z.nullable(z.string()),
    'The charge that it paid; for an `unread` text, the charge marked as paid from it.',
  ),
  suggested_reference: described(
    z.nullable(z.string()),
    'While held: the intended charge, if certain; with `amount_of_another`, the charge that was named. You can assign the payment to it until a day after the charge expired (in time, or for a payment request: at any time), which also restores the charge’s other parts.',
  ),
  set_aside: described(
    z.nullable(z.object({ at: time('When it was set aside.'), why: z.nullable(z.string()), sent_back: z.boolean() })),
    'Set if somebody marked a held payment as belonging to no charge, or as sent back: it is no longer matched, but you can still assign it. For an `unread` text: somebody marked it “not a payment”.',
  ),
});
export type ReceiptResponse = z.infer<typeof ReceiptResponse>;

export const ReceiptListResponse = z.object({ receipts: z.array(ReceiptResponse) });
export type ReceiptListResponse = z.infer<typeof ReceiptListResponse>;
