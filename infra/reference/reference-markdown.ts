import { EXAMPLE_BASE_URL } from '../../shared/pages/docs/text-with-address.ts';
import { statusOfCode } from '../../shared/runtime/values/errors.ts';
import { errorDescriptions } from '../openapi/error-descriptions.ts';
import { partsOf, type Section } from './contents.ts';
import { exampleOfObject, shortExample } from './examples.ts';
import { type Field, fieldOfParameter, fieldsOf, fieldsOfObject, objectOf } from './fields.ts';
import {
  type Content,
  dataOf,
  errorCodesOf,
  exampleOf,
  type OpenApi,
  type Operation,
  type Route,
  routesOf,
  type Schema,
} from './openapi.ts';
import { PLACES, sampleRequestOf } from './operation-section.ts';
import { jsonText, type Sample, samplesOf } from './samples.ts';

/** The whole reference as Markdown, for programs and for reading in a terminal. What the page says in four languages is in curl. */
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

/** The overview that programs look for first, as llmstxt.org describes it. */
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

function tidy(text: string): string {
  // An address within the page leads to the page: this text has none.
  return `${text
    .replaceAll('](#', `](${EXAMPLE_BASE_URL}/docs#`)
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function sectionOf(document: OpenApi, section: Section): string {
  const { title } = section;
  if (section.kind === 'operation') return `### ${title}\n\n${operationText(document, section.route)}`;
  if (section.kind === 'event') return `### \`${title}\`\n\n${eventText(document, section.operation)}`;
  if (section.kind === 'object')
    return `### ${title}\n\n${list(fieldsOfObject(document, title), false)}\n\n${json(exampleOfObject(document, title))}`;
  if (section.kind === 'guide')
    return `### ${title}\n\n${section.text}\n\n${section.samples.map(sampleText).join('\n\n')}`;
  const { meaning, whatToDo } = errorDescriptions[section.code];
  return `### \`${title}\`\n\nStatus ${statusOfCode[section.code]}. ${meaning} ${whatToDo}`;
}

function operationText(document: OpenApi, route: Route): string {
  const { method, path, operation } = route;
  const { description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const [answered] = Object.entries(responses);
  const codes = errorCodesOf(document, operation).map(({ status, code }) => `${status} \`${code}\``);
  const [curl] = samplesOf(sampleRequestOf(document, route));
  return [
    `\`${method} ${path}\``,
    description,
    ...PLACES.map(([place, title]) => {
      const fields = parameters.filter((one) => one.in === place).map((one) => fieldOfParameter(document, one));
      return fields.length > 0 ? `#### ${title}\n\n${list(fields, true)}` : '';
    }),
    body ? `#### Body\n\n${list(fieldsOf(document, body.schema), true)}` : '',
    dataText(document, dataOf(document, responses[200]?.content)),
    codes.length > 0 ? `Errors: ${codes.join(', ')}.` : '',
    curl ? sampleText(curl) : '',
    answered ? answerText(document, answered[1].content) : '',
  ].join('\n\n');
}

function eventText(document: OpenApi, { summary, description, requestBody }: Operation): string {
  return [
    `${summary}. ${description}`,
    dataText(document, dataOf(document, requestBody?.content)),
    answerText(document, requestBody?.content),
  ].join('\n\n');
}

function dataText(document: OpenApi, data: Schema | undefined): string {
  if (!data) return '';
  const object = objectOf(document, data);
  if (object) return `\`data\` is a [${object}](#${object}).`;
  const fields = fieldsOf(document, data);
  return fields.length > 0 ? `\`data\`:\n\n${list(fields, false)}` : '';
}

function answerText(document: OpenApi, content: Content | undefined): string {
  const given = content?.['application/json'];
  const example = exampleOf(given);
  return given && example !== undefined ? json(shortExample(document, given.schema, example)) : '';
}

function list(fields: readonly Field[], required: boolean, indent = ''): string {
  return fields
    .map(({ name, type, isRequired, limits, values, description, fields: inner }) => {
      const about = [type, ...limits, ...(isRequired && required ? ['required'] : [])].join(', ');
      const oneOf = values.length > 0 ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '';
      const says = [description, oneOf].filter(Boolean).join(' ');
      const nested = inner.length > 0 ? `\n${list(inner, required, `${indent}  `)}` : '';
      return `${indent}- \`${name}\` (${about})${says && `: ${says}`}${nested}`;
    })
    .join('\n');
}

const FENCES = { curl: 'sh', node: 'js', php: 'php', python: 'python' };

function sampleText({ caption, language, text }: Sample): string {
  return `${caption}:\n\n\`\`\`${FENCES[language]}\n${text}\n\`\`\``;
}

function json(value: unknown): string {
  return `\`\`\`json\n${jsonText(value)}\n\`\`\``;
}
