import { isNamed, nameWords } from '../charge/customer-name.ts';

/** Number of letters by which two names that look the same may differ, such as `rn` and `m`. */
const MOST_EDITS = 2;

/**
 * True if a person who looks at a wallet could take one name for the other: in any case, order or spelling, or if one has
 * characters other than Latin letters.
 */
export function isAlikeName(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [first, second] = [lettersOf(one), lettersOf(other)];
  if ([first, second].some((letters) => /[^a-z]/.test(letters))) return true;
  if (isNamed(nameWords(one), other) || isNamed(nameWords(other), one)) return true;
  return editsBetween(first, second) <= MOST_EDITS;
}

function lettersOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\s\p{M}\p{P}]/gu, '');
}

/** Returns the Levenshtein distance of two strings. */
function editsBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [row, letter] of [...one].entries()) {
    const after = [row + 1];
    for (const [n, another] of [...other].entries()) {
      const replaced = (before[n] ?? 0) + (letter === another ? 0 : 1);
      after.push(Math.min(replaced, (before[n + 1] ?? 0) + 1, (after[n] ?? 0) + 1));
    }
    before = after;
  }
  return before.at(-1) ?? 0;
}
