// The basic alphabet of GSM 03.38. Characters in the extension table below need an escape character, so they count
// twice.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '\f^{}\\[~]|€';
const escaped = (characters: string) => characters.replace(/[\]\\^-]/g, '\\$&');
const ONLY_GSM7 = new RegExp(`^[${escaped(BASIC + EXTENDED)}]*$`);
const ANY_EXTENDED = new RegExp(`[${escaped(EXTENDED)}]`, 'g');

const GSM7 = { one: 160, ofSeveral: 153 };
const UCS2 = { one: 70, ofSeveral: 67 };

/** Maximum number of SMS in a text that every phone sends. A phone may refuse a longer text and report it as failed. */
export const MAX_SAFE_SEGMENTS = 8;

/**
 * Computes a text's encoding and its number of SMS. `sms-segments-calculator`, which the tests use for comparison, is
 * too slow: it takes 40 µs for twenty characters and 4 ms for a thousand, longer than the rest of a send.
 */
export function sizeOf(text: string): { segments: number; encoding: 'GSM-7' | 'UCS-2' } {
  return ONLY_GSM7.test(text)
    ? { segments: countGsm7(text), encoding: 'GSM-7' }
    : { segments: countUcs2(text), encoding: 'UCS-2' };
}

function countGsm7(text: string): number {
  const places = text.replace(ANY_EXTENDED, '$&$&');
  if (places.length <= GSM7.one) return 1;
  let count = 1;
  let left = GSM7.ofSeveral;
  for (const character of text) {
    const size = EXTENDED.includes(character) ? 2 : 1;
    if (size > left) {
      count++;
      left = GSM7.ofSeveral;
    }
    left -= size;
  }
  return count;
}

/** Counts the SMS of a UCS-2 text. Phones split a text between grapheme clusters, never within a composite emoji. */
function countUcs2(text: string): number {
  if (text.length <= UCS2.one) return 1;
  const graphemes = new Intl.Segmenter('en').segment(text);
  let count = 1;
  for (let start = 0; text.length - start > UCS2.ofSeveral; count++) {
    const end = start + UCS2.ofSeveral;
    const boundary = graphemes.containing(end)?.index ?? end;
    start = boundary > start ? boundary : end;
  }
  return count;
}

/**
 * Inserts a name into a text of at most `maxSegments` SMS. The name is converted to GSM-7, and shortened if the text
 * would be too long.
 */
export function fitName(
  name: string,
  { orElse, maxSegments }: { readonly orElse: string; readonly maxSegments: number },
  textTo: (name: string) => string,
): string {
  let fitting = plainName(name);
  while (fitting !== '' && sizeOf(textTo(fitting)).segments > maxSegments) fitting = fitting.slice(0, -1).trimEnd();
  return textTo(fitting || orElse);
}

function plainName(name: string): string {
  return [...name.replace(/ɛ/g, 'e').replace(/Ɛ/g, 'E').replace(/ɔ/g, 'o').replace(/Ɔ/g, 'O').normalize('NFKD')]
    .filter((character) => sizeOf(character).encoding === 'GSM-7')
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
