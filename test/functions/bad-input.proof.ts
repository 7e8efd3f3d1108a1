import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../shared/runtime/http/answer.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import { parseLossless } from '../../shared/runtime/values/json.ts';
import { checkEach } from '../support/check-each.ts';
import { reportFigure } from '../support/figures.ts';
import { requireDocumented } from '../support/reference.ts';
import { httpRoutes, keysFor, loadRoute, pathWith } from '../support/routes.ts';
import { scene } from '../support/scene.ts';
import { runsOf } from '../support/slice.ts';
import { httpEvent } from '../support/world.ts';

const world = await scene({ inMemory: true });
await world.createSender('+233241234567');
const merchant = await world.createMerchant({ credits: 1_000_000 });
let tried = 0;

/** Valid bodies per route, with each field as JSON text. */
const goodBodies: Record<string, Record<string, string>> = {
  'transaction/initialize': {
    amount: '36.5',
    email: '"ama@example.com"',
    customer_name: '"Ama"',
    customer_phone: '"0551112222"',
    callback_url: '"https://shop.example.com/paid"',
    description: '"Shoes"',
    metadata: '{"order":7}',
  },
  'sms/send': { to: '["0551112223"]', message: '"Hello"', from: '"random"', metadata: '{"order":7}' },
  'verify/start': {
    to: '"0551112223"',
    length: '8',
    expires_in: '300',
    message: '"{name}: {code}, for {life}"',
    from: '"random"',
  },
  'verify/check': { id: '"019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00"', code: '"123456"' },
  'receipt/assign': { reference: '"MK-0123456789"' },
  'transaction/refund': { amount: '12.5', reason: '"Out of stock"' },
  'transaction/close-refund': { outcome: '"sent"' },
  'webhook/set': { url: '"https://shop.example.com/hooks"' },
  'checkout/claim': { transaction_id: '"50000000001"', name: '"Kofi Mensah"' },
  'checkout/ask-for-code': { phone: '"0209876543"' },
  'checkout/confirm-code': { phone: '"0209876543"', code: '"123456"' },
  'callback/forwarder': {
    sent_at: '"2026-06-22T15:46:11Z"',
    from: '"MobileMoney"',
    to: '1',
    received_at: '1782143171000',
    text: '"hello"',
    signature: `"${'0'.repeat(64)}"`,
  },
  'callback/smsgate': { id: '"1"', event: '"sms:received"', deviceId: '"device-1"', payload: '{"message":"hello"}' },
};

/** JSON values that commonly break services. */
const HURTFUL = [
  ...['1e400', '-1e400', '-0', '0', '0.30000000000000004', '100000.001', '100000', '0.01', '0.001', '1e-7', '1.10'],
  ...['12345678901234567890', '9007199254740993', '1e2', '-5', '36.555', 'null', 'true', '[]', '{}', '""', '" "'],
  ...['"36"', '"NaN"', '["0551112223",null]', '[["0551112223"]]', '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"'],
  ...['"\\u202e0551112223"', '"\\u200f0551112223"', '"0551112223\\u200b"', '"+233 (55) 111-2223"', '"٠٥٥١١١٢٢٢٣"'],
  ...['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '{"toString":1}', '{"":""}'],
  ...[
    '{"a":1,"a":2}',
    '{"length":9e9}',
    '"https://user:pass@example.com"',
    '"https://[::1]/"',
    '"https://{shop.example.com/hooks"',
    '"https://shop.example.com/{id}|é"',
    '"javascript:alert(1)"',
  ],
  ...[nested('[', ']', 99), nested('[', ']', 101), nested('[', ']', 5_000), nested('{"a":', '}', 5_000)],
  ...[text('😀', 1000), text('😀', 1001), text('a', 20_000), `[${'"0551112223",'.repeat(60)}"0551112223"]`],
  ...[`{"big":${text('x', 16_384)}}`, '"a@b"', '"\'; DROP TABLE"', '"<script>alert(1)</script>"', '"MK-0000000000 "'],
];

const hurtful = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HURTFUL) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((value) => JSON.stringify(value)) },
);

/** Generates broken variations of a route's valid body. */
function bodies(fields: Record<string, string>): fc.Arbitrary<string> {
  const names = Object.keys(fields);
  const changes = fc.array(
    fc.record({
      name: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...names) },
        fc.constantFrom('__proto__', 'constructor', ''),
      ),
      how: fc.constantFrom('replace', 'replace', 'replace', 'double', 'drop'),
      value: hurtful,
    }),
    { minLength: 1, maxLength: 3 },
  );
  const changed = changes.map((list) => {
    const entries = Object.entries(fields).filter(
      ([name]) => !list.some((change) => change.name === name && change.how !== 'double'),
    );
    for (const { name, how, value } of list) if (how !== 'drop') entries.push([name, value]);
    return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
  });
  const typedInto = fc
    .tuple(
      changed,
      fc.nat(),
      fc.nat(20),
      fc.oneof(fc.constantFrom('\u0000', '\ufeff', '"', '{', '\\', ','), fc.string()),
    )
    .map(([body, at, length, typed]) => {
      const start = at % (body.length + 1);
      return body.slice(0, start) + typed + body.slice(start + length);
    });
  return fc.oneof(
    { weight: 6, arbitrary: changed },
    { weight: 2, arbitrary: typedInto },
    { weight: 1, arbitrary: hurtful },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );
}

const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  fc.constantFrom('', 'text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'x', '/'),
);
const headerValue = fc.string({ unit: fc.constantFrom(...'aZ09 _-=,;:"\\\u0000\u00ff\u202e'), maxLength: 300 });
const wildText = fc.oneof(
  fc.constantFrom(
    ...['', '%', '..', '../../etc/passwd', '\u0000', '__proto__', 'MK-0000000000', 'a'.repeat(3_000), '\ud800'],
  ),
  fc.constantFrom('-1', '0', '1e9', 'null', '2026-13-45', '2026-11-20T00:00:00Z', 'success', 'held', '٣'),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.base64String({ maxLength: 200 }),
);

const BODIES: Record<string, number> = { 'transaction/initialize': 32_000, 'sms/send': 32_000 };
const OTHER_BODIES = 5_000;
const PATHS = 1_000;

describe('malformed requests', () => {
  test.each(Object.keys(goodBodies))('never cause a 5xx, whatever the body sent to %s', async (name) => {
    const { row, handle } = await routeOf(name);
    const [routeKey] = keysFor(row, merchant);
    const request = fc.record({
      body: bodies(goodBodies[name] ?? {}),
      type: contentType,
      isBase64Encoded: fc.boolean(),
      encoded: fc.boolean(),
      key: fc.option(headerValue, { freq: 20 }),
      idempotencyKey: fc.option(headerValue, { freq: 3 }),
      parameter: wildText,
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ body, type, isBase64Encoded, encoded, key, idempotencyKey, parameter }) => {
        const headers = {
          'content-type': type,
          ...(routeKey && { authorization: key === null ? `Bearer ${routeKey}` : key }),
          ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
        };
        const event = httpEvent({ ...pathWith(row, parameter), method: row.method, headers, body });
        // The base64 flag may contradict the body.
        const sent = isBase64Encoded && encoded ? Buffer.from(body).toString('base64') : body;
        expectEnvelope(await handle({ ...event, body: sent, isBase64Encoded }));
      }),
      runsOf(BODIES[name] ?? OTHER_BODIES, 50),
    );
  });

  test('never cause a 5xx, whatever the path or query', () =>
    checkEach(httpRoutes(), async ({ name }) => {
      const { row, handle } = await routeOf(name);
      const queries = fc.dictionary(
        fc.oneof(fc.constantFrom('cursor', 'status', 'from', 'to', 'per_page', 'reference', '__proto__'), wildText),
        wildText,
        { maxKeys: 4 },
      );
      await fc.assert(
        fc.asyncProperty(wildText, queries, async (parameter, query) => {
          const [key] = keysFor(row, merchant);
          const event = httpEvent({ ...pathWith(row, parameter), method: row.method, query, ...(key && { key }) });
          expectEnvelope(await handle(event));
        }),
        runsOf(PATHS, 50),
      );
    }));

  test.each([
    ['text', `{"to":"0551112223","message":${text('x', 6_000_000)}}`],
    ['list items', `{"to":[${'"0551112223",'.repeat(400_000)}"0551112223"],"message":"Hello"}`],
    ['text in an unknown field', `{"to":"0551112223","message":"Hello","more":${text('x', 6_000_000)}}`],
    ['metadata', `{"to":"0551112223","message":"Hello","metadata":{"more":${text('x', 6_000_000)}}}`],
    ['opening brackets', '['.repeat(6_000_000)],
    ['nested lists', nested('[', ']', 3_000_000)],
    [
      'numbers in the metadata',
      `{"to":"0551112223","message":"Hello","metadata":{"more":[${'1.10,'.repeat(1_000_000)}1]}}`,
    ],
    ['field names', `{${Array.from({ length: 300_000 }, (_, n) => `"field${n}":1`).join()}}`],
  ])('never cause a 5xx error if they contain 6 MB of %s', async (_, body) => {
    const answer = await merchant.call('sms/send', { body });
    tried++;
    expect(answer.status).toBeLessThan(500);
    expect([true, false]).toContain(answer.json.status);
  });
});

test('numbers in metadata are returned exactly as written', async () => {
  const number = fc.oneof(
    fc.constantFrom('12345678901234567890', '1.10', '1e400', '-0', '0.1', '1E5', '9007199254740993', '-1.0e-300'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.bigInt().map(String),
  );
  const key = fc
    .string({ unit: 'binary', maxLength: 10 })
    .filter((name) => !['__proto__', 'constructor'].includes(name));
  const { value: json } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'json' },
      number,
      fc.constantFrom('null', 'true', 'false'),
      fc.string({ unit: 'binary', maxLength: 20 }).map((value) => JSON.stringify(value)),
      fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'json' }).map((values) => `[${values.join()}]`),
      objectOf(tie('value')),
    ),
  }));
  function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
    return fc
      .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 4, depthIdentifier: 'json' })
      .map((entries) => `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${inner}`).join()}}`);
  }
  await fc.assert(
    fc.asyncProperty(objectOf(json), async (metadata) => {
      const created = await merchant.call('transaction/initialize', { body: `{"amount":36,"metadata":${metadata}}` });
      expect(created.status).toBe(200);
      const parameters = { reference: created.json.data.reference };
      const { text: body } = await merchant.call('transaction/verify', { parameters });
      const answer = parseLossless(body);
      expect(written(answer, 'data', 'metadata')).toBe(JSON.stringify(parseLossless(metadata)));
      tried++;
    }),
    runsOf(2_000, 50),
  );
});

beforeAll(() => {
  world.logged.length = 0;
});

afterAll(() => {
  reportFigure(`bad input: ${tried} requests with bodies, headers, paths and queries that hurt, answers of 5xx 0`);
});

function expectEnvelope({ statusCode, headers, body }: Answer): void {
  tried++;
  const unexpected = world.logged.splice(0).find(({ level }) => level === 'error');
  if (unexpected) throw new Error(`Nobody expected ${unexpected.event}`, { cause: unexpected.fields?.error });
  if (statusCode >= 500) throw new Error(`${statusCode}: ${body}`);
  if (headers['content-type']?.startsWith('text/html')) {
    if (!body.startsWith('<!doctype html>')) throw new Error(`${statusCode} is no page: ${body.slice(0, 100)}`);
  } else if (/^(text\/(markdown|plain))/.test(headers['content-type'] ?? '')) {
    // The Markdown reference has no envelope.
    if (statusCode !== 200 || !body.startsWith('# Momo Kiosk'))
      throw new Error(`${statusCode} is no text: ${body.slice(0, 100)}`);
  } else if (headers.location === undefined) {
    const { status, message, data, code, request_id, openapi } = JSON.parse(body);
    // The OpenAPI document has no envelope.
    if (openapi) return;
    const isWhole = status
      ? statusCode === 200 && typeof message === 'string' && typeof data === 'object'
      : statusCode >= 400 && /\w+ \w+/.test(message) && /^[a-z_]+$/.test(code) && typeof request_id === 'string';
    if (!isWhole) throw new Error(`${statusCode} is no envelope: ${body.slice(0, 200)}`);
  }
  if (({} as { admin?: unknown }).admin !== undefined) throw new Error('The prototype of all objects was changed');
}

/** Returns the JSON text of the value at `path`. */
function written(value: unknown, ...path: string[]): string {
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return 'nothing';
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return JSON.stringify(value);
}

async function routeOf(name: string) {
  const row = httpRoutes().find((route) => route.name === name)?.row;
  if (!row) throw new Error(`${name} is no route`);
  const handler = (await loadRoute(name)).with(world.outside);
  const handle = async (event: Parameters<HttpHandler>[0]) => {
    const answer = await handler(event, {} as Parameters<HttpHandler>[1]);
    const { statusCode: status, headers, body: text } = answer;
    requireDocumented(row.method, row.path, { status, contentType: headers['content-type'] ?? null, text });
    return answer;
  };
  return { row, handle };
}

function nested(open: string, close: string, levels: number): string {
  return `${open.repeat(levels)}${open === '[' ? '' : 'null'}${close.repeat(levels)}`;
}

function text(character: string, times: number): string {
  return JSON.stringify(character.repeat(times));
}
