import { html } from 'hono/html';
import { networks, unreadNote } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { othersPaidOn } from '../../../merchants/merchant/manage-merchant.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { may, type Rights } from '../../../merchants/user/permissions.ts';
import { readBalanceLine } from '../../../money/wallet/balance-line.ts';
import { heardOf } from '../../../money/wallet/merchant-wallets.ts';
import { standingOf } from '../../../money/wallet/wallet-standing.ts';
import { isJustLooked, viewWallet } from '../../../money/wallet/wallet-view.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { chainRows, type Wallet } from '../../../wallets/chain/chain.table.ts';
import type { WhyAsked } from '../../../wallets/chain/question.ts';
import { balanceAddress, merchantWalletAddress } from '../parts/addresses.ts';
import { ago, emptyState, type Html } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { walletBalance } from '../parts/wallet-balance.ts';
import { trueBalance, walletPill } from '../parts/wallet-pill.ts';
import { BALANCE_QUESTION, REASONS } from './name-balance.ts';
import { accountOf, addNumberAction } from './numbers.ts';
import { guessedNote, walletSections } from './wallet-sections.ts';

export async function showWallets(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const add = addNumberAction(visit);
  const wallets = walletsOf(merchant);
  if (wallets.length === 0)
    return {
      title: 'Wallets',
      actions: [add],
      main: emptyState('No wallet yet', 'A wallet is a MoMo number whose texts verify your payments.'),
    };
  const [chains, heard, others] = await Promise.all([
    chainRows.findMany(outside, wallets),
    heardOf(
      outside,
      wallets.map(({ momo_number }) => momo_number),
    ),
    Promise.all(wallets.map(({ momo_number }) => othersPaidOn(outside, merchant.merchant_id, momo_number))),
  ]);
  const known = await Promise.all(
    wallets.map(async (wallet, n) => {
      const chain = chains.find((one) => one.network === wallet.network && one.momo_number === wallet.momo_number);
      const isShared = (others[n]?.length ?? 0) > 0;
      const own = isShared ? undefined : chain;
      const standing = await standingOf(outside, { network: wallet.network, isShared }, heard[n], chain);
      return {
        wallet,
        isShared,
        balance: own && isJustLooked(outside, own) ? walletBalance(own) : undefined,
        ...standing,
      };
    }),
  );
  const list = table(known, {
    caption: 'This shop’s wallets',
    href: ({ wallet }) => merchantWalletAddress(wallet.momo_number),
    columns: {
      Wallet: ({ wallet, isShared }) =>
        html`${shownNumber(wallet.momo_number)} <span class="hint">${networks[wallet.network].short}${isShared && ', shared'}</span>`,
      'Last text': ({ textAt }) => (textAt ? ago(outside, textAt) : ''),
      State: ({ wallet, ...standing }) => walletPill(wallet, standing),
      ...(known.some(({ balance }) => balance) && { Balance: { figure: ({ balance }: Known) => balance ?? '' } }),
    },
    isCompact: true,
  });
  return {
    title: 'Wallets',
    actions: [add && { ...add, isPlain: true }],
    main: html`${known.map(({ wallet, asked }) => asked && questionBanner(wallet, asked, user))}
${known.map(({ wallet, summary }) => guessedNote({ wallet, until: summary?.paused_until, mayConfirm: may(user, 'proof:confirm') }))}
${list}
<p class="hint">Each text from a wallet reports the new balance, which verifies the text before it.</p>`,
  };
}

type Known = { readonly balance: Html | undefined };

/** Maximum number of gaps shown. Each may require a search for charges. */
const MAX_GAPS = 10;

export async function showWallet({ merchant, user, path }: MerchantVisit<'number'>, outside: Outside): Promise<Shown> {
  const { number, network } = accountOf(merchant, path.number);
  const wallet = { network, momo_number: number };
  const title = `${shownNumber(number)}, ${networks[network].name}`;
  const others = await othersPaidOn(outside, merchant.merchant_id, number);
  if (others.length > 0) return { title, main: html`<section><p>${SHARED_WALLET}</p></section>` };
  const chain = await chainRows.find(outside, wallet);
  if (!chain)
    return {
      title,
      main: unreadNote(network)
        ? html`<section>${unreadNote(network)}</section>`
        : questionBanner(wallet, 'first look', user),
    };
  const [view, line, standing] = await Promise.all([
    viewWallet(outside, chain, { maxGaps: MAX_GAPS }),
    readBalanceLine(outside, chain),
    heardOf(outside, [number]).then(([heard]) => standingOf(outside, { network, isShared: false }, heard, chain)),
  ]);
  const { asked, textAt } = standing;
  const isBalanceShown = isJustLooked(outside, chain);
  return {
    title,
    main: html`${asked && questionBanner(wallet, asked, user)}
${walletSections(outside, view, {
  line,
  state: walletPill(wallet, standing),
  textAt,
  isAsked: asked !== undefined,
  isOwner: !may(user, 'operator'),
  isBalanceShown,
  mayConfirm: may(user, 'proof:confirm') && asked === undefined,
  whereToLook: trueBalance(wallet),
})}
${!asked && may(user, 'proof:confirm') && html`<p><a class="plain button" href="${balanceAddress(wallet)}">Compare the balance</a></p>`}`,
  };
}

export function walletsOf({ momo_accounts }: Merchant): Wallet[] {
  return momo_accounts.map(({ number, network }) => ({ network, momo_number: number }));
}

const SHARED_WALLET = 'Several shops share this number, so only support enters and sees its balance.';

function questionBanner(wallet: Wallet, why: WhyAsked, user: Rights): Html {
  const mayName = may(user, 'proof:confirm');
  return html`<section class="look"><h2>${BALANCE_QUESTION}</h2>
<p>${REASONS[why]}</p>
${mayName ? html`<p><a class="button" href="${balanceAddress(wallet)}">Enter the balance</a></p>` : html`<p>Only an owner can enter it.</p>`}</section>`;
}
