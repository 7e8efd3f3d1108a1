import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { type Reading, withoutProof } from '../../shared/ghana/wallet-text/reading.ts';

/** Reads a text in a wallet whose balance proves nothing, so that only the lists of known words decide. */
export function readWithoutProof(sender: string, text: string): Reading {
  return withoutProof(readWalletText(sender, text));
}
