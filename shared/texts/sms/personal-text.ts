import { sizeOf } from './segments.ts';
import type { Send } from './send.table.ts';

/** Matches a placeholder such as `{name}`. */
const PLACEHOLDER = /\{([A-Za-z]\w{0,39})\}/g;

export function placeholdersOf(message: string): string[] {
  return [...new Set(Array.from(message.matchAll(PLACEHOLDER), ([, name = '']) => name))];
}

/** Matches the placeholder syntax of other programs: `{{name}}`, `{ name }`, `[name]`, `%name%`, `<name>`. */
const WRITTEN_OTHERWISE = /(?<!\{)\{+[^{}]*\}+|(?<!\[)\[+[^[\]]{1,40}\]+|%[\w ]{1,40}%|(?<!<)<+[^<>]{1,40}>+|[{}]/g;

/** Finds text that looks like a placeholder but would be sent literally. */
export function almostPlaceholders(message: string, words: readonly string[]): string[] {
  const known = new Set(words.map(plainName));
  return Array.from(message.matchAll(WRITTEN_OTHERWISE), ([written]) => written).filter((written) => {
    if (written.replace(PLACEHOLDER, '') === '') return false;
    return /[{}]/.test(written) || known.has(plainName(written));
  });
}

export function placeholderMeant(written: string, words: readonly string[]): string | undefined {
  const meant = words.find((word) => plainName(word) === plainName(written)) ?? written;
  const name = meant
    .replace(/[^\w ]/g, '')
    .trim()
    .replace(/ +/g, '_')
    .toLowerCase();
  return /^[a-z]\w{0,39}$/.test(name) ? `{${name}}` : undefined;
}

function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** Fills in a recipient's values, given in placeholder order. Braces within a value are kept. */
export function fillIn(message: string, words: readonly string[]): string {
  const names = placeholdersOf(message);
  return message.replace(PLACEHOLDER, (written, name: string) => words[names.indexOf(name)] ?? written);
}

type Words = Pick<Send, 'message' | 'words'>;

export function textTo({ message, words }: Words, index: number): string {
  const own = words?.[index];
  return own ? fillIn(message, own) : message;
}

export function sizeOfSend({ message, words }: Words): ReturnType<typeof sizeOf> {
  return largest((words ?? [[]]).map((own) => sizeOf(fillIn(message, own))));
}

export function largest(sizes: readonly ReturnType<typeof sizeOf>[]): ReturnType<typeof sizeOf> {
  return sizes.reduce((most, one) => (one.segments > most.segments ? one : most), sizes[0] ?? sizeOf(''));
}
