import { isTestNumber } from '../../../ghana/phone-number.ts';
import type { WalletStanding } from '../../../money/wallet/wallet-standing.ts';
import { type Html, pill } from './content.ts';

/** Shows whether payments to a wallet would be noticed. */
export function walletPill(
  number: string,
  { textAt, isSilent, askedPesewas }: Pick<WalletStanding, 'textAt' | 'isSilent' | 'askedPesewas'>,
): Html {
  if (isTestNumber(number)) return pill('plain', 'Test');
  if (!textAt) return pill('waiting', 'No text yet');
  if (isSilent) return pill('look', 'Phone silent');
  return askedPesewas === undefined ? pill('good', 'Works') : pill('look', 'Needs your answer');
}
