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
  PLACES,
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

/** The complete reference as Markdown, for programs and terminals. Its samples use only curl. */
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

/** The overview for programs, as described by llmstxt.org. */
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
  // Links within the page are replaced by their titles.
  return `${text
    .replace(/\[([^\]]+)\]\((#[^)]+)\)/g, (link, name, address) => (address === SHARED_FIELDS ? link : name))
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function sectionOf(document: OpenApi, section: Section): string {
  const { title } = section;
  if (section.kind === 'operation') return `### ${title}\n\n${operationText(document, section.route)}`;
  if (section.kind === 'event') return `### \`${title}\`\n\n${eventText(document, section.operation)}`;
  if (section.kind === 'object')
    return `### ${title}\n\n${list(document, fieldsOfObject(document, title), { required: false })}\n\n${json(exampleOfSection(document, title))}`;
  if (section.kind === 'shared')
    return `### ${title}\n\n${section.text}\n\n${list(document, [...sharedFieldsOf(document).values()], { required: false, shared: true })}`;
  if (section.kind === 'guide')
    return `### ${title}\n\n${section.text}\n\n${section.samples.map(sampleText).join('\n\n')}`;
  const { meaning, whatToDo } = errorDescriptions[section.code];
  return `### \`${title}\`\n\nStatus ${statusOfCode[section.code]}. ${meaning} ${whatToDo}`;
}

/** The recipes explain how to call an operation. This shows only the data. */
function operationText(document: OpenApi, { method, path, operation }: Route): string {
  const { description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const example = exampleOf(body);
  const codes = ownErrorCodesOf(document, { method, path, operation }).map(
    ({ status, code }) => `${status} \`${code}\``,
  );
  return [
    `\`${method} ${path}\``,
    description,
    ...PLACES.map(([place, title]) => {
      const fields = parametersIn(document, operation, place);
      return fields.length > 0 ? `#### ${title}\n\n${list(document, fields, { required: true })}` : '';
    }),
    pageParametersOf(operation),
    body ? `#### Body\n\n${list(document, fieldsOf(document, body.schema), { required: true })}` : '',
    example === undefined ? '' : json(example),
    dataText(document, dataOf(document, responses[200]?.content)),
    codes.length > 0 ? `Errors: ${codes.join(', ')}.` : '',
  ].join('\n\n');
}

function eventText(document: OpenApi, { summary, description, requestBody }: Operation): string {
  return [
    `${summary}. ${description}`,
    dataText(document, dataOf(document, requestBody?.content)),
    answerText(document, requestBody?.content),
  ].join('\n\n');
}

function answerText(document: OpenApi, content: Content | undefined): string {
  const example = exampleOfAnswer(document, content);
  return example === undefined ? '' : json(example);
}

function dataText(document: OpenApi, data: Schema | undefined): string {
  if (!data) return '';
  const object = objectOf(document, data);
  if (object) return `\`data\` is a [${object}](#${object}).`;
  const fields = fieldsOf(document, data);
  return fields.length > 0 ? `\`data\`:\n\n${list(document, fields, { required: false })}` : '';
}

function list(
  document: OpenApi,
  fields: readonly Field[],
  shown: { readonly required: boolean; readonly shared?: boolean },
  indent = '',
): string {
  return fields
    .map((field) => {
      const { name, isRequired, fields: inner } = field;
      const elsewhere = !shown.shared && isShared(document, field) ? sharedFieldsOf(document).get(name) : undefined;
      const what = elsewhere && whatIsIn(elsewhere) === whatIsIn(field) ? [] : [whatIsIn(field)];
      const about = [...what, ...(isRequired && shown.required ? ['required'] : [])].join(', ');
      const says = elsewhere ? '' : meaningOf(field);
      const nested = inner.length > 0 ? `\n${list(document, inner, shown, `${indent}  `)}` : '';
      const title = elsewhere ? `[\`${name}\`](${SHARED_FIELDS})` : `\`${name}\``;
      return `${indent}- ${title}${about && ` (${about})`}${says && `: ${says}`}${nested}`;
    })
    .join('\n');
}

function whatIsIn({ type, limits }: Field): string {
  return [type, ...limits].join(', ');
}

function meaningOf({ description, values }: Field): string {
  const oneOf = values.length > 0 ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '';
  return [description, oneOf].filter(Boolean).join(' ');
}

const FENCES = { curl: 'sh', node: 'js', php: 'php', python: 'python' };

function sampleText({ caption, language, text }: Sample): string {
  return `${caption}:\n\n\`\`\`${FENCES[language]}\n${text}\n\`\`\``;
}

/** Wider than on the page, because there are no columns. */
const MAX_JSON_CHARACTERS = 120;

function json(value: unknown): string {
  return `\`\`\`json\n${jsonText(value, MAX_JSON_CHARACTERS)}\n\`\`\``;
}
