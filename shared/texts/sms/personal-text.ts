import { sizeOf } from './segments.ts';
import type { Send } from './send.table.ts';

/** Stands for a word of its recipient's in the text of a bulk: `{name}`. Other braces are ordinary characters. */
const PLACEHOLDER = /\{([A-Za-z]\w{0,39})\}/g;

/** The names of the words that a text wants, each once, in the order in which they come. */
export function placeholdersOf(message: string): string[] {
  return [...new Set(Array.from(message.matchAll(PLACEHOLDER), ([, name = '']) => name))];
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
