import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Balance } from '../../../ghana/balance.ts';
import { wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { wholeNumber } from '../../../ghana/shown-number.ts';
import { nameByOwner } from '../../../money/wallet/name-by-owner.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { YOUNG_PESEWAS } from '../../../wallets/chain/anchor.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import type { Naming } from '../../../wallets/chain/name-balance.ts';
import type { WhyAsked } from '../../../wallets/chain/question.ts';
import { balanceAddress } from '../parts/addresses.ts';
import { type Html, section } from '../parts/content.ts';
import { type FormPlace, field, form } from '../parts/form.ts';
import type { Going, PersonVisit } from '../parts/visit.ts';

/** `from`: the page that shows the result, instead of the wallet's page. */
export const BalanceForm = z.object({ balance: Balance, from: z.optional(z.literal('closing')) });

export const BALANCE_QUESTION = 'What is your wallet’s balance?';

/** Says why the owner is asked. Without a reason, the owner compares the balance of their own accord. */
export const REASONS: Readonly<Record<WhyAsked, string>> = {
  'first look':
    'A forger does not know your balance. From the moment you enter it, each payment’s text must continue it, and is verified at once.',
  'look again':
    'The balance that you entered does not match the texts. Look once more, and enter it again after two minutes.',
  paused:
    'Someone is sending forged texts to guess your balance, so no payment is verified now. The balance ends this.',
  bank: 'A text reports a transfer to a bank. The network does not say how much was sent.',
  break: 'Some texts do not follow from the texts before. One is missing, or they are forged.',
  'above sum': `A new balance verifies at most ${wholeMoney(YOUNG_PESEWAS)} in 24 hours. Payments above it wait. Enter the balance again, at least twelve hours after the first time, or check each payment.`,
  unproven: `Anyone would guess a balance such as 0 or 50.00, so payments are not verified yet. Enter the balance when it has pesewas and is above ${wholeMoney(5_00)}. To get there at once, buy airtime for ${wholeMoney(1_37)}.`,
};

/** Renders the form in which an owner names a wallet's balance. Never shows the balance that we expect. */
export function balanceForm(visit: FormPlace, wallet: Wallet, path: string, why: WhyAsked | undefined): Html {
  const { ussd, short, provesAfterLinks = 0 } = networks[wallet.network];
  return section(BALANCE_QUESTION, [
    ...(why ? [html`<p>${REASONS[why]}</p>`] : []),
    html`<p>Dial <b class="number">${ussd}</b> on the phone with <span class="number">${wholeNumber(wallet.momo_number)}</span>, or open the ${short} app. Enter the number beside <b>Current Balance</b>. <b>Do not copy it from Messages:</b> a forged text can state any balance.</p>`,
    ...(provesAfterLinks > 0 ? [html`<p class="hint">${fewTexts(short, provesAfterLinks)}</p>`] : []),
    form(
      visit,
      { path, submit: 'This is the balance' },
      field('balance', 'Current Balance', { inputMode: 'decimal', hint: 'For example 3017.27.', isRequired: true }),
    ),
  ]);
}

/** Says that we have seen few texts of a network. */
function fewTexts(network: string, links: number): string {
  return `We have seen only 19 movements of ${network}, so its payments are verified after ${links} texts in a row.`;
}

/** Renders a single field for a wallet's balance on another page, which shows the result. */
export function balanceField(visit: FormPlace, wallet: Wallet, name: string): Html {
  const address = balanceAddress(wallet);
  const place = { ...visit, addressOf: () => address };
  return html`<div class="unprinted">${form(
    place,
    { path: address, submit: 'Compare', isPlain: true, carries: { from: 'closing' } },
    field('balance', name, {
      inputMode: 'decimal',
      hint: `What the wallet shows now: dial ${networks[wallet.network].ussd}. Do not copy it from Messages.`,
    }),
  )}</div>`;
}

type Answered = Pick<PersonVisit<string, typeof BalanceForm>, 'form' | 'user' | 'commit'>;

/**
 * Records the balance that an owner entered.
 * @throws PublicError `invalid_request` if it does not agree, so that the owner looks once more.
 */
export async function nameBalance(visit: Answered, outside: Outside, wallet: Wallet, goTo: string): Promise<Going> {
  const { balance } = visit.form;
  const naming = await nameByOwner(outside, wallet, balance, { by: visit.user.user_id });
  if (naming.outcome === 'look again') throw new PublicError('invalid_request', doesNotAgree(balance));
  return visit.commit([], { goTo, notice: namingInWords(wallet, balance, { ...naming, outcome: naming.outcome }) });
}

function doesNotAgree(balance: number): string {
  return `${wholeMoney(balance)} does not match the texts. Nothing was changed. Look at the wallet once more. If it still shows another balance, enter it again after two minutes.`;
}

interface Done extends Naming {
  readonly outcome: Exclude<Naming['outcome'], 'look again'>;
}

/** Says what a named balance (in pesewas) did. */
function namingInWords({ network }: Wallet, balance: number, naming: Done): string {
  const { outcome, linked, disproved, doubted, isUnproven, isYoung } = naming;
  const named = wholeMoney(balance);
  const said = {
    'first look': `${named} is the balance from which the next text must continue.`,
    agrees: `${named} agrees with the texts.`,
    'leads there': `${named}: ${linked > 0 ? `${counted(linked, 'text')} lead to it` : 'the transfer is taken into account'}.`,
    'new anchor': `${named} is the balance from which the next text must continue.`,
  }[outcome];
  const forged = disproved > 0 ? ` ${counted(disproved, 'text')} that contradict it are treated as forged.` : '';
  const check =
    doubted > 0
      ? ` The wallet holds less than its texts say. Check the ${counted(doubted, 'payment')} listed below.`
      : '';
  const first = outcome === 'first look' ? ' Check the payments of the last minutes yourself.' : '';
  const { provesAfterLinks = 0 } = networks[network];
  const from = isUnproven
    ? provesAfterLinks > 0
      ? ` Texts of this network are verified after ${provesAfterLinks} in a row.`
      : ` Payments are not verified yet. ${REASONS.unproven}`
    : '';
  const young =
    isYoung && !isUnproven
      ? ` Until you enter it again tomorrow, at most ${wholeMoney(YOUNG_PESEWAS)} a day is verified.`
      : '';
  return `${said}${forged}${check}${first}${from}${young}`;
}
