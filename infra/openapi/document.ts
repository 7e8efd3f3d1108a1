import * as z from 'zod/mini';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { rights } from '../../functions/rights.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { keyPrefixes } from '../../shared/merchants/merchant/api-key.ts';
import { EXAMPLE_BASE_URL } from '../../shared/pages/docs/text-with-address.ts';
import { ANSWER_KEPT_SECONDS, MAX_KEY_CHARACTERS } from '../../shared/runtime/http/idempotency.ts';
import { type DocumentedEvent, htmlAnswer, type Operation, type Tag } from '../../shared/runtime/http/operation.ts';
import type { Parameter } from '../../shared/runtime/http/query-parameters.ts';
import { Livemode, PageMeta } from '../../shared/runtime/http/responses.ts';
import { type HttpRow, keyKindsOf, type Rights, type RouteKey } from '../../shared/runtime/triggers/row.ts';
import { HOUR_SECONDS } from '../../shared/runtime/values/calendar.ts';
import { answer } from '../../shared/runtime/values/described.ts';
import type { ErrorCode } from '../../shared/runtime/values/errors.ts';
import type { DocumentedRoute } from './documented-routes.ts';
import { examplesOf, Failures } from './failures.ts';
import { type Asked, generalErrorsOf, isRepeatable } from './general-errors.ts';

export function openApiDocument(
  routes: readonly DocumentedRoute[],
  events: Readonly<Record<string, DocumentedEvent>>,
): ReturnType<typeof createDocument> {
  const failures = new Failures();
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { name, row, operation } of routes) {
    if ('leftOut' in operation) continue;
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operationOf(name, row, operation, failures) };
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Momo Kiosk',
        version: packageJson.version,
        summary: 'Mobile-money checkout and SMS from an ordinary number.',
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: EXAMPLE_BASE_URL }],
      tags: Object.entries(tags).map(([tag, description]) => ({ name: tag, description })),
      paths,
      webhooks: Object.fromEntries(Object.entries(events).map(([type, event]) => [type, webhookOf(type, event)])),
      components: { securitySchemes },
    },
    {
      // The description of `metadata` is on the surrounding pipe.
      allowEmptySchema: { custom: true },
      // Response schemas must allow fields that later releases add.
      override: ({ jsonSchema, io }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        // JavaScript's range of safe integers is not a limit on the field.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        withoutAnyOfNull(jsonSchema);
        withoutConstantBoolean(jsonSchema);
      },
    },
  );
}

/** Kept short, because some generators copy the description into every file. */
const DESCRIPTION = `
Every request under \`/api\` needs \`Authorization: Bearer\` and a key: \`sk_live_…\` for charges, \`sk_sms_…\` for texts, \`sk_test_…\` and
\`sk_sms_test_…\` to try both. Amounts are in cedis (GHS), not pesewas. What else applies to every route, and what each error code
means, is in the reference, [as a page](${EXAMPLE_BASE_URL}/docs) and [as Markdown](${EXAMPLE_BASE_URL}/docs.md).
`.trim();

/** Tag for webhook events, which no route uses. Generators write a file for each tag. */
export const EVENTS = 'Events';

/**
 * Writes nullable types as a list in `type`. Components and enums become a `oneOf`, because they do not allow such a
 * list. Python's generator fails on an `anyOf` with null. After a `oneOf` of null and a plain type, that generator
 * treats other fields of the type as nullable.
 */
function withoutAnyOfNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, none, ...more] = schema.anyOf ?? [];
  if (!value || none?.type !== 'null' || more.length > 0) return;
  delete schema.anyOf;
  if (value.$ref === undefined && value.enum === undefined)
    Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] });
  else schema.oneOf = [value, none];
}

/**
 * Replaces a constant boolean with a description. Otherwise, the generated Java client would not compile, and the PHP
 * client would reject the response.
 */
function withoutConstantBoolean(schema: z.core.JSONSchema.BaseSchema): void {
  if (typeof schema.const !== 'boolean') return;
  schema.description ??= `Always \`${schema.const}\`.`;
  delete schema.const;
}

const tags: Readonly<Record<Tag | typeof EVENTS, string>> = {
  Charges: 'A charge has a hosted checkout page, where a customer pays with mobile money.',
  Texts: 'SMS from an ordinary number, through a phone.',
  'Payment links': 'Pages where anybody can open and pay a charge: selling without a server.',
  'Payment requests':
    'Ask one customer for an amount: at once, in parts or each month, with reminders, until it has arrived in full.',
  Receipts: 'Payments that arrived, as reported by the network’s texts, including those that matched no charge.',
  Wallets: 'Your MoMo numbers.',
  'Your webhook': 'The address where your server receives events.',
  [EVENTS]: `Posted to your webhook. [Verify each event](${EXAMPLE_BASE_URL}/docs#webhooks) before you believe it. \`wallet.*\` is not sent for a number that several merchants share.`,
  'Test mode': 'Requests that need a test key. See the guide to test mode.',
  Checkout: 'Pages for a customer’s browser. Your server only passes on the addresses.',
  Reference: 'This reference.',
};

const securitySchemes = {
  live: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A secret key that starts with `sk_live_`, or `sk_test_` for tests: charges, receipts and the webhook for all events.',
  },
  sms: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A secret key that starts with `sk_sms_`, or `sk_sms_test_` for tests: texts, credits and a webhook for their events.',
  },
} as const;

function operationOf(name: string, row: HttpRow, operation: Operation, failures: Failures): ZodOpenApiOperationObject {
  const { tag, summary, description, body, success, otherAnswers } = operation;
  const kinds = keyKindsOf(row);
  const asked = askedOf(row, operation);
  const id = name.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: row.key ? `${description}\n\n${requiredKey(name, row)}` : description,
    security: kinds.map((kind) => ({ [kind]: [] })),
    parameters: [
      ...Object.entries(operation.path).map(([parameter, it]) => parameterOf('path', parameter, it)),
      ...Object.entries(operation.query ?? {}).map(([parameter, it]) => parameterOf('query', parameter, it)),
      ...(isRepeatable(asked) ? [parameterOf('header', 'Idempotency-Key', idempotencyKey)] : []),
    ],
    ...(body && {
      requestBody: {
        required: !z.safeParse(body.schema, {}).success,
        content: {
          'application/json': { schema: body.schema, ...examplesOf(body.examples) },
          ...(body.form && { 'application/x-www-form-urlencoded': { schema: body.schema } }),
        },
      },
    }),
    responses: {
      ...(success && { 200: successOf(`${capitalised(id)}Response`, success, isRepeatable(asked)) }),
      ...otherAnswers,
      ...failures.of(errorsOf(name, row, operation), operation.errorPage ?? false),
    },
  };
}

function requiredKey(name: string, row: HttpRow & { readonly key: RouteKey }): string {
  const mode = name.startsWith('test/') ? 'test' : 'real';
  const prefixes = keyKindsOf(row).map((kind) => `\`${keyPrefixes[kind][mode]}…\``);
  return `Key: ${prefixes.join(' or ')} with \`${row.needs}\`.`;
}

const idempotencyKey: Parameter = {
  description: `Makes the request safe to repeat: for ${ANSWER_KEPT_SECONDS / HOUR_SECONDS} hours a repeat gets the first response and has no second effect. Any 1 to ${MAX_KEY_CHARACTERS} printable ASCII characters, ideally a UUID per operation.`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARACTERS },
  example: '6f1c2a9e-0d4b-4c61-9f27-5f1f0a3f8f55',
};

function parameterOf(place: 'path' | 'query' | 'header', name: string, { description, schema, example }: Parameter) {
  return {
    in: place,
    name,
    description,
    schema: { ...schema },
    ...(place === 'path' && { required: true }),
    ...(example !== undefined && { example }),
  };
}

function successOf(
  id: string,
  success: NonNullable<Operation['success']>,
  hasReplays: boolean,
): ZodOpenApiResponseObject {
  const { message, data, example, isPage, pageForForm } = success;
  const envelope = { status: z.literal(true), message: z.string(), data };
  return {
    description: message,
    ...(hasReplays && {
      headers: {
        'Idempotent-Replayed': {
          description: '`true` if the response is that of an earlier request with the same key.',
          schema: { type: 'string', const: 'true' },
        },
      },
    }),
    content: {
      'application/json': {
        schema: answer(id, isPage ? { ...envelope, meta: PageMeta } : envelope),
        example: { status: true, message, data: example, ...(isPage && { meta: { next: null, per_page: 50 } }) },
      },
      ...(pageForForm && htmlAnswer(message).content),
    },
  };
}

const grants: Readonly<Record<string, Rights>> = rights;

/** Combines a route's own errors with those implied by its manifest row, rights and input. */
function errorsOf(name: string, row: HttpRow, operation: Operation): ErrorCode[] {
  const general = generalErrorsOf(askedOf(row, operation));
  return [
    ...new Set<ErrorCode>([...(operation.errors ?? []), ...general, ...(grants[name]?.table ? ['busy' as const] : [])]),
  ];
}

function askedOf({ key, method, path }: HttpRow, { body, query }: Operation): Asked {
  return { method, path, hasKey: key !== undefined, hasBody: body !== undefined, hasQuery: query !== undefined };
}

function webhookOf(
  type: string,
  { summary, description, data, example }: DocumentedEvent,
): ZodOpenApiPathsObject[string] {
  const timestamp = '2026-11-20T08:30:00.000Z';
  const name = capitalised(type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()));
  return {
    post: {
      operationId: `on${name}`,
      tags: [EVENTS],
      summary,
      description,
      security: [],
      parameters: Object.entries(signatureHeaders).map(([header, parameter]) => ({
        ...parameterOf('header', header, parameter),
        required: true,
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: answer(`${name}Event`, {
              type: z.literal(type),
              timestamp: z.string().check(
                z.meta({
                  format: 'date-time',
                  description: 'When it happened, as `created_at` in the list of events.',
                }),
              ),
              livemode: Livemode,
              data,
            }),
            example: { type, timestamp, livemode: true, data: example },
          },
        },
      },
      responses: {
        '2XX': {
          description: 'Delivered. Respond within 15 seconds; the body is only kept for you to inspect.',
        },
        410: { description: 'You want no more events: the webhook is disabled.' },
        default: { description: 'Delivery is retried: see Webhooks.' },
      },
    },
  };
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const signatureHeaders: Readonly<Record<string, Parameter>> = {
  'webhook-id': {
    description: 'The event’s id, which is the same in every attempt: treat a repeated id as the same event.',
    schema: { type: 'string' },
    example: 'evt_9f86d081884c7d659a2feaa0c55ad015',
  },
  'webhook-timestamp': {
    description: 'When this attempt was made, in seconds since 1970. Refuse requests older than five minutes.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1795163400',
  },
  'webhook-signature': {
    description:
      '`v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` keyed with the secret’s bytes; several, separated by spaces, for 24 hours after the secret was rolled.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
};
