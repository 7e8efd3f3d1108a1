import { html } from 'hono/html';
import type { Html } from './field-list.ts';
import { literal, notations } from './literal.ts';
import { type Language, languages } from './samples.ts';

/** A text to read or copy. */
export function codeBlock(caption: Html | string, text: string, language?: Language): Html {
  return html`<figure${language && html` class="sample ${language}"`}><figcaption>${caption}</figcaption><pre><code>${text}</code></pre></figure>`;
}

export function jsonBlock(caption: string, value: unknown): Html {
  return codeBlock(caption, literal(value, notations.json));
}

/** The same in each language. The style shows the one that is chosen at the top; browsers that cannot choose show them all. */
export function sampleBlocks(samples: Readonly<Record<Language, string>>): Html[] {
  return languages.map(([language, name]) => codeBlock(name, samples[language], language));
}

/** What stands beside a text. It may scroll in itself, so the keyboard must reach it. */
export function codeColumn(blocks: readonly (Html | undefined)[]): Html {
  return html`<div class="code" tabindex="0" role="group" aria-label="Samples">${blocks}</div>`;
}
