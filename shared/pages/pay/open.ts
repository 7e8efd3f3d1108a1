import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { openCharge } from '../../money/link/open-charge.ts';
import { type Answer, redirect } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { checkoutPath } from '../checkout/checkout-path.ts';
import { type OpenLink, payPage } from './page.ts';

function typed(description: string, example: string) {
  return z._default(z.string('must be a string'), '').check(z.meta({ description, examples: [example] }));
}

/** The form of a link's page. Its fields are checked by `openCharge`, whose messages suit the page. */
export const PayRequest = z
  .object(
    {
      amount: typed(`In ${CURRENCY}, where the link has no amount of its own.`, '20'),
      note: typed('The answer to what the link asks.', 'Room 12'),
      phone: typed('The number that the code is texted to, where the link does that.', '0209876543'),
    },
    'must be a form or a JSON object',
  )
  .check(z.meta({ id: 'PayRequest' }));
export type PayRequest = z.infer<typeof PayRequest>;

/** Opens a charge and leads to its checkout page; a form that is refused is shown again, with what was typed. */
export async function answerOpening(
  outside: Outside,
  found: OpenLink,
  typed: PayRequest,
  { sourceIp, isJson }: { readonly sourceIp: string; readonly isJson: boolean },
): Promise<Answer> {
  try {
    if (found.merchant.suspended_at !== undefined)
      throw new PublicError('forbidden', 'This shop is not taking payments now. Do not pay.');
    const charge = await openCharge(outside, found.merchant, found.link, typed, sourceIp);
    return redirect(checkoutPath(charge.access_code), 303);
  } catch (error) {
    if (!(error instanceof PublicError) || isJson) throw error;
    return payPage(outside, found, { error, typed });
  }
}
