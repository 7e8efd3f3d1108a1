import * as z from 'zod/mini';

/** A string of at most `most` characters, counted as code points so that an emoji is one, free of half surrogate pairs and of NUL, at which other programs end a text. */
export function text(most: number) {
  return z.string('must be a string').check(
    z.meta({ maxLength: most }),
    z.refine((value) => value.isWellFormed(), 'contains half of a surrogate pair: send whole Unicode characters'),
    z.refine((value) => !value.includes('\0'), 'contains the character NUL (U+0000): leave it out'),
    z.refine((value) => characters(value) <= most, `must be at most ${most} characters long`),
  );
}

/** True if anything of a text can be seen: spaces, zero-width and other hidden characters cannot. */
export function isVisible(value: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);
}

/** The same, of which something can be seen. */
export function filled(most: number) {
  return text(most).check(z.refine(isVisible, 'must not be empty'));
}

/** The same, without the space around it. */
export function trimmedText(most: number) {
  return z.pipe(
    filled(most),
    z.transform((value: string) => value.trim()),
  );
}

const Email = z.email();

/**
 * True for an e-mail address by zod's rule; letters beyond ASCII may stand in its name and domain (RFC 6531). Not
 * `z.regexes`: importing it bundles all of them.
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
