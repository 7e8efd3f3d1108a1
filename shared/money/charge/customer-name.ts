/**
 * The words that a customer's name is matched by: two to four names, each written out. Case, accents, titles and the order of names
 * are ignored; a hyphen stays (`ABDUL-RAHMAN`), and `Abdul` takes one to the name behind it. Undefined for a name that is stored but never matched, because too many people would
 * fit it: a single name, an initial, a list of names.
 */
export function matchableName(name: string): readonly string[] | undefined {
  const words = hyphenatedWords(name).map(generationOf);
  const names = words.filter((word) => !isGeneration(word));
  const isCounted = names.length >= 2 && names.length <= 4;
  return isCounted && words.every((word) => /^\p{L}{2,}(?:-\p{L}{2,})*$/u.test(word)) ? words : undefined;
}

/**
 * True if every word of a customer's name is in the name that the network knows the payer by; each word there counts once. A name with a
 * hyphen is the same without it (`ABDULRAHMAN`) or in two words. `JNR` and `SNR` may be left out, and never stand for each other.
 */
export function isNamed(words: readonly string[], payerName: string): boolean {
  const left = hyphenatedWords(payerName).map((word) => generationOf(word).split('-'));
  const mayLack = words.length > 1 && !left.some((parts) => parts.some(isGeneration));
  return words
    .map(generationOf)
    .every(
      (word) =>
        (mayLack && isGeneration(word)) ||
        takeJoined(left, word) ||
        word.split('-').every((part) => takePart(left, part)),
    );
}

/** Takes a whole name that differs in its hyphens at most. */
function takeJoined(left: string[][], word: string): boolean {
  const place = left.findIndex((parts) => parts.join('') === word.replaceAll('-', ''));
  if (place >= 0) left.splice(place, 1);
  return place >= 0;
}

/** Takes a name, or a part of one with hyphens. */
function takePart(left: string[][], part: string): boolean {
  const parts = left.find((one) => one.includes(part));
  parts?.splice(parts.indexOf(part), 1);
  return parts !== undefined;
}

/** Whether two customers' names are the same words, in any order. */
export function isSameName(one: readonly string[], other: readonly string[]): boolean {
  const plain = (words: readonly string[]) =>
    words
      .flatMap((word) => word.split('-'))
      .toSorted()
      .join(' ');
  return plain(one) === plain(other);
}

/** The words of a name in capitals, without accents and titles. */
export function nameWords(name: string): string[] {
  return hyphenatedWords(name).flatMap((word) => word.split('-'));
}

/** The search words of a name: its words, and those with a hyphen also as one (`ABDULRAHMAN`). */
export function lookedForWords(name: string): string[] {
  const whole = hyphenatedWords(name).map((word) => word.replaceAll('-', ''));
  return [...new Set([...nameWords(name), ...whole])];
}

/** In how many of a payer's words, each looked for by itself, a customer is at least found whose name fits; 0 for a name that never does. */
export function leastWords(name: string): number {
  const words = matchableName(name) ?? [];
  return new Set(words.filter((word) => !isGeneration(word)).map((word) => word.replaceAll('-', ''))).size;
}

/** The words of a name in capitals, without accents and titles, with the hyphens within names. */
function hyphenatedWords(name: string): string[] {
  const words = name
    .normalize('NFD')
    .replace(/[\p{M}'’‘ʼʻ`´]/gu, '')
    .toUpperCase()
    .replace(/[ƐƆŊƉƑƔƲ]/g, (letter) => LATIN[letter] ?? letter)
    .split(/[^\p{L}\p{N}‐‑–-]+/u)
    .map((word) => word.split(/[‐‑–-]+/u))
    .filter((parts) => isNoTitle(parts.join('')))
    .map((parts) => parts.filter(isNoTitle).join('-'))
    .filter((word) => word !== '');
  // Alone, `Abdul Rahman` is two names, or there would be none to match it by.
  return words.length > 2 ? joinedAbdul(words) : words;
}

/** `ABDUL RAHMAN` is `ABDUL-RAHMAN`: nobody is called the first half alone. */
function joinedAbdul(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const isSecondHalf = joined.at(-1) === 'ABDUL' && !isGeneration(generationOf(word));
    if (isSecondHalf) joined.splice(-1, 1, `ABDUL-${word}`);
    else joined.push(word);
  }
  return joined;
}

function isNoTitle(word: string): boolean {
  return word !== '' && !TITLES.has(word);
}

/** Letters of Akan, Ewe, Ga and Dagbani, as the networks write them. */
const LATIN: Readonly<Record<string, string>> = { Ɛ: 'E', Ɔ: 'O', Ŋ: 'N', Ɖ: 'D', Ƒ: 'F', Ɣ: 'G', Ʋ: 'V' };

const TITLES = new Set(
  (
    'MR MRS MS MISS MADAM MADAME DR PROF HON ALHAJI ALHAJ ALHAJJ ALHAJA ALH HAJI HAJIA HAJIYA HAJJIA HAJJ PASTOR PST PS REV REVD REVEREND FR ' +
    'FATHER BRO BROTHER SIS SISTER BISHOP APOSTLE APST PROPHET PROPHETESS EVANGELIST EVANG DEACON DEACONESS IMAM MALLAM MALAM SHEIKH SHEIK ' +
    'OSOFO CAPT CAPTAIN ING ENGR ELDER LAWYER ESQ'
  ).split(' '),
);

/** Father and son may share the rest of their names. */
const GENERATIONS: Readonly<Record<string, string>> = { JR: 'JNR', JUNIOR: 'JNR', SR: 'SNR', SENIOR: 'SNR' };

function generationOf(word: string): string {
  return GENERATIONS[word] ?? word;
}

function isGeneration(word: string): boolean {
  return word === 'JNR' || word === 'SNR';
}
