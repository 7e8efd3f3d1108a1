import { html } from 'hono/html';
import { summarise, type WalletSummary } from '../../../care/wallet/wallet-view.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { othersPaidOn } from '../../../merchants/merchant/manage-merchant.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { openQuestion } from '../../../wallets/chain/branches.ts';
import { getChains, listWaiting, type Wallet } from '../../../wallets/chain/chain.table.ts';
import type { Chain } from '../../../wallets/chain/chain.ts';
import { hearingOf } from '../../../wallets/wallet/hearing.table.ts';
import type { Html } from '../html.ts';
import { emptyState, pill } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { ago, shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { guessedNote } from '../wallet/wallet-sections.ts';
import { NUMBERS } from './number-of.ts';
import { merchantWalletAddress, modePill, questionBanner, walletsOf } from './wallet-parts.ts';

const columns = [
  { name: 'Wallet' },
  { name: 'Last heard' },
  { name: 'Unbroken since' },
  { name: 'Gaps', isNumber: true },
  { name: 'State' },
];

/** What is known of one wallet. */
interface Known {
  readonly wallet: Wallet;
  readonly chain: Chain | undefined;
  readonly isShared: boolean;
  readonly summary: WalletSummary | undefined;
  /** What its owner is asked: whether it holds so much. */
  readonly askedPesewas: number | undefined;
}

/** The wallets of a merchant: how each is heard, and whether its texts' balances continue each other. */
export async function showWallets({ merchant }: MerchantVisit, outside: Outside): Promise<Shown> {
  const wallets = walletsOf(merchant);
  if (wallets.length === 0)
    return {
      title: 'Wallets',
      main: emptyState(
        'No number yet',
        'Add the number that customers pay to.',
        html`<a href="${NUMBERS}">MoMo numbers</a>`,
      ),
    };
  const [chains, hearings, others] = await Promise.all([
    getChains(outside, wallets),
    hearingOf(
      outside,
      wallets.map(({ momo_number }) => momo_number),
    ),
    Promise.all(wallets.map(({ momo_number }) => othersPaidOn(outside, merchant.merchant_id, momo_number))),
  ]);
  const known = await Promise.all(
    wallets.map((wallet, n) => {
      const chain = chains.find((one) => one.network === wallet.network && one.momo_number === wallet.momo_number);
      const isShared = (others[n]?.length ?? 0) > 0;
      return readWallet(outside, wallet, chain, isShared);
    }),
  );
  const rows = known.map((one, n) => ({
    href: merchantWalletAddress(one.wallet.momo_number),
    cells: cellsOf(outside, one, hearings[n]?.phones[0]?.heard_at),
  }));
  return {
    title: 'Wallets',
    main: html`${known.map(({ wallet, askedPesewas }) => askedPesewas !== undefined && questionBanner(wallet, askedPesewas))}
${known.map(({ summary }) => guessedNote(summary?.guessed_until))}
${table('The wallets of this shop', columns, rows)}
<p class="hint">Each text of a wallet tells the balance after it, so each proves the one before. A gap is money that came or went and no text told of.</p>`,
  };
}

async function readWallet(
  outside: Pick<Outside, 'table' | 'now'>,
  wallet: Wallet,
  chain: Chain | undefined,
  isShared: boolean,
): Promise<Known> {
  if (!chain || isShared) return { wallet, chain, isShared, summary: undefined, askedPesewas: undefined };
  const waiting = chain.waiting > 0 ? await listWaiting(outside, wallet) : [];
  const askedPesewas = openQuestion(chain, waiting)?.branch.to.balance;
  return { wallet, chain, isShared, summary: summarise(chain, waiting, outside.now()), askedPesewas };
}

function cellsOf(
  outside: Pick<Outside, 'now'>,
  { wallet, chain, isShared, summary, askedPesewas }: Known,
  heardAt: string | undefined,
): (Html | string)[] {
  const name = html`${shownNumber(wallet.momo_number)} <span class="hint">${networks[wallet.network].short}</span>`;
  const heard = heardAt ? ago(outside, heardAt) : 'Not yet';
  if (isShared) return [name, heard, '', '', pill('plain', 'Shared')];
  const state = askedPesewas === undefined ? modePill(chain) : pill('look', 'Your answer is missing');
  const { unbroken_since, gaps } = summary ?? {};
  return [name, heard, unbroken_since ? shownTime(unbroken_since) : '', gaps === undefined ? '' : String(gaps), state];
}
