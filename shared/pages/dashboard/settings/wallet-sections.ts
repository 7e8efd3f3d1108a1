import { html } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { BalanceLine } from '../../../money/wallet/balance-line.ts';
import type { WalletSummary, WalletView } from '../../../money/wallet/wallet-view.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { YOUNG_PESEWAS } from '../../../wallets/chain/anchor.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import { balanceAddress, heldAddress } from '../parts/addresses.ts';
import { ago, facts, type Html, notice, pill, quiet, section, shownDay, shownTime } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import { linePlot } from '../parts/plot.ts';
import { dayLabels } from '../parts/plot-figures.ts';

interface Around {
  readonly line: BalanceLine | undefined;
  readonly state: Html | undefined;
  /** Time of the last text (ISO). */
  readonly textAt: string | undefined;
  /** True while the owner has not answered yet, so the newest texts do not count. */
  readonly isAsked: boolean;
  /** False for the operator, who did not get the question. */
  readonly isOwner: boolean;
  /** False until an owner has just named the balance, so that a look at the wallet stays independent of the texts. */
  readonly isBalanceShown: boolean;
  readonly mayConfirm?: boolean;
  /** Says where the owner sees the true balance. */
  readonly whereToLook?: Html;
}

export function walletSections(
  outside: Clock,
  view: WalletView,
  { line, state, textAt, isAsked, isOwner, isBalanceShown, mayConfirm, whereToLook }: Around,
): Html {
  const { balance, links, unbroken_since, clock_doubted, branches, looked_at } = view;
  const unverified = branches.reduce((sum, { texts }) => sum + texts, 0);
  const doubt = html`<p>${pill('look', 'Unusual transaction IDs')} Several payments have transaction IDs that do not match their time. The network may have changed its numbering, or someone is forging texts. Compare the latest payments with the wallet.</p>`;
  const wallet = { network: view.network, momo_number: view.number };
  return html`${guessedNote({ wallet, until: view.paused_until, mayConfirm })}${clock_doubted && doubt}<section class="summary"><p class="hint">Last verified balance</p>
${!isBalanceShown && html`<p>Shown once you have entered what the wallet shows.</p>`}
<p class="amount">${isBalanceShown && html`<span class="number">${shown(balance)}</span>`}${state}${unverified > 0 && pill('look', `${counted(unverified, 'text')} not verified`)}</p>
${whereToLook && html`<p>${whereToLook}</p>`}</section>
${view.doubted.length > 0 && section('Check these payments', doubtedPayments(view, isOwner))}
${unverified > 0 && quiet('Texts that are not verified', unverifiedTexts(view, { isOwner, isBalanceShown }))}
${isBalanceShown && line && line.stretches.length > 0 && balancePlot(line)}
${quiet(
  'Details',
  facts([
    ['Verified by', `${counted(links, 'text')}, each following from the one before`],
    ['Your last look', shownTime(looked_at)],
    ['Verified in 24 hours', verifiedDaily(view)],
    ['No gaps since', isAsked ? undefined : unbroken_since ? shownTime(unbroken_since) : '–'],
    ['Last text', textAt && ago(outside, textAt)],
  ]),
)}
${view.gap_list.length > 0 && quiet('Gaps', gapsOf(view))}`;
}

function verifiedDaily({ verifies, young }: WalletSummary): string {
  if (!verifies) return 'Nothing yet';
  return young ? `At most ${shownMoney(YOUNG_PESEWAS)}, until a second look agrees` : 'Any amount';
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

/** Warns that somebody may be guessing a wallet's balance. Only an owner can enter the balance. */
export function guessedNote({ wallet, until, mayConfirm = false }: Guessing): Html | undefined {
  if (!until) return undefined;
  const who = mayConfirm ? 'you enter' : 'the owner enters';
  return notice(
    'look',
    html`<b>Someone is sending forged texts to guess the balance of <span class="number">${shownNumber(wallet.momo_number)}</span>.</b> Unverified payments above your limit now wait. This ends when ${who} the balance, or on ${shownTime(until)}.${mayConfirm && html`<br><a href="${balanceAddress(wallet)}">Enter the balance</a>`}`,
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

function unverifiedTexts(
  { branches }: WalletView,
  { isOwner, isBalanceShown }: Pick<Around, 'isOwner' | 'isBalanceShown'>,
): Html {
  return html`<p class="hint">These texts do not follow from the last verified text. A text in between is missing, or these texts are forged.</p>
${table(branches, {
  caption: 'Texts waiting for an earlier text',
  columns: {
    Arrived: ({ since }) => shownTime(since),
    Money: { figure: (branch) => movedBy(branch, isOwner) },
    ...(isBalanceShown && {
      'Balance before': { figure: ({ balance_before }: Waiting) => shown(balance_before) },
      'Balance after': { figure: ({ balance }: Waiting) => shown(balance) },
    }),
  },
})}`;
}

/** Lists the payments whose proof a named balance withdrew: the wallet holds less than their texts say. */
function doubtedPayments({ doubted }: WalletView, isOwner: boolean): Html {
  return html`<p>The wallet holds less than its texts say. One of these payments may be forged. No goods leave for them until you look.</p>
${table(doubted, {
  caption: 'Payments to check in the wallet',
  columns: {
    Arrived: ({ at }) => shownTime(at),
    Money: {
      figure: ({ amount, receipt_id }) =>
        isOwner ? html`<a href="${heldAddress(receipt_id)}">${shown(amount)}</a>` : shown(amount),
    },
  },
})}`;
}

type Waiting = WalletView['branches'][number];

/** Links each payment to its page, which shows the payer and the bill. The operator does not see the page. */
function movedBy({ texts, moved }: Waiting, isOwner: boolean): Html {
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

/** Shows whether a wallet's texts verify its payments. Takes undefined if nobody has named the balance. */
export function verifiesPill(summary: Pick<WalletSummary, 'verifies' | 'young'> | undefined): Html {
  if (!summary) return pill('plain', 'Balance not named');
  if (!summary.verifies) return pill('look', 'Not verified yet');
  return summary.young ? pill('plain', 'Verified up to a limit') : pill('good', 'Verified');
}
