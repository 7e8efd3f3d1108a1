import { EXAMPLE_BASE_URL } from '../../shared/pages/docs/text-with-address.ts';
import { statusOfCode } from '../../shared/runtime/values/errors.ts';
import { errorDescriptions } from '../openapi/error-descriptions.ts';
import { partsOf, type Section } from './contents.ts';
import { exampleOfAnswer, exampleOfSection } from './examples.ts';
import {
  type Field,
  fieldsOf,
  fieldsOfObject,
  isShared,
  objectOf,
  pageParametersOf,
  parametersIn,
  sharedFieldsOf,
} from './fields.ts';
import {
  type Content,
  dataOf,
  exampleOf,
  type OpenApi,
  type Operation,
  ownErrorCodesOf,
  type Route,
  routesOf,
  type Schema,
} from './openapi.ts';
import { jsonText, type Sample } from './samples.ts';
import { mermaidOfMessages } from './who-talks.ts';

/** Renders the complete reference as Markdown. Samples use only curl. */
export function referenceMarkdown(document: OpenApi): string {
  const parts = partsOf(document).map(
    ({ title, about, sections }) =>
      `## ${title}\n\n${about}\n\n${sections.map((section) => sectionOf(document, section)).join('\n\n')}`,
  );
  return tidy(`# Momo Kiosk API

> ${document.info.summary}

The same [as a page](${EXAMPLE_BASE_URL}/docs) and [as an OpenAPI document](${EXAMPLE_BASE_URL}/openapi.json).

${parts.join('\n\n')}`);
}

/** Renders the overview for programs, as described on llmstxt.org. */
export function llmsText(document: OpenApi): string {
  const routes = routesOf(document).map(
    ({ method, path, operation }) => `- ${operation.summary}: \`${method} ${path}\``,
  );
  const events = Object.keys(document.webhooks).map((type) => `\`${type}\``);
  return tidy(`# Momo Kiosk

> ${document.info.summary} A merchant in Ghana is paid on their own mobile-money number; the network’s text about the payment confirms the charge.

${document.info.description}

The routes, all below ${EXAMPLE_BASE_URL}:

${routes.join('\n')}

The events that are posted to a webhook: ${events.join(', ')}.

## Documentation

- [API reference](${EXAMPLE_BASE_URL}/docs.md): guides, every route with its fields and examples, events, objects and errors, as Markdown
- [OpenAPI document](${EXAMPLE_BASE_URL}/openapi.json): OpenAPI 3.1, to generate a client from

## Optional

- [API reference for people](${EXAMPLE_BASE_URL}/docs): the same as a page`);
}

const SHARED_FIELDS = '#shared';

function tidy(text: string): string {
  // Replace links within the page with their titles.
  return `${text
    .replace(/\[([^[\]]+)\]\((#[^()]+)\)/g, (link, name, address) => (address === SHARED_FIELDS ? link : name))
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function sectionOf(document: OpenApi, section: Section): string {
  const { title } = section;
  if (section.kind === 'operation') return `### ${title}\n\n${operationText(document, section.route)}`;
  if (section.kind === 'event') return `### \`${title}\`\n\n${eventText(document, section.operation)}`;
  if (section.kind === 'object')
    return `### ${title}\n\n${list(document, fieldsOfObject(document, title), { required: false })}\n\n${json(withoutNull(exampleOfSection(document, title)))}`;
  if (section.kind === 'shared')
    return `### Types\n\n${TYPES}\n\n### In a path\n\n${pathParameters(document)}\n\n### ${title}\n\n${section.text}\n\n${sharedText(document)}`;
  if (section.kind === 'diagram')
    return `### ${title}\n\n${section.text}\n\n\`\`\`mermaid\n${mermaidOfMessages()}\n\`\`\``;
  if (section.kind === 'guide') return `### ${title}\n\n${section.text}\n\n${samplesText(section.samples)}`;
  const { meaning, whatToDo } = errorDescriptions[section.code];
  return `### \`${title}\`\n\n${statusOfCode[section.code]}: ${meaning} ${whatToDo}`;
}

/**
 * Renders an operation. Lists only the fields and errors, because the recipes explain how to make calls, and `### In a
 * path` explains ids.
 */
function operationText(document: OpenApi, { method, path, operation }: Route): string {
  const { description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const example = exampleOf(body);
  const query = parametersIn(document, operation, 'query');
  const codes = ownErrorCodesOf(document, { method, path, operation }).map(
    ({ status, code }) => `${status} \`${code}\``,
  );
  return [
    `\`${method} ${path}\``,
    description,
    query.length > 0 ? `Query:\n\n${list(document, query, { required: true })}` : '',
    pageParametersOf(operation),
    body ? `Body:\n\n${bodyText(document, operation, body.schema)}` : '',
    example === undefined ? '' : json(example),
    dataText(document, dataOf(document, responses[200]?.content)),
    codes.length > 0 ? `Errors: ${codes.join(', ')}.` : '',
  ].join('\n\n');
}

function bodyText(document: OpenApi, operation: Operation, schema: Schema): string {
  return list(document, fieldsOf(document, schema), { required: true, bodies: bodiesOf(document, operation) });
}

/** Only a request's fields are marked as required. */
function sharedText(document: OpenApi): string {
  const bodies = routesOf(document).flatMap(({ operation }) => {
    const schema = operation.requestBody?.content['application/json']?.schema;
    return schema ? fieldsOf(document, schema).map((field) => JSON.stringify(field.fields)) : [];
  });
  return [...sharedFieldsOf(document).values()]
    .map((field) => {
      const required = bodies.includes(JSON.stringify(field.fields));
      return list(document, [{ ...field, isRequired: false }], { required, shared: true });
    })
    .join('\n');
}

/**
 * Returns the routes of other operations, keyed by the fields of their body. A list of bodies with these fields needs
 * no description of its own.
 */
function bodiesOf(document: OpenApi, operation: Operation): ReadonlyMap<string, string> {
  return new Map(
    routesOf(document).flatMap((route) => {
      const schema = route.operation.requestBody?.content['application/json']?.schema;
      if (!schema || route.operation === operation) return [];
      return [[JSON.stringify(fieldsOf(document, schema)), `\`${route.method} ${route.path}\``]];
    }),
  );
}

/** Explains ids in paths once for all routes. */
function pathParameters(document: OpenApi): string {
  const fields = routesOf(document).flatMap(({ path, operation }) =>
    parametersIn(document, operation, 'path').map((field) => ({ path, field })),
  );
  const groups = Object.values(
    Object.groupBy(fields, ({ field }) => `${field.name} ${field.description} ${whatIsIn(field)}`),
  );
  return groups
    .map((group = []) => {
      const [first] = group;
      if (!first) return '';
      const { name, description } = first.field;
      const isAlone = groups.filter(([one] = []) => one?.field.name === name).length === 1;
      const paths = [...new Set(group.map(({ path }) => `\`${path}\``))].join(', ');
      return `- \`${name}\` (${whatIsIn(first.field)})${isAlone ? '' : ` in ${paths}`}: ${description}`;
    })
    .join('\n');
}

function eventText(document: OpenApi, { summary, description, requestBody }: Operation): string {
  return [
    `${summary}. ${description}`,
    dataText(document, dataOf(document, requestBody?.content)),
    exampleOfData(document, requestBody?.content),
  ].join('\n\n');
}

/** Returns an example without the envelope, because the guide to webhooks explains the envelope. */
function exampleOfData(document: OpenApi, content: Content | undefined): string {
  const example = exampleOfAnswer(document, content);
  return typeof example === 'object' && example !== null && 'data' in example ? json(example.data) : '';
}

function dataText(document: OpenApi, data: Schema | undefined): string {
  if (!data) return '';
  const object = objectOf(document, data);
  if (object) return `\`data\`: [${object}](#${object}).`;
  const fields = fieldsOf(document, data);
  return fields.length > 0 ? `\`data\`:\n\n${list(document, fields, { required: false })}` : '';
}

interface Shown {
  readonly required: boolean;
  readonly shared?: boolean;
  readonly bodies?: ReadonlyMap<string, string>;
}

function list(document: OpenApi, fields: readonly Field[], shown: Shown, indent = ''): string {
  return fields
    .map((field, index) => ({ field, isBrief: isBrief(document, field, shown), index }))
    .reduce((text, { field, isBrief: brief, index }) => {
      const before = fields[index - 1];
      // Fields that consist only of a link share a line.
      if (brief && before && isBrief(document, before, shown)) return `${text}, ${link(field)}`;
      return `${text}${text && '\n'}${indent}- ${brief ? link(field) : entry(document, field, shown, indent)}`;
    }, '');
}

function link({ name }: Field): string {
  return `[\`${name}\`](${SHARED_FIELDS})`;
}

/** Returns true if a shared description says everything about this field. */
function isBrief(document: OpenApi, field: Field, { required, shared }: Shown): boolean {
  if (shared || !isShared(document, field) || (field.isRequired && required)) return false;
  const elsewhere = sharedFieldsOf(document).get(field.name);
  return (
    elsewhere !== undefined &&
    whatIsIn(elsewhere) === whatIsIn(field) &&
    JSON.stringify(elsewhere.fields) === JSON.stringify(field.fields)
  );
}

function entry(document: OpenApi, field: Field, shown: Shown, indent: string): string {
  const { name, isRequired, fields: inner } = field;
  const elsewhere = !shown.shared && isShared(document, field) ? sharedFieldsOf(document).get(name) : undefined;
  const what = elsewhere && whatIsIn(elsewhere) === whatIsIn(field) ? [] : [whatIsIn(field)];
  const about = [...what, ...(isRequired && shown.required ? ['required'] : [])].join(', ');
  const says = elsewhere ? '' : meaningOf(document, field);
  const body = shown.bodies?.get(JSON.stringify(inner));
  const isElsewhere = JSON.stringify(elsewhere?.fields) === JSON.stringify(inner);
  const nested =
    inner.length === 0 || isElsewhere
      ? ''
      : body
        ? ` Fields: as in ${body}.`
        : `\n${list(document, inner, shown, `${indent}  `)}`;
  return `${elsewhere ? link(field) : `\`${name}\``}${about && ` (${about})`}${says && `: ${says}`}${nested}`;
}

/** Names for types with common limits. */
const namedTypes: readonly (readonly [name: string, type: string, about: string])[] = [
  ['amount', 'number or string, 0.01 to 100,000, like `^\\d{1,6}(\\.\\d{1,2})?$`', 'cedis with at most two decimals'],
  ['phone', 'string, like `^\\+233\\d{9}$`', 'a number in international form'],
];

const NETWORKS = ['MTN', 'TELECEL', 'AT'];

const TYPES = `${namedTypes.map(([name, type, about]) => `- \`${name}\`: ${type}: ${about}.`).join('\n')}
- \`network\`: string, one of ${NETWORKS.map((name) => `\`${name}\``).join(', ')}.
- \`a|b\`: either type. In the examples of objects, fields that are null are left out.`;

function whatIsIn({ type, limits, values }: Field): string {
  const written = [type, ...limits].join(', ');
  const named = namedTypes.reduce(
    (text, [name, meaning]) =>
      text.replace(meaning, name).replace(meaning.replace(',', ' or null,'), `${name} or null`),
    written,
  );
  const typed = isNetwork(values) ? named.replace('string', 'network') : named;
  return typed.replaceAll(' or ', '|');
}

function isNetwork(values: readonly string[]): boolean {
  return values.length === NETWORKS.length && NETWORKS.every((name) => values.includes(name));
}

function meaningOf(document: OpenApi, { description, values }: Field): string {
  const isEvent = values.length > 0 && values.every((value) => value in document.webhooks);
  const isListed = values.length > 0 && !isNetwork(values);
  const oneOf = isEvent
    ? 'A type under Events.'
    : isListed
      ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.`
      : '';
  return [description, oneOf].filter(Boolean).join(' ');
}

const FENCES = { curl: 'sh', node: 'js', php: 'php', python: 'python' };

/** A single sample needs no caption. */
function samplesText(samples: readonly Sample[]): string {
  return samples
    .map(({ caption, language, text }) => {
      const before = samples.length > 1 ? `${caption}:\n\n` : '';
      return `${before}\`\`\`${FENCES[language]}\n${text}\n\`\`\``;
    })
    .join('\n\n');
}

/** Maximum line length of JSON. Longer than on the page, where the columns are narrow. */
const MAX_JSON_CHARACTERS = 120;

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutNull(one)]));
}

function json(value: unknown): string {
  return `\`\`\`json\n${jsonText(value, MAX_JSON_CHARACTERS)}\n\`\`\``;
}
