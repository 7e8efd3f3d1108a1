import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { shownTime } from '../shown-time.ts';
import type { Tone } from './status.ts';

export interface Happening {
  /** ISO. */
  readonly at: string;
  readonly what: Html | string;
  readonly more?: Html | string | undefined;
  readonly tone?: Tone;
}

/** What happened, the first thing first. */
export function timeline(happenings: readonly Happening[]): Html {
  const inOrder = happenings.toSorted((one, other) => one.at.localeCompare(other.at));
  return html`<ol class="timeline" role="list">${inOrder.map(
    ({
      at,
      what,
      more,
      tone = 'plain',
    }) => html`<li class="${tone}"><time datetime="${at}">${shownTime(at)}</time><div><b>${what}</b>${more && html`<div class="hint">${more}</div>`}</div></li>
`,
  )}</ol>`;
}
