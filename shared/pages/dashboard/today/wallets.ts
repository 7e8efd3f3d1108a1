import { html } from 'hono/html';
import { isTestNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant, MomoAccount } from '../../../merchants/merchant/merchant.ts';
import { type Heard, heardOf } from '../../../money/wallet/merchant-wallets.ts';
import { standingOf, type WalletStanding } from '../../../money/wallet/wallet-standing.ts';
import { type Clock, isoOf, type TimedOutside } from '../../../runtime/outside/outside.ts';
import { DAY_MS } from '../../../runtime/values/calendar.ts';
import { chainRows } from '../../../wallets/chain/chain.table.ts';
import { soleMerchantOf } from '../../../wallets/chain/change-chain.ts';
import { listSuspectedReversals, type SuspectedReversal } from '../../../wallets/wallet/wallet-notice.table.ts';
import { ago, facts, type Html, section, shownTime } from '../parts/content.ts';
import { walletPill } from '../parts/wallet-pill.ts';
import { guessedNote } from '../settings/wallet-sections.ts';

/** Shows whether the service would see payments to the merchant's wallets. */
export function wallets(outside: Clock, seen: readonly WalletSeen[]): Html | undefined {
  if (seen.length === 0) return undefined;
  return html`<div id="wallets">${section(
    'Your wallets',
    seen.map((wallet) => walletCard(outside, wallet)),
  )}</div>`;
}

function walletCard(outside: Clock, wallet: WalletSeen): Html {
  const { account, textAt, phoneAt, summary, asked } = wallet;
  return html`<div class="wallet">
<p class="head-line"><b>${account.network} <span class="number">${shownNumber(account.number)}</span></b>${walletPill(account.number, wallet)}</p>
${facts([
  ['Name that payers see', account.account_name],
  ['Last text from this wallet', textAt && ago(outside, textAt)],
  ['Phone last seen', phoneAt && ago(outside, phoneAt)],
  ['No gaps since', summary?.unbroken_since && !asked ? shownTime(summary.unbroken_since) : undefined],
])}
<p class="hint">${explanation(wallet)}</p>${guessedNote(summary?.guessed_until)}
</div>`;
}

function explanation({ account, textAt, isSilent, asked }: WalletSeen): string {
  if (isTestNumber(account.number)) return 'Nobody can pay this number. Test payments are made up.';
  if (!textAt) return 'The first payment to this number will show whether its phone forwards the network’s texts.';
  if (isSilent)
    return 'Payments wait until this wallet’s phone is on, online and charged. Nothing is lost. The phone will forward them later.';
  return asked
    ? 'One of this wallet’s texts is missing or forged. Only you can tell which.'
    : 'This wallet’s phone forwards the network’s texts, so payments appear here within seconds.';
}

export interface WalletSeen extends WalletStanding {
  readonly account: MomoAccount;
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
  const chain = owner === undefined ? undefined : found;
  const since = isoOf(outside.now() - SUSPECTED_MS);
  const [standing, suspected] = await Promise.all([
    standingOf(outside, heard, chain),
    chain ? listSuspectedReversals(outside, wallet, since) : [],
  ]);
  return { account, ...standing, suspected };
}
