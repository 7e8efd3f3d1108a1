import { html } from 'hono/html';
import { shortExample } from './examples.ts';
import { fieldList, fieldOfParameter, fieldsOf, type Html, objectOf } from './fields.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import {
  dataOf,
  errorCodesOf,
  exampleOf,
  type OpenApi,
  type Operation,
  type Parameter,
  type Route,
  type Schema,
} from './openapi.ts';
import { codeBlock, codeColumn, jsonBlock, type SampleRequest, sampleBlocks, samplesOf } from './samples.ts';

/** One operation: what it takes and answers on the left, how to call it on the right. */
export function operationSection(document: OpenApi, route: Route): Html {
  const { method, path, operation } = route;
  const { operationId: id, summary, description, parameters, requestBody } = operation;
  const body = requestBody?.content['application/json'];
  return html`<section class="card" id="${id}">
<div class="text">
<h3><a href="#${id}">${summary}</a></h3>
<p class="route"><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${markdown(description)}
${PLACES.map(([place, title]) =>
  parameterList(
    document,
    id,
    title,
    parameters.filter((one) => one.in === place),
  ),
)}
${body && html`<h4>Body</h4>${fieldList(`${id}.body`, fieldsOf(document, body.schema), { required: true })}`}
${dataFields(document, id, dataOf(document, operation.responses[200]?.content), 'Answer: ')}
${failures(document, operation)}
</div>
${codeColumn([
  ...sampleBlocks(samplesOf(sampleRequestOf(document, route))),
  ...Object.values(body?.examples ?? {})
    .slice(1)
    .map((one) => jsonBlock(`Another body: ${one.summary}`, one.value)),
  answerExample(document, operation),
])}
</section>`;
}

/** Where a parameter is, and what is said above those that are there. */
export const PLACES = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'Headers'],
] as const;

function parameterList(
  document: OpenApi,
  id: string,
  title: string,
  parameters: readonly Parameter[],
): Html | undefined {
  if (parameters.length === 0) return undefined;
  const fields = parameters.map((parameter) => fieldOfParameter(document, parameter));
  return html`<h4>${title}</h4>${fieldList(id, fields, { required: true })}`;
}

/** The fields of an answer's or an event's `data`, or the object that it is. */
export function dataFields(document: OpenApi, id: string, data: Schema | undefined, before = ''): Html | undefined {
  const object = data && objectOf(document, data);
  const fields = data ? fieldsOf(document, data) : [];
  if (!object && fields.length === 0) return undefined;
  return html`<h4>${before}<code>data</code></h4>${object ? html`<p id="${id}.data">Is a <a href="#${object}">${object}</a>.</p>` : fieldList(`${id}.data`, fields, { required: false })}`;
}

/** They take a test key alone. */
const TEST_ROUTES = '/api/v1/test/';

/** The request of the document's examples. */
export function sampleRequestOf(document: OpenApi, { method, path, operation }: Route): SampleRequest {
  const { parameters, requestBody, security, responses } = operation;
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
    hasEnvelope: dataOf(document, responses[200]?.content) !== undefined,
  };
}

function answerExample(document: OpenApi, { responses }: Operation): Html | undefined {
  const [status, response] = Object.entries(responses)[0] ?? [];
  if (!response) return undefined;
  const json = response.content['application/json'];
  const example = exampleOf(json);
  return !json || example === undefined
    ? codeBlock(`Answer: ${status}`, response.description)
    : jsonBlock(`Answer: ${status}`, shortExample(document, json.schema, example));
}

/** The errors that an operation may answer with, each a link to what is said about it. */
function failures(document: OpenApi, operation: Operation): Html | undefined {
  const codes = errorCodesOf(document, operation);
  if (codes.length === 0) return undefined;
  return html`<h4>Errors</h4><p class="errors">${codes.map(({ status, code }) => html`<a href="#error-${code}">${status} <code>${code}</code></a> `)}</p>
${Object.entries(operation.responses)
  .filter(([status]) => /^[23]/.test(status))
  .slice(1)
  .map(([status, { description }]) => html`<p>Also ${status}: ${inlineMarkdown(description)}</p>`)}`;
}
