import type { Outside } from '../outside/outside.ts';

export const CODE_CHARACTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const WORD_CODE_LENGTH = 8;

/**
 * Generates a random code of eight letters and digits, uniform over the 8 × 10¹¹ codes with at least one letter and one
 * digit. A code is therefore never a plain word or an amount.
 */
export function newWordCode({ randomBytes }: Pick<Outside, 'randomBytes'>): string {
  for (;;) {
    let code = '';
    while (code.length < WORD_CODE_LENGTH) {
      for (const byte of randomBytes(2 * WORD_CODE_LENGTH)) {
        // 248 is the largest multiple of 31 below 256. Byte values from 248 up would favour the first characters.
        if (byte < 248 && code.length < WORD_CODE_LENGTH) code += CODE_CHARACTERS.charAt(byte % CODE_CHARACTERS.length);
      }
    }
    if (/\d/.test(code) && /[A-Z]/.test(code)) return code;
  }
}
