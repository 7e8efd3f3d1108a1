/**
 * The words that a customer's name is matched by: two to four names, each written out. Case, accents, hyphens and titles are
 * ignored. Undefined for a name that is stored but never matched, because too many people would fit it: a single name, an
 * initial, a list of names.
 */
export function matchableName(name: string): readonly string[] | undefined {
  const names = name
    .split(/[^\p{L}\p{M}\p{N}'’‐‑–-]+/u)
    .map(nameWords)
    .filter((words) => words.length > 0);
  const words = names.flat();
  const isCounted = names.length >= 2 && names.length <= 4;
  return isCounted && words.every((word) => /^\p{L}{2,}$/u.test(word)) ? words : undefined;
}

/** Whether every word of a customer's name is in the name that the network knows the payer by; each word there counts once. */
export function isNamed(words: readonly string[], payerName: string): boolean {
  const left = nameWords(payerName);
  return words.every((word) => {
    const place = left.indexOf(word);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** Whether two customers' names are the same words, in any order. */
export function isSameName(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join(' ') === other.toSorted().join(' ');
}

/** The words of a name in capitals, without accents and titles. */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toUpperCase()
    .replaceAll('Ɛ', 'E')
    .replaceAll('Ɔ', 'O')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !TITLES.has(word));
}

const TITLES = new Set(['MR', 'MRS', 'MS', 'MISS', 'MADAM', 'DR', 'PROF', 'REV', 'HON']);
