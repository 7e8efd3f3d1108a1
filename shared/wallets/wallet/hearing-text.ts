import { createHash } from 'node:crypto';
import type { Outside } from '../../runtime/outside/outside.ts';

/** 80 random bits: nobody who has not seen the text can make a phone seem to hear it. */
const NONCE_BYTES = 10;

export function newNonce({ randomBytes }: Pick<Outside, 'randomBytes'>): string {
  return randomBytes(NONCE_BYTES).toString('hex');
}

/** The text of a test, a single SMS. Its owner may read it. */
export function hearingText(nonce: string): string {
  return `Momo Kiosk checks that this phone receives texts. You need not do anything. Hearing test ${nonce}`;
}

/** The nonce in a text that has one; any text may. */
export function nonceIn(text: string): string | undefined {
  return /\bHearing test ([0-9a-f]{20})\b/.exec(text)?.[1];
}

/** What is stored of a nonce: whoever reads the table cannot answer for the phone. */
export function hashOfNonce(nonce: string): string {
  return createHash('sha256').update(nonce).digest('hex');
}
