const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function encodeBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = DIGITS.charAt(rest % 62) + text;
  return text;
}

/** Decodes base62. The value must be below 2^53 (8 characters). */
export function decodeBase62(text: string): number {
  let value = 0;
  for (const digit of text) value = value * 62 + DIGITS.indexOf(digit);
  return value;
}

export function randomBase62(length: number, randomBytes: (length: number) => Uint8Array): string {
  let text = '';
  while (text.length < length) {
    // Discard bytes of 248 (the largest multiple of 62) and above, because they would favour the first digits.
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += DIGITS.charAt(byte % 62);
    }
  }
  return text;
}
