import { html, raw } from 'hono/html';
import { icon, icons } from '../../checkout/icons.ts';
import type { Html } from '../html.ts';
import { icons as dashboardIcons } from '../icons.ts';

/** `good` is done, `waiting` goes on by itself, `look` needs a person, `bad` is over without success, `plain` is none of these. */
export type Tone = 'good' | 'waiting' | 'look' | 'bad' | 'plain';

/** A state in a word, also told by a shape and not by colour alone. */
export function pill(tone: Tone, word: string): Html {
  return html`<span class="pill ${tone}">${word}${icon(shapes[tone])}</span>`;
}

/** Drawn, and not written: some fonts lack the signs, and show a gap in their place. */
const shapes: Readonly<Record<Tone, string>> = {
  good: icons.check,
  waiting: icons.clock,
  look: icons.fault,
  bad: dashboardIcons.close,
  plain: dashboardIcons.dash,
};

/** Where a list has nothing, and what to do about that. */
export function emptyState(title: string, text: Html | string, action?: Html): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action}</div>`;
}

/** Facts, each with its name; those that are undefined are left out. */
export function facts(entries: readonly (readonly [name: string, value: Html | string | undefined])[]): Html {
  const known = entries.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A figure that counts, as a tile which leads to what it counts. */
export function tile(
  name: string,
  figure: Html | string,
  { href, hint, isUrgent }: { href?: string; hint?: string; isUrgent?: boolean } = {},
): Html {
  const inner = html`<span class="name">${name}</span><b>${figure}</b>${hint && html`<span class="hint">${hint}</span>`}`;
  const urgent = isUrgent ? ' urgent' : '';
  return href === undefined
    ? html`<div class="tile${urgent}">${inner}</div>`
    : html`<a class="tile${urgent}" href="${href}">${inner}</a>`;
}

/** Tiles beside each other. */
export function tiles(...each: readonly Html[]): Html {
  return html`<div class="tiles">${each}</div>`;
}

/** A section of a page, under a heading. */
export function section(heading: string, content: Html | readonly Html[]): Html {
  return html`<section><h2>${heading}</h2>
${content}
</section>`;
}

/** A text to copy at a tap; without a script it can be selected. */
export function copyable(text: string, noun: string): Html {
  return html`<span class="copyable"><code>${text}</code><button type="button" class="copy" data-copy="${text}"${raw(' hidden')}>Copy<span class="unseen"> the ${noun}</span></button></span>`;
}
