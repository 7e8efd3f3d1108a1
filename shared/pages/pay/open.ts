import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Charge } from '../../money/charge/charge.table.ts';
import { type Answer, redirect } from '../../runtime/http/answer.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { checkoutPath } from '../checkout/checkout-path.ts';
import { sharedWords } from '../words/words.ts';

function typed(description: string, example: string) {
  return z._default(z.string('must be a string'), '').check(z.meta({ description, examples: [example] }));
}

/** The form of a payment link. `openThroughLink` validates the fields, with error messages for the page. */
export const PayRequest = z
  .object(
    {
      amount: typed(`The amount in ${CURRENCY}, if the link has no fixed amount.`, '20'),
      note: typed('The answer to the link’s question.', 'Room 12'),
      phone: typed('The number to text the code to, if the link offers this.', '0209876543'),
      nonce: typed(
        'Set by the form. If the form is submitted again with the same answers, it leads to the same charge.',
        'k3Vd0sPq7RtY2uWx9ZbN4m',
      ),
    },
    'must be a form or a JSON object',
  )
  .check(z.meta({ id: 'PayRequest' }));
export type PayRequest = z.infer<typeof PayRequest>;

interface Pressed {
  readonly merchant: Merchant;
  readonly isJson: boolean;
  readonly open: () => Promise<Charge>;
  /** Renders the page again with the error. */
  readonly again: (error: PublicError) => Promise<Answer>;
}

/** Opens a charge and redirects to its checkout page. A rejected form keeps the typed values. */
export async function answerOpening({ merchant, isJson, open, again }: Pressed): Promise<Answer> {
  try {
    if (merchant.suspended_at !== undefined) throw new PublicError('forbidden', sharedWords.notTaking);
    const { access_code } = await open();
    return redirect(checkoutPath(access_code), 303);
  } catch (error) {
    if (!(error instanceof PublicError) || isJson) throw error;
    return again(error);
  }
}
