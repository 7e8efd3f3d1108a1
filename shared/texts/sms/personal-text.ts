import { sizeOf } from './segments.ts';
import type { Send } from './send.table.ts';

/** Matches a placeholder such as `{name}`. */
const PLACEHOLDER = /\{([A-Za-z]\w{0,39})\}/g;

export function placeholdersOf(message: string): string[] {
  return [...new Set(Array.from(message.matchAll(PLACEHOLDER), ([, name = '']) => name))];
}

/** Matches the placeholder syntax of other programs: `{{name}}`, `{ name }`, `[name]`, `%name%`, `<name>`. */
const WRITTEN_OTHERWISE = /(?<!\{)\{+[^{}]*\}+|(?<!\[)\[+[^[\]]{1,40}\]+|%[\w ]{1,40}%|(?<!<)<+[^<>]{1,40}>+|[{}]/g;

/**
 * Finds text that looks like a placeholder but would be sent literally, and the placeholder that was meant. Reads each
 * of `words` once, however many such texts there are.
 */
export function almostPlaceholders(message: string, words: readonly string[]) {
  const known = new Map(words.map((word) => [plainName(word), placeholderOf(word)]));
  const isAlmost = (written: string) =>
    written.replace(PLACEHOLDER, '') !== '' && (/[{}]/.test(written) || known.has(plainName(written)));
  return Array.from(message.matchAll(WRITTEN_OTHERWISE), ([written]) => written)
    .filter(isAlmost)
    .map((written) => ({ written, meant: known.get(plainName(written)) ?? placeholderOf(written) }));
}

function placeholderOf(word: string): string | undefined {
  const name = word
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
