import { html } from 'hono/html';
import type { Html } from './field-list.ts';

/** A part of the page, with the sections in it. */
export interface Part {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly about: string;
  readonly sections: readonly { readonly id: string; readonly title: Html | string; readonly html: Html }[];
}

/** Beside the text on a wide screen. On a phone it covers the page while it is the address's target, so it needs no script. */
export function navigation(parts: readonly Part[]): Html {
  return html`<nav id="contents" aria-label="Contents">
<form id="search" role="search" hidden><label for="words" class="unseen">Search this page</label><input id="words" type="search" placeholder="Search" autocomplete="off" spellcheck="false"><p id="count" class="unseen" role="status"></p></form>
<ul id="found" role="list" hidden></ul>
<div id="all">
${parts.map(({ id, title, sections }) => html`<p><a href="#${id}">${title}</a></p><ul role="list">${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}</ul>`)}
</div>
<p class="close"><a class="button" href="#top">Close</a></p>
</nav>`;
}
