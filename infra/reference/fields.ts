import { html } from 'hono/html';
import { inlineMarkdown } from './markdown.ts';
import {
  alternativesOf,
  childrenOf,
  dataOf,
  nameOf,
  type OpenApi,
  type Parameter,
  routesOf,
  type Schema,
  schemaOf,
} from './openapi.ts';

/** A field of a body or an answer, or a parameter, as a reader sees it. */
export interface Field {
  readonly name: string;
  /** In words, as Markdown: `string or null`. */
  readonly type: string;
  readonly isRequired: boolean;
  /** Markdown. */
  readonly description: string;
  /** In words: `at most 100 characters`. */
  readonly limits: readonly string[];
  /** The values that it can have, if they are few. */
  readonly values: readonly string[];
  /** Of an object, or of the objects in a list. */
  readonly fields: readonly Field[];
}

/** The fields of an object, or of the objects in a list; none of one that stands elsewhere. */
export function fieldsOf(document: OpenApi, given: Schema): Field[] {
  if (objectOf(document, given)) return [];
  const schema = schemaOf(document, given);
  const { properties = {}, required = [], items } = schema;
  const own = Object.entries(properties).map(([name, schema]) =>
    fieldOf(document, name, schema, required.includes(name)),
  );
  return [...own, ...[items, ...alternativesOf(schema)].flatMap((one) => (one ? fieldsOf(document, one) : []))];
}

export function fieldOfParameter(document: OpenApi, { name, schema, required, description }: Parameter): Field {
  return { ...fieldOf(document, name, schema, required), description };
}

function fieldOf(document: OpenApi, name: string, given: Schema, isRequired: boolean): Field {
  const branches = branchesOf(document, given);
  return {
    name,
    type: [...new Set(branches.flatMap((schema) => typesOf(document, schema)))].join(' or '),
    isRequired,
    // A description beside a reference is the field's own.
    description: given.description ?? schemaOf(document, given).description ?? only(branches)?.description ?? '',
    limits: [...new Set([schemaOf(document, given), ...branches].flatMap(limitsOf))],
    values: branches.flatMap(({ enum: values = [] }) => values.map(String)),
    fields: fieldsOf(document, given),
  };
}

/** The fields of an object with a section of its own. */
export function fieldsOfObject(document: OpenApi, name: string): Field[] {
  return fieldsOf(document, document.components.schemas[name] ?? {});
}

/** The operations, events and objects that contain an object, themselves or in a list. */
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

/** The name of an object with a section of its own, which a schema refers to. */
export function objectOf({ objects }: OpenApi, { $ref }: Schema): string | undefined {
  return $ref !== undefined && objects.has(nameOf($ref)) ? nameOf($ref) : undefined;
}

/** The alternatives of a schema. */
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

/** A name stays as it is. */
function plural(type: string): string {
  return type.startsWith('[') ? type : `${type}s`;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time',
  uri: 'address',
  uuid: 'UUID',
  email: 'e-mail address',
};

function limitsOf({ minimum, maximum, minLength, maxLength, maxItems, default: standard, pattern }: Schema): string[] {
  const limits = [
    minimum !== undefined && maximum !== undefined
      ? `${figure(minimum)} to ${figure(maximum)}`
      : (minimum !== undefined && `at least ${figure(minimum)}`) ||
        (maximum !== undefined && `at most ${figure(maximum)}`),
    maxLength !== undefined && `${minLength ? `${figure(minLength)} to` : 'at most'} ${figure(maxLength)} characters`,
    maxItems !== undefined && `at most ${figure(maxItems)} of them`,
    pattern !== undefined && `like \`${pattern}\``,
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

/** Fields with what they mean, each with an address: `id`, a dot and its name. `required` says which must be there. */
export function fieldList(id: string, fields: readonly Field[], { required }: { required: boolean }): Html {
  return html`<ul class="fields" role="list">${fields.map((field) => item(`${id}.${field.name}`, field, required))}</ul>`;
}

export type Html = ReturnType<typeof html>;

function item(
  id: string,
  { name, type, isRequired, description, limits, values, fields }: Field,
  required: boolean,
): Html {
  return html`<li id="${id}">
<p><code class="name">${name}</code> <span class="type">${[type, ...limits].map((text, index) => html`${index > 0 && ', '}${inlineMarkdown(text)}`)}</span>${isRequired && required && html` <b class="required">required</b>`}</p>
${description && html`<p>${inlineMarkdown(description)}</p>`}
${values.length > 0 && html`<p class="type">One of ${values.map((value, index) => html`${index > 0 && ', '}<code>${value}</code>`)}</p>`}
${fields.length > 0 && fieldList(id, fields, { required })}
</li>`;
}
