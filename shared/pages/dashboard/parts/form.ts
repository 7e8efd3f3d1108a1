import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { type Html, section } from './content.ts';
import { faultOf, remedyOf } from './faults.ts';
import type { RefusedForm, Visit } from './visit.ts';

/** The field that every form has, with the id of the page that showed it. */
export const ONCE = 'once';

/** What a form needs of the visit that shows it. */
export type FormPlace = Pick<Visit, 'once' | 'refused' | 'addressOf' | 'here'> & { readonly form: unknown };

export interface FormFacts {
  /** The form's own path in the table of pages, as that writes it: what was typed comes back to this form alone. */
  readonly path: string;
  /** Those of its address that are not in the page's own. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly submit: string;
  /** What it sends besides its fields. A second step sends again what its first one was sent: a file is not chosen twice. */
  readonly carries?: Readonly<Record<string, string | number | undefined>>;
  /** What cannot be taken back. */
  readonly isDangerous?: boolean;
  /** Whether one of its fields is a file. */
  readonly hasFile?: boolean;
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
  /** Whether nothing was asked yet that is typed, ticked or chosen: a page begins in what is typed first, and in a file never. */
  isFirst?: boolean;
}

/** A field, or another part of a form that shows what was typed before where it was refused. */
export type Field = (filled: Filled) => Html | false;

/** What is in a form. */
export type Part = Html | string | false | undefined | Field | readonly Part[];

/** HTML with fields in it. */
export function fields(strings: TemplateStringsArray, ...parts: readonly Part[]): Field {
  return (filled) => html(strings, ...parts.map((part) => shownIn(filled, part)));
}

/** A part as it is in a form that is filled in so. */
export function shownIn(filled: Filled, part: Part): Html {
  if (typeof part === 'function') return html`${part(filled)}`;
  return html`${Array.isArray(part) ? part.map((one: Part) => shownIn(filled, one)) : part}`;
}

/** A form that changes something. */
export function form(
  visit: FormPlace,
  { path, ids, submit, carries = {}, isDangerous, isSmall, hasFile }: FormFacts,
  content?: Part,
): Html {
  const action = visit.addressOf(path, ids);
  const isThis = visit.refused?.path === path && visit.refused.action === action;
  const refused = isThis ? visit.refused : undefined;
  // Where two forms lead to the same address, as those with the two answers to a question, the first one says it.
  const isFirst = refused?.isSaid === false;
  if (refused) refused.isSaid = true;
  const filled: Filled = {
    typed: refused?.typed ?? {},
    errors: refused?.errors ?? [],
    wasSent: refused !== undefined,
    shown: new Set(),
    // A page at whose address its form is sent, too, was opened to fill it in; unless its answer shows something to read first.
    isFirst: visit.form === undefined && refused === undefined && action === visit.here.split('?')[0],
  };
  const shown = shownIn(filled, content);
  const others = filled.errors.filter((error) => !filled.shown.has(error));
  const byField = Map.groupBy(others, ({ field }) => field.replace(/[.[].*/, ''));
  const faults =
    refused?.errors.length === 0
      ? [refused.message]
      : [...byField].map(([name, errors]) => faultOf(`${name}:`, errors));
  return html`<form method="post" action="${action}"${isSmall && raw(' class="small"')}${hasFile && raw(' enctype="multipart/form-data"')}>
${carried({ [ONCE]: visit.once, ...carries })}
${isFirst && faults.map((fault) => html`<p class="fault" tabindex="-1" autofocus role="alert">${fault}</p>`)}
${isFirst && refused && remedyOf(refused.code)}
${shown}
<button class="${isDangerous ? 'dangerous ' : ''}${isSmall ? 'plain ' : ''}button">${submit}</button>
</form>`;
}

/** What a form has that nobody types. */
export function carried(fields: NonNullable<FormFacts['carries']>): Html {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return html`${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** A section of a page that is one form. */
export function formSection(visit: FormPlace, heading: string, facts: FormFacts, content?: Part): Html {
  return section(heading, form(visit, facts, content));
}

/** A form that is folded under its summary, and open where it was refused. */
export function foldedForm(visit: FormPlace, summary: string, facts: FormFacts, content: Part): Html {
  const isOpen = visit.refused?.path === facts.path;
  return html`<details${isOpen && raw(' open')}><summary>${summary}</summary>${form(visit, facts, content)}</details>`;
}

/** What is wrong with a field, which then shows it. */
function takeFault({ errors, shown }: Filled, name: string, label: string): string | undefined {
  const found = errors.filter(
    ({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
  );
  for (const error of found) shown.add(error);
  return found.length > 0 ? faultOf(label, found) : undefined;
}

interface FieldFacts {
  /** What is in it before somebody types. */
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

interface InputFacts extends FieldFacts {
  readonly type?: 'text' | 'tel' | 'email' | 'url' | 'date' | 'time' | 'datetime-local' | 'search';
  /** Which keyboard a phone shows. */
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'tel';
  readonly autocomplete?: string;
  readonly maxLength?: number;
}

/** A field of one line, with its label, its hint, and what is wrong with it. */
export function field(name: string, label: string, facts: InputFacts = {}): Field {
  const { type = 'text', inputMode, autocomplete = 'off', maxLength, isRequired } = facts;
  const more = [
    inputMode && ` inputmode="${inputMode}"`,
    maxLength && ` maxlength="${maxLength}"`,
    isRequired && ' required',
  ].filter(Boolean);
  return around(
    { name, label, ...facts, isTyped: true },
    (attributes, value) =>
      html`<input name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${raw(more.join(''))}${attributes}>`,
  );
}

/** A field for a file, of these types. */
export function fileField(
  name: string,
  label: string,
  facts: FieldFacts & { readonly accept: string; readonly attributes?: Html },
): Field {
  return around(
    { name, label, ...facts },
    (attributes) =>
      html`<input name="${name}" type="file" accept="${facts.accept}"${facts.isRequired !== false && raw(' required')}${facts.attributes}${attributes}>`,
  );
}

/** A field of several lines. */
export function textField(name: string, label: string, facts: FieldFacts & { readonly rows?: number } = {}): Field {
  return around(
    { name, label, ...facts, isTyped: true },
    (attributes, value) =>
      html`<textarea name="${name}" rows="${facts.rows ?? 4}"${facts.isRequired && raw(' required')}${attributes}>${value}</textarea>`,
  );
}

/** A choice of a few: `[value, shown]`, each. */
export function choice(
  name: string,
  label: string,
  facts: FieldFacts & { readonly options: readonly (readonly [value: string, shown: string])[] },
): Field {
  const select = around(
    { name, label, ...facts },
    (attributes, value) =>
      html`<select name="${name}"${attributes}>${facts.options.map(([one, shown]) => html`<option value="${one}"${one === value && raw(' selected')}>${shown}</option>`)}</select>`,
  );
  return (filled) => {
    filled.isFirst = false;
    return select(filled);
  };
}

const Ticked = z.optional(z.literal('on'));

/** What a form says of boxes with these names, for its schema. */
export function ticks<const Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, Ticked])) as Record<Name, typeof Ticked>;
}

/** A box to tick; the form says `on` where it is. */
export function tick(name: string, label: string, { value }: Pick<FieldFacts, 'value'> = {}): Field {
  return (filled) => {
    filled.isFirst = false;
    const isTicked = (filled.wasSent ? filled.typed[name] : value) === 'on';
    return html`<p class="tick"><label><input type="checkbox" name="${name}"${isTicked && raw(' checked')}> <span>${label}</span></label></p>`;
  };
}

/** A field with its label, its hint, and what is wrong with it. A page begins in the first that is typed into. */
function around(
  { name, label, value = '', hint, isTyped = false }: FieldFacts & { name: string; label: string; isTyped?: boolean },
  input: (attributes: Html, value: string) => Html,
): Field {
  return (filled) => {
    const isFirst = isTyped && filled.isFirst === true;
    if (isTyped) filled.isFirst = false;
    const fault = takeFault(filled, name, label);
    const described = [...(fault ? [`${name}-error`] : []), ...(hint ? [`${name}-hint`] : [])].join(' ');
    // A page with a form that was refused opens where the fault is.
    const attributes = html` id="${name}"${described && html` aria-describedby="${described}"`}${fault && raw(' aria-invalid="true"')}${(fault || isFirst) && raw(' autofocus')}`;
    return html`<p class="field">
<label for="${name}">${label}</label>
${input(attributes, filled.typed[name] ?? value)}
${fault && html`<span class="fault" id="${name}-error">${fault}</span>`}
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
</p>`;
  };
}
