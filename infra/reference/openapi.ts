import * as z from 'zod';
import { generalErrorsOf } from '../openapi/general-errors.ts';

/** The subset of JSON Schema that the reference uses. */
const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
});
export type Schema = z.infer<typeof Schema>;

const Content = z.record(
  z.string(),
  z.object({
    schema: Schema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ summary: z.string(), value: z.unknown() })).optional(),
  }),
);
export type Content = z.infer<typeof Content>;

const Parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  description: z.string(),
  required: z.boolean().default(false),
  schema: Schema,
  example: z.union([z.string(), z.number()]).optional(),
});
export type Parameter = z.infer<typeof Parameter>;

const Response = z.object({
  $ref: z.string().optional(),
  description: z.string().default(''),
  'x-error-codes': z.array(z.string()).default([]),
  content: Content.default({}),
});
type Response = z.infer<typeof Response>;

const Operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), Response),
});
export type Operation = z.infer<typeof Operation>;

const Document = z.object({
  info: z.object({ title: z.string(), summary: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.object({ post: Operation })),
  components: z.object({ schemas: z.record(z.string(), Schema), responses: z.record(z.string(), Response) }),
});
type Document = z.infer<typeof Document>;

/**
 * Parses the OpenAPI document. Adds `objects`: schemas with their own section, because they are used in several places.
 */
export const OpenApi = Document.transform((document) => ({ ...document, objects: objectsOf(document) }));
export type OpenApi = z.infer<typeof OpenApi>;

function objectsOf(document: Document): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const visit = (schema: Schema): void => {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref);
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      if (times > 1) return;
    }
    for (const child of childrenOf(schemaOf(document, schema))) visit(child);
  };
  for (const { operation } of routesOf(document)) {
    const data = dataOf(document, operation.responses[200]?.content);
    if (data) visit(data);
  }
  for (const { post } of Object.values(document.webhooks)) {
    const data = dataOf(document, post.requestBody?.content);
    if (data) visit(data);
  }
  return new Set([...seen].flatMap(([name, times]) => (times > 1 ? [name] : [])));
}

export function childrenOf({ properties = {}, items, ...schema }: Schema): Schema[] {
  return [...Object.values(properties), ...(items ? [items] : []), ...alternativesOf(schema)];
}

export function alternativesOf({ anyOf = [], oneOf = [] }: Schema): Schema[] {
  return [...anyOf, ...oneOf];
}

export function dataOf(document: Document, content: Content | undefined): Schema | undefined {
  const schema = content?.['application/json']?.schema;
  return schema && schemaOf(document, schema).properties?.data;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function routesOf({ paths }: Document): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function errorCodesOf(document: Document, { responses }: Operation): { status: string; code: string }[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    responseOf(document, response)['x-error-codes'].map((code) => ({ status, code })),
  );
}

/** Returns an operation's own error codes, without those implied by the kind of request. */
export function ownErrorCodesOf(document: Document, { method, path, operation }: Route) {
  const { security, requestBody, parameters } = operation;
  const general: readonly string[] = generalErrorsOf({
    method,
    path,
    hasKey: security.length > 0,
    hasBody: requestBody !== undefined,
    hasQuery: parameters.some((parameter) => parameter.in === 'query'),
  });
  return errorCodesOf(document, operation).filter(({ code }) => !general.includes(code));
}

export function schemaOf({ components }: Pick<Document, 'components'>, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : named(components.schemas, schema.$ref);
}

function responseOf({ components }: Document, response: Response): Response {
  return response.$ref === undefined ? response : named(components.responses, response.$ref);
}

export function exampleOf(content: Content[string] | undefined): unknown {
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
}

function named<Component>(components: Readonly<Record<string, Component>>, ref: string): Component {
  const component = components[nameOf(ref)];
  if (component === undefined) throw new Error(`The document has no ${ref}. Name its schema.`);
  return component;
}

export function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? '';
}
