import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Balance } from '../../../ghana/balance.ts';
import { ghsOf, shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber, wholeNumber } from '../../../ghana/shown-number.ts';
import { confirmByOwner, denyByOwner, noTextReports } from '../../../money/wallet/confirm-by-owner.ts';
import type { AskedBalance } from '../../../money/wallet/wallet-standing.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { inWords } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { type PushQuestion, pushInQuestion } from '../../../wallets/chain/bank-push.ts';
import { unclearBalance } from '../../../wallets/chain/branches.ts';
import { listWaiting, type Wallet } from '../../../wallets/chain/chain.table.ts';
import type { Chain } from '../../../wallets/chain/chain.ts';
import { isHeldUp } from '../../../wallets/chain/guesses.ts';
import { facts, type Html, section, shownTime } from '../parts/content.ts';
import { type FormPlace, field, form } from '../parts/form.ts';
import type { Going, PersonVisit } from '../parts/visit.ts';

export const BalanceForm = z.object({ balance: Balance });

export function ownersQuestion({ momo_number }: Wallet, { balance, at_ms }: AskedBalance): string {
  const { day, time } = inWords(isoOf(at_ms));
  return `Did ${wholeNumber(momo_number)} hold ${wholeMoney(balance)} on ${day.replaceAll(' ', '\u00a0')} at ${time}?`;
}

interface Place {
  /** Path of the answer forms. */
  readonly page: string;
  /** Address to go to without an answer. */
  readonly later: string;
}

/** Asks an owner to confirm a past balance if waiting receipts depend on it. */
export async function askForAnswer(visit: FormPlace, outside: Outside, chain: Chain, place: Place): Promise<Html> {
  const { page } = place;
  const waiting = chain.waiting > 0 ? await listWaiting(outside, chain) : [];
  const pushed = pushInQuestion(chain, waiting, outside.now());
  if (pushed) return askAboutPush(visit, chain, pushed, place);
  if (waiting.length === 0 && isHeldUp(chain, outside.now()))
    return askForBalance(visit, page, `Some texts from ${shownNumber(chain.momo_number)} contradict its other texts.`);
  if (waiting.length === 0 && chain.tapped_ms === undefined)
    return section(
      'Owner’s confirmation',
      html`<p class="hint">There is nothing to confirm yet. You will be asked once payments depend on your answer.</p>`,
    );
  if (chain.tapped_ms !== undefined)
    return askForBalance(
      visit,
      page,
      `You said yes to a balance for ${shownNumber(chain.momo_number)}. Your answer alone does not verify that balance yet.`,
    );
  const asked = unclearBalance(chain, waiting);
  return section(asked ? ownersQuestion(chain, asked) : 'Owner’s confirmation', [
    ...(asked ? [whereToLook(chain, asked.balance, asked.at_ms), yesOrNo(visit, asked.balance, place)] : []),
    otherBalance(visit, page),
  ]);
}

/**
 * Asks for the balance itself if a "yes" is not enough because other receipts are unclear, the owner has only ever
 * answered yes, or a new wallet has had forged receipts.
 */
function askForBalance(visit: FormPlace, page: string, explanation: string): Html {
  return section('What is your wallet’s balance?', [
    html`<p>${explanation} Check the wallet and type the balance that it shows. Until then, payments above your limit may have to wait.</p>`,
    otherBalance(visit, page),
  ]);
}

/** Asks about a transfer to a bank account, whose amount the network does not state. */
function askAboutPush(
  visit: FormPlace,
  { momo_number }: Wallet,
  { push, amountPesewas }: PushQuestion,
  place: Place,
): Html {
  const { page } = place;
  const number = shownNumber(momo_number);
  if (amountPesewas === undefined)
    return askForBalance(visit, page, `A text says that money was sent from ${number} to a bank account.`);
  const [sent, left] = [wholeMoney(amountPesewas), wholeMoney(push.balance)];
  return section(`Did you send ${sent} to your bank?`, [
    html`<p>A text says that ${number} sent money to a bank account. It says that ${left} was left. The network does not say how much was sent.</p>`,
    yesOrNo(visit, push.balance, place),
    otherBalance(visit, page),
  ]);
}

function whereToLook({ network, momo_number }: Wallet, balancePesewas: number, atMs: number): Html {
  return html`<p>Some of this wallet’s texts do not follow from its earlier texts. A text is missing, or some texts are forged. Their payments may have to wait until this question is answered.</p>
<p><b>Check the balance in the wallet itself: dial ${networks[network].ussd} on the phone with ${wholeNumber(momo_number)}.</b> Do not rely on the texts. They are in doubt. Has money come in or gone out since? The wallet’s statement shows what it held at this time:</p>
${facts([
  ['At', shownTime(isoOf(atMs))],
  ['The texts say that it held', shownMoney(balancePesewas)],
])}`;
}

/** Renders three equal answers: a wrong yes accepts forged payments, and a wrong no rejects genuine ones. */
function yesOrNo(visit: FormPlace, balancePesewas: number, { page, later }: Place): Html {
  const carries = { balance: ghsOf(balancePesewas) };
  const answer = (verb: string, submit: string) =>
    form(visit, { path: `${page}/${verb}`, submit, isPlain: true, carries });
  return html`<div class="actions">${answer('confirm', 'Yes')}
${answer('deny', 'No')}
<a class="plain button" href="${later}">I don’t know</a></div>
<p class="hint">Yes: the texts are genuine. Their payments are matched to their bills. No: the texts are forged. Their payments do not count. Do not hand over goods for them. I don’t know: nothing changes.</p>`;
}

/** Lets the owner enter the balance that the wallet shows, which may match a different waiting receipt. */
function otherBalance(visit: FormPlace, page: string): Html {
  const other = { path: `${page}/balance`, submit: 'This is the balance' };
  return form(
    visit,
    other,
    field('balance', 'What the wallet shows now', {
      inputMode: 'decimal',
      hint: 'For example 3017.27. It must match the balance in one of the waiting texts.',
      isRequired: true,
    }),
  );
}

type Answered = Pick<PersonVisit<string, typeof BalanceForm>, 'form' | 'user' | 'commit'>;

/**
 * Accepts a balance that the owner entered or confirmed.
 * @throws PublicError unless exactly one waiting receipt leads to the balance.
 */
export async function confirmAnswer(
  visit: Answered,
  outside: Outside,
  wallet: Wallet,
  { goTo, isNamed }: { readonly goTo: string; readonly isNamed: boolean },
) {
  const { balance } = visit.form;
  const { linked, contradicted } = await confirmByOwner(outside, wallet, balance, { by: visit.user.user_id, isNamed });
  const forged =
    contradicted === 0 ? '' : ` ${counted(contradicted, 'text')} that contradict it are treated as forged.`;
  const proven =
    linked > 0 ? `${counted(linked, 'text')} verified by it` : 'its payments will be verified once more texts follow';
  const notice = `The wallet holds ${wholeMoney(balance)}: ${proven}.${forged}`;
  return visit.commit([], { goTo, notice });
}

export async function denyAnswer(visit: Answered, outside: Outside, wallet: Wallet, goTo: string): Promise<Going> {
  const { balance } = visit.form;
  const forged = await denyByOwner(outside, wallet, balance, { by: visit.user.user_id });
  // If the form is submitted again, nothing is left to change, so the first notice is repeated.
  const notice =
    forged === 0
      ? `${noTextReports(wallet.momo_number, balance)} Nothing was changed.`
      : `${counted(forged, 'text')} marked as forged. Their payments do not count.`;
  return visit.commit([], { goTo, notice });
}
