import * as z from 'zod/mini';

/**
 * A string of at most `most` characters (code points, so that an emoji counts as one), without half surrogate pairs and
 * without NUL, at which other programs end a text.
 */
export function text(most: number) {
  return z.string('must be a string').check(
    z.meta({ maxLength: most }),
    z.refine((value) => value.isWellFormed(), 'contains half of a surrogate pair: send whole Unicode characters'),
    z.refine((value) => !value.includes('\0'), 'contains the character NUL (U+0000): leave it out'),
    z.refine((value) => characters(value) <= most, `must be at most ${most} characters long`),
  );
}

/** True if any character is visible, unlike spaces, zero-width and other hidden characters. */
export function isVisible(value: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);
}

/** A `text` with at least one visible character. */
export function filled(most: number) {
  return text(most).check(z.refine(isVisible, 'must not be empty'));
}

/** A `filled` text without surrounding space. */
export function trimmedText(most: number) {
  return z.pipe(
    filled(most),
    z.transform((value: string) => value.trim()),
  );
}

const Email = z.email();

/**
 * Validates an e-mail address by zod's rule, but allows letters beyond ASCII in name and domain (RFC 6531). Avoids
 * `z.regexes`, which bundles all of them.
 */
export function isEmail(value: string): boolean {
  return z.safeParse(
    Email,
    value.replace(/[\p{L}\p{N}\p{M}]/gu, (letter) => (letter < '\u0080' ? letter : 'x')),
  ).success;
}

function characters(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}
