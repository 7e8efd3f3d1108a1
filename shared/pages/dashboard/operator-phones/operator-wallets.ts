import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney } from '../../../ghana/money.ts';
import { Network, networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { accountRows } from '../../../merchants/merchant/merchant.table.ts';
import { readBalanceLine } from '../../../money/wallet/balance-line.ts';
import { summariseWallet, viewWallet } from '../../../money/wallet/wallet-view.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import { chainRows } from '../../../wallets/chain/chain.table.ts';
import { type Chain, headOf, ProveMode } from '../../../wallets/chain/chain.ts';
import { requireChain } from '../../../wallets/chain/change-chain.ts';
import { prepareWallet } from '../../../wallets/wallet/set-wallet.ts';
import { numberIn, OPERATOR_WALLETS, operatorWalletAddress } from '../parts/addresses.ts';
import { emptyState, type Html, pill, section, shownTime } from '../parts/content.ts';
import { choice, form } from '../parts/form.ts';
import { BY_NUMBER, listPage } from '../parts/list.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';
import { askForAnswer, type BalanceForm, confirmAnswer, denyAnswer } from '../settings/owners-word.ts';
import { modePill, modes, phonesOf, walletSections } from '../settings/wallet-sections.ts';

/** Lists wallets whose receipts state a balance. Costs one read, plus one per wallet with waiting texts. */
export function showWallets(visit: PersonVisit, outside: Outside): Promise<Shown> {
  return listPage(visit, {
    title: 'Wallets',
    read: async (page) => {
      const { entries: chains, next } = await chainRows.page(outside, {}, { ...page, newestFirst: false });
      const summaries = await Promise.all(chains.map((chain) => summariseWallet(outside, chain)));
      const entries = chains.map((chain, n) => {
        const { gaps = chain.gaps, unbroken_since } = summaries[n] ?? {};
        return { chain, gaps, since: unbroken_since ?? isoOf(chain.unbroken_since_ms) };
      });
      return { entries, next };
    },
    href: ({ chain }) => operatorWalletAddress(chain),
    columns: {
      Wallet: ({ chain }) => html`<span class="number">${shownNumber(chain.momo_number)}</span>`,
      Network: ({ chain }) => networks[chain.network].short,
      State: ({ chain, gaps }) => state(chain, gaps),
      Mode: ({ chain }) => modes[chain.mode].label,
      'Unbroken since': ({ since }) => shownTime(since),
      Gaps: { figure: ({ gaps }) => String(gaps) },
      Balance: { figure: ({ chain }) => shownMoney(headOf(chain).balance) },
    },
    nothing: emptyState(
      'No wallet yet',
      'A wallet appears here once a text reports its balance. The first payment is enough.',
    ),
    order: BY_NUMBER,
  });
}

function state({ waiting }: Chain, gaps: number): Html {
  if (waiting > 0) return pill('look', `${counted(waiting, 'text')} waiting`);
  return gaps > 0 ? pill('look', 'Has gaps') : pill('good', 'Unbroken');
}

export const WALLET = '/wallets/{network}/{number}';
export const ModeForm = z.object({ mode: z.enum(ProveMode.options, 'must be observe or enforce') });
export const HearingForm = z.object({ canary: z.enum(['on', 'off'], 'must be on or off') });

type OfWallet<Form = undefined> = PersonVisit<'network' | 'number', Form>;

export async function showWallet(visit: OfWallet, outside: Outside): Promise<Shown> {
  const chain = await chainOf(visit, outside);
  const [view, line, accounts, question] = await Promise.all([
    viewWallet(outside, chain),
    readBalanceLine(outside, chain),
    accountRows.list(outside, { number: chain.momo_number }),
    askForAnswer(visit, outside, chain, { page: WALLET, later: OPERATOR_WALLETS }),
  ]);
  const owners = [...new Set(accounts.map(({ account_name }) => account_name))].join(', ');
  return {
    title: `${shownNumber(chain.momo_number)}, ${networks[chain.network].name}`,
    main: html`<p class="hint">${owners ? `Wallet of ${owners}.` : 'No merchant receives payments on this number.'}${accounts.length > 1 && ` ${accounts.length} merchants share it.`}</p>
${question}
${walletSections(outside, view, {
  line: accounts.length > 1 ? undefined : line,
  state: modePill(chain),
  textAt: view.last_heard ?? undefined,
  isAsked: view.question !== null,
  isOwner: false,
})}
${section('Received by', phonesOf(outside, view))}
${section('Mode', [
  modesExplained(),
  form(
    visit,
    { path: `${WALLET}/mode`, submit: 'Set the mode' },
    choice('mode', 'Unverified payments', {
      value: chain.mode,
      options: ProveMode.options.map((one) => [one, modes[one].label]),
    }),
  ),
])}
${section('Reception test', [
  html`<p>After twelve waking hours without a text, we text the wallet’s own number. This checks that its phone still receives texts. We send at most two a day.</p>`,
  form(visit, {
    path: `${WALLET}/hearing`,
    submit: view.canary === 'on' ? 'Turn the test off' : 'Turn the test on',
    carries: { canary: view.canary === 'on' ? 'off' : 'on' },
  }),
])}`,
  };
}

function modesExplained(): Html {
  return html`<ul>${ProveMode.options.map((one) => html`<li><b>${modes[one].label}.</b> ${modes[one].means}</li>`)}</ul>`;
}

function chainOf({ path }: Pick<OfWallet, 'path'>, outside: Outside): Promise<Chain> {
  const network = Network.safeParse(path.network).data;
  if (!network) throw new NoSuch('wallet', `${path.network} is not a network.`);
  return requireChain(outside, { network, momo_number: numberIn(path.number) });
}

type Answered = OfWallet<typeof BalanceForm>;

export function confirmBalance(isNamed: boolean) {
  return async (visit: Answered, outside: Outside): Promise<Going> => {
    const chain = await chainOf(visit, outside);
    return confirmAnswer(visit, outside, chain, { goTo: operatorWalletAddress(chain), isNamed });
  };
}

export async function denyBalance(visit: Answered, outside: Outside): Promise<Going> {
  const chain = await chainOf(visit, outside);
  return denyAnswer(visit, outside, chain, operatorWalletAddress(chain));
}

export async function setMode(visit: OfWallet<typeof ModeForm>, outside: Outside): Promise<Going> {
  const { mode } = visit.form;
  return setWallet(visit, outside, { prove: mode }, modes[mode].means);
}

export async function setHearingTest(visit: OfWallet<typeof HearingForm>, outside: Outside): Promise<Going> {
  const { canary } = visit.form;
  return setWallet(visit, outside, { canary }, `The reception test is now ${canary}.`);
}

async function setWallet(
  visit: Pick<OfWallet, 'path' | 'commit'>,
  outside: Outside,
  settings: Parameters<typeof prepareWallet>[2],
  notice: string,
): Promise<Going> {
  return retryIfChanged(async () => {
    const chain = await chainOf(visit, outside);
    const { writes, entry } = await prepareWallet(outside, chain, settings);
    return visit.commit(writes, { goTo: operatorWalletAddress(chain), notice }, entry);
  });
}
