import { html } from 'hono/html';
import { isTestNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { facts, pill, section } from '../parts/status.ts';
import { ago, shownTime } from '../shown-time.ts';
import { guessedNote } from '../wallet/wallet-sections.ts';
import type { WalletSeen } from './wallets-seen.ts';

/** Whether payments to a merchant's wallets would be noticed now. */
export function wallets(outside: Pick<Outside, 'now'>, seen: readonly WalletSeen[]): Html {
  return section(
    'Your wallets',
    seen.map((wallet) => walletCard(outside, wallet)),
  );
}

function walletCard(outside: Pick<Outside, 'now'>, wallet: WalletSeen): Html {
  const { account, textAt, phoneAt, unbrokenSince } = wallet;
  return html`<div class="wallet">
<p class="head-line"><b>${account.network} <span class="number">${shownNumber(account.number)}</span></b>${statePill(wallet)}</p>
${facts([
  ['Name that payers see', account.account_name],
  ['Last text of this wallet', textAt && ago(outside, textAt)],
  ['Its phone was heard', phoneAt && ago(outside, phoneAt)],
  ['No text missing since', unbrokenSince && shownTime(unbrokenSince)],
])}
<p class="hint">${explanation(wallet)}</p>${guessedNote(wallet.guessedUntil)}
</div>`;
}

function statePill({ account, textAt, isSilent }: WalletSeen): Html {
  if (isTestNumber(account.number)) return pill('plain', 'Test');
  if (!textAt) return pill('waiting', 'No text yet');
  return isSilent ? pill('look', 'Phone silent') : pill('good', 'Heard');
}

function explanation({ account, textAt, isSilent }: WalletSeen): string {
  if (isTestNumber(account.number)) return 'Nobody can pay to it: payments of tests are made up.';
  if (!textAt) return 'The first payment to this number shows whether its phone forwards the network’s texts.';
  return isSilent
    ? 'Payments wait until its phone is on, online and charged. Nothing is lost: the phone posts them later.'
    : 'Its phone forwards what the network texts, so payments are noticed within seconds.';
}
