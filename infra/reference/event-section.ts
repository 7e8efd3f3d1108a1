import { html } from 'hono/html';
import { codeColumn, jsonBlock } from './code-block.ts';
import { fieldList, type Html } from './field-list.ts';
import { fieldsOf } from './fields.ts';
import { markdown } from './markdown.ts';
import { exampleOf, type OpenApi, type Operation } from './openapi.ts';

/** One type of event: when it is posted, and what is in it. */
export function eventSection(
  document: OpenApi,
  type: string,
  { operationId: id, summary, description, requestBody }: Operation,
): Html {
  const body = requestBody?.content['application/json'];
  const data = body?.schema.properties?.data;
  return html`<section class="card" id="${id}">
<div class="text">
<h3><a href="#${id}">${summary}</a></h3>
<p class="route"><code>${type}</code></p>
${markdown(description)}
${data && html`<h4><code>data</code></h4>${fieldList(`${id}.data`, fieldsOf(document, data), { required: false })}`}
</div>
${codeColumn([jsonBlock('Body', exampleOf(body))])}
</section>`;
}
