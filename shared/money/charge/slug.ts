/** Omits easily confused characters, because people read links aloud and type them from posters. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 8;

/** Returns a random slug for a link's URL, by default 8 characters from an alphabet of 31. Not a secret. */
export function newSlug(randomBytes: (length: number) => Uint8Array, length = LENGTH): string {
  let slug = '';
  while (slug.length < length) {
    for (const byte of randomBytes(2 * length)) {
      if (byte < 248 && slug.length < length) slug += CHARACTERS.charAt(byte % CHARACTERS.length);
    }
  }
  return slug;
}

export function isSlug(text: string, length = LENGTH): boolean {
  return text.length === length && [...text].every((one) => CHARACTERS.includes(one));
}
