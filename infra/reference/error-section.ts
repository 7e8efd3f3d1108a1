import { html } from 'hono/html';
import { type ErrorCode, errorAnchor, statusOfCode } from '../../shared/runtime/values/errors.ts';
import { errorDescriptions } from '../openapi/error-descriptions.ts';
import { failureExample } from '../openapi/failures.ts';
import { codeColumn, jsonBlock } from './code-block.ts';
import type { Html } from './field-list.ts';
import { inlineMarkdown } from './markdown.ts';
import type { OpenApi } from './openapi.ts';
import { errorCodesOf, routesOf } from './operation-section.ts';

/** One error code: what it means, what to do, and which operations answer with it. Every error's `doc_url` leads to one. */
export function errorSection(document: OpenApi, code: ErrorCode): Html {
  const { meaning, whatToDo } = errorDescriptions[code];
  const routes = routesOf(document).filter(({ operation }) =>
    errorCodesOf(document, operation).some((one) => one.code === code),
  );
  return html`<section class="card" id="${errorAnchor(code)}">
<div class="text">
<h3><a href="#${errorAnchor(code)}"><code>${code}</code></a></h3>
<p class="route"><b class="method delete">${statusOfCode[code]}</b></p>
<p>${inlineMarkdown(meaning)}</p>
<p><b>What to do.</b> ${inlineMarkdown(whatToDo)}</p>
${routes.length > 0 && html`<h4>Answered by</h4><p class="errors">${routes.map(({ operation }) => html`<a href="#${operation.operationId}">${operation.summary}</a> `)}</p>`}
</div>
${codeColumn([jsonBlock(`Answer: ${statusOfCode[code]}`, failureExample(code))])}
</section>`;
}
