import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Network, networks, unreadNote } from '../../../ghana/network.ts';
import { PhoneNumber } from '../../../ghana/phone-number-schema.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { MAX_MOMO_ACCOUNTS } from '../../../merchants/merchant/merchant.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { invalidRequest, PublicError } from '../../../runtime/values/errors.ts';
import { choice, field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { AccountName, MAX_ACCOUNT_NAME_CHARACTERS } from './account-name.ts';
import { changeShop } from './change-shop.ts';
import { refuseForeign } from './foreign-number.ts';
import { NUMBERS } from './number-of.ts';
import { ownerDecides } from './owner-decides.ts';

export const NewNumberForm = z.object({
  number: PhoneNumber,
  network: z.enum(Network.options, 'must be one of the networks'),
  account_name: AccountName,
});

/** Where a number to be paid on is added. */
export async function showNewNumber(visit: MerchantVisit): Promise<Shown> {
  const facts = { path: '/numbers/new', action: `${NUMBERS}/new`, submit: 'Add the number' };
  return {
    title: 'Add a number',
    main: html`<section>${form(visit, facts, (filled) => [
      field(filled, {
        name: 'number',
        label: 'Number',
        type: 'tel',
        inputMode: 'tel',
        maxLength: 20,
        isRequired: true,
      }),
      choice(filled, {
        name: 'network',
        label: 'Network',
        value: Network.options[0],
        options: Network.options.map((network) => [network, networks[network].name]),
        hint: Network.options.flatMap((network) => unreadNote(network) ?? []).join(' '),
      }),
      field(filled, {
        name: 'account_name',
        label: 'Name',
        maxLength: MAX_ACCOUNT_NAME_CHARACTERS,
        hint: 'As the network shows it: customers compare it on their phone before they confirm.',
        isRequired: true,
      }),
    ])}</section>
${ownerDecides(visit)}
<p class="hint">Payments to it are held until its SIM is in a phone of this service and the operator has placed the number there.</p>
<p><a href="${NUMBERS}">All numbers</a></p>`,
  };
}

/** Adds it after the others: the first one is shown to customers. */
export async function addNumber(
  visit: MerchantVisit<never, z.infer<typeof NewNumberForm>>,
  outside: Outside,
): Promise<Going> {
  const { merchant, user, form: account } = visit;
  const { momo_accounts } = merchant;
  if (momo_accounts.some(({ number }) => number === account.number))
    throw invalidRequest([{ field: 'number', message: 'is one of yours already' }]);
  if (momo_accounts.length >= MAX_MOMO_ACCOUNTS)
    throw new PublicError('invalid_request', `A shop has at most ${MAX_MOMO_ACCOUNTS} numbers: remove one first.`);
  await refuseForeign(outside, merchant, user, account.number);
  const notice = `${shownNumber(account.number)} was added. Check its name.`;
  return changeShop(visit, outside, { momo_accounts: [...momo_accounts, account] }, { goTo: NUMBERS, notice });
}
