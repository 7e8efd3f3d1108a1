/** True if every word of a search starts a word of the text, regardless of case and accents. */
export function hasWords(text: string, typed: string): boolean {
  const wanted = searchWords(typed);
  return wanted.length > 0 && wanted.every((one) => hasWord(text, one));
}

export function hasWord(text: string, wanted: string): boolean {
  return searchWords(text).some((word) => word.startsWith(wanted));
}

export function searchWords(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
