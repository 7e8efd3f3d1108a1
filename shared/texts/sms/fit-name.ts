import { sizeOf } from './segments.ts';

/** A text with a name in it, in at most so many SMS: the name is in the characters of GSM-7, and cut where it is too long. */
export function fitName(
  name: string,
  { orElse, maxSegments }: { readonly orElse: string; readonly maxSegments: number },
  textTo: (name: string) => string,
): string {
  let fitting = plainName(name);
  while (fitting !== '' && sizeOf(textTo(fitting)).segments > maxSegments) fitting = fitting.slice(0, -1).trimEnd();
  return textTo(fitting || orElse);
}

/** A name in the characters of a GSM-7 SMS, on one line. Characters without an equivalent are left out. */
function plainName(name: string): string {
  return [...name.replace(/ɛ/g, 'e').replace(/Ɛ/g, 'E').replace(/ɔ/g, 'o').replace(/Ɔ/g, 'O').normalize('NFKD')]
    .filter((character) => sizeOf(character).encoding === 'GSM-7')
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
