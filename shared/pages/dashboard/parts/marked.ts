import { html } from 'hono/html';
import type { Html } from './content.ts';

/** Characters of a long text shown before and after the first word that a search found. */
const SHOWN_BEFORE = 40;
const SHOWN_AFTER = 60;

/**
 * Renders the part of a text that a search found, with the found words in bold. A phone never cuts a list's cell with
 * bold words. If no single word was found, as in a phone number with spaces, the whole text is bold. One element holds
 * the text, because the cells of cards lay out each element apart.
 */
export function marked(text: string, isFound: (word: string) => boolean): Html {
  const words = text.trim().split(/\s+/);
  const first = words.findIndex(isFound);
  if (first === -1) return html`<span><b>${text}</b></span>`;
  const from = words.findIndex((_, n) => lengthOf(words.slice(n, first)) <= SHOWN_BEFORE);
  const last = words.findLastIndex((_, n) => lengthOf(words.slice(first + 1, n + 1)) <= SHOWN_AFTER);
  const shown = words.slice(from, last + 1).map((word) => html`${isFound(word) ? html`<b>${word}</b>` : word} `);
  return html`<span>${from > 0 && '… '}${shown}${last < words.length - 1 && '…'}</span>`;
}

function lengthOf(words: readonly string[]): number {
  return words.join(' ').length;
}
