import { MAX_TYPED_CHARACTERS, plain } from '../charge/typed-text.ts';

interface TypedReference {
  readonly named: readonly string[];
  readonly bare: readonly string[];
  readonly isBroken: boolean;
}

/**
 * Parses what a payer typed. `MK` and the ten digits may contain spaces and punctuation. Other digits may follow or
 * precede ten digits without a gap, or grouped as pages show them (`4071 932 685 2 bags`). With other groups, it is
 * unclear where the reference ends. Ten digits that begin with 0 are a phone number.
 */
export function readTypedReference(typed: string | null): TypedReference {
  const text = plain(typed);
  const named = new Set<string>();
  let isBroken = (typed ?? '').length > MAX_TYPED_CHARACTERS;
  for (const [, whole, grouped = ''] of text.matchAll(PREFIXED)) {
    const digits = (whole ?? grouped).replace(/[^0-9OIL]/g, '');
    if (/^\d{10}$/.test(digits)) named.add(`MK-${digits}`);
    else if (digits.length >= MIN_BROKEN_DIGITS) isBroken = true;
  }
  const rest = text.replace(PREFIXED, ' ');
  const runs = rest.match(/\d(?:[^A-Z0-9]{0,2}\d)*/g) ?? [];
  const digits = [...runs, ...(rest.match(BARE) ?? [])].map((run) => run.replace(/\D/g, ''));
  const bare = new Set(digits.filter((ten) => /^[1-9]\d{9}$/.test(ten)).map((ten) => `MK-${ten}`));
  return { named: [...named], bare: [...bare], isBroken };
}

/** True if what a payer typed contains the charge's reference. */
export function namesCharge(typed: string | null | undefined, { reference }: { readonly reference: string }): boolean {
  const { named, bare } = readTypedReference(typed ?? null);
  return named.includes(reference) || bare.includes(reference);
}

/**
 * Matches a digit, or a letter that may stand for a digit (O, I or L). Does not match a letter of a longer word
 * (`Obaapa`), or the `I` in `I paid`.
 */
const DIGIT = '(?:\\d|[OIL](?=[0-9OIL]*(?![A-Z0-9]))(?<![^A-Z0-9]I(?=[^A-Z0-9]+[A-Z]{2})))';

/** Matches ten digits without a gap, or grouped as pages show them. */
const WHOLE = '\\d{10}|\\d{4}[^A-Z0-9]{1,2}\\d{3}[^A-Z0-9]{1,2}\\d{3}';
const BARE = new RegExp(`(?<!\\d)(?:${WHOLE})(?!\\d)`, 'g');
const PREFIXED = new RegExp(
  `MK[^A-Z0-9]{0,3}(?:(${WHOLE})(?!\\d|${DIGIT})|(${DIGIT}(?:[^A-Z0-9]{0,2}${DIGIT})*))`,
  'g',
);

/** Fewer digits may be a year or a quantity. */
const MIN_BROKEN_DIGITS = 5;

/** True if a string contains enough digits, or letters that may stand for digits, for a mistyped reference. */
export function mayHoldReference(typed: string | null): boolean {
  const text = lettersAndDigits(typed);
  const isMostlyDigits = (run: string) => run.replace(/\D/g, '').length >= 5;
  return text.replace(/[^0-9OIL]/g, '').length >= 9 || (text.match(DIGIT_LIKE_RUN) ?? []).some(isMostlyDigits);
}

/** The digits for which people read or type a letter. */
const DIGITS_OF = new Map(
  Object.entries({
    O: '0',
    Q: '09',
    D: '0',
    I: '1',
    L: '1',
    J: '1',
    Z: '27',
    E: '3',
    A: '4',
    S: '5',
    G: '69',
    B: '68',
    T: '7',
  }),
);
const DIGIT_LIKE_RUN = /[0-9OQDILJZEASGBT]{9,}/g;

/** True if a string contains enough digits for the beginning or the end of a reference. */
export function mayHoldPart(typed: string | null): boolean {
  return partsIn(typed).length > 0;
}

/** Returns groups of digits that are long enough to be no year or quantity, and too short for a reference. */
function partsIn(typed: string | null): readonly string[] {
  return plain(typed).match(/(?<!\d)\d{6,9}(?!\d)/g) ?? [];
}

/**
 * True if a string contains a reference's ten digits with at most one wrong, missing, extra or swapped character, or at
 * least six digits of its beginning or end. Letters that look like a digit are not wrong. Ignores all characters except
 * letters and digits.
 */
export function isNearReference(typed: string | null, reference: string): boolean {
  return nearTo(typed)(reference);
}

/** Variant of `isNearReference` for many references. */
export function nearTo(typed: string | null): (reference: string) => boolean {
  const [text, parts] = [lettersAndDigits(typed), partsIn(typed)];
  return (reference) => isNear(text, parts, reference.slice('MK-'.length));
}

function isNear(text: string, parts: readonly string[], digits: string): boolean {
  if (parts.some((part) => digits.startsWith(part) || digits.endsWith(part))) return true;
  // Sellers' algorithm: for each character, the minimum number of errors between `digits` and any substring that ends
  // there.
  let twoBefore: number[] = [];
  let before = Array.from({ length: digits.length + 1 }, (_, errors) => errors);
  for (let at = 0; at < text.length; at++) {
    const here = [0];
    for (let n = 1; n <= digits.length; n++) {
      const isSame = mayBeDigit(text[at], digits[n - 1]);
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

function mayBeDigit(character = '', digit = ''): boolean {
  return character === digit || DIGITS_OF.get(character)?.includes(digit) === true;
}

function lettersAndDigits(typed: string | null): string {
  return plain(typed).replace(/[^A-Z0-9]/g, '');
}
