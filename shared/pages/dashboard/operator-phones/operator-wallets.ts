import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney } from '../../../ghana/money.ts';
import { Network, networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { accountRows } from '../../../merchants/merchant/merchant.table.ts';
import { readBalanceLine } from '../../../money/wallet/balance-line.ts';
import { summariseWallet, viewWallet } from '../../../money/wallet/wallet-view.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import { chainRows } from '../../../wallets/chain/chain.table.ts';
import { type Chain, headOf } from '../../../wallets/chain/chain.ts';
import { requireChain } from '../../../wallets/chain/change-chain.ts';
import { prepareWallet } from '../../../wallets/wallet/set-wallet.ts';
import { numberIn, operatorWalletAddress } from '../parts/addresses.ts';
import { emptyState, type Html, pill, section, shownTime } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import { BY_NUMBER, listPage } from '../parts/list.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';
import { phonesOf, verifiesPill, walletSections } from '../settings/wallet-sections.ts';

/** Lists wallets whose balance was named. Costs one read, plus one per wallet with waiting texts. */
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
      'Unbroken since': ({ since }) => shownTime(since),
      Gaps: { figure: ({ gaps }) => String(gaps) },
      Balance: { figure: ({ chain }) => shownMoney(headOf(chain).balance) },
    },
    nothing: emptyState('No wallet yet', 'A wallet appears here once its owner has named its balance.'),
    order: BY_NUMBER,
  });
}

function state({ waiting }: Chain, gaps: number): Html {
  if (waiting > 0) return pill('look', `${counted(waiting, 'text')} waiting`);
  return gaps > 0 ? pill('look', 'Has gaps') : pill('good', 'Unbroken');
}

export const WALLET = '/wallets/{network}/{number}';
export const HearingForm = z.object({ canary: z.enum(['on', 'off'], 'must be on or off') });

type OfWallet<Form = undefined> = PersonVisit<'network' | 'number', Form>;

export async function showWallet(visit: OfWallet, outside: Outside): Promise<Shown> {
  const chain = await chainOf(visit, outside);
  const [view, line, accounts] = await Promise.all([
    viewWallet(outside, chain),
    readBalanceLine(outside, chain),
    accountRows.list(outside, { number: chain.momo_number }),
  ]);
  const owners = [...new Set(accounts.map(({ account_name }) => account_name))].join(', ');
  return {
    title: `${shownNumber(chain.momo_number)}, ${networks[chain.network].name}`,
    main: html`<p class="hint">${owners ? `Wallet of ${owners}.` : 'No merchant receives payments on this number.'}${accounts.length > 1 && ` ${accounts.length} merchants share it.`}</p>
${section('Its balance', [html`<p>${accounts.length > 1 ? SHARED : ITS_OWNER}</p>`])}
${walletSections(outside, view, {
  line: accounts.length > 1 ? undefined : line,
  // The sections show a warning beside it if texts are not verified.
  state: view.branches.length > 0 ? undefined : verifiesPill(view),
  textAt: view.last_heard ?? undefined,
  isAsked: view.question !== null,
  isBalanceShown: true,
  isOwner: false,
})}
${section('Received by', phonesOf(outside, view))}
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

const ITS_OWNER = 'Only its owner names its balance, on the shop’s own page.';
const SHARED =
  'Several shops share this wallet. Ask its holder for the balance, then enter it with the command wallet balance.';

function chainOf({ path }: Pick<OfWallet, 'path'>, outside: Outside): Promise<Chain> {
  const network = Network.safeParse(path.network).data;
  if (!network) throw new NoSuch('wallet', `${path.network} is not a network.`);
  return requireChain(outside, { network, momo_number: numberIn(path.number) });
}

export async function setHearingTest(visit: OfWallet<typeof HearingForm>, outside: Outside): Promise<Going> {
  const { canary } = visit.form;
  const chain = await chainOf(visit, outside);
  const { writes, entry } = await prepareWallet(outside, chain, canary);
  const notice = `The reception test is now ${canary}.`;
  return visit.commit(writes, { goTo: operatorWalletAddress(chain), notice }, entry);
}
