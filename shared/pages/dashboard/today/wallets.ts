import { html } from 'hono/html';
import { isTestNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant, MomoAccount } from '../../../merchants/merchant/merchant.ts';
import { may, type Rights } from '../../../merchants/user/permissions.ts';
import { type Heard, heardOf } from '../../../money/wallet/merchant-wallets.ts';
import { standingOf, type WalletStanding } from '../../../money/wallet/wallet-standing.ts';
import { type Clock, isoOf, type TimedOutside } from '../../../runtime/outside/outside.ts';
import { DAY_MS } from '../../../runtime/values/calendar.ts';
import { chainRows } from '../../../wallets/chain/chain.table.ts';
import { soleMerchantOf } from '../../../wallets/chain/change-chain.ts';
import { listSuspectedReversals, type SuspectedReversal } from '../../../wallets/wallet/wallet-notice.table.ts';
import { balanceAddress, merchantWalletAddress } from '../parts/addresses.ts';
import { ago, type Html, section } from '../parts/content.ts';
import { walletPill } from '../parts/wallet-pill.ts';
import { REASONS } from '../settings/name-balance.ts';
import { guessedNote } from '../settings/wallet-sections.ts';

/** Shows whether the service would see payments to the merchant's wallets. */
export function wallets(outside: Clock, user: Rights, seen: readonly WalletSeen[]): Html | undefined {
  if (seen.length === 0) return undefined;
  const list = html`<ul class="rows" role="list">${seen.map((wallet) => walletRow(outside, user, wallet))}</ul>`;
  return html`<div id="wallets">${section('Your wallets', list)}</div>`;
}

/** Warns about each wallet whose balance somebody may be guessing. */
export function guessedNotes(user: Rights, seen: readonly WalletSeen[]): readonly (Html | undefined)[] {
  const mayConfirm = may(user, 'proof:confirm');
  return seen.map(({ account: { network, number }, summary }) =>
    guessedNote({ wallet: { network, momo_number: number }, until: summary?.paused_until, mayConfirm }),
  );
}

function walletRow(outside: Clock, user: Rights, wallet: WalletSeen): Html {
  const { account, textAt } = wallet;
  const href = addressFor(user, wallet);
  const more = [textAt && html`Last text: ${ago(outside, textAt)}`, explanation(user, wallet)];
  const row = html`<b>${account.network} <span class="number">${shownNumber(account.number)}</span></b><span class="hint">${walletPill({ ...account, momo_number: account.number }, wallet)}</span>${more.map((one) => one && html`<span class="hint">${one}</span>`)}`;
  return html`<li>${href ? html`<a href="${href}">${row}</a>` : html`<p>${row}</p>`}</li>`;
}

/** Returns the page about the wallet, if this person may open it. */
function addressFor(user: Rights, { account, asked }: WalletSeen): string | undefined {
  if (isTestNumber(account.number)) return undefined;
  if (asked && may(user, 'proof:confirm'))
    return balanceAddress({ network: account.network, momo_number: account.number });
  return may(user, 'balances:read') ? merchantWalletAddress(account.number) : undefined;
}

function explanation(user: Rights, { account, textAt, isSilent, asked }: WalletSeen): string | undefined {
  if (isTestNumber(account.number)) return 'Nobody can pay this number. Test payments are made up.';
  if (!textAt) return 'The first payment to this number will show whether its phone forwards the network’s texts.';
  if (isSilent)
    return 'Payments wait until this wallet’s phone is on, online and charged. Nothing is lost. The phone will forward them later.';
  if (asked) return may(user, 'proof:confirm') ? REASONS[asked] : `${REASONS[asked]} Only an owner can enter it.`;
  return undefined;
}

export interface WalletSeen extends WalletStanding {
  readonly account: MomoAccount;
  readonly isShared: boolean;
  readonly suspected: readonly SuspectedReversal[];
}

const MAX_WALLETS = 6;

const SUSPECTED_MS = 7 * DAY_MS;

/** Reads the state of a merchant's wallets. Costs two reads, plus up to five for each of the first six wallets. */
export async function walletsSeen(outside: TimedOutside, { momo_accounts }: Merchant): Promise<WalletSeen[]> {
  const accounts = momo_accounts.slice(0, MAX_WALLETS);
  if (accounts.length === 0) return [];
  const heard = await heardOf(
    outside,
    accounts.map(({ number }) => number),
  );
  return Promise.all(accounts.map((account, n) => walletSeen(outside, account, heard[n])));
}

/** Reads the state of a wallet, without its balance chain if the wallet is shared. */
async function walletSeen(outside: TimedOutside, account: MomoAccount, heard: Heard | undefined): Promise<WalletSeen> {
  const wallet = { network: account.network, momo_number: account.number };
  const [owner, found] = await Promise.all([soleMerchantOf(outside, wallet), chainRows.find(outside, wallet)]);
  const isShared = owner === undefined;
  const chain = isShared ? undefined : found;
  const since = isoOf(outside.now() - SUSPECTED_MS);
  const [standing, suspected] = await Promise.all([
    standingOf(outside, { network: account.network, isShared }, heard, chain),
    chain ? listSuspectedReversals(outside, wallet, since) : [],
  ]);
  return { account, isShared, ...standing, suspected };
}
