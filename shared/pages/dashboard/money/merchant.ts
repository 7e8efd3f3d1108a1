import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { listApiKeys } from '../../../merchants/merchant/api-key.table.ts';
import { requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import {
  confirmsUnprovenUpToPesewas,
  type Merchant,
  nameDecidesUpToPesewas,
} from '../../../merchants/merchant/merchant.ts';
import { listUsers } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { OPERATOR_MERCHANTS, SIGN_IN } from '../addresses.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { facts, pill, section } from '../parts/status.ts';
import { shownDay, shownTime } from '../shown-time.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { merchantAddress, merchantForm } from './addresses.ts';
import { creditsSection } from './credits-section.ts';
import { peopleSection } from './invite-owner.ts';
import { keysSection } from './key-rate.ts';

/** One merchant: what it is set to, its credits, and what the operator may do about it. */
export async function showMerchant(visit: PersonVisit<'id'>, outside: Outside): Promise<Shown> {
  const merchant = await requireMerchant(outside, visit.path.id);
  const { merchant_id, name, suspended_at } = merchant;
  const [credits, people, keys] = await Promise.all([
    creditsSection(visit, outside, merchant_id),
    listUsers(outside, merchant_id),
    listApiKeys(outside, merchant_id),
  ]);
  return {
    title: name,
    main: html`${suspended_at && html`<p>${pill('bad', 'Suspended')} Since ${shownTime(suspended_at)}: its keys are refused, its people can only look, its checkout pages ask for no money.</p>`}
<div class="actions"><form method="post" action="${SIGN_IN}/open-merchant" class="small"><input type="hidden" name="merchant" value="${merchant_id}"><button class="button">Open its dashboard</button></form>
<a class="plain button" href="${merchantAddress(merchant_id)}/settings">Change its settings</a></div>
${section('Settings', settings(merchant))}
${peopleSection(merchant_id, people)}
${credits}
${keysSection(outside, merchant_id, keys)}
${
  suspended_at
    ? section('Lift the suspension', [
        html`<p>Its keys, its people and its checkout pages work as before.</p>`,
        form(visit, merchantForm(merchant_id, 'take-back', 'Lift the suspension'), () => []),
      ])
    : section('Suspend it', [
        html`<p>Its keys are refused, its people can look and change nothing, and its checkout pages ask for no money. Texts that it was charged for still leave, and payments that arrive are still matched.</p>`,
        form(visit, { ...merchantForm(merchant_id, 'suspend', `Suspend ${name}`), isDangerous: true }, () => []),
      ])
}
<p><a href="${OPERATOR_MERCHANTS}">All merchants</a></p>`,
  };
}

function settings(merchant: Merchant): Html {
  const {
    merchant_id,
    momo_accounts,
    contact,
    default_from,
    confirm_always_above_pesewas: above,
    created_at,
  } = merchant;
  const wallets = momo_accounts.map(
    ({ number, network, account_name, balance_limit_pesewas: limit }) =>
      html`<span class="number">${shownNumber(number)}</span>, ${networks[network].name}, ${account_name}${limit && `, may hold ${shownMoney(limit)}`}<br>`,
  );
  return facts([
    ['Id', html`<code>${merchant_id}</code>`],
    ['Paid on', wallets.length > 0 ? html`${wallets}` : 'No number yet'],
    ['Customers ask', contact ?? 'Nobody is named'],
    ['Texts leave from', default_from ? shownNumber(default_from) : 'Any number'],
    ['A name confirms up to', shownMoney(nameDecidesUpToPesewas(merchant))],
    ['Confirmed without proof up to', shownMoney(confirmsUnprovenUpToPesewas(merchant))],
    ['A person confirms above', above === undefined ? 'Never needed' : shownMoney(above)],
    ['Since', shownDay(created_at)],
  ]);
}
