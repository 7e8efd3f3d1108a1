import { CURRENCY } from '../../ghana/country.ts';
import { sizeOf } from './segments.ts';

export interface Replaced {
  readonly from: string;
  readonly to: string;
}

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

/** Built on first use, because many functions never need it. */
let byCharacter: ReadonlyMap<string, string> | undefined;

function replacementOf(character: string): string | undefined {
  byCharacter ??= new Map(
    REPLACEMENTS.flatMap(([to, characters]) => Array.from(characters, (from) => [from, to] as const)),
  );
  return byCharacter.get(character);
}

/**
 * Converts a text to GSM-7, replacing other characters with similar ones. `missing` lists the characters that have no
 * replacement. They are kept.
 */
export function inGsm7(written: string): { text: string; replaced: Replaced[]; missing: string[] } {
  const replaced = new Map<string, string>();
  const missing = new Set<string>();
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
