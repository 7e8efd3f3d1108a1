import { sizeOf } from './segments.ts';
import type { Send } from './send.table.ts';

/** Stands for a word of its recipient's in the text of a bulk: `{name}`. Other braces are ordinary characters where `allow_braces` says so. */
const PLACEHOLDER = /\{([A-Za-z]\w{0,39})\}/g;

/** The names of the words that a text wants, each once, in the order in which they come. */
export function placeholdersOf(message: string): string[] {
  return [...new Set(Array.from(message.matchAll(PLACEHOLDER), ([, name = '']) => name))];
}

/** Ways in which other programs write a placeholder: `{{name}}`, `{ name }`, `[name]`, `%name%`, `<name>`. */
const WRITTEN_OTHERWISE = /\{+[^{}]*\}+|\[+[^[\]]{1,40}\]+|%[\w ]{1,40}%|<+[^<>]{1,40}>+|[{}]/g;

/**
 * Finds near-placeholders, which would leave as they stand: everything with a brace that is no placeholder, and in other brackets
 * the name of a word that recipients have.
 */
export function almostPlaceholders(message: string, words: readonly string[]): string[] {
  const known = new Set(words.map(plainName));
  return Array.from(message.matchAll(WRITTEN_OTHERWISE), ([written]) => written).filter((written) => {
    if (written.replace(PLACEHOLDER, '') === '') return false;
    return /[{}]/.test(written) || known.has(plainName(written));
  });
}

/** The placeholder that was meant: of a word that recipients have, or the same name as it has to be written. */
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

/** A text with one recipient's words, in the order of its placeholders. What a word has in braces stays as it is. */
export function fillIn(message: string, words: readonly string[]): string {
  const names = placeholdersOf(message);
  return message.replace(PLACEHOLDER, (written, name: string) => words[names.indexOf(name)] ?? written);
}

type Words = Pick<Send, 'message' | 'words'>;

/** What a send says to its recipient at `index`. */
export function textTo({ message, words }: Words, index: number): string {
  const own = words?.[index];
  return own ? fillIn(message, own) : message;
}

/** The size of a send's text; of several, that of the largest. */
export function sizeOfSend({ message, words }: Words): ReturnType<typeof sizeOf> {
  return largest((words ?? [[]]).map((own) => sizeOf(fillIn(message, own))));
}

/** Of several sizes the one with the most SMS. */
export function largest(sizes: readonly ReturnType<typeof sizeOf>[]): ReturnType<typeof sizeOf> {
  return sizes.reduce((most, one) => (one.segments > most.segments ? one : most), sizes[0] ?? sizeOf(''));
}
