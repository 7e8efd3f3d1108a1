import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { manifest } from '../../../functions/manifest.ts';
import { documentedRoutes, eventDocumentation } from '../../../infra/openapi/documented-routes.ts';
import { failureExample } from '../../../infra/openapi/failures.ts';
import { introduction } from '../../../infra/openapi/introduction.ts';
import { dataOf, OpenApi, routesOf, schemaOf } from '../../../infra/reference/openapi.ts';
import { keyKindsOf, type Row } from '../../../shared/runtime/triggers/row.ts';
import { type ErrorCode, errorCodes, statusOfCode } from '../../../shared/runtime/values/errors.ts';
import { checkEach } from '../../support/check-each.ts';
import { referenceDocument, requireDocumented, requireDocumentedEvent } from '../../support/reference.ts';
import { loadRoute } from '../../support/routes.ts';

const document = JSON.parse(JSON.stringify(referenceDocument));
const text = JSON.stringify(document);
const operations = Object.values<Record<string, NamedOperation>>(document.paths).flatMap((path) => Object.values(path));

test('every route is documented or excluded for a stated reason', () => {
  const described = Object.entries<Record<string, object>>(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const leftOut = documentedRoutes.flatMap(({ row, operation }) =>
    'leftOut' in operation ? [`${row.method} ${row.path}`] : [],
  );
  const routes = Object.values<Row>(manifest).flatMap((row) =>
    row.on === 'http' ? [`${row.method} ${row.path}`] : [],
  );
  expect([...described, ...leftOut].sort()).toEqual(routes.sort());
  expect(leftOut).toEqual(['POST /callback/smsgate/{gateway}', 'POST /callback/forwarder/{phone}']);
});

test('each operation lists its route’s keys, path parameters and Idempotency-Key header', () => {
  for (const { row, operation } of documentedRoutes) {
    if ('leftOut' in operation) continue;
    const { security, parameters } = document.paths[row.path][row.method.toLowerCase()];
    expect(security.flatMap(Object.keys)).toEqual(keyKindsOf(row));
    const inPath = parameters
      .filter((it: { in: string }) => it.in === 'path')
      .map((it: { name: string }) => `{${it.name}}`);
    expect(inPath).toEqual(row.path.match(/\{\w+\}/g) ?? []);
    const isRepeatable = parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key');
    expect(isRepeatable).toBe(row.key !== undefined && row.method === 'POST');
  }
});

test('every error code has a status, meaning and advice', () => {
  for (const code of errorCodes) {
    expect(introduction).toMatch(
      new RegExp(`^\\| \`${code}\` \\| ${statusOfCode[code]} \\| \\w.+\\. \\| \\w.+\\. \\|$`, 'm'),
    );
  }
});

describe('a documented body', () => {
  const documented = documentedRoutes.flatMap(({ name, operation }) =>
    'body' in operation && operation.body ? [{ name, body: operation.body }] : [],
  );

  test('has the schema that parses requests', () =>
    checkEach(documented, async ({ name, body }) => {
      expect((await loadRoute(name)).body).toBe(body.schema);
    }));

  test('has valid examples', () =>
    checkEach(documented, ({ body }) => {
      for (const [name, { value }] of Object.entries(body.examples))
        expect(z.safeParse(body.schema, value).error, name).toBeUndefined();
    }));

  test('limits the length of each list, so that parsing stops there', () =>
    checkEach(documented, ({ body }) => {
      const schemas = schemasIn(z.toJSONSchema(body.schema, { io: 'input', unrepresentable: 'any' }));
      expect(schemas.filter(({ type, maxItems }) => type === 'array' && maxItems === undefined)).toEqual([]);
    }));
});

test('every route with a body has a documented body', async () => {
  for (const { name, operation } of documentedRoutes) {
    if ((await loadRoute(name)).body && !('leftOut' in operation)) expect(operation).toHaveProperty('body');
  }
});

test('example responses match the document', () => {
  for (const { row, operation } of documentedRoutes) {
    const { responses } =
      'leftOut' in operation ? { responses: {} } : document.paths[row.path][row.method.toLowerCase()];
    for (const [status, given] of Object.entries<{ $ref?: string }>(responses)) {
      const response = given.$ref ? document.components.responses[given.$ref.split('/').at(-1) ?? ''] : given;
      const json = response.content?.['application/json'];
      const examples: { value: unknown }[] = json?.example
        ? [{ value: json.example }]
        : Object.values(json?.examples ?? {});
      if (json && row.path !== '/openapi.json') expect(examples).not.toEqual([]);
      for (const { value } of examples) {
        const answer = { status: Number(status), contentType: 'application/json', text: JSON.stringify(value) };
        requireDocumented(row.method, row.path.replace(/\{\w+\}/g, 'x'), answer);
      }
    }
  }
});

describe('the document for client generators', () => {
  const schemas = schemasIn(document);

  test('has one schema for all errors', () => {
    const errors = Object.values<{ 'x-error-codes': string[]; content: Content }>(document.components.responses);
    expect(errors.length).toBeGreaterThan(20);
    for (const { content, ...response } of errors) {
      expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
      expect(response['x-error-codes'].length).toBeGreaterThan(0);
    }
    for (const operation of operations)
      for (const [status, response] of Object.entries(operation.responses))
        if (Number(status) >= 400 && !response.content?.['text/html'])
          expect(response).toEqual({ $ref: expect.stringContaining('/components/responses/') });
    expect(schemas.filter(({ properties = {} }) => 'doc_url' in properties)).toHaveLength(1);
  });

  test('has one schema for all responses with a charge', () => {
    expect(schemas.filter(({ properties = {} }) => 'overpaid' in properties)).toHaveLength(1);
    expect(text.split('"data":{"$ref":"#/components/schemas/Charge"}').length - 1).toBeGreaterThan(10);
  });

  test('has no schema name that conflicts with a Go constructor', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toContain('Charge');
    expect(names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New'))).toEqual([]);
  });

  test('has no boolean that is limited to one value', () => {
    const isBoolean = ({ const: one, enum: values = [] }: Schema) =>
      [one, ...values].some((it) => typeof it === 'boolean');
    expect(schemas.filter(isBoolean)).toEqual([]);
  });

  test('has a short description', () => {
    expect(document.info.description.length).toBeLessThan(1000);
  });

  test('has a named schema for every response and event', () => {
    for (const { operationId, responses } of operations) {
      const schema = responses[200]?.content?.['application/json']?.schema;
      if (operationId === 'docsOpenapi' || !schema) continue;
      expect(schema.$ref?.toLowerCase()).toBe(`#/components/schemas/${operationId}Response`.toLowerCase());
    }
    for (const { post } of Object.values<{ post: { requestBody: { content: Content } } }>(document.webhooks))
      expect(post.requestBody.content['application/json'].schema.$ref).toMatch(/Event$/);
  });

  test('has a unique name for each operation', () => {
    const events = Object.values<{ post: NamedOperation }>(document.webhooks).map(({ post }) => post);
    const fileOf = (tag: string) => tag.toLowerCase().replace(/\W/g, '');
    const files = new Set(operations.flatMap(({ tags }) => tags.map(fileOf)));
    expect(events.flatMap(({ tags }) => tags).filter((tag) => files.has(fileOf(tag)))).toEqual([]);
    const ids = [...operations, ...events].map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
  });

  test('never uses anyOf for null', () => {
    const isNull = ({ type }: Schema) => type === 'null';
    expect(schemas.filter(({ anyOf = [] }) => anyOf.some(isNull))).toEqual([]);
    expect(schemas.filter(({ enum: values = [] }) => values.includes(null))).toEqual([]);
    const nullable = schemas.filter(({ oneOf }) => oneOf);
    expect(nullable.length).toBeGreaterThan(5);
    for (const { oneOf: [value, none] = [] } of nullable)
      expect({ value: value?.$ref ?? value?.enum, none }).toEqual({ value: expect.anything(), none: { type: 'null' } });
  });
});

interface Content {
  'application/json': { schema: Schema };
  'text/html'?: object;
}
interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: object;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface NamedOperation {
  operationId: string;
  tags: string[];
  responses: Record<string, { content?: Content }>;
}

/** Returns every value in the document that may be a schema. */
function schemasIn(value: unknown): Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(schemasIn)];
}

test('every event type has signature headers and a valid example', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventDocumentation));
  for (const { post } of Object.values<{ post: { parameters: { name: string }[]; requestBody: Body } }>(
    document.webhooks,
  )) {
    expect(post.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    requireDocumentedEvent(JSON.stringify(post.requestBody.content['application/json'].example));
  }
});
interface Body {
  content: { 'application/json': { example: object } };
}

test('every field in the document has a type', () => {
  const empty = [...text.matchAll(/"(\w+)":\{\}/g)].map(([, name]) => name);
  // `webhook/remove` returns no data.
  expect(new Set(empty)).toEqual(new Set(['properties', 'data']));
});

describe('validating responses against the document', () => {
  const delivered = eventDocumentation['sms.delivered'].example;
  const answer = (change: object, status = 200) => ({
    status,
    contentType: 'application/json; charset=utf-8',
    text: JSON.stringify({ status: true, message: 'SMS found', data: { ...delivered, ...change } }),
  });
  const check = (it: ReturnType<typeof answer>) => () => requireDocumented('GET', '/api/v1/sms/x', it);

  test('accepts valid responses', () => {
    expect(check(answer({}))).not.toThrow();
  });
  test.each([
    ['an additional field', { secret: 1 }],
    ['a missing field', { segments: undefined }],
    ['a value of the wrong type', { segments: '1' }],
    ['a value outside the list', { status: 'lost' }],
    ['an invalid time', { created_at: 'yesterday' }],
  ])('rejects a response with %s', (_, change) => {
    expect(check(answer(change))).toThrow('is not as documented');
  });
  test('rejects a successful status with a failure in the body', () => {
    expect(check({ ...answer({}), text: answer({}).text.replace('true', 'false') })).toThrow('says false');
  });
  test('rejects an undocumented error code', () => {
    const error = (code: ErrorCode) => ({ ...answer({}, 404), text: JSON.stringify(failureExample(code)) });
    expect(check(error('not_found'))).not.toThrow();
    expect(check(error('charge_reversed'))).toThrow('does not document charge_reversed of GET /api/v1/sms/{id} 404');
  });
  test('rejects an undocumented status or content type', () => {
    expect(check(answer({}, 418))).toThrow('does not document GET /api/v1/sms/{id} 418');
    expect(check({ ...answer({}), contentType: 'text/html' })).toThrow('does not document text/html');
  });
});

test('the cursor is placed after the last list in a response', () => {
  const reference = OpenApi.parse(document);
  const paged = routesOf(reference).filter(({ operation }) =>
    operation.parameters.some(({ name }) => name === 'cursor'),
  );
  expect(paged.length).toBeGreaterThan(5);
  for (const { operation } of paged) {
    const data = dataOf(reference, operation.responses[200]?.content);
    const lists = Object.values(schemaOf(reference, data ?? {}).properties ?? {}).filter(
      ({ type }) => type === 'array',
    );
    const entry = schemaOf(reference, lists.at(-1)?.items ?? {});
    expect(Object.keys(entry.properties ?? {}), operation.operationId).toContainEqual(
      expect.stringMatching(/^(created|received)_at$/),
    );
  }
});
