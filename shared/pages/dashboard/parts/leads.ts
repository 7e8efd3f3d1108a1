import { html } from 'hono/html';
import * as icons from '../../frame/drawings.ts';
import { icon } from '../../frame/icon.ts';
import type { Html } from './content.ts';

export interface Lead {
  readonly name: string;
  readonly path: string;
  readonly now: string;
  readonly more?: string | undefined;
}

export function leadList(leads: readonly Lead[]): Html {
  return html`<ul class="leads" role="list">${leads.map(leadOf)}</ul>`;
}

function leadOf({ name, path, now, more }: Lead): Html {
  return html`<li><a href="${path}"><span><span class="hint">${name}</span><b>${now}</b>${more && html`<span class="hint">${more}</span>`}</span>${icon(icons.chevron)}</a></li>`;
}
