/** Maximum number of characters that are read of what a payer typed. */
export const MAX_TYPED_CHARACTERS = 300;

/**
 * Normalizes digits of any script and full-width letters to ASCII, in upper case. Strips invisible characters and
 * collapses spaces.
 */
export function plain(typed: string | null): string {
  return (typed ?? '')
    .slice(0, MAX_TYPED_CHARACTERS)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/\s+/g, ' ')
    .toUpperCase();
}

/** Each script has ten digits in a row. The digits of several scripts may follow one another without a gap. */
function asciiDigit(digit: string): string {
  let before = 0;
  for (let code = (digit.codePointAt(0) ?? 0) - 1; /\p{Nd}/u.test(String.fromCodePoint(code)); code--) before++;
  return String(before % 10);
}

/** Splits a text into words of letters and words of digits, in upper case (`INV` and `1007` for `#inv1007.`). */
export function typedWords(text: string): string[] {
  return runsOf(text).flatMap((run) => run.match(/\d+|[A-Z]+/g) ?? []);
}

/** Returns the runs of letters and digits in a text, in upper case. */
export function runsOf(text: string): string[] {
  return plain(text).match(/[A-Z0-9]+/g) ?? [];
}

/**
 * Returns an order number without signs and in upper case, as payers may type it. Undefined if it has no digit or fewer
 * than three characters, because such a word may be typed for any bill.
 */
export function orderKey(order = ''): string | undefined {
  const key = runsOf(order).join('');
  return key.length >= 3 && /\d/.test(key) ? key : undefined;
}
