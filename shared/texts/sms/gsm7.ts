import { CURRENCY } from '../../ghana/country.ts';
import { sizeOf } from './segments.ts';

/** A character that GSM-7 lacks, and what stands for it. */
export interface Replaced {
  readonly from: string;
  /** Empty where it cannot be seen. */
  readonly to: string;
}

/** What word processors, phones and Ghana's languages write, by what GSM-7 has for it. */
const REPLACEMENTS = [
  ["'", '‘’‚‛′`´ʼ'],
  ['"', '“”„‟″«»'],
  ['-', '‐‑‒–—―−•'],
  ['.', '·'],
  [' ', '\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
  ['', '\u00ad\u200b\u200c\u200d\u2060\ufe0f\ufeff'],
  [CURRENCY, '₵'],
  ['e', 'ɛ'],
  ['E', 'Ɛ'],
  ['o', 'ɔ'],
  ['O', 'Ɔ'],
  ['d', 'ɖ'],
  ['D', 'Ɖ'],
  ['f', 'ƒ'],
  ['F', 'Ƒ'],
  ['g', 'ɣ'],
  ['G', 'Ɣ'],
  ['n', 'ŋ'],
  ['N', 'Ŋ'],
  ['v', 'ʋ'],
  ['V', 'Ʋ'],
  ['/', '⁄'],
] as const;

/** Made when it is first needed, so that functions that never do leave it out. */
let byCharacter: ReadonlyMap<string, string> | undefined;

function replacementOf(character: string): string | undefined {
  byCharacter ??= new Map(
    REPLACEMENTS.flatMap(([to, characters]) => Array.from(characters, (from) => [from, to] as const)),
  );
  return byCharacter.get(character);
}

/**
 * A text in the characters of GSM-7: each that it lacks is replaced by what looks like it or means the same. `missing` are those for which there is
 * nothing, which stay.
 */
export function inGsm7(written: string): { text: string; replaced: Replaced[]; missing: string[] } {
  const replaced = new Map<string, string>();
  const missing = new Set<string>();
  // The sign for cedis has GH before it, or not.
  const parts = written.normalize('NFC').match(/GH₵|./gsu) ?? [];
  const text = parts.map((part) => {
    if (isGsm7(part)) return part;
    const to = part === 'GH₵' ? CURRENCY : (replacementOf(part) ?? plain(part));
    if (to === undefined) missing.add(part);
    else replaced.set(part, to);
    return to ?? part;
  });
  return { text: text.join(''), replaced: Array.from(replaced, ([from, to]) => ({ from, to })), missing: [...missing] };
}

/** A letter without its accents, and other characters by what Unicode says that they stand for. */
function plain(character: string): string | undefined {
  const letters = character
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/./gsu, (one) => replacementOf(one) ?? one);
  return letters !== '' && isGsm7(letters) ? letters : undefined;
}

function isGsm7(text: string): boolean {
  return sizeOf(text).encoding === 'GSM-7';
}
