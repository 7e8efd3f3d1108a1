import { html } from 'hono/html';
import * as z from 'zod/mini';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import {
  confirmsUnprovenUpToPesewas,
  type Merchant,
  nameDecidesUpToPesewas,
  newWalletDailyLimitPesewas,
} from '../../../merchants/merchant/merchant.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { getChains } from '../../../wallets/chain/chain.table.ts';
import { type Chain, ESTABLISHED } from '../../../wallets/chain/chain.ts';
import { SETTINGS } from '../parts/addresses.ts';
import { changeShop, ownerDecides } from '../parts/change-shop.ts';
import { facts, type Html, section } from '../parts/content.ts';
import { field, form } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import { AmountFromZero, fieldAmount } from '../parts/typed.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { modePill, walletsOf } from '../wallets/wallets.ts';

const PATH = '/matching';
export const MATCHING = `${SETTINGS}${PATH}`;

/** In pesewas; without the last, nobody has to confirm. */
export const MatchingForm = z.object({
  match_by_name_up_to: AmountFromZero,
  confirm_unproven_up_to: AmountFromZero,
  new_wallet_daily_limit: z.optional(AmountFromZero),
  confirm_always_above: z.optional(AmountFromZero),
});

/** What confirms a charge by itself, and what waits for a person. */
export async function showMatching(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const chains = await getChains(outside, walletsOf(merchant));
  return {
    title: 'Automatic confirmation',
    main: html`${may(user, 'settings:write') ? section('What confirms by itself', fields(visit)) : section('What confirms by itself', settingsOf(merchant))}
${ownerDecides(visit)}
${proofSection(merchant, chains)}
<p><a href="${SETTINGS}">All settings</a></p>`,
  };
}

function fields(visit: MerchantVisit): Html {
  const { merchant } = visit;
  const above = merchant.confirm_always_above_pesewas;
  return form(visit, { path: PATH, submit: 'Set these' }, (filled) => [
    field(filled, {
      name: 'match_by_name_up_to',
      label: `Match by name up to (${CURRENCY})`,
      value: fieldAmount(nameDecidesUpToPesewas(merchant)),
      inputMode: 'decimal',
      hint: 'A payment without a reference pays the one bill with its amount and its payer’s name. Two people may have the same name, so larger ones wait in To check. 0 means never.',
      isRequired: true,
    }),
    field(filled, {
      name: 'confirm_unproven_up_to',
      label: `Confirm unverified up to (${CURRENCY})`,
      value: fieldAmount(confirmsUnprovenUpToPesewas(merchant)),
      inputMode: 'decimal',
      hint: 'The text of a payment that does not fit your wallet’s balance may be forged, or an earlier one may be lost. Up to this much a bill, and three times as much a day, goods leave all the same. Above it no code, tap or text of a receipt follows until it is verified or a manager lets the goods go; where unverified payments wait, it waits in To check. 0 means never.',
      isRequired: true,
    }),
    field(filled, {
      name: 'new_wallet_daily_limit',
      label: `New wallet, each day up to (${CURRENCY})`,
      value: fieldAmount(newWalletDailyLimitPesewas(merchant)),
      inputMode: 'decimal',
      hint: `A wallet’s texts verify nothing until ${ESTABLISHED.links} of them follow each other, ${ESTABLISHED.outgoing} of them about money that went out, in at least ${ESTABLISHED.days} days. Until then goods leave for at most this much a day, so forged texts cost you no more. 0 means never.`,
      isRequired: true,
    }),
    field(filled, {
      name: 'confirm_always_above',
      label: `Confirm by hand above (${CURRENCY})`,
      value: above === undefined ? '' : fieldAmount(above),
      inputMode: 'decimal',
      hint: 'Every larger payment waits in To check until one of you has checked the wallet, however well it is verified. Leave it empty to turn this off.',
    }),
  ]);
}

/** For those who may only look. */
function settingsOf(merchant: Merchant): Html {
  return facts([
    ['Match by name up to', shownOrNever(nameDecidesUpToPesewas(merchant))],
    ['Confirm unverified up to', shownOrNever(confirmsUnprovenUpToPesewas(merchant))],
    ['New wallet, each day up to', shownOrNever(newWalletDailyLimitPesewas(merchant))],
    ['Confirm by hand above', shownAbove(merchant)],
  ]);
}

const columns = ['Number', 'Network', 'Verification'];

function proofSection(merchant: Merchant, chains: readonly Chain[]): Html {
  const rows = walletsOf(merchant).map(({ network, momo_number }) => {
    const chain = chains.find((one) => one.network === network && one.momo_number === momo_number);
    return { cells: [shownNumber(momo_number), networks[network].name, modePill(chain)] };
  });
  return section('Verification of each wallet', [
    html`<p class="hint">Each text of a wallet reports the balance after it, so each verifies the one before. Where verification is only noted, no payment waits for lack of it, and goods leave within the limits above. Where unverified payments wait, those within the same limits do not. Only support can change this.</p>`,
    rows.length > 0 ? table('Whether verification decides', columns, rows) : html`<p>Add a MoMo number first.</p>`,
  ]);
}

export function setMatching(visit: MerchantVisit<never, typeof MatchingForm>, outside: Outside): Promise<Going> {
  const { match_by_name_up_to, confirm_unproven_up_to, new_wallet_daily_limit, confirm_always_above } = visit.form;
  const changes = {
    match_by_name_up_to_pesewas: match_by_name_up_to,
    confirm_unproven_up_to_pesewas: confirm_unproven_up_to,
    new_wallet_daily_limit_pesewas: new_wallet_daily_limit,
    confirm_always_above_pesewas: confirm_always_above ?? ('off' as const),
  };
  const notice = 'Saved. It applies to every payment from now on.';
  return changeShop(visit, outside, changes, { goTo: MATCHING, notice });
}

/** An amount that 0 turns off. */
export function shownOrNever(pesewas: number): string {
  return pesewas === 0 ? 'never' : shownMoney(pesewas);
}

export function shownAbove({ confirm_always_above_pesewas: above }: Merchant): string {
  return above === undefined ? 'never' : shownMoney(above);
}
