import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { magicNumbers } from '../../../../shared/texts/sms/magic-numbers.ts';
import { documentText } from '../../../reference/generate.ts';
import { nameOf, OpenApi, type Operation, type Route, routesOf, schemaOf } from '../../../reference/openapi.ts';

/**
 * Generates src/generated from the API reference: the types with openapi-typescript, and a method for each operation
 * that requires a key. Operations without a key are for browsers.
 */
const folder = new URL('../src/generated/', import.meta.url);
const source = JSON.parse(documentText(), (_, value) =>
  // `Error` would shadow the JavaScript global.
  value === '#/components/schemas/Error' ? '#/components/schemas/ErrorBody' : value,
);
const { Error: ErrorBody, ...schemas } = source.components.schemas;
source.components.schemas = { ...schemas, ErrorBody };
const document = OpenApi.parse(source);
const routes = routesOf(document).filter(({ operation }) => operation.security.length > 0);
const byNoun = Map.groupBy(routes, ({ operation }) => nounOf(operation));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
write('schemas.ts', await schemaTypes());
write('operations.ts', operationsFile());
write('events.ts', eventsFile());
write('route-words.ts', routeWordsFile());
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
write('version.ts', `export const VERSION = ${JSON.stringify(version)};\n`);
write(
  'test-numbers.ts',
  `/** With a test key no text is sent, and its number determines the outcome. */\nexport const testNumbers = ${JSON.stringify(magicNumbers, null, 2)} as const;\n`,
);

function write(name: string, text: string): void {
  writeFileSync(new URL(name, folder), text);
}

/** Generates types for the operations' schemas and queries. */
async function schemaTypes(): Promise<string> {
  for (const { path, method, operation } of routes) {
    const query = source.paths[path][method.toLowerCase()].parameters?.filter((parameter) => parameter.in === 'query');
    if (query?.length > 0) source.components.schemas[queryName(operation.operationId)] = objectOf(query);
  }
  const { schemas } = source.components;
  const text = JSON.stringify({ ...source, paths: {}, webhooks: {}, components: { schemas } });
  const types = await openapiTypescript(text, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A request may omit a field with a default.
    defaultNonNullable: false,
  });
  return astToString(types);
}

function objectOf(parameters: readonly { name: string; description: string; required?: boolean; schema: object }[]) {
  const properties = parameters.map(({ name, description, schema }) => [name, { ...schema, description }]);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function routeWordsFile(): string {
  const words = new Set(routes.flatMap(({ path }) => path.split('/').filter((part) => /^\w+$/.test(part))));
  return `/** The fixed parts of the paths. As an id, such a word would lead to another operation. */\nexport const routeWords: readonly string[] = ${JSON.stringify([...words].sort())};\n`;
}

function operationsFile(): string {
  const nouns = [...byNoun.keys()];
  const names = [...new Set(routes.flatMap(({ operation }) => typesOf(operation)))].sort();
  return `import type { List } from '../list.ts';
import { type RequestOptions, segment, type Transport, type WebhookRequestOptions } from '../transport.ts';
import type { ${names.join(', ')} } from './schemas.ts';

${[...byNoun].map(([noun, own]) => nounClass(noun, own)).join('\n')}
/** All operations that require a key. */
export class Operations {
${nouns.map((noun) => `  readonly ${noun}: ${className(noun)};`).join('\n')}

  constructor(transport: Transport) {
${nouns.map((noun) => `    this.${noun} = new ${className(noun)}(transport);`).join('\n')}
  }
}
`;
}

function nounClass(noun: string, own: readonly Route[]): string {
  return `
export class ${className(noun)} {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }
${own.map(method).join('')}}
`;
}

function method({ method: verb, path, operation }: Route): string {
  const keys = operation.security.flatMap((kind) => Object.keys(kind));
  const options = `options?: ${keys.length > 1 ? 'WebhookRequestOptions' : 'RequestOptions'}`;
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const query = queryOf(operation);
  const body = operation.requestBody && bodyOf(operation);
  const needsQuery = query.some(({ required }) => required);
  const parameters = [
    ...inPath.map((name) => `${camel(name)}: string`),
    ...(body ? [`body: ${body.name}${body.isOptional ? ' = {}' : ''}`] : []),
    ...(query.length > 0 ? [`query: ${queryName(operation.operationId)}${needsQuery ? '' : ' = {}'}`] : []),
    options,
  ];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => `\${segment('${camel(name)}', ${camel(name)})}`);
  const asked = [
    `method: '${verb}'`,
    `path: ${filled === path ? `'${path}'` : `\`${filled}\``}`,
    `keys: [${keys.map((key) => `'${key}'`).join(', ')}]`,
    ...(body ? ['body'] : []),
    ...(query.length > 0 ? ['query'] : []),
  ];
  const { type, call } = answerOf(operation);
  return `
  /**
${[operation.summary, '', ...operation.description.split('\n')].map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')}
   */
  ${methodName(operation)}(${parameters.join(', ')}): ${type} {
    return this.#transport.${call({ asked: `{ ${asked.join(', ')} }` })};
  }
`;
}

function answerOf(operation: Operation): { type: string; call: (given: { asked: string }) => string } {
  const { operationId } = operation;
  const content = operation.responses[200]?.content;
  const json = content?.['application/json'];
  if (!json) return { type: 'Promise<string>', call: ({ asked }) => `text(${asked}, options)` };
  const envelope = nameOf(json.schema.$ref ?? '');
  const data = schemaOf(document, json.schema).properties?.data;
  if (!envelope || !data)
    throw new Error(`${operationId}: the answer is not an envelope with a name. Give its schema one.`);
  const dataType = data.$ref ? nameOf(data.$ref) : `${envelope}['data']`;
  if (!queryOf(operation).some(({ name }) => name === 'cursor'))
    return { type: `Promise<${dataType}>`, call: ({ asked }) => `data(${asked}, options)` };
  // The entries are in the last array field. Other arrays come first, such as the bundles in the list of credits.
  const [name, list] = Object.entries(data.properties ?? {}).findLast(([, { type }]) => type === 'array') ?? [];
  if (!name || !list) throw new Error(`${operationId}: the answer has no list. Give it exactly one.`);
  return {
    type: `List<${list.items?.$ref ? nameOf(list.items.$ref) : `${dataType}['${name}'][number]`}, ${dataType}>`,
    call: ({ asked }) => `list(${asked}, '${name}', options)`,
  };
}

function bodyOf(operation: Operation): { name: string; isOptional: boolean } {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema?.$ref) throw new Error(`${operation.operationId}: the body is not JSON with a named schema. Name it.`);
  const isOptional = (schemaOf(document, schema).required ?? []).length === 0;
  return { name: nameOf(schema.$ref), isOptional };
}

function typesOf(operation: Operation): string[] {
  const answer = answerOf(operation).type.match(/\b[A-Z]\w+/g) ?? [];
  const own = answer.filter((name) => name in document.components.schemas);
  const query = queryOf(operation).length > 0 ? [queryName(operation.operationId)] : [];
  return [...own, ...query, ...(operation.requestBody ? [bodyOf(operation).name] : [])];
}

function eventsFile(): string {
  const names = Object.values(document.webhooks).map(({ post }) =>
    nameOf(post.requestBody?.content['application/json']?.schema.$ref ?? ''),
  );
  return `import type { ${names.toSorted().join(', ')} } from './schemas.ts';

/**
 * A webhook event with its \`id\`, which stays the same when the event is posted again. Ignore values of \`type\` that
 * you do not know, because more will be added.
 */
export type WebhookEvent = { readonly id: string } & (\n${names.map((name) => `  | ${name}`).join('\n')}\n);

/** The types of events that this version knows. */
export const webhookEventTypes = ${JSON.stringify(Object.keys(document.webhooks))} as const;\n`;
}

function queryOf({ parameters }: Operation): Operation['parameters'] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

/** Returns the noun in an operation's id, which consists of a noun and a verb: `transactionCloseRefund`. */
function nounOf({ operationId }: Operation): string {
  return operationId.replace(/[A-Z].*/, '');
}

function methodName(operation: Operation): string {
  const verb = operation.operationId.slice(nounOf(operation).length);
  return verb.charAt(0).toLowerCase() + verb.slice(1);
}

function className(noun: string): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}Operations`;
}

function queryName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
}
