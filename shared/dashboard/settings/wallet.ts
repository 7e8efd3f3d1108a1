import { html } from 'hono/html';
import { getChain } from '../../chain/chain.table.ts';
import { networks } from '../../checkout/networks.ts';
import { shownNumber } from '../../checkout/shown-number.ts';
import { pesewasOf, shownAmount } from '../../ghana/money.ts';
import { othersPaidOn } from '../../merchant/manage-merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { viewWallet, type WalletView } from '../../wallet/wallet-view.ts';
import { WALLETS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { facts, section } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { ago, shownDay, shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { accountOf } from './number-of.ts';
import { modeWords, questionBanner, SHARED_WALLET, silent } from './wallet-parts.ts';

/** Each may take a search for the charges that it may have paid. */
const MAX_GAPS = 10;

/** One wallet: its balance as the texts prove it, its gaps, and what its owner is asked. */
export async function showWallet({ merchant, path }: MerchantVisit<'number'>, outside: Outside): Promise<Shown> {
  const { number, network } = accountOf(merchant, path.number);
  const wallet = { network, momo_number: number };
  const title = `${shownNumber(number)}, ${networks[network].name}`;
  const back = html`<p><a href="${WALLETS}">All wallets</a></p>`;
  const others = await othersPaidOn(outside, merchant.merchant_id, number);
  if (others.length > 0) return { title, main: html`<section><p>${SHARED_WALLET}</p></section>${back}` };
  const chain = await getChain(outside, wallet);
  if (!chain) return { title, main: html`<section>${silent(network)}</section>${back}` };
  const view = await viewWallet(outside, chain, { maxGaps: MAX_GAPS });
  return {
    title,
    main: html`${view.question && questionBanner(wallet, pesewas(view.question.balance))}
${section(
  'What the texts prove',
  facts([
    ['Balance', cedis(view.balance)],
    ['Last heard', view.last_heard ? ago(outside, view.last_heard) : 'not yet'],
    ['Unbroken since', view.unbroken_since ? shownTime(view.unbroken_since) : undefined],
    ['Texts that continue each other', html`<span class="number">${view.links}</span>`],
    ['Proof', modeWords(chain)],
  ]),
)}
${gapsSection(view)}
${back}`,
  };
}

const columns = [{ name: 'Between' }, { name: 'Amount', isNumber: true }, { name: 'What may explain it' }];

function gapsSection({ gaps, gap_list }: WalletView): Html {
  const rows = gap_list.toReversed().map(({ difference, from, to, explained_by }) => ({
    cells: [
      between(from, to),
      html`<span class="number">${difference < 0 ? 'out' : 'in'} ${cedis(Math.abs(difference))}</span>`,
      explained_by ?? 'Nothing known',
    ],
  }));
  if (rows.length === 0) return section('Gaps', html`<p>None: every text continues the one before it.</p>`);
  return section('Gaps', [
    html`<p class="hint">Money that came or went and no text told of.${gaps > rows.length && ` The last ${rows.length} of ${gaps}.`}</p>`,
    table('Gaps, the newest first', columns, rows),
  ]);
}

/** `20 Nov 2026, 10:33 to 10:36`. */
function between(from: string, to: string): string {
  const [day, time] = shownTime(to).split(', ');
  return `${shownTime(from)} to ${day === shownDay(from) ? time : shownTime(to)}`;
}

function cedis(ghs: number): Html {
  return html`<span class="number">GHS ${shownAmount(pesewas(ghs))}</span>`;
}

function pesewas(ghs: number): number {
  return pesewasOf(ghs) ?? 0;
}
