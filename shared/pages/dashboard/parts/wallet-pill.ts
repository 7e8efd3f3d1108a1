import { html } from 'hono/html';
import { type Network, networks } from '../../../ghana/network.ts';
import { isTestNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { WalletStanding } from '../../../money/wallet/wallet-standing.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import { phone } from '../../frame/drawings.ts';
import { merchantWalletAddress } from './addresses.ts';
import { type Html, pill } from './content.ts';

/** Shows whether the service would see payments to a wallet. */
export function walletPill(
  { network, momo_number: number }: Wallet,
  { textAt, isSilent, asked, summary }: Pick<WalletStanding, 'textAt' | 'isSilent' | 'asked' | 'summary'>,
): Html {
  if (isTestNumber(number)) return pill('plain', 'Test');
  if (!textAt) return pill('waiting', nothingFrom(network));
  if (isSilent) return pill('look', 'Phone silent');
  if (summary?.paused_until) return pill('look', 'Forged texts');
  if (asked) return pill('look', 'Needs its balance');
  return pill('plain', 'Receives texts', phone);
}

/** Labels a wallet that has sent no text. Its payments may be known if only the shop reads its texts. */
export function nothingFrom(network: Network): string {
  return networks[network].isRead ? 'No payment yet' : 'No text yet';
}

/** Says where to see the true balance. Our own pages only repeat what the texts say, and texts can be forged. */
export function trueBalance({ network, momo_number }: Wallet): Html {
  const { short, ussd } = networks[network];
  return html`Only ${short} knows your true balance. Dial <b class="number">${ussd}</b> on the phone with <span class="number">${shownNumber(momo_number)}</span>.`;
}

/** Opens our copy of a wallet’s texts. Secondary, because only the wallet itself shows whether money arrived. */
export function seeTexts(momoNumber: string, { isOneOfMany = false } = {}): Html {
  const of = isOneOfMany && html` on <span class="number">${shownNumber(momoNumber)}</span>`;
  return html`<a href="${merchantWalletAddress(momoNumber)}">See what the texts say${of}</a>`;
}
