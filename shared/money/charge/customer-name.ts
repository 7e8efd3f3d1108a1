/**
 * Returns the words by which a customer's name is matched, regardless of case, accents, titles and word order. Joins
 * `Abdul` to the next name, as in `ABDUL-RAHMAN`. Returns undefined unless there are two to four full names, because
 * any other name matches too many people.
 */
export function matchableName(name: string): readonly string[] | undefined {
  const words = hyphenatedWords(name).map(generationOf);
  const names = words.filter((word) => !isGeneration(word));
  const isCounted = names.length >= 2 && names.length <= 4;
  return isCounted && words.every((word) => /^\p{L}{2,}(?:-\p{L}{2,})*$/u.test(word)) ? words : undefined;
}

/** Returns the words of a customer's name of any length, or undefined if fewer than two of them tell people apart. */
export function wholeName(name: string): readonly string[] | undefined {
  const words = joinedAbdul(hyphenatedWords(name)).map(generationOf);
  const telling = words.flatMap((word) => word.split('-')).filter((word) => !isGeneration(generationOf(word)));
  return telling.length > 1 ? words : undefined;
}

/** True if a payer's name contains every word of a customer's name of any length that tells people apart. */
export function isInWholeName(name: string | undefined, payerName: string): boolean {
  const words = wholeName(name ?? '');
  return words !== undefined && isNamed(words, payerName);
}

/** True if only the first of two names says which generation the person is, so that they are different people. */
export function isOtherGeneration(one: string, other: string): boolean {
  const [own, others] = [one, other].map((name) => nameWords(name).map(generationOf).filter(isGeneration));
  return own?.some((word) => !others?.includes(word)) ?? false;
}

/**
 * True if every word of a customer's name occurs in the payer's name, each matching a different word. A hyphenated name
 * also matches as one word (`ABDULRAHMAN`) or two. `JNR` and `SNR` may be missing, but never match each other.
 */
export function isNamed(words: readonly string[], payerName: string): boolean {
  const left = hyphenatedWords(payerName).map((word) => word.split('-').map(generationOf));
  const mayLack = words.length > 1 && !left.some((parts) => parts.some(isGeneration));
  return words
    .map(generationOf)
    .every(
      (word) =>
        (mayLack && isGeneration(word)) ||
        matchJoined(left, word) ||
        word.split('-').every((part) => matchPart(left, part)),
    );
}

function matchJoined(left: string[][], word: string): boolean {
  const place = left.findIndex((parts) => parts.join('') === word.replaceAll('-', ''));
  if (place >= 0) left.splice(place, 1);
  return place >= 0;
}

function matchPart(left: string[][], part: string): boolean {
  const parts = left.find((one) => one.includes(part));
  parts?.splice(parts.indexOf(part), 1);
  return parts !== undefined;
}

export function isSameName(one: readonly string[], other: readonly string[]): boolean {
  const plain = (words: readonly string[]) =>
    words
      .flatMap((word) => word.split('-'))
      .toSorted()
      .join(' ');
  return plain(one) === plain(other);
}

export function nameWords(name: string): string[] {
  return hyphenatedWords(name).flatMap((word) => word.split('-'));
}

export function lookedForWords(name: string): string[] {
  const whole = hyphenatedWords(name).map((word) => word.replaceAll('-', ''));
  return [...new Set([...nameWords(name), ...whole])];
}

/**
 * Returns how many words of two or more letters a payer's name must share with this name, or 0 if fewer than two such
 * words tell people apart.
 */
export function leastWords(name: string): number {
  const words = matchableName(name) ?? wholeName(name) ?? [];
  const whole = words.filter((word) => !isGeneration(word)).map((word) => word.replaceAll('-', ''));
  const { size } = new Set(whole.filter((word) => word.length > 1));
  return size > 1 ? size : 0;
}

function hyphenatedWords(name: string): string[] {
  const words = name
    .replace(/´/g, '')
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼʻ`]/gu, '')
    .toUpperCase()
    .replace(/[ƐƆŊƉƑƔƲ]/g, (letter) => LATIN[letter] ?? letter)
    .split(/[^\p{L}\p{N}‐‑–-]/u)
    .map((word) => word.split(/[‐‑–-]/u))
    .filter((parts) => isNoTitle(parts.join('')))
    .map((parts) => parts.filter(isNoTitle).join('-'))
    .filter((word) => word !== '');
  // `Abdul Rahman` alone stays two words: a single word never matches.
  return words.length > 2 ? joinedAbdul(words) : words;
}

/** Treats `ABDUL RAHMAN` as `ABDUL-RAHMAN`: `Abdul` is never a name on its own. */
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

/** Letters of Akan, Ewe, Ga and Dagbani, and the Latin letters that networks print instead. */
const LATIN: Readonly<Record<string, string>> = { Ɛ: 'E', Ɔ: 'O', Ŋ: 'N', Ɖ: 'D', Ƒ: 'F', Ɣ: 'G', Ʋ: 'V' };

const TITLES = new Set(
  (
    'MR MRS MS MISS MADAM MADAME DR PROF HON ALHAJI ALHAJ ALHAJJ ALHAJA ALH HAJI HAJIA HAJIYA HAJJIA HAJJ PASTOR PST PS REV REVD REVEREND FR ' +
    'FATHER BRO BROTHER SIS SISTER BISHOP APOSTLE APST PROPHET PROPHETESS EVANGELIST EVANG DEACON DEACONESS IMAM MALLAM MALAM SHEIKH SHEIK ' +
    'OSOFO CAPT CAPTAIN ING ENGR ELDER LAWYER ESQ SIR AUNTIE NURSE USTAZ ELHADJ TOGBE TOGBUI LT COL SGT CPL INSP BARRISTER OPANYIN OKYEAME PHD'
  ).split(' '),
);

const GENERATIONS: Readonly<Record<string, string>> = { JR: 'JNR', JUNIOR: 'JNR', SR: 'SNR', SENIOR: 'SNR' };

function generationOf(word: string): string {
  return GENERATIONS[word] ?? word;
}

function isGeneration(word: string): boolean {
  return word === 'JNR' || word === 'SNR';
}
