import * as z from 'zod/mini';

/** Longest text in a request, in characters, except in a `longText`. A request's metadata may be one text of 16 KB. */
export const MAX_TEXT_CHARACTERS = 16 * 1024;

const LongText = z.registry<object>();

/** Marks a field of a body or form that has no limit but the body's, because reading it takes linear time. */
export function longText<Field extends z.ZodMiniType>(field: Field): Field {
  LongText.add(field, {});
  return field;
}

export function isLongText(field: z.core.$ZodType): boolean {
  return LongText.has(field);
}

/** A string of at most `most` code points, without NUL or unpaired surrogates. */
export function text(most: number) {
  return z.string('must be a string').check(
    z.meta({ maxLength: most }),
    z.refine((value) => value.isWellFormed(), 'contains half of a surrogate pair. Send complete Unicode characters.'),
    z.refine((value) => !value.includes('\0'), 'contains the NUL character (U+0000). Remove it.'),
    z.refine((value) => characters(value) <= most, `must be at most ${most} characters long`),
  );
}

export function isVisible(value: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);
}

/** A `text` with at least one visible character. */
export function filled(most: number) {
  return text(most).check(z.refine(isVisible, 'must not be empty'));
}

export function trimmedText(most: number) {
  return z.pipe(
    filled(most),
    z.transform((value: string) => value.trim()),
  );
}

/** Treats a string without a visible character as a missing value, so that an optional field may be empty. */
export function unlessBlank<Schema extends z.ZodMiniType>(schema: Schema) {
  const dropped = z.transform((value: unknown) => (typeof value === 'string' && !isVisible(value) ? undefined : value));
  return z.pipe(dropped, z.optional(schema));
}

const Email = z.email();

/**
 * Validates an e-mail address by zod's rule, plus non-ASCII letters (RFC 6531). Avoids `z.regexes`, which bundles all
 * of zod's expressions.
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
