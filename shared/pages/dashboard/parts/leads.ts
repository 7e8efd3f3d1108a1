import { html } from 'hono/html';
import { type Html, section } from './content.ts';

export interface Lead {
  readonly name: string;
  readonly path: string;
  readonly now: Html | string;
  readonly more?: Html | string | undefined;
}

export function leadList(leads: readonly Lead[]): Html {
  return html`<div class="card">${rows(leads)}</div>`;
}

/** Renders each group of leads below its heading, in as many columns as fit. */
export function leadGroups(groups: Readonly<Record<string, readonly Lead[]>>): Html {
  const filled = Object.entries(groups).filter(([, leads]) => leads.length > 0);
  return html`<div class="beside">${filled.map(([heading, leads]) => section(heading, rows(leads)))}</div>`;
}

function rows(leads: readonly Lead[]): Html {
  return html`<ul class="rows" role="list">${leads.map(leadOf)}</ul>`;
}

function leadOf({ name, path, now, more }: Lead): Html {
  return html`<li><a href="${path}"><b>${name}</b><span>${now}</span>${more && html`<span class="hint">${more}</span>`}</a></li>`;
}
