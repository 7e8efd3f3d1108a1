// The basic alphabet of GSM 03.38. Characters of the extension table count twice, because they need an escape
// character.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '\f^{}\\[~]|€';
const escaped = (characters: string) => characters.replace(/[\]\\^-]/g, '\\$&');
const ONLY_GSM7 = new RegExp(`^[${escaped(BASIC + EXTENDED)}]*$`);
const ANY_EXTENDED = new RegExp(`[${escaped(EXTENDED)}]`, 'g');

const GSM7 = { one: 160, ofSeveral: 153 };
const UCS2 = { one: 70, ofSeveral: 67 };

/** Maximum SMS per text that all phones can send. Some phones report longer texts as failed. */
export const MAX_SAFE_SEGMENTS = 8;

/**
 * Returns a text's encoding and number of SMS. The `sms-segments-calculator` package is too slow here (4 ms for 1,000
 * characters), but the tests compare with it.
 */
export function sizeOf(text: string): { segments: number; encoding: 'GSM-7' | 'UCS-2' } {
  return ONLY_GSM7.test(text)
    ? { segments: countGsm7(text), encoding: 'GSM-7' }
    : { segments: countUcs2(text), encoding: 'UCS-2' };
}

/**
 * Returns a text's size, or undefined if phones cannot send the text. Judges a much longer text by its length alone,
 * because the time to count its SMS grows faster than the text.
 */
export function safeSizeOf(text: string): ReturnType<typeof sizeOf> | undefined {
  if (text.length > MAX_SAFE_SEGMENTS * GSM7.ofSeveral) return undefined;
  const size = sizeOf(text);
  return size.segments > MAX_SAFE_SEGMENTS ? undefined : size;
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

/** Counts the SMS that a UCS-2 text needs. Phones never split a grapheme cluster, such as a composite emoji. */
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
 * Inserts a name into a text. Converts the name to GSM-7, and shortens it to keep the text within `maxSegments` SMS.
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
