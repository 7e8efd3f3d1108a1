import { html } from 'hono/html';
import * as z from 'zod/mini';
import { viewWallet } from '../../../care/wallet/wallet-view.ts';
import { Network, networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { listAccountsOfNumber } from '../../../merchants/merchant/merchant.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import type { Chain } from '../../../wallets/chain/chain.ts';
import { ProveMode } from '../../../wallets/chain/chain.ts';
import { requireChain } from '../../../wallets/chain/change-chain.ts';
import { OPERATOR_WALLETS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { choice } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { modes } from '../wallet/modes.ts';
import { askForWord } from '../wallet/owners-word.ts';
import { phonesOf, walletSections } from '../wallet/wallet-sections.ts';
import { numberIn, operatorWalletAddress } from './addresses.ts';

export const WALLET = '/wallets/{network}/{number}';
export const ModeForm = z.object({ mode: z.enum(ProveMode.options, 'must be observe or enforce') });
export const HearingForm = z.object({ canary: z.enum(['on', 'off'], 'must be on or off') });

export type OfWallet<Form = undefined> = PersonVisit<'network' | 'number', Form>;

/** Everything about a wallet, and what the operator may decide of it. */
export async function showWallet(visit: OfWallet, outside: Outside): Promise<Shown> {
  const chain = await chainOf(visit, outside);
  const address = operatorWalletAddress(chain);
  const [view, accounts, word] = await Promise.all([
    viewWallet(outside, chain),
    listAccountsOfNumber(outside, chain.momo_number),
    askForWord(visit, outside, chain, { path: WALLET, address }),
  ]);
  const owners = [...new Set(accounts.map(({ account_name }) => account_name))].join(', ');
  return {
    title: `${shownNumber(chain.momo_number)}, ${networks[chain.network].name}`,
    main: html`<p class="hint">${owners ? `Wallet of ${owners}.` : 'No merchant is paid on this number.'}${accounts.length > 1 && ` ${accounts.length} merchants share it.`}</p>
${word}
${walletSections(outside, view)}
${section('Heard by', phonesOf(outside, view))}
${section('Mode', [
  modesExplained(),
  form(visit, { path: `${WALLET}/mode`, action: `${address}/mode`, submit: 'Set the mode' }, (filled) =>
    choice(filled, {
      name: 'mode',
      label: 'What its proof decides',
      value: chain.mode,
      options: ProveMode.options.map((one) => [one, modes[one].word]),
    }),
  ),
])}
${section('Hearing test', [
  html`<p>When the wallet has been silent for half a day, a text to its own number shows whether its phone hears. At most two a day.</p>`,
  form(
    visit,
    {
      path: `${WALLET}/hearing`,
      action: `${address}/hearing`,
      submit: view.canary === 'on' ? 'Test it no more' : 'Test it again',
    },
    () => html`<input type="hidden" name="canary" value="${view.canary === 'on' ? 'off' : 'on'}">`,
  ),
])}
<p><a href="${OPERATOR_WALLETS}">All wallets</a></p>`,
  };
}

function modesExplained(): Html {
  return html`<ul>${ProveMode.options.map((one) => html`<li><b>${modes[one].word}.</b> ${modes[one].means}</li>`)}</ul>`;
}

/** The chain that the address names. @throws NoSuch. */
export function chainOf({ path }: Pick<OfWallet, 'path'>, outside: Outside): Promise<Chain> {
  const network = Network.safeParse(path.network).data;
  if (!network) throw new NoSuch('wallet', `There is no network ${path.network}.`);
  return requireChain(outside, { network, momo_number: numberIn(path.number) });
}
