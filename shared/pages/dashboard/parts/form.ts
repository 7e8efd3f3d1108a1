import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { inCurrency } from '../../frame/in-currency.ts';
import { type Html, quiet, section } from './content.ts';
import { faultOf, remedyOf } from './faults.ts';
import type { RefusedForm, Visit } from './visit.ts';

export const ONCE = 'once';

export type FormPlace = Pick<Visit, 'once' | 'refused' | 'addressOf' | 'here'> & { readonly form: unknown };

export interface FormFacts {
  /** The form's path in the page table. */
  readonly path: string;
  /** Path parameters of the form's URL that differ from the page's. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly submit: string;
  /** Hidden fields, such as the first step's values in a second step. */
  readonly carries?: Readonly<Record<string, string | number | undefined>>;
  readonly isDangerous?: boolean;
  readonly hasFile?: boolean;
  readonly isSmall?: boolean;
  /** True for a secondary form. */
  readonly isPlain?: boolean;
}

export interface Filled {
  readonly typed: RefusedForm['typed'];
  readonly errors: RefusedForm['errors'];
  /** True if the form was submitted. A missing checkbox then means unticked. */
  readonly wasSent: boolean;
  /** Errors already shown next to their fields. */
  readonly shown: Set<RefusedForm['errors'][number]>;
  /** True until the first text field, which gets the focus if it is empty. */
  isFirst?: boolean;
}

export type Field = (filled: Filled) => Html | false;

export type Part = Html | string | false | undefined | Field | readonly Part[];

export function fields(strings: TemplateStringsArray, ...parts: readonly Part[]): Field {
  return (filled) => html(strings, ...parts.map((part) => shownIn(filled, part)));
}

export function shownIn(filled: Filled, part: Part): Html {
  if (typeof part === 'function') return html`${part(filled)}`;
  return html`${Array.isArray(part) ? part.map((one: Part) => shownIn(filled, one)) : part}`;
}

export function form(
  visit: FormPlace,
  { path, ids, submit, carries = {}, isDangerous, isSmall, isPlain = isSmall, hasFile }: FormFacts,
  content?: Part,
): Html {
  const action = visit.addressOf(path, ids);
  const isThis = visit.refused?.path === path && visit.refused.action === action;
  const refused = isThis ? visit.refused : undefined;
  // If two forms have the same URL, only the first one shows the error.
  const isFirst = refused?.isShown === false;
  if (refused) refused.isShown = true;
  const filled: Filled = {
    typed: refused?.typed ?? {},
    errors: refused?.errors ?? [],
    wasSent: refused !== undefined,
    shown: new Set(),
    // Focus the first field only if the person opened the form's own URL.
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
<button class="${isDangerous ? 'dangerous ' : ''}${isPlain ? 'plain ' : ''}button">${submit}</button>
</form>`;
}

export function carried(fields: NonNullable<FormFacts['carries']>): Html {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return html`${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

export function formSection(visit: FormPlace, heading: string, facts: FormFacts, content?: Part): Html {
  return (facts.isPlain ? quiet : section)(heading, form(visit, facts, content));
}

/** Renders a form that a press opens. `isButton`: the summary looks like a button until it is open. */
export function foldedForm(visit: FormPlace, summary: string, facts: FormFacts & FoldFacts, content: Part): Html {
  const isOpen = facts.isOpen || visit.refused?.path === facts.path;
  return fold(summary, { ...facts, isOpen }, form(visit, facts, content));
}

interface FoldFacts extends Pick<FormFacts, 'isDangerous'> {
  readonly isOpen?: boolean;
  readonly isButton?: boolean | undefined;
}

/** Renders content that a press opens. */
export function fold(summary: string, { isOpen, isButton, isDangerous }: FoldFacts, content: Html): Html {
  const look = isButton ? 'plain button' : isDangerous && 'dangerous';
  return html`<details${isOpen && raw(' open')}><summary${look && html` class="${look}"`}>${summary}</summary>${content}</details>`;
}

function showFault({ errors, shown }: Filled, name: string, label: string): string | undefined {
  const found = errors.filter(
    ({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
  );
  for (const error of found) shown.add(error);
  return found.length > 0 ? faultOf(label, found) : undefined;
}

interface FieldFacts {
  readonly value?: string | undefined;
  readonly hint?: Html | string;
  readonly isRequired?: boolean;
}

interface InputFacts extends FieldFacts {
  readonly type?: 'text' | 'tel' | 'email' | 'url' | 'date' | 'time' | 'datetime-local' | 'search';
  /** `decimal` is an amount, which shows its currency. */
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'tel';
  readonly autocomplete?: string;
  readonly maxLength?: number;
}

export function field(name: string, label: string, facts: InputFacts = {}): Field {
  const { type = 'text', inputMode, autocomplete = 'off', maxLength, isRequired } = facts;
  const more = [
    inputMode && ` inputmode="${inputMode}"`,
    maxLength && ` maxlength="${maxLength}"`,
    isRequired && ' required',
  ].filter(Boolean);
  const isAmount = inputMode === 'decimal';
  return around({ name, label, ...facts, isTyped: true, isAmount }, (attributes, value) => {
    const input = html`<input name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${raw(more.join(''))}${attributes}>`;
    return isAmount ? inCurrency(name, input) : input;
  });
}

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

export function textField(name: string, label: string, facts: FieldFacts & { readonly rows?: number } = {}): Field {
  return around(
    { name, label, ...facts, isTyped: true },
    (attributes, value) =>
      html`<textarea name="${name}" rows="${facts.rows ?? 4}"${facts.isRequired && raw(' required')}${attributes}>${value}</textarea>`,
  );
}

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

/** Renders options with longer words than a select box shows on a phone. */
export function radios(name: string, label: string, facts: Parameters<typeof choice>[2]): Field {
  return (filled) => {
    filled.isFirst = false;
    const fault = showFault(filled, name, label);
    const value = filled.typed[name] ?? facts.value;
    return html`<fieldset><legend>${label}</legend>${fault && html`<p class="fault">${fault}</p>`}
${facts.options.map(([one, shown]) => html`<p class="tick"><label><input type="radio" name="${name}" value="${one}"${one === value && raw(' checked')} required> <span>${shown}</span></label></p>`)}</fieldset>`;
  };
}

const Ticked = z.optional(z.literal('on'));

export function ticks<const Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, Ticked])) as Record<Name, typeof Ticked>;
}

export function tick(name: string, label: string, { value }: Pick<FieldFacts, 'value'> = {}): Field {
  return (filled) => {
    filled.isFirst = false;
    const isTicked = (filled.wasSent ? filled.typed[name] : value) === 'on';
    return html`<p class="tick"><label><input type="checkbox" name="${name}"${isTicked && raw(' checked')}> <span>${label}</span></label></p>`;
  };
}

function around(
  {
    name,
    label,
    value = '',
    hint,
    isTyped = false,
    isAmount = false,
  }: FieldFacts & { name: string; label: string; isTyped?: boolean; isAmount?: boolean },
  input: (attributes: Html, value: string) => Html,
): Field {
  return (filled) => {
    const shown = filled.typed[name] ?? value;
    // On a phone, the keyboard would cover what the other fields contain.
    const isFirst = isTyped && filled.isFirst === true && shown === '';
    if (isTyped) filled.isFirst = false;
    const fault = showFault(filled, name, label);
    const described = [isAmount && `${name}-currency`, fault && `${name}-error`, hint && `${name}-hint`]
      .filter(Boolean)
      .join(' ');
    // After a rejected form, focus the first field with an error.
    const attributes = html` id="${name}"${described && html` aria-describedby="${described}"`}${fault && raw(' aria-invalid="true"')}${(fault || isFirst) && raw(' autofocus')}`;
    return html`<p class="field">
<label for="${name}">${label}</label>
${input(attributes, shown)}
${fault && html`<span class="fault" id="${name}-error">${fault}</span>`}
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
</p>`;
  };
}
