/** Letters and digits that nobody takes for another: an address may be read out, or typed from a poster. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 8;

/** A payment link's name in its address, at random: 8 of 31 characters. It is no secret. */
export function newSlug(randomBytes: (length: number) => Uint8Array, length = LENGTH): string {
  let slug = '';
  while (slug.length < length) {
    for (const byte of randomBytes(2 * length)) {
      // 248 is the largest multiple of 31 below 256.
      if (byte < 248 && slug.length < length) slug += CHARACTERS.charAt(byte % CHARACTERS.length);
    }
  }
  return slug;
}

export function isSlug(text: string, length = LENGTH): boolean {
  return text.length === length && [...text].every((one) => CHARACTERS.includes(one));
}
