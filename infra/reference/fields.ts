import { html } from 'hono/html';
import { PAGE_PARAMETERS } from '../../shared/runtime/http/pagination.ts';
import { inlineMarkdown } from './markdown.ts';
import {
  alternativesOf,
  childrenOf,
  dataOf,
  nameOf,
  type OpenApi,
  type Operation,
  type Parameter,
  routesOf,
  type Schema,
  schemaOf,
} from './openapi.ts';

export interface Field {
  readonly name: string;
  /** The type in prose, as Markdown: `string or null`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly limits: readonly string[];
  /** Possible values, if there are few and the description does not list them. */
  readonly values: readonly string[];
  readonly fields: readonly Field[];
}

/** Returns the fields of an object, or of a list's objects. Empty for an object with its own section. */
export function fieldsOf(document: OpenApi, given: Schema): Field[] {
  if (objectOf(document, given)) return [];
  const schema = schemaOf(document, given);
  const { properties = {}, required = [], items } = schema;
  const own = Object.entries(properties).map(([name, schema]) =>
    fieldOf(document, name, schema, required.includes(name)),
  );
  return [...own, ...[items, ...alternativesOf(schema)].flatMap((one) => (one ? fieldsOf(document, one) : []))];
}

/** Returns the parameters in the path or query. Omits parameters that the guides explain. */
export function parametersIn(document: OpenApi, { parameters }: Operation, place: Parameter['in']): Field[] {
  return parameters
    .filter((one) => one.in === place && !ofPages.includes(one.name))
    .map(({ name, schema: { pattern, ...schema }, required, description }) => ({
      ...fieldOf(document, name, { ...schema, ...(place === 'query' && { pattern }) }, required && place === 'query'),
      description,
    }));
}

const ofPages: readonly string[] = PAGE_PARAMETERS;

export function pageParametersOf({ parameters }: Operation): string {
  return parameters.some(({ name }) => ofPages.includes(name)) ? 'Paged as every [list](#pages-of-a-list).' : '';
}

function fieldOf(document: OpenApi, name: string, given: Schema, isRequired: boolean): Field {
  const branches = branchesOf(document, given);
  // A description next to a `$ref` applies to the field.
  const description = given.description ?? schemaOf(document, given).description ?? only(branches)?.description ?? '';
  const values = branches.flatMap(({ enum: values = [] }) => values.map(String));
  return {
    name,
    type: [...new Set(branches.flatMap((schema) => typesOf(document, schema)))].join(' or '),
    isRequired,
    description,
    limits: [...new Set([schemaOf(document, given), ...branches].flatMap(limitsOf))],
    values: values.every((value) => description.includes(`\`${value}\``)) ? [] : values,
    fields: fieldsOf(document, given),
  };
}

export function fieldsOfObject(document: OpenApi, name: string): Field[] {
  return fieldsOf(document, document.components.schemas[name] ?? {});
}

export function holdersOf(document: OpenApi, name: string): { id: string; title: string }[] {
  const isIn = (schema: Schema | undefined): boolean =>
    schema !== undefined &&
    (schema.$ref === undefined
      ? childrenOf(schema).some(isIn)
      : nameOf(schema.$ref) === name ||
        (!objectOf(document, schema) && childrenOf(schemaOf(document, schema)).some(isIn)));
  return [
    ...routesOf(document)
      .filter(({ operation }) => isIn(dataOf(document, operation.responses[200]?.content)))
      .map(({ operation }) => ({ id: operation.operationId, title: operation.summary })),
    ...Object.entries(document.webhooks)
      .filter(([, { post }]) => isIn(dataOf(document, post.requestBody?.content)))
      .map(([type, { post }]) => ({ id: post.operationId, title: type })),
    ...[...document.objects]
      .filter((object) => childrenOf(document.components.schemas[object] ?? {}).some(isIn))
      .map((object) => ({ id: object, title: object })),
  ];
}

/**
 * Returns the fields that have the same description in several places, keyed by name. The reference explains each of
 * them in one section.
 */
export function sharedFieldsOf(document: OpenApi): ReadonlyMap<string, Field> {
  const found = known.get(document) ?? shareFields(allFieldsOf(document));
  known.set(document, found);
  return found;
}

const known = new WeakMap<OpenApi, ReadonlyMap<string, Field>>();
/** Minimum characters to save by explaining a shared field only once. */
const MIN_SAVED_CHARACTERS = 60;

function shareFields(fields: readonly Field[]): ReadonlyMap<string, Field> {
  const same = Object.values(Object.groupBy(fields, ({ name, ...field }) => JSON.stringify([name, wordsOf(field)])));
  const worth = (group: readonly Field[]) => group.slice(1).reduce((sum, field) => sum + wordsOf(field).length, 0);
  const groups = same.flatMap((group = []) => (worth(group) < MIN_SAVED_CHARACTERS ? [] : [group]));
  return new Map(
    groups
      .toSorted((one, other) => worth(one) - worth(other))
      .flatMap(([field]) => (field ? [[field.name, field]] : [])),
  );
}

export function isShared(document: OpenApi, field: Field): boolean {
  const shared = sharedFieldsOf(document).get(field.name);
  return shared !== undefined && wordsOf(shared) === wordsOf(field);
}

function wordsOf({ description, values }: Pick<Field, 'description' | 'values'>): string {
  return [description, ...values].join(' ');
}

function allFieldsOf(document: OpenApi): Field[] {
  const schemas = [
    ...routesOf(document).flatMap(({ operation: { requestBody, responses } }) => [
      requestBody?.content['application/json']?.schema,
      dataOf(document, responses[200]?.content),
    ]),
    ...Object.values(document.webhooks).map(({ post }) => dataOf(document, post.requestBody?.content)),
    ...[...document.objects].map((name) => document.components.schemas[name]),
  ];
  const parameters = routesOf(document).flatMap(({ operation }) =>
    PLACES.flatMap(([place]) => parametersIn(document, operation, place)),
  );
  const within = (field: Field): Field[] => [field, ...field.fields.flatMap(within)];
  return [...parameters, ...schemas.flatMap((schema) => (schema ? fieldsOf(document, schema) : []))].flatMap(within);
}

export const PLACES = [
  ['path', 'In the path'],
  ['query', 'In the query'],
] as const;

export function objectOf({ objects }: OpenApi, { $ref }: Schema): string | undefined {
  return $ref !== undefined && objects.has(nameOf($ref)) ? nameOf($ref) : undefined;
}

function branchesOf(document: OpenApi, given: Schema): Schema[] {
  if (objectOf(document, given)) return [given];
  const schema = schemaOf(document, given);
  const alternatives = alternativesOf(schema);
  return alternatives.length > 0 ? alternatives.flatMap((one) => branchesOf(document, one)) : [schema];
}

function typesOf(document: OpenApi, given: Schema): string[] {
  const object = objectOf(document, given);
  if (object) return [`[${object}](#${object})`];
  const { type = 'any', const: value, items, format } = given;
  if (value !== undefined) return [JSON.stringify(value)];
  const types = typeof type === 'string' ? [type] : type;
  return types.map((one) => {
    if (one === 'array' && items)
      return `list of ${[...new Set(branchesOf(document, items).flatMap((item) => typesOf(document, item).map(plural)))].join(' or ')}`;
    return one === 'string' && format ? (FORMATS[format] ?? one) : one;
  });
}

/** Returns the plural of a type's name. Links to objects stay unchanged. */
function plural(type: string): string {
  return type.startsWith('[') ? type : `${type}s`;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time',
  uri: 'address',
  uuid: 'UUID',
  email: 'e-mail address',
};

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, maxItems, default: standard, pattern, format } = schema;
  const limits = [
    minimum !== undefined && maximum !== undefined
      ? `${figure(minimum)} to ${figure(maximum)}`
      : (minimum !== undefined && `at least ${figure(minimum)}`) ||
        (maximum !== undefined && `at most ${figure(maximum)}`),
    maxLength !== undefined && `${minLength ? `${figure(minLength)} to` : 'at most'} ${figure(maxLength)} characters`,
    maxItems !== undefined && `at most ${figure(maxItems)} of them`,
    // A format says the same in fewer words.
    pattern !== undefined && format === undefined && `like \`${pattern}\``,
    standard !== undefined && standard !== '' && `\`${standard}\` if left out`,
  ];
  return limits.filter((limit) => typeof limit === 'string');
}

function figure(value: number): string {
  return value.toLocaleString('en');
}

function only<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined;
}

interface Shown {
  readonly required: boolean;
  readonly shared?: boolean;
}

/** Renders fields and their descriptions. A field's URL fragment is `id.name`. */
export function fieldList(document: OpenApi, id: string, fields: readonly Field[], shown: Shown): Html {
  return html`<ul class="params" role="list">${fields.map((field) => item(document, `${id}.${field.name}`, field, shown))}</ul>`;
}

export type Html = ReturnType<typeof html>;

function item(document: OpenApi, id: string, field: Field, shown: Shown): Html {
  const { name, type, isRequired, limits, fields } = field;
  const isElsewhere = !shown.shared && isShared(document, field);
  const { description, values } = isElsewhere ? { description: '', values: [] } : field;
  return html`<li id="${id}">
<p>${isElsewhere ? html`<a href="#shared.${name}"><code class="name">${name}</code></a>` : html`<code class="name">${name}</code>`} <span class="hint">${[type, ...limits].map((text, index) => html`${index > 0 && ', '}${inlineMarkdown(text)}`)}</span>${isRequired && shown.required && html` <b class="required">required</b>`}</p>
${description && html`<p>${inlineMarkdown(description)}</p>`}
${values.length > 0 && html`<p class="hint">One of ${values.map((value, index) => html`${index > 0 && ', '}<code>${value}</code>`)}</p>`}
${fields.length > 0 && fieldList(document, id, fields, shown)}
</li>`;
}
