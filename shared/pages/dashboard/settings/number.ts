import { html } from 'hono/html';
import * as z from 'zod/mini';
import { BALANCE_LIMITS_PESEWAS } from '../../../ghana/balance-limit.ts';
import { ghsOf, shownMoney } from '../../../ghana/money.ts';
import { networks, unreadNote } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { othersPaidOn } from '../../../merchants/merchant/manage-merchant.ts';
import type { MomoAccount } from '../../../merchants/merchant/merchant.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { choice, field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { AccountName, MAX_ACCOUNT_NAME_CHARACTERS } from './account-name.ts';
import { accountOf, NUMBERS, numberAddress } from './number-of.ts';
import { SHARED } from './numbers.ts';
import { ownerDecides } from './owner-decides.ts';

const UNKNOWN = 'unknown';
const LIMITS = BALANCE_LIMITS_PESEWAS.map((pesewas) => [String(ghsOf(pesewas)), pesewas] as const);

export const NameForm = z.object({ account_name: AccountName });

/** Inside it is pesewas, or undefined for a limit that is not known. */
export const LimitForm = z.object({
  limit: z.pipe(
    z.enum([UNKNOWN, ...LIMITS.map(([ghs]) => ghs)], 'must be one of those listed'),
    z.transform((chosen) => LIMITS.find(([ghs]) => ghs === chosen)?.[1]),
  ),
});

/** One number that a merchant is paid on, and what can be changed of it. */
export async function showNumber(visit: MerchantVisit<'number'>, outside: Outside): Promise<Shown> {
  const { merchant, path } = visit;
  const account = accountOf(merchant, path.number);
  const others = await othersPaidOn(outside, merchant.merchant_id, account.number);
  const isFirst = merchant.momo_accounts[0] === account;
  const note = unreadNote(account.network);
  return {
    title: shownNumber(account.number),
    main: html`${(others.length > 0 || note) && html`<section>${others.length > 0 && html`<p>${SHARED}</p>`}${note && html`<p>${note}</p>`}</section>`}
${ownerDecides(visit)}
${nameSection(visit, account)}
${isFirst ? section('Shown first', html`<p>Customers are shown this number before any other.</p>`) : firstSection(visit, account)}
${limitSection(visit, account)}
${removeSection(visit, account)}
<p><a href="${NUMBERS}">All numbers</a></p>`,
  };
}

function factsOf({ number }: MomoAccount, what: string, submit: string) {
  return { path: `/numbers/{number}/${what}`, action: `${numberAddress(number)}/${what}`, submit };
}

function nameSection(visit: MerchantVisit<'number'>, account: MomoAccount): Html {
  return section(
    'Name',
    form(visit, factsOf(account, 'name', 'Correct the name'), (filled) =>
      field(filled, {
        name: 'account_name',
        label: 'Name',
        value: account.account_name,
        maxLength: MAX_ACCOUNT_NAME_CHARACTERS,
        hint: `As ${networks[account.network].name} shows it: customers compare it on their phone before they confirm. New charges show what you write here.`,
        isRequired: true,
      }),
    ),
  );
}

function firstSection(visit: MerchantVisit<'number'>, account: MomoAccount): Html {
  return section('Order', [
    html`<p>Customers are shown the first number before any other.</p>`,
    form(visit, factsOf(account, 'first', 'Show this one first'), () => []),
  ]);
}

function limitSection(visit: MerchantVisit<'number'>, account: MomoAccount): Html {
  const { balance_limit_pesewas: limit } = account;
  return section(
    'Balance limit',
    form(visit, factsOf(account, 'limit', 'Set the limit'), (filled) =>
      choice(filled, {
        name: 'limit',
        label: 'The most that this wallet may hold',
        value: limit === undefined ? UNKNOWN : String(ghsOf(limit)),
        options: [[UNKNOWN, 'I do not know'], ...LIMITS.map(([ghs, pesewas]) => [ghs, shownMoney(pesewas)] as const)],
        hint: 'A full wallet refuses payments. You are told before it is full; by how well the network knows you, one of these is its limit.',
      }),
    ),
  );
}

function removeSection(visit: MerchantVisit<'number'>, account: MomoAccount): Html {
  return section('Not paid here any more?', [
    html`<p>New charges do not show it. A customer with an open charge may still pay to it: such a payment confirms nothing, and only the operator sees it. Once its texts have arrived here, only the operator can add it again.</p>`,
    visit.merchant.momo_accounts.length === 1
      ? html`<p>It is your only number: add another one first.</p>`
      : form(visit, { ...factsOf(account, 'remove', 'Remove this number'), isDangerous: true }, () => []),
  ]);
}
