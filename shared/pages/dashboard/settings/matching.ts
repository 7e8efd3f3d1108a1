import { html } from 'hono/html';
import { shownAmount, shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import {
  confirmsUnprovenUpToPesewas,
  type Merchant,
  nameDecidesUpToPesewas,
  newWalletDailyLimitPesewas,
} from '../../../merchants/merchant/merchant.ts';
import { listChanges } from '../../../merchants/merchant/money-change.table.ts';
import { CONFIRMATION_LIMITS } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { summarise } from '../../../money/wallet/wallet-view.ts';
import { changesIn, settingsForm } from '../../../operations/settings/settings.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { chainRows } from '../../../wallets/chain/chain.table.ts';
import type { Chain } from '../../../wallets/chain/chain.ts';
import { SETTINGS } from '../parts/addresses.ts';
import { changeShop, ownerDecides, settingField } from '../parts/change-shop.ts';
import { facts, type Html, money, pill, quiet } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { nothingFrom } from '../parts/wallet-pill.ts';
import { waitingNotices } from './changes.ts';
import { verifiesPill } from './wallet-sections.ts';
import { walletsOf } from './wallets.ts';

const PATH = '/matching';
export const MATCHING = `${SETTINGS}${PATH}`;

export const MatchingForm = settingsForm(CONFIRMATION_LIMITS);

export async function showMatching(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const [chains, changes] = await Promise.all([
    chainRows.findMany(outside, walletsOf(merchant)),
    may(user, 'settings:write') ? listChanges(outside, merchant.merchant_id) : undefined,
  ]);
  const limits = changes?.waiting.filter(({ change }) => change.kind === 'limit') ?? [];
  return {
    title: 'Automatic confirmation',
    main: html`${changes && (await waitingNotices(visit, outside, { ...changes, waiting: limits }))}
<div class="card">${may(user, 'settings:write') ? limitsForm(visit, chains) : settingsOf(merchant)}</div>
${ownerDecides(visit)}
${proofSection(outside, merchant, chains)}`,
  };
}

function limitsForm(visit: MerchantVisit, chains: readonly Chain[]): Html {
  const { merchant } = visit;
  const isVerified = chains.length > 0 && chains.length === walletsOf(merchant).length;
  return form(visit, { path: PATH, submit: 'Save the limits' }, [
    // This limit overrides the next two.
    settingField(merchant, 'confirm_always_above'),
    settingField(merchant, 'match_by_name_up_to', { note: cutOff(merchant, nameDecidesUpToPesewas(merchant)) }),
    settingField(merchant, 'confirm_unproven_up_to', {
      note: cutOff(merchant, confirmsUnprovenUpToPesewas(merchant)),
      // If only some wallets are verified, the setting's own hint explains both.
      hint: isVerified ? ACCEPTED_VERIFIED : chains.length === 0 ? ACCEPTED_UNVERIFIED : undefined,
    }),
    settingField(merchant, 'new_wallet_daily_limit'),
  ]);
}

const ACCEPTED_UNVERIFIED =
  'For an unverified payment, we release codes and goods at tills only up to this amount, and three times this amount in 24 hours. For a larger payment, you release the goods yourself. Your website decides about its own orders. 0 means never.';
const ACCEPTED_VERIFIED =
  'An unverified payment counts only up to this amount, and up to three times this amount in 24 hours. Larger payments wait for you. 0 means never.';

/** Says above which amount the limit has no effect, because a person must confirm larger payments in any case. */
function cutOff(merchant: Merchant, upToPesewas: number): string | undefined {
  const above = inEffect(merchant, upToPesewas);
  return above < upToPesewas ? `No effect above ${wholeMoney(above)}.` : undefined;
}

/** Returns the part of a limit that applies: every larger payment waits for a person. */
function inEffect({ confirm_always_above_pesewas: above = Infinity }: Merchant, upToPesewas: number): number {
  return Math.min(upToPesewas, above);
}

function settingsOf(merchant: Merchant): Html {
  return facts([
    ['Confirm manually above', shownAbove(merchant)],
    ['Match by name up to', shownUpTo(merchant, nameDecidesUpToPesewas(merchant))],
    ['Accept unverified payments up to', shownUpTo(merchant, confirmsUnprovenUpToPesewas(merchant))],
    ['Daily limit for a new wallet', shownOrNever(newWalletDailyLimitPesewas(merchant))],
  ]);
}

function proofSection(outside: Clock, merchant: Merchant, chains: readonly Chain[]): Html {
  const list = table(walletsOf(merchant), {
    caption: 'Unverified payments, by wallet',
    columns: {
      Number: ({ momo_number }) => html`<span class="number">${shownNumber(momo_number)}</span>`,
      Network: ({ network }) => networks[network].name,
      State: ({ network, momo_number }) => {
        const chain = chains.find((one) => one.network === network && one.momo_number === momo_number);
        return networks[network].isRead
          ? verifiesPill(chain && summarise(chain, [], outside.now()))
          : pill('plain', nothingFrom(network));
      },
    },
    nothing: html`<p>Add a MoMo number first.</p>`,
    isCompact: true,
  });
  return quiet('Unverified payments, by wallet', [
    html`<p class="hint">Each text from a wallet reports the new balance, which verifies the text before it. This begins with the balance that an owner enters.</p>`,
    list,
  ]);
}

export function setMatching(visit: MerchantVisit<never, typeof MatchingForm>, outside: Outside): Promise<Going> {
  const notice = 'Saved. The new limits apply to all payments from now on.';
  return changeShop(visit, outside, changesIn(CONFIRMATION_LIMITS, visit.form), { goTo: MATCHING, notice });
}

/** Summarises the limits as set, one on each line. The page has the exceptions. */
export function shownLimits(merchant: Merchant): string[] {
  const line = (name: string, pesewas: number) => {
    const applies = inEffect(merchant, pesewas);
    const limit = pesewas === 0 ? 'never' : `up to ${wholeMoney(pesewas)}`;
    return `${name}: ${limit}${applies < pesewas ? ` (${shownAmount(applies)} applies)` : ''}`;
  };
  const { confirm_always_above_pesewas: above } = merchant;
  return [
    above === undefined ? 'Verified: any amount' : `Verified: up to ${wholeMoney(above)}`,
    line('By name', nameDecidesUpToPesewas(merchant)),
    line('Not verified', confirmsUnprovenUpToPesewas(merchant)),
  ];
}

/** Formats a limit and the amount above which it has no effect. */
function shownUpTo(merchant: Merchant, upToPesewas: number): Html | string {
  const above = inEffect(merchant, upToPesewas);
  return above < upToPesewas ? html`${money(upToPesewas)}, but not above ${money(above)}` : shownOrNever(upToPesewas);
}

/** Formats an amount, or `never` if it is 0. */
function shownOrNever(pesewas: number): string {
  return pesewas === 0 ? 'never' : shownMoney(pesewas);
}

function shownAbove({ confirm_always_above_pesewas: above }: Merchant): string {
  return above === undefined ? 'never' : shownMoney(above);
}
