import { html, raw } from 'hono/html';
import type { Html } from '../html.ts';
import { type Filled, takeError } from './form.ts';

interface FieldFacts {
  readonly name: string;
  readonly label: string;
  /** What stands in it before somebody types. */
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

interface InputFacts extends FieldFacts {
  readonly type?: 'text' | 'tel' | 'email' | 'url' | 'date' | 'search';
  /** Which keyboard a phone shows. */
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'tel';
  readonly autocomplete?: string;
  readonly maxLength?: number;
}

/** A field of one line, with its label, its hint, and what is wrong with it. */
export function field(filled: Filled, facts: InputFacts): Html {
  const { name, type = 'text', inputMode, autocomplete = 'off', maxLength, isRequired } = facts;
  const more = [
    inputMode && ` inputmode="${inputMode}"`,
    maxLength && ` maxlength="${maxLength}"`,
    isRequired && ' required',
  ].filter(Boolean);
  return around(
    filled,
    facts,
    (attributes, value) =>
      html`<input name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${raw(more.join(''))}${attributes}>`,
  );
}

/** A field of several lines. */
export function textField(filled: Filled, facts: FieldFacts & { readonly rows?: number }): Html {
  return around(
    filled,
    facts,
    (attributes, value) =>
      html`<textarea name="${facts.name}" rows="${facts.rows ?? 4}"${facts.isRequired && raw(' required')}${attributes}>${value}</textarea>`,
  );
}

/** A choice of a few: `[value, shown]`, each. */
export function choice(
  filled: Filled,
  facts: FieldFacts & { readonly options: readonly (readonly [value: string, shown: string])[] },
): Html {
  return around(
    filled,
    facts,
    (attributes, value) =>
      html`<select name="${facts.name}"${attributes}>${facts.options.map(([one, shown]) => html`<option value="${one}"${one === value && raw(' selected')}>${shown}</option>`)}</select>`,
  );
}

/** A box to tick; the form says `on` where it is. */
export function tick(filled: Filled, { name, label, value }: FieldFacts): Html {
  const isTicked = (filled.wasSent ? filled.typed[name] : value) === 'on';
  return html`<p class="tick"><label><input type="checkbox" name="${name}"${isTicked && raw(' checked')}> <span>${label}</span></label></p>`;
}

function around(
  filled: Filled,
  { name, label, value = '', hint }: FieldFacts,
  input: (attributes: Html, value: string) => Html,
): Html {
  const error = takeError(filled, name);
  const described = [...(error ? [`${name}-error`] : []), ...(hint ? [`${name}-hint`] : [])].join(' ');
  // A page with a form that was refused opens where the fault is.
  const attributes = html` id="${name}"${described && html` aria-describedby="${described}"`}${error && raw(' aria-invalid="true" autofocus')}`;
  return html`<p class="field">
<label for="${name}">${label}</label>
${input(attributes, filled.typed[name] ?? value)}
${error && html`<span class="fault" id="${name}-error">${label} ${error}</span>`}
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
</p>`;
}
