import * as z from 'zod';

/** The part of JSON Schema that the reference is written in. */
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
  content: Content.default({}),
});
export type Response = z.infer<typeof Response>;

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

/** What the page of the reference is made from: the OpenAPI document, as a program would read it. */
export const OpenApi = z.object({
  info: z.object({ title: z.string(), summary: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.object({ post: Operation })),
  components: z.object({ schemas: z.record(z.string(), Schema), responses: z.record(z.string(), Response) }),
});
export type OpenApi = z.infer<typeof OpenApi>;

/** What a `$ref` names, or the schema itself. */
export function schemaOf({ components }: OpenApi, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : named(components.schemas, schema.$ref);
}

/** What a `$ref` names, or the response itself. */
export function responseOf({ components }: OpenApi, response: Response): Response {
  return response.$ref === undefined ? response : named(components.responses, response.$ref);
}

/** A content's first example. */
export function exampleOf(content: Content[string] | undefined): unknown {
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
}

function named<Component>(components: Readonly<Record<string, Component>>, ref: string): Component {
  const component = components[ref.split('/').at(-1) ?? ''];
  if (component === undefined) throw new Error(`The document has no ${ref}`);
  return component;
}
