import { html } from 'hono/html';
import { exampleOfAnswer } from './examples.ts';
import { fieldList, fieldsOf, type Html, objectOf, PLACES, pageParametersOf, parametersIn } from './fields.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import {
  dataOf,
  exampleOf,
  type OpenApi,
  type Operation,
  ownErrorCodesOf,
  type Route,
  type Schema,
} from './openapi.ts';
import { codeBlock, codeColumn, jsonBlock, type SampleRequest, sampleBlocks, samplesOf } from './samples.ts';

export function operationSection(document: OpenApi, route: Route): Html {
  const { method, path, operation } = route;
  const { operationId: id, summary, description, requestBody } = operation;
  const body = requestBody?.content['application/json'];
  return html`<section class="part" id="${id}">
<div class="text">
<h3><a href="#${id}">${summary}</a></h3>
<p class="route"><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${markdown(description)}
${PLACES.map(([place, title]) => parameterList(document, operation, place, title))}
${inlineMarkdown(pageParametersOf(operation))}
${body && html`<h4>Body</h4>${fieldList(document, `${id}.body`, fieldsOf(document, body.schema), { required: true })}`}
${dataFields(document, id, dataOf(document, operation.responses[200]?.content), 'Answer: ')}
${failures(document, route)}
</div>
${codeColumn([
  ...sampleBlocks(samplesOf(sampleRequestOf(route))),
  ...Object.values(body?.examples ?? {})
    .slice(1)
    .map((one) => jsonBlock(`Another body: ${one.summary}`, one.value)),
  answerExample(document, operation),
])}
</section>`;
}

function parameterList(
  document: OpenApi,
  operation: Operation,
  place: 'path' | 'query',
  title: string,
): Html | undefined {
  const fields = parametersIn(document, operation, place);
  if (fields.length === 0) return undefined;
  return html`<h4>${title}</h4>${fieldList(document, operation.operationId, fields, { required: true })}`;
}

/** Renders the fields of `data` in a response or event, or a link to its object. */
export function dataFields(document: OpenApi, id: string, data: Schema | undefined, before = ''): Html | undefined {
  const object = data && objectOf(document, data);
  const fields = data ? fieldsOf(document, data) : [];
  if (!object && fields.length === 0) return undefined;
  return html`<h4>${before}<code>data</code></h4>${object ? html`<p id="${id}.data">Is a <a href="#${object}">${object}</a>.</p>` : fieldList(document, `${id}.data`, fields, { required: false })}`;
}

const TEST_ROUTES = '/api/v1/test/';

export function sampleRequestOf({ method, path, operation }: Route): SampleRequest {
  const { parameters, requestBody, security } = operation;
  const exampleIn = (place: string) => parameters.filter((one) => one.in === place && one.example !== undefined);
  const query = new URLSearchParams();
  for (const { name, example } of exampleIn('query')) query.append(name, String(example));
  const filled = exampleIn('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, String(example)),
    path,
  );
  const body = exampleOf(requestBody?.content['application/json']);
  const [scheme] = security.flatMap((one) => Object.keys(one));
  return {
    method,
    path: filled + (query.size > 0 ? `?${query}` : ''),
    key: path.startsWith(TEST_ROUTES) ? (scheme === 'sms' ? 'sms_test' : 'test') : scheme,
    isRepeatable: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body: typeof body === 'object' && body !== null ? body : undefined,
  };
}

function answerExample(document: OpenApi, { responses }: Operation): Html | undefined {
  const [status, response] = Object.entries(responses)[0] ?? [];
  if (!response) return undefined;
  if (exampleOf(response.content['application/json']) === undefined)
    return codeBlock(`Answer: ${status}`, response.description);
  const example = exampleOfAnswer(document, response.content);
  return example === undefined ? undefined : jsonBlock(`Answer: ${status}`, example);
}

function failures(document: OpenApi, route: Route): Html {
  const codes = ownErrorCodesOf(document, route);
  return html`${codes.length > 0 && html`<h4>Errors</h4><p class="errors">${codes.map(({ status, code }) => html`<a href="#error-${code}">${status} <code>${code}</code></a> `)}</p>`}
${Object.entries(route.operation.responses)
  .filter(([status]) => /^[23]/.test(status))
  .slice(1)
  .map(([status, { description }]) => html`<p>Also ${status}: ${inlineMarkdown(description)}</p>`)}`;
}
