import { html } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { doubtOf } from '../../../money/payment/shown-payment.ts';
import type { BalanceLine } from '../../../money/wallet/balance-line.ts';
import type { WalletView } from '../../../money/wallet/wallet-view.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import type { Chain, ProveMode } from '../../../wallets/chain/chain.ts';
import { balanceAddress, heldAddress } from '../parts/addresses.ts';
import { ago, doubtPill, facts, type Html, notice, pill, quiet, shownDay, shownTime } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import { linePlot } from '../parts/plot.ts';
import { dayLabels } from '../parts/plot-figures.ts';
import { PROOF_BEGINS } from './proof-begins.ts';

interface Around {
  readonly line: BalanceLine | undefined;
  readonly state: Html;
  /** Time of the last text (ISO). */
  readonly textAt: string | undefined;
  /** True while the owner has not answered yet, so the newest texts do not count. */
  readonly isAsked: boolean;
  /** False for the operator, who did not get the question. */
  readonly isOwner: boolean;
  readonly mayConfirm?: boolean;
  /** Says where the owner sees the true balance. */
  readonly whereToLook?: Html;
}

export function walletSections(
  outside: Clock,
  view: WalletView,
  { line, state, textAt, isAsked, isOwner, mayConfirm, whereToLook }: Around,
): Html {
  const { balance, mode, established, links, unbroken_since, clock_doubted, branches } = view;
  const unverified = branches.reduce((sum, { texts }) => sum + texts, 0);
  const doubt = html`<p>${pill('look', 'Unusual transaction IDs')} Several payments have transaction IDs that do not match their time. The network may have changed its numbering, or someone is forging texts. Compare the latest payments with the wallet.</p>`;
  const wallet = { network: view.network, momo_number: view.number };
  return html`${guessedNote({ wallet, until: view.guessed_until, mayConfirm })}${clock_doubted && doubt}<section class="summary"><p class="hint">${established ? 'Last verified balance' : 'Balance'}</p>
<p class="amount"><span class="number">${shown(balance)}</span>${!established && doubtPill({ doubt: doubtOf('unverified') })}${state}${unverified > 0 && pill('look', `${counted(unverified, 'text')} not verified`)}</p>
${whereToLook && html`<p>${whereToLook}</p>`}</section>
${unverified > 0 && quiet('Texts that are not verified', unverifiedTexts(view, isOwner))}
${line && line.stretches.length > 0 && balancePlot(line)}
${quiet(
  'Details',
  facts([
    [
      'Verified by',
      `${counted(links, 'text')}, each following from the one before${established ? '' : `. ${PROOF_BEGINS}`}`,
    ],
    ['No gaps since', isAsked ? undefined : unbroken_since ? shownTime(unbroken_since) : '–'],
    ['Unverified payments', modes[mode].label],
    ['Last text', textAt && ago(outside, textAt)],
  ]),
)}
${view.gap_list.length > 0 && quiet('Gaps', gapsOf(view))}`;
}

/** Plots the balance. A gap means that the balance changed without a text. */
function balancePlot({ stretches, days }: BalanceLine): Html {
  return linePlot({
    title: `Balance by text, ${CURRENCY}`,
    gap: 'Gap: the balance changed without a text',
    unitValue: 100,
    stretches: stretches.map((stretch) => stretch.map(({ ms, pesewas }) => ({ ms, value: pesewas }))),
    rows: days,
    columns: {
      Day: ({ day }) => dayLabels(day).label,
      Texts: { figure: ({ texts }) => String(texts) },
      Gaps: { figure: ({ gaps }) => String(gaps) },
      'Last balance': { figure: ({ pesewas }) => shownMoney(pesewas) },
    },
  });
}

interface Guessing {
  readonly wallet: Wallet;
  /** End of the pause in verification (ISO), if somebody is guessing. */
  readonly until: string | null | undefined;
  readonly mayConfirm?: boolean | undefined;
}

/** Warns that somebody may be guessing a wallet's balance. Only an owner can confirm the balance. */
export function guessedNote({ wallet, until, mayConfirm = false }: Guessing): Html | undefined {
  if (!until) return undefined;
  const who = mayConfirm ? 'you confirm' : 'the owner confirms';
  return notice(
    'look',
    html`<b>Someone is sending forged texts to guess the balance of <span class="number">${shownNumber(wallet.momo_number)}</span>.</b> Unverified payments above your limit now wait. This ends when ${who} the balance, or on ${shownTime(until)}.${mayConfirm && html`<br><a href="${balanceAddress(wallet)}">Confirm the balance</a>`}`,
  );
}

function gapsOf({ gaps, gap_list }: WalletView): Html {
  const list = table(gap_list.toReversed(), {
    caption: 'Gaps in the chain, newest first',
    columns: {
      Between: ({ from, to }) => between(from, to),
      'Possible explanation': ({ explained_by, difference }) =>
        explained_by ?? `Unknown: the balance ${difference > 0 ? 'rose' : 'fell'} without a text`,
      Amount: { figure: ({ difference: cedis }) => difference(cedis) },
    },
  });
  return html`${gaps > gap_list.length && html`<p class="hint">The last ${gap_list.length} of ${gaps}.</p>`}
${list}`;
}

/** Formats a time range as `20 Nov 2026, 10:33 to 10:36`. */
function between(from: string, to: string): string {
  const [day, time] = shownTime(to).split(', ');
  return `${shownTime(from)} to ${day === shownDay(from) ? time : shownTime(to)}`;
}

function unverifiedTexts({ branches, question }: WalletView, isOwner: boolean): Html {
  const asked = isOwner ? 'Needs your answer' : 'Needs the owner’s answer';
  return html`<p class="hint">These texts do not follow from the last verified text. A text in between is missing, or these texts are forged.</p>
${table(branches, {
  caption: 'Texts waiting for an earlier text',
  columns: {
    Arrived: ({ since }) => shownTime(since),
    Money: { figure: (branch) => movedBy(branch, isOwner) },
    'Balance before': { figure: ({ balance_before }) => shown(balance_before) },
    'Balance after': { figure: ({ balance }) => shown(balance) },
    State: ({ balance }) => (balance === question?.balance ? pill('look', asked) : ''),
  },
})}`;
}

/** Links each payment to its page, which shows the payer and the bill. The operator does not see the page. */
function movedBy({ texts, moved }: WalletView['branches'][number], isOwner: boolean): Html {
  const others = texts - moved.length;
  const lines = moved.map(({ amount, receipt_id }) => {
    const change = difference(amount);
    return isOwner && receipt_id !== null ? html`<a href="${heldAddress(receipt_id)}">${change}</a>` : change;
  });
  // One element, because a row's cell on a phone has its elements side by side.
  return html`<span>${lines.map((line, n) => html`${n > 0 && html`<br>`}${line}`)}${others > 0 && html`<br>${counted(others, 'more text')}`}</span>`;
}

function difference(cedis: number): string {
  return `${cedis > 0 ? '+' : '−'} ${shown(Math.abs(cedis))}`;
}

export function phonesOf(outside: Clock, { phones }: WalletView): Html {
  return table(phones, {
    caption: 'Phones that forward this wallet’s texts',
    columns: {
      Phone: ({ device }) => device,
      Gateway: ({ gateway }) => gateway,
      'Last text': ({ last_heard }) => ago(outside, last_heard),
    },
    nothing: html`<p class="hint">No phone has forwarded this wallet’s texts in the last 30 days.</p>`,
  });
}

function shown(ghs: number): string {
  return shownMoney(Math.round(ghs * 100));
}

export const modes: Readonly<Record<ProveMode, { readonly label: string; readonly means: string }>> = {
  observe: {
    label: 'Warn only',
    means: 'Each payment counts at once. If it is not verified, its goods wait above the shop’s limit.',
  },
  enforce: {
    label: 'Wait to be checked',
    means: 'An unverified payment must be checked, unless it is below the shop’s limit.',
  },
};

export function modePill({ mode }: Pick<Chain, 'mode'>): Html {
  return pill(mode === 'enforce' ? 'good' : 'plain', modes[mode].label);
}
