import { html } from 'hono/html';
import { summariseWallet } from '../../../care/wallet/wallet-view.ts';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownAmount } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { listChains } from '../../../wallets/chain/chain.table.ts';
import { type Chain, headOf } from '../../../wallets/chain/chain.ts';
import type { Html } from '../html.ts';
import { emptyState, pill } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownTime } from '../shown-time.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { modes } from '../wallet/modes.ts';
import { operatorWalletAddress } from './addresses.ts';
import { phoneTabs } from './tabs.ts';

const columns = [
  ...['Wallet', 'Network', 'State', 'Mode', 'Unbroken since'].map((name) => ({ name })),
  { name: 'Gaps', isNumber: true },
  { name: `Balance, ${CURRENCY}`, isNumber: true },
];

/** Every wallet whose texts tell a balance: one read, and one more for each in which texts wait, since their gaps count too. */
export async function showWallets(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const chains = await listChains(outside);
  const summaries = await Promise.all(chains.map((chain) => summariseWallet(outside, chain)));
  const rows = chains.map((chain, n) => ({
    href: operatorWalletAddress(chain),
    cells: [
      html`<span class="number">${shownNumber(chain.momo_number)}</span>`,
      networks[chain.network].short,
      state(chain, summaries[n]?.gaps ?? chain.gaps),
      modes[chain.mode].word,
      shownTime(summaries[n]?.unbroken_since ?? new Date(chain.unbroken_since_ms).toISOString()),
      String(summaries[n]?.gaps ?? chain.gaps),
      shownAmount(headOf(chain).balance),
    ],
  }));
  const nothing = emptyState(
    'No wallet yet',
    'A wallet shows here when a text of its number tells its balance: the first payment to a merchant is enough.',
  );
  return {
    title: 'Wallets',
    main: html`${phoneTabs(visit)}
${rows.length === 0 ? nothing : table('Wallets', columns, rows)}`,
  };
}

function state({ waiting }: Chain, gaps: number): Html {
  if (waiting > 0) return pill('look', `${counted(waiting, 'text')} wait`);
  return gaps > 0 ? pill('look', 'Has gaps') : pill('good', 'Unbroken');
}
