import * as z from 'zod/mini';
import { COUNTRY_CODE, CURRENCY } from '../../ghana/country.ts';
import { Network } from '../../ghana/network.ts';
import { amountGhs, Currency, phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time } from '../../runtime/http/responses.ts';
import { answer, described, describedValues } from '../../runtime/values/described.ts';
import { ProofResponse } from '../../wallets/chain/responses.ts';
import { MarkedResponse } from '../charge/responses.ts';
import { MatchedBy } from '../payment/payment.ts';
import { HeldReason, ReceiptState } from './receipt.ts';

const NAMED_CHARGE = 'the state of the charge that its reference names';
const heldReasons: Readonly<Record<HeldReason, string>> = {
  already_paid: NAMED_CHARGE,
  charge_expired: NAMED_CHARGE,
  charge_cancelled: NAMED_CHARGE,
  charge_disputed: NAMED_CHARGE,
  before_charge: 'its phone received it before that charge was created',
  charge_reversed: 'another payment of the charge that it was a part of, or that its reference names, was reversed',
  amount_differs: 'it is too small, and its charge already has twenty parts',
  amount_of_another:
    'its reference is of one charge, and its amount is exactly that of another charge of the same customer, so references may have been swapped',
  reference_unclear: 'its reference is almost a charge’s, or names two',
  name_differs: 'charges for this amount were created in the two hours before, but none in the payer’s name',
  several_fit: 'more than one charge fits',
  too_many_open: 'more than 200 charges of this amount are open, too many to compare with the payer’s name',
  name_only: 'one charge fits, but the amount is more than you let a name confirm',
  no_charge: 'no charge for this amount was created in those two hours',
  conflict: 'another text reported the same payment with different details, so one of them is false: check the wallet',
  network_differs: 'the number paid is registered with another network',
  number_unknown: 'the phone did not report which number was paid',
  number_not_placed: 'nobody has said which phone the paid number is in; tell the operator',
  reversed: 'the network took the payment back, so send nothing; its page of the dashboard takes it off the list',
  checking: 'a text of the wallet’s before it may still be on its way; it is decided within two minutes',
  balance_gap:
    'the balance in its text does not continue the wallet’s, so a text before it is missing or it is forged; it confirms its charge by itself once the missing text arrives',
  balance_unsure:
    'somebody may be guessing the wallet’s balance, because other texts failed to continue it or because the wallet was empty; it confirms its charge by itself once the wallet’s owner has confirmed the balance',
  clock_odd: 'its transaction id does not belong to the time at which it came',
  balance_impossible: 'it is larger than the balance that its text tells after it',
  large_amount: 'it is for more than you let any text confirm (`confirm_always_above`)',
};

export const ReceiptResponse = answer('Receipt', {
  id: z.string().check(z.meta({ examples: [`MTN-${COUNTRY_CODE.slice(1)}241234567-62841953770`] })),
  livemode: Livemode,
  status: described(
    ReceiptState,
    '`matched`: it paid the charge in `reference`, or a part of it. `held`: a payment that could not be matched automatically. `unread`: a text that could not be read as a receipt.',
  ),
  reason: describedValues(z.nullable(HeldReason), 'Why it is held.', heldReasons),
  network: z.nullable(Network),
  momo_number: z.nullable(phoneNumber('The number that was paid.')),
  transaction_id: described(
    z.nullable(z.string()),
    'The network’s id of the payment. While it is held, a key that may not assign (`receipts:assign`) sees its last four characters: with the whole id it could be claimed. `id` and `text` do not contain it then.',
  ),
  amount: z.nullable(amountGhs(`What was paid, in ${CURRENCY}.`)),
  currency: Currency,
  payer_name: z.nullable(z.string()),
  payer_phone: z.nullable(z.string()),
  payer_reference: described(z.nullable(z.string()), 'What the payer typed as the payment’s reference.'),
  sender: described(z.nullable(z.string()), 'Who sent the SMS, as the phone shows it.'),
  text: described(
    z.nullable(z.string()),
    'The SMS, word for word but for what it says is in the wallet, which is `…`. Of a text that could not be read every number is.',
  ),
  received_at: time('When it reached the phone.'),
  proof: described(
    z.nullable(ProofResponse),
    'What the wallet’s other texts say about a payment; null for a test, and for what is no payment.',
  ),
  matched_by: z.nullable(MatchedBy),
  marked: MarkedResponse,
  reference: described(
    z.nullable(z.string()),
    'The charge that it paid; of an `unread` text, the one that was marked as paid from it.',
  ),
  suggested_reference: described(
    z.nullable(z.string()),
    'While it is held: the charge that it was meant for, if that is certain. With `amount_of_another`: the one whose reference was typed. You can assign it there until a day after the charge expired (a payment request’s: at any time), which also restores the other parts of that charge.',
  ),
  set_aside: described(
    z.nullable(z.object({ at: time('When that was said.'), why: z.nullable(z.string()), sent_back: z.boolean() })),
    'Set while it is held and somebody said that it is for no charge, or that it was sent back. It confirms none by itself any more; you can still assign it. Of an `unread` text: somebody said that it is no payment.',
  ),
});
export type ReceiptResponse = z.infer<typeof ReceiptResponse>;

export const ReceiptListResponse = z.object({ receipts: z.array(ReceiptResponse) });
export type ReceiptListResponse = z.infer<typeof ReceiptListResponse>;
