import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { wholeNumber } from '../../../ghana/typed.ts';
import { type ApiKey, apiKeyRows, KEY_CACHE_SECONDS } from '../../../merchants/merchant/api-key.table.ts';
import { defaultRequestsPerSecond, requestsPerSecondOf } from '../../../merchants/merchant/api-key.ts';
import { isValid, prepareRate, requireKey } from '../../../merchants/merchant/manage-keys.ts';
import { requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import {
  confirmsUnprovenUpToPesewas,
  type Merchant,
  nameDecidesUpToPesewas,
  newWalletDailyLimitPesewas,
} from '../../../merchants/merchant/merchant.ts';
import { listChanges, numbersForOperator } from '../../../merchants/merchant/money-change.table.ts';
import { prepareSuspension } from '../../../merchants/merchant/suspend-merchant.ts';
import { listUsers } from '../../../merchants/user/user.table.ts';
import { BURST_SECONDS } from '../../../runtime/http/middleware/limit-rate.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { counted } from '../../../runtime/values/counted.ts';
import {
  type CreditEntry,
  getCredits,
  isLow,
  listEntries,
  prepareLowBelow,
} from '../../../texts/credits/credits.table.ts';
import { prepareTopUp } from '../../../texts/credits/top-up.ts';
import { aboutKey, kindNames, lastUse, shownKey } from '../developers/keys.ts';
import type { Action } from '../parts/action.ts';
import { CHANGES, merchantAddress, SIGN_IN } from '../parts/addresses.ts';
import { facts, type Html, pill, section, shownDay, shownTime, tile, tiles } from '../parts/content.ts';
import { owedTiles } from '../parts/cost.ts';
import { field, form, formSection } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import { actionOf } from '../parts/title.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';
import { purchasesOf } from './credits.ts';
import { peopleSection } from './invite-owner.ts';

export async function showMerchant(visit: PersonVisit<'id'>, outside: Outside): Promise<Shown> {
  const merchant = await requireMerchant(outside, visit.path.id);
  const { merchant_id, name, suspended_at } = merchant;
  const [credits, people, keys, changes] = await Promise.all([
    creditsSection(visit, outside, merchant_id),
    listUsers(outside, merchant_id),
    apiKeyRows.list(outside, { merchant_id }),
    listChanges(outside, merchant_id),
  ]);
  const asked = numbersForOperator(merchant, changes);
  return {
    title: name,
    actions: [
      openDashboard(merchant_id, 'Open its dashboard'),
      { name: 'Change its settings', address: `${merchantAddress(merchant_id)}/settings`, isPlain: true },
    ],
    main: html`${suspended_at && html`<p>${pill('bad', 'Suspended')} Since ${shownTime(suspended_at)}: its keys are refused, and its team can only view. Its checkout pages do not ask for money.</p>`}
${asked.map(({ change: { number, network }, at }) => section(`Is ${shownNumber(number)} theirs?`, html`<p>At ${shownTime(at)}, an owner asked to be paid on ${shownNumber(number)} (${networks[network].name}). This service already knows the number. Approve it only if that SIM belongs to the shop.</p>${actionOf(openDashboard(merchant_id, 'Review it and decide', CHANGES))}`))}
${section('Settings', settings(merchant))}
${peopleSection(merchant_id, people)}
${credits}
${keysSection(outside, merchant_id, keys)}
${
  suspended_at
    ? section('Lift the suspension', [
        html`<p>Its keys, team and checkout pages will work as before.</p>`,
        form(visit, { path: '/{id}/take-back', submit: 'Lift the suspension' }),
      ])
    : section('Suspend it', [
        html`<p>Its keys will be refused. Its team can view everything but change nothing. Its checkout pages will not ask for money. Texts that fall due during the suspension fail, and their credits are returned. Payments that arrive are still matched.</p>`,
        form(visit, { path: '/{id}/suspend', submit: `Suspend ${name}`, isDangerous: true }),
      ])
}`,
  };
}

function openDashboard(merchant: string, name: string, next?: string): Action {
  return { name, address: `${SIGN_IN}/open-merchant`, sends: { merchant, next } };
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
      html`<span class="number">${shownNumber(number)}</span>, ${networks[network].name}, ${account_name}${limit && `, balance limit ${wholeMoney(limit)}`}<br>`,
  );
  return facts([
    ['Id', html`<code>${merchant_id}</code>`],
    ['Paid on', wallets.length > 0 ? html`${wallets}` : 'No number yet'],
    ['Customers ask', contact ?? 'No contact'],
    ['Texts are sent from', default_from ? shownNumber(default_from) : 'Any number'],
    ['Match by name up to', shownMoney(nameDecidesUpToPesewas(merchant))],
    ['Accept unverified payments up to', shownMoney(confirmsUnprovenUpToPesewas(merchant))],
    ['Daily limit for a new wallet', shownMoney(newWalletDailyLimitPesewas(merchant))],
    ['Confirm manually above', above === undefined ? 'Never' : shownMoney(above)],
    ['Since', shownDay(created_at)],
  ]);
}

const ENTRIES = 10;

const WHAT = {
  'top-up': 'Added',
  refund: 'Returned: a text failed',
  purchase: 'Bought',
  'taken-back': 'Removed: its payment was reversed',
} as const satisfies Readonly<Record<CreditEntry['reason'], string>>;

async function creditsSection(visit: PersonVisit<'id'>, outside: Outside, merchantId: string): Promise<Html> {
  const [credits, entries] = await Promise.all([
    getCredits(outside, merchantId),
    listEntries(outside, merchantId, ENTRIES),
  ]);
  // A merchant that has never had credits may not use texts at all.
  const low = entries.length > 0 && isLow(credits);
  return section('Credits for texts', [
    tiles(
      tile('Texts it can still send', String(credits.balance), {
        hint: low ? `Low: fewer than ${credits.low_below}` : `The merchant is notified below ${credits.low_below}`,
        isUrgent: low,
      }),
      ...owedTiles(credits, 'Credits it owes'),
    ),
    form(
      visit,
      { path: '/{id}/credits', submit: 'Add credits' },
      field('amount', 'Credits', {
        inputMode: 'numeric',
        hint: 'One credit is one text to one number.',
        isRequired: true,
      }),
    ),
    form(
      visit,
      { path: '/{id}/low-below', submit: 'Set the low limit' },
      field('low_below', 'Notify below', {
        value: String(credits.low_below),
        inputMode: 'numeric',
        hint: 'We notify the merchant once. Enter 0 to turn this off.',
        isRequired: true,
      }),
    ),
    table(entries, {
      caption: 'Credits added, bought and returned, newest first',
      columns: {
        What: ({ reason, reference }) => WHAT[reason] + (reference ? `, ${reference}` : ''),
        When: ({ created_at }) => shownTime(created_at),
        Credits: { figure: (entry) => (entry.credits > 0 ? `+${entry.credits}` : `−${-entry.credits}`) },
      },
      nothing: html`<p class="hint">Nothing has been added yet.</p>`,
    }),
    await purchasesOf(visit, outside, merchantId),
  ]);
}

export const CreditsForm = z.object({ amount: wholeNumber(1) });
export const LowBelowForm = z.object({ low_below: wholeNumber(0) });

type OfMerchant<Form = undefined> = PersonVisit<'id', Form>;

export async function addCredits({ path, form, commit }: OfMerchant<typeof CreditsForm>, outside: Outside) {
  const going = { goTo: merchantAddress(path.id), notice: `${counted(form.amount, 'credit')} added.` };
  return retryIfChanged(async () => {
    const { writes, entry } = await prepareTopUp(outside, path.id, form.amount);
    return commit(writes, going, entry);
  });
}

export async function setLow({ path, form, commit }: OfMerchant<typeof LowBelowForm>, outside: Outside) {
  const { low_below } = form;
  const { writes, entry } = await prepareLowBelow(outside, path.id, low_below);
  const notice =
    low_below === 0
      ? 'The merchant will not be notified of low credits.'
      : `The merchant will be notified below ${low_below} credits.`;
  return commit(writes, { goTo: merchantAddress(path.id), notice }, entry);
}

export function suspend(isSuspended: boolean) {
  return async ({ path, commit }: OfMerchant, outside: Outside): Promise<Going> => {
    const { name, writes, entry } = await prepareSuspension(outside, path.id, isSuspended);
    const notice = `${name} is ${isSuspended ? 'suspended' : 'no longer suspended'}.`;
    return commit(writes, { goTo: merchantAddress(path.id), notice }, entry);
  };
}

export const RateForm = z.object({ rate: wholeNumber(1) });

type OfKey<Form = undefined> = PersonVisit<'id' | 'hint', Form>;

function keysSection(outside: Clock, merchantId: string, keys: readonly ApiKey[]): Html {
  const valid = keys.filter((key) => isValid(outside, key));
  const list = table(valid, {
    caption: 'Keys and their rate limits',
    href: ({ hint }) => addressOf(merchantId, hint),
    columns: {
      Key: shownKey,
      For: ({ kind }) => kindNames[kind],
      'Last used': (key) => lastUse(outside, key),
      'A second': { figure: (key) => String(requestsPerSecondOf(key)) },
    },
    nothing: html`<p class="hint">This merchant has no keys. Its team can create keys under Developers.</p>`,
  });
  return section('Rates of its keys', list);
}

export async function showKeyRate(visit: OfKey, outside: Outside): Promise<Shown> {
  const { id, hint } = visit.path;
  const key = await requireKey(outside, id, hint);
  const rate = { path: '/{id}/keys/{hint}/rate', submit: 'Set the rate' };
  return {
    title: `Key …${key.hint}`,
    back: { name: 'The merchant', path: merchantAddress(id) },
    main: html`${aboutKey(outside, key)}
${formSection(
  visit,
  'Rate',
  rate,
  field('rate', 'Requests a second', {
    value: String(requestsPerSecondOf(key)),
    inputMode: 'numeric',
    hint: `Up to ${BURST_SECONDS} seconds’ worth can come at once. The default is ${defaultRequestsPerSecond(key.merchant_id)}. A new rate takes effect everywhere within ${KEY_CACHE_SECONDS} seconds.`,
    isRequired: true,
  }),
)}`,
  };
}

export async function setKeyRate({ path, form, commit }: OfKey<typeof RateForm>, outside: Outside): Promise<Going> {
  const { id, hint } = path;
  const { writes, entry } = await prepareRate(outside, id, hint, form.rate);
  const notice = `The key that ends in ${hint} can now make ${counted(form.rate, 'request')} a second.`;
  return commit(writes, { goTo: merchantAddress(id), notice }, entry);
}

function addressOf(merchantId: string, hint: string): string {
  return `${merchantAddress(merchantId)}/keys/${hint}`;
}
