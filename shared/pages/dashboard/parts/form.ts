import { html, raw } from 'hono/html';
import type { Html } from '../html.ts';
import { ONCE } from '../once.ts';
import type { RefusedForm, Visit } from '../visit.ts';

interface FormFacts {
  /** The form's own path in the table of pages, as that writes it: what was typed comes back to this form alone. */
  readonly path: string;
  /** The address that it is sent to; empty for the page that has it. */
  readonly action: string;
  readonly submit: string;
  /** What cannot be taken back. */
  readonly isDangerous?: boolean;
  /** Beside others of its kind, such as in a row of a table. */
  readonly isSmall?: boolean;
}

/** What was typed into a form that was refused, and what is wrong with it; empty before. */
export interface Filled {
  readonly typed: RefusedForm['typed'];
  readonly errors: RefusedForm['errors'];
  /** Whether it was sent at all: a box that is not ticked is not among what was typed. */
  readonly wasSent: boolean;
  /** The errors that stand beside their fields. */
  readonly shown: Set<RefusedForm['errors'][number]>;
}

/** A form that changes something. `fields` gets what was typed before, where it was refused. */
export function form(
  visit: Pick<Visit, 'once' | 'refused'>,
  { path, action, submit, isDangerous, isSmall }: FormFacts,
  fields: (filled: Filled) => Html | readonly Html[],
): Html {
  const isThis = visit.refused?.path === path && (action === '' || action.split('?')[0] === visit.refused.action);
  const refused = isThis ? visit.refused : undefined;
  // Where two forms lead to the same address, as those with the two answers to a question, the first one says it.
  const isFirst = refused?.isSaid === false;
  if (refused) refused.isSaid = true;
  const filled: Filled = {
    typed: refused?.typed ?? {},
    errors: refused?.errors ?? [],
    wasSent: refused !== undefined,
    shown: new Set(),
  };
  const content = fields(filled);
  const others = filled.errors.filter((error) => !filled.shown.has(error));
  const faults =
    refused?.errors.length === 0 ? [refused.message] : others.map(({ field, message }) => `${field}: ${message}`);
  return html`<form method="post" action="${action}"${isSmall && raw(' class="small"')}>
<input type="hidden" name="${ONCE}" value="${visit.once}">
${isFirst && faults.map((fault) => html`<p class="fault" tabindex="-1" autofocus role="alert">${fault}</p>`)}
${content}
<button class="${isDangerous ? 'dangerous ' : ''}${isSmall ? 'plain ' : ''}button">${submit}</button>
</form>`;
}

/** What is wrong with a field, which then shows it. */
export function takeError({ errors, shown }: Filled, name: string): string | undefined {
  const found = errors.find(
    ({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
  );
  if (found) shown.add(found);
  return found?.message;
}
