import { html } from 'hono/html';
import type { Field } from './fields.ts';
import { inlineMarkdown } from './markdown.ts';

/** Fields with what they mean, each with an address: `id`, a dot and its name. `required` says which must be there. */
export function fieldList(id: string, fields: readonly Field[], { required }: { required: boolean }): Html {
  return html`<ul class="fields" role="list">${fields.map((field) => item(`${id}.${field.name}`, field, required))}</ul>`;
}

export type Html = ReturnType<typeof html>;

function item(
  id: string,
  { name, type, isRequired, description, limits, values, fields }: Field,
  required: boolean,
): Html {
  return html`<li id="${id}">
<p><code class="name">${name}</code> <span class="type">${[type, ...limits].map((text, index) => html`${index > 0 && ', '}${inlineMarkdown(text)}`)}</span>${isRequired && required && html` <b class="required">required</b>`}</p>
${description && html`<p>${inlineMarkdown(description)}</p>`}
${values.length > 0 && html`<p class="type">One of ${values.map((value, index) => html`${index > 0 && ', '}<code>${value}</code>`)}</p>`}
${fields.length > 0 && fieldList(id, fields, { required })}
</li>`;
}
