import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { copyable, section } from '../parts/status.ts';
import type { Shown } from '../visit.ts';

/** A page with a secret that no page shows again. */
export function secretOnce(
  title: string,
  secret: string,
  noun: string,
  next: { readonly path: string; readonly name: string },
  more?: Html,
): Shown {
  return {
    title,
    main: section('Copy it now', [
      html`<p>It cannot be shown again. Keep it where your server keeps its secrets.</p>`,
      copyable(secret, noun),
      more ?? html``,
      html`<p><a class="plain button" href="${next.path}">${next.name}</a></p>`,
    ]),
  };
}
