import type { Outside } from '../outside/outside.ts';

export const CODE_CHARACTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const WORD_CODE_LENGTH = 8;

/**
 * Generates a random code of eight letters and digits, with at least one of each, so it is never a plain word or an
 * amount. There are 8 × 10¹¹ such codes.
 */
export function newWordCode({ randomBytes }: Pick<Outside, 'randomBytes'>): string {
  for (;;) {
    let code = '';
    while (code.length < WORD_CODE_LENGTH) {
      for (const byte of randomBytes(2 * WORD_CODE_LENGTH)) {
        // Discard bytes of 248 (the largest multiple of 31) and above, because they would favour the first characters.
        if (byte < 248 && code.length < WORD_CODE_LENGTH) code += CODE_CHARACTERS.charAt(byte % CODE_CHARACTERS.length);
      }
    }
    if (/\d/.test(code) && /[A-Z]/.test(code)) return code;
  }
}
