import { html } from 'hono/html';
import type { Html } from './content.ts';

export interface Lead {
  readonly name: string;
  readonly path: string;
  readonly now: string;
  readonly more?: string | undefined;
}

export function leadList(leads: readonly Lead[]): Html {
  return html`<div class="card"><ul class="rows" role="list">${leads.map(leadOf)}</ul></div>`;
}

function leadOf({ name, path, now, more }: Lead): Html {
  return html`<li><a href="${path}"><b>${name}</b><span>${now}</span>${more && html`<span class="hint">${more}</span>`}</a></li>`;
}
