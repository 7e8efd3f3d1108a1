/** What stands in the reference field of a payment, which its payer wrote. */
export interface TypedReference {
  /** Each `MK` with ten digits, in any of its usual spellings and among any words: `pay MK-4071932685`, `mk 4071 932 685`. */
  readonly named: readonly string[];
  /** The same for ten digits alone. They may be a reference or a phone number: only a charge that has it can tell. */
  readonly bare: readonly string[];
  /** Whether it holds what was meant as a reference and is none: `MK` with 8 to 12 digits that are not ten. */
  readonly isBroken: boolean;
}

/**
 * Reads what a payer typed. A reference is `MK` and ten digits; between them, and between groups of the digits, may stand
 * spaces and punctuation. Where digits go on behind the tenth after a space (`MK-4071932685 2 yards`), the ten count.
 */
export function readTypedReference(typed: string | null): TypedReference {
  const text = (typed ?? '').slice(0, MAX_CHARACTERS).toUpperCase();
  const named = new Set<string>();
  let isBroken = false;
  for (const [whole, joined] of text.matchAll(PREFIXED)) {
    const digits = joined ?? whole.replace(/\D/g, '');
    if (digits.length === 10) named.add(`MK-${digits}`);
    else if (digits.length >= 8 && digits.length <= 12) isBroken = true;
  }
  const rest = text.replace(PREFIXED, ' ');
  const bare = new Set<string>();
  for (const [run] of rest.matchAll(/\d[\d -]*\d/g)) {
    const digits = run.replace(/\D/g, '');
    if (digits.length === 10) bare.add(`MK-${digits}`);
    for (const [joined] of run.matchAll(/(?<!\d)\d{10}(?!\d)/g)) bare.add(`MK-${joined}`);
  }
  return { named: [...named], bare: [...bare], isBroken };
}

/** `MK`, and either ten digits in a row (captured) or digits in groups. */
const PREFIXED = /MK[^\p{L}\p{N}]{0,3}(?:(\d{10})(?!\d)|\d(?:[ .–-]?\d)*)/gu;

/** Longer than any reference field; keeps the effort small whatever arrives. */
const MAX_CHARACTERS = 300;

/** Whether a text may hold a reference with an error in it; if not, none need be compared with it. */
export function mayHoldReference(typed: string | null): boolean {
  return lettersAndDigits(typed).replace(/[^0-9OIL]/g, '').length >= 9;
}

/**
 * Whether a text holds a reference's ten digits with at most one error: a character that is wrong, missing or too many, or
 * two that are swapped. Whatever stands before, behind and between them counts for nothing.
 */
export function isNearReference(typed: string | null, reference: string): boolean {
  const text = lettersAndDigits(typed);
  const digits = reference.slice('MK-'.length);
  // Sellers' algorithm: the fewest errors of `digits` against any part of the text that ends at each of its characters.
  let twoBefore: number[] = [];
  let before = Array.from({ length: digits.length + 1 }, (_, errors) => errors);
  for (let at = 0; at < text.length; at++) {
    const here = [0];
    for (let n = 1; n <= digits.length; n++) {
      const isSame = text[at] === digits[n - 1];
      const isSwapped = text[at] === digits[n - 2] && text[at - 1] === digits[n - 1];
      here[n] = Math.min(
        (before[n - 1] ?? Infinity) + (isSame ? 0 : 1),
        (before[n] ?? Infinity) + 1,
        (here[n - 1] ?? Infinity) + 1,
        isSwapped ? (twoBefore[n - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    if ((here[digits.length] ?? Infinity) <= 1) return true;
    [twoBefore, before] = [before, here];
  }
  return false;
}

function lettersAndDigits(typed: string | null): string {
  return (typed ?? '')
    .slice(0, MAX_CHARACTERS)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
}
