import { html } from 'hono/html';
import * as z from 'zod/mini';
import { wholeMoney } from '../../../ghana/money.ts';
import { TypedAmount } from '../../../ghana/typed.ts';
import { chargeDetails } from '../../../money/charge/charge-details.ts';
import { initializeCharge } from '../../../money/charge/initialize-charge.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../runtime/values/calendar.ts';
import { chargeAddress } from '../parts/addresses.ts';
import { noNumberYet } from '../parts/content.ts';
import { choice, field, fields, form } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const LIFETIMES = [
  [String(HOUR_SECONDS), '1 hour'],
  [String(DAY_SECONDS), '24 hours'],
  [String(3 * DAY_SECONDS), '3 days'],
  [String(7 * DAY_SECONDS), '7 days'],
] as const;
const USUAL = String(DAY_SECONDS);

/** The API's fields and rules. Amounts may also include a currency and separators. */
export const NewChargeForm = z.object({
  amount: TypedAmount,
  ...z.partial(z.object(chargeDetails)).shape,
  expires_in: z._default(
    z.enum(
      LIFETIMES.map(([seconds]) => seconds),
      'must be one of the options listed',
    ),
    USUAL,
  ),
});

export async function showNewCharge(visit: MerchantVisit): Promise<Shown> {
  const title = 'New bill';
  if (visit.merchant.momo_accounts.length === 0) return { title, main: noNumberYet() };
  const card = form(visit, { path: '/new', submit: 'Create bill' }, [
    field('amount', 'Amount', { inputMode: 'decimal', isRequired: true, maxLength: 16 }),
    field('description', 'What it is for', { hint: 'The customer will see this.', maxLength: 500 }),
    field('customer_name', 'Customer’s name', {
      hint: 'As registered with MoMo, such as Kofi Mensah. A payment without the reference may then be recognised too.',
      maxLength: 100,
    }),
    field('customer_phone', 'Customer’s phone number', {
      type: 'tel',
      inputMode: 'tel',
      hint: 'We will offer to text the link to this number.',
    }),
    fields`<details class="more"${visit.refused && html` open`}><summary>More</summary><div class="fields">
${field('email', 'Customer’s e-mail', { type: 'email', maxLength: 254 })}
${field('merchant_reference', 'Your order number', { hint: 'You can find the bill by this number.', maxLength: 100 })}
${choice('expires_in', 'Expires after', { value: USUAL, options: LIFETIMES })}
</div></details>`,
  ]);
  return { title, main: html`<div class="card">${card}</div>` };
}

export function addCharge(visit: MerchantVisit<never, typeof NewChargeForm>, outside: Outside): Promise<Going> {
  const { merchant, form, commit } = visit;
  const asked = { ...form, expires_in: Number(form.expires_in) };
  return initializeCharge(
    outside,
    merchant,
    { asked, origin: { kind: 'dashboard' } },
    ({ reference, amount_pesewas }, writes) => {
      const notice = `The bill for ${wholeMoney(amount_pesewas)} is ready. Send its link to the customer.`;
      const entry = { action: 'charge create', about: reference, after: { amount_pesewas } };
      return commit(writes, { goTo: chargeAddress(reference), notice }, entry);
    },
  );
}
