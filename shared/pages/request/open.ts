import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { openRequestCharge } from '../../money/request/open-request-charge.ts';
import { type Answer, redirect } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { checkoutPath } from '../checkout/checkout-path.ts';
import { type OpenRequest, requestOfSlug, requestPage } from './page.ts';

/** The form of a request's page. Its amount is checked by `openRequestCharge`, whose messages suit the page. */
export const PayPartRequest = z
  .object(
    {
      amount: z
        ._default(z.string('must be a string'), '')
        .check(z.meta({ description: `What is paid now, in ${CURRENCY}.`, examples: ['425'] })),
    },
    'must be a form or a JSON object',
  )
  .check(z.meta({ id: 'PayPartRequest' }));
export type PayPartRequest = z.infer<typeof PayPartRequest>;

/** Opens a charge and leads to its checkout page; a form that is refused is shown again, with what was typed. */
export async function answerOpening(
  outside: Outside,
  { request: { slug }, merchant }: OpenRequest,
  { amount }: PayPartRequest,
  { sourceIp, isJson }: { readonly sourceIp: string; readonly isJson: boolean },
): Promise<Answer> {
  try {
    if (merchant.suspended_at !== undefined)
      throw new PublicError('forbidden', 'This shop is not taking payments now. Do not pay.');
    const charge = await openRequestCharge(outside, merchant, slug, { amount }, sourceIp);
    return redirect(checkoutPath(charge.access_code), 303);
  } catch (error) {
    if (!(error instanceof PublicError) || isJson) throw error;
    // As it is now: what refused the form may be that it was paid meanwhile.
    return requestPage(outside, await requestOfSlug(outside, slug), { error, amount });
  }
}
