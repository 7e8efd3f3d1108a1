import { html } from 'hono/html';
import { isTestNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant, MomoAccount } from '../../../merchants/merchant/merchant.ts';
import { type Heard, heardOf } from '../../../money/wallet/merchant-wallets.ts';
import { summarise } from '../../../money/wallet/wallet-view.ts';
import { type Clock, isoOf, type TimedOutside } from '../../../runtime/outside/outside.ts';
import { DAY_MS } from '../../../runtime/values/calendar.ts';
import { pushInQuestion } from '../../../wallets/chain/bank-push.ts';
import { openQuestion } from '../../../wallets/chain/branches.ts';
import { chainRows, listWaiting } from '../../../wallets/chain/chain.table.ts';
import { headOf } from '../../../wallets/chain/chain.ts';
import { soleMerchantOf } from '../../../wallets/chain/change-chain.ts';
import { listSuspectedReversals, type SuspectedReversal } from '../../../wallets/wallet/wallet-notice.table.ts';
import { ago, facts, type Html, pill, section, shownTime } from '../parts/content.ts';
import { guessedNote } from '../settings/wallet-sections.ts';

/** Shows whether payments to the merchant's wallets would be noticed. */
export function wallets(outside: Clock, seen: readonly WalletSeen[]): Html | undefined {
  if (seen.length === 0) return undefined;
  return section(
    'Your wallets',
    seen.map((wallet) => walletCard(outside, wallet)),
  );
}

function walletCard(outside: Clock, wallet: WalletSeen): Html {
  const { account, textAt, phoneAt, unbrokenSince } = wallet;
  return html`<div class="wallet">
<p class="head-line"><b>${account.network} <span class="number">${shownNumber(account.number)}</span></b>${statePill(wallet)}</p>
${facts([
  ['Name that payers see', account.account_name],
  ['Last text from this wallet', textAt && ago(outside, textAt)],
  ['Phone last seen', phoneAt && ago(outside, phoneAt)],
  ['No gaps since', unbrokenSince && shownTime(unbrokenSince)],
])}
<p class="hint">${explanation(wallet)}</p>${guessedNote(wallet.guessedUntil)}
</div>`;
}

function statePill({ account, textAt, isSilent }: WalletSeen): Html {
  if (isTestNumber(account.number)) return pill('plain', 'Test');
  if (!textAt) return pill('waiting', 'No text yet');
  return isSilent ? pill('look', 'Phone silent') : pill('good', 'Works');
}

function explanation({ account, textAt, isSilent }: WalletSeen): string {
  if (isTestNumber(account.number)) return 'Nobody can pay this number. Test payments are made up.';
  if (!textAt) return 'The first payment to this number will show whether its phone forwards the network’s texts.';
  return isSilent
    ? 'Payments wait until its phone is on, online and charged. Nothing is lost. The phone will forward them later.'
    : 'Its phone forwards the network’s texts, so payments are noticed within seconds.';
}

export interface WalletSeen extends Heard {
  readonly account: MomoAccount;
  /**
   * Start of the unbroken balance chain (ISO). Hidden for a shared wallet, because it reveals other merchants'
   * payments.
   */
  readonly unbrokenSince: string | undefined;
  readonly askedPesewas: number | undefined;
  readonly suspected: readonly SuspectedReversal[];
  /** End of the time in which somebody may be guessing the balance (ISO). */
  readonly guessedUntil: string | undefined;
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
  const none: Heard = { textAt: undefined, phoneAt: undefined, isSilent: false };
  return Promise.all(
    accounts.map(async (account, n) => {
      const { lastMs = 0, ...seen } = await chainSeen(outside, account);
      const { textAt, ...hearing } = heard[n] ?? none;
      // Heartbeats are recorded every 15 minutes, but a chain has its last receipt's exact time.
      const textMs = Math.max(textAt === undefined ? 0 : Date.parse(textAt), Math.min(lastMs, outside.now()));
      return { account, ...hearing, textAt: textMs > 0 ? isoOf(textMs) : undefined, ...seen };
    }),
  );
}

/** Reads the state of a wallet's balance chain, unless the wallet is shared. */
async function chainSeen(outside: TimedOutside, { network, number }: MomoAccount) {
  const wallet = { network, momo_number: number };
  const [owner, chain] = await Promise.all([soleMerchantOf(outside, wallet), chainRows.find(outside, wallet)]);
  if (!chain || owner === undefined)
    return {
      lastMs: undefined,
      unbrokenSince: undefined,
      askedPesewas: undefined,
      guessedUntil: undefined,
      suspected: [],
    };
  const since = isoOf(outside.now() - SUSPECTED_MS);
  const [waiting, suspected] = await Promise.all([
    chain.waiting > 0 ? listWaiting(outside, chain) : [],
    listSuspectedReversals(outside, wallet, since),
  ]);
  const { unbroken_since, guessed_until } = summarise(chain, waiting, outside.now());
  return {
    lastMs: Math.max(headOf(chain).at_ms, ...waiting.map(({ at_ms }) => at_ms)),
    unbrokenSince: unbroken_since ?? undefined,
    guessedUntil: guessed_until ?? undefined,
    suspected,
    askedPesewas:
      pushInQuestion(chain, waiting, outside.now())?.push.balance ?? openQuestion(chain, waiting)?.branch.to.balance,
  };
}
