import leven from 'leven';
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
  return leven(first, second, { maxDistance: MOST_EDITS + 1 }) <= MOST_EDITS;
}

function lettersOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\s\p{M}\p{P}]/gu, '');
}
