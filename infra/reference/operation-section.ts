import { html } from 'hono/html';
import { fieldList, fieldOfParameter, fieldsOf, type Html } from './fields.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { exampleOf, type OpenApi, type Operation, type Parameter, responseOf } from './openapi.ts';
import { codeBlock, codeColumn, jsonBlock, type SampleRequest, sampleBlocks, samplesOf } from './samples.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The operations of the document, in its order. */
export function routesOf({ paths }: OpenApi): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** One operation: what it takes and answers on the left, how to call it on the right. */
export function operationSection(document: OpenApi, route: Route): Html {
  const { method, path, operation } = route;
  const { operationId: id, summary, description, parameters, requestBody } = operation;
  const body = requestBody?.content['application/json'];
  const success = operation.responses[200]?.content['application/json'];
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
${success && answerFields(document, id, success.schema.properties?.data)}
${failures(document, operation)}
</div>
${codeColumn([
  ...sampleBlocks(samplesOf(sampleRequestOf(route))),
  ...Object.values(body?.examples ?? {})
    .slice(1)
    .map((one) => jsonBlock(`Another body: ${one.summary}`, one.value)),
  answerExample(operation),
])}
</section>`;
}

const PLACES = [
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

function answerFields(
  document: OpenApi,
  id: string,
  data: Parameters<typeof fieldsOf>[1] | undefined,
): Html | undefined {
  const fields = data ? fieldsOf(document, data) : [];
  if (fields.length === 0) return undefined;
  return html`<h4>Answer: <code>data</code></h4>${fieldList(`${id}.data`, fields, { required: false })}`;
}

/** The request of the document's examples. */
export function sampleRequestOf({ method, path, operation }: Route): SampleRequest {
  const { parameters, requestBody, security, responses } = operation;
  const exampleIn = (place: string) => parameters.filter((one) => one.in === place && one.example !== undefined);
  const query = new URLSearchParams();
  for (const { name, example } of exampleIn('query')) query.append(name, String(example));
  const filled = exampleIn('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, String(example)),
    path,
  );
  const body = exampleOf(requestBody?.content['application/json']);
  return {
    method,
    path: filled + (query.size > 0 ? `?${query}` : ''),
    key: security.flatMap((scheme) => Object.keys(scheme))[0],
    isRepeatable: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body: typeof body === 'object' && body !== null ? body : undefined,
    hasEnvelope: responses[200]?.content['application/json']?.schema.properties?.status !== undefined,
  };
}

function answerExample({ responses }: Operation): Html | undefined {
  const [status, response] = Object.entries(responses)[0] ?? [];
  if (!response) return undefined;
  const example = exampleOf(response.content['application/json']);
  return example === undefined
    ? codeBlock(`Answer: ${status}`, response.description)
    : jsonBlock(`Answer: ${status}`, example);
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

export function errorCodesOf(document: OpenApi, { responses }: Operation): { status: string; code: string }[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const schema = responseOf(document, response).content['application/json']?.schema;
    const codes = Number(status) >= 400 ? (schema?.properties?.code?.enum ?? []) : [];
    return codes.map((code) => ({ status, code: String(code) }));
  });
}
