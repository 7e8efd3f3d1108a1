import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { documentedRoutes } from '../../infra/openapi/documented-routes.ts';
import { newApiKey } from '../../shared/merchants/merchant/api-key.ts';
import { type KeyKind, keyKinds, keyKindsOf } from '../../shared/runtime/triggers/row.ts';
import { newSendId } from '../../shared/texts/sms/message-id.ts';
import { removeApiKey } from '../support/actions.ts';
import { checkEach } from '../support/check-each.ts';
import { expectBadFields, expectFailure } from '../support/envelope.ts';
import { goodBodies, httpRoutes, keyOf, keysFor, loadRoute, pathWith } from '../support/routes.ts';
import { scene } from '../support/scene.ts';
import { isWhole } from '../support/slice.ts';
import { type Call, call } from '../support/world.ts';

/** A merchant id that is never used. */
const NOBODY = '01KATYQ6Z5C5J8YB4SFH1N3XQ2';
const world = await scene();
await world.createSender('+233241234567');
const merchant = await world.createMerchant({ credits: 100 });
const stranger = await world.createMerchant({ credits: 100 });

/** Routes that accept no body. */
const bodiless = [
  ...['sms/cancel', 'sms/cancel-bulk', 'sms/retry-bulk', 'contact/remove', 'transaction/cancel', 'link/end'],
  ...['request/cancel', 'webhook/remove', 'webhook/roll-secret', 'webhook/test', 'webhook/replay'],
];

/** An unknown id for each route with an id in its path, and an id of `merchant` if one is easy to create. */
const ids: Record<string, { unknown: string; of?: (kind: KeyKind) => Promise<string> }> = {
  'transaction/verify': { unknown: 'MK-0000000000', of: () => merchant.charge({ amount: 36 }) },
  'transaction/cancel': { unknown: 'MK-0000000000', of: () => merchant.charge({ amount: 36 }) },
  'transaction/refund': { unknown: 'MK-0000000000' },
  'test/simulate': { unknown: 'MK-0000000000' },
  'transaction/close-refund': { unknown: 'MK-0000000000' },
  'sms/show': {
    unknown: newSendId(world.clock.nowMs, randomBytes),
    of: async () => {
      return (await merchant.call('sms/send', { body: { to: '0551112223', message: 'Hello' } })).json.data.id;
    },
  },
  'link/show': { unknown: 'zzzzzzzz', of: newLink },
  'link/change': { unknown: 'zzzzzzzz', of: newLink },
  'link/end': { unknown: 'zzzzzzzz', of: newLink },
  'request/show': { unknown: 'zzzzzzzzzzzz', of: () => merchant.request(goodBodies['request/create'] ?? {}) },
  'request/cancel': { unknown: 'zzzzzzzzzzzz', of: () => merchant.request(goodBodies['request/create'] ?? {}) },
  'sms/show-bulk': {
    unknown: newSendId(world.clock.nowMs, randomBytes),
    of: async () => (await merchant.call('sms/bulk', { body: goodBodies['sms/bulk'] })).json.data.id,
  },
  'sms/cancel-bulk': { unknown: newSendId(world.clock.nowMs, randomBytes) },
  'sms/retry-bulk': { unknown: newSendId(world.clock.nowMs, randomBytes) },
  'sms/bulk-results': { unknown: newSendId(world.clock.nowMs, randomBytes) },
  'contact/remove': { unknown: '0551119999' },
  'sms/cancel': { unknown: newSendId(world.clock.nowMs, randomBytes) },
  'link/add-codes': { unknown: 'zzzzzzzz', of: newLink },
  'receipt/assign': { unknown: 'MTN-0241234567-1234567890' },
  'webhook/show-event': { unknown: `evt_${'0'.repeat(32)}`, of: webhookEvent },
  'webhook/replay': { unknown: `evt_${'0'.repeat(32)}`, of: webhookEvent },
};

async function newLink(): Promise<string> {
  const { json } = await merchant.call('link/create', { body: goodBodies['link/create'] });
  return json.data.slug;
}

const keyedRoutes = routesWithKey().map(({ name: route, row, kind }) => {
  const operation = documentedRoutes.find((one) => one.name === route)?.operation;
  const query = operation && 'query' in operation ? Object.keys(operation.query ?? {}) : [];
  return { name: `${route} with a ${kind} key`, route, row, kind, query, key: keyOf(merchant, kind), request };

  async function request(how: Call, id = ids[route]?.unknown) {
    const body = goodBodies[route];
    return call(world, await loadRoute(route), {
      method: row.method,
      ...(body && { body }),
      ...pathWith(row, id),
      ...how,
    });
  }
});
type KeyedRoute = (typeof keyedRoutes)[number];

/** The wrapper that checks keys is the same for all routes. The long proofs try each route. */
const oneOfEachKind = isWhole
  ? keyedRoutes
  : keyKinds.flatMap((kind) => keyedRoutes.find((route) => route.kind === kind) ?? []);

describe('a route with a key', () => {
  const everyRoute = (check: (route: KeyedRoute) => unknown) => checkEach(keyedRoutes, check);

  test('returns 401 if the key is left out', () =>
    everyRoute(async ({ kind, request }) => {
      const answer = await request({});
      expectFailure(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.json.message).toMatch(new RegExp(`Authorization: Bearer .*sk_${kind}_`));
    }));

  test.each<[string, (kind: KeyKind) => string]>([
    ['an empty header', () => ''],
    ['another scheme', () => 'Basic c2tfbGl2ZTo='],
    ['a single word', () => 'Bearer nonsense'],
    ['no scheme', unusedKey],
    ['two keys', (kind) => `Bearer ${unusedKey(kind)} ${unusedKey(kind)}`],
    [
      'a key with a wrong character',
      (kind) => `Bearer ${keyOf(merchant, kind).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))}`,
    ],
    ['a truncated key', (kind) => `Bearer ${keyOf(merchant, kind).slice(0, -1)}`],
  ])('rejects a malformed key without reading the table: %s', (_, authorizationOf) =>
    checkEach(oneOfEachKind, async ({ kind, request }) => {
      world.requests.length = 0;
      expectFailure(await request({ headers: { authorization: authorizationOf(kind) } }), 401, 'unauthorized');
      expect(world.requests).toEqual([]);
    }),
  );

  test('returns 401 for an unknown key', () =>
    everyRoute(async ({ kind, request }) => {
      expectFailure(await request({ key: unusedKey(kind) }), 401, 'unauthorized');
    }));

  test('returns 401 for the merchant’s key of another kind', () =>
    everyRoute(async ({ row, kind, request }) => {
      for (const other of keyKinds.filter((one) => !keyKindsOf(row).includes(one))) {
        const answer = await request({ key: keyOf(merchant, other) });
        expectFailure(answer, 401, 'unauthorized');
        expect(answer.json.message).toContain(`sk_${kind}_`);
      }
    }));

  test('returns 401 for a revoked key, within 30 seconds if cached', () =>
    checkEach(oneOfEachKind, async ({ kind, request }) => {
      const other = await world.createMerchant({ credits: 100 });
      const key = keyOf(other, kind);
      expect((await request({ key })).status).not.toBe(401);
      await removeApiKey(world.outside, other.id, key.slice(-4));
      // Functions cache keys for thirty seconds.
      world.clock.nowMs += 29_999;
      expect((await request({ key })).status).not.toBe(401);
      world.clock.nowMs += 1;
      expectFailure(await request({ key }), 401, 'unauthorized');

      const unused = await world.createMerchant();
      await removeApiKey(world.outside, unused.id, keyOf(unused, kind).slice(-4));
      expectFailure(await request({ key: keyOf(unused, kind) }), 401, 'unauthorized');
    }));

  test('logs one line per authenticated request', () =>
    everyRoute(async ({ row, key, request }) => {
      world.noted.length = 0;
      await request({ headers: { authorization: 'Bearer nonsense' } });
      expect(world.noted).toEqual([]);
      const { status, json } = await request({ key });
      expect(world.noted).toEqual([
        {
          event: 'request',
          fields: {
            route: `${row.method} ${row.path}`,
            request_id: expect.any(String),
            merchant_id: merchant.id,
            status,
            ...(json.code && { code: json.code }),
            duration_ms: 0,
          },
        },
      ]);
      if (json.request_id) expect(world.noted[0]?.fields?.request_id).toBe(json.request_id);
    }));

  test('accepts the authentication scheme in any case', () =>
    checkEach(oneOfEachKind, async ({ key, request }) => {
      expect((await request({ headers: { authorization: `bearer  ${key}` } })).status).not.toBe(401);
    }));

  test('accepts exactly the documented query parameters', () =>
    everyRoute(async (route) => {
      expect((await parametersOf(route)).toSorted()).toEqual(route.query.toSorted());
    }));
});

describe('a route with query parameters', () => {
  const everyRouteWith = (parameter: string, check: (route: KeyedRoute) => unknown) =>
    checkEach(
      keyedRoutes.filter(({ query }) => query.includes(parameter)),
      check,
    );

  test('suggests a query parameter if one is misspelled', () => {
    const withQuery = keyedRoutes.filter(({ query }) => query.length > 0);
    return checkEach(withQuery, async ({ route, query, key }) => {
      const handler = await loadRoute(route);
      const ask = (parameters: Record<string, string>) => call(world, handler, { key, query: parameters });
      for (const parameter of query) {
        const { json } = await ask({ [parameter]: '' });
        expect(JSON.stringify(json)).not.toContain('is not a field of this request');
        const mistyped = await ask({ [`${parameter}s`]: '' });
        expectFailure(mistyped, 400, 'invalid_request');
        expect(mistyped.json.message).toContain(`Did you mean "${parameter}"?`);
      }
    });
  });

  test.each(['0', '101', '-1', '1.5', '1e1', 'ten', '', ' 5', '5 ', '0x5', '९', '999999999999'])(
    'returns 400 for per_page %j',
    (per_page) =>
      everyRouteWith('per_page', async ({ key, request }) => {
        expectBadFields(await request({ key, query: { per_page } }), 'per_page');
      }),
  );

  const noPlaces = [null, [], {}, { pk: 'a', sk: 'b' }].map(encoded);
  test.each(['', ' ', 'x', '0', 'null', 'nonsense', '%%%', ...noPlaces])('returns 400 for the cursor %j', (cursor) =>
    everyRouteWith('cursor', async ({ key, request }) => {
      expectBadFields(await request({ key, query: { cursor } }), 'cursor');
    }),
  );

  test('reports an invalid per_page and an invalid cursor together', () =>
    everyRouteWith('per_page', async ({ key, request }) => {
      expectBadFields(await request({ key, query: { per_page: '0', cursor: 'x' } }), 'per_page', 'cursor');
    }));

  test.each(['yesterday', '', '2026-13-01', '1763625600'])('returns 400 if from or to is %j', (time) =>
    everyRouteWith('from', async ({ key, request }) => {
      for (const name of ['from', 'to']) expectBadFields(await request({ key, query: { [name]: time } }), name);
    }),
  );
});

test('HEAD is answered like GET but without a body', () => {
  const readable = keyedRoutes.filter(({ row }) => row.method === 'GET');
  return checkEach(readable, async ({ key, request }) => {
    const [get, head] = [await request({ key }), await request({ key, method: 'HEAD' })];
    expect({ status: head.status, text: head.text }).toEqual({ status: get.status, text: '' });
    expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers));
  });
});

describe('a route with a body', () => {
  const everyRouteWithBody = (check: (route: KeyedRoute) => unknown) =>
    checkEach(
      keyedRoutes.filter(({ route }) => goodBodies[route]),
      check,
    );

  test('checks the key before the body', () =>
    everyRouteWithBody(async ({ request }) => {
      expectFailure(await request({ body: 'not JSON' }), 401, 'unauthorized');
    }));

  test.each([
    ['an incomplete object', '{"a":'],
    ['two objects', '{}{}'],
    ['single quotes', "{'a':1}"],
    ['a form', 'amount=36'],
  ])('returns 400 malformed_json for %s', (_, body) =>
    everyRouteWithBody(async ({ key, request }) => {
      expectFailure(await request({ key, body }), 400, 'malformed_json');
    }),
  );

  test('treats a missing body as an empty object', () =>
    everyRouteWithBody(async ({ key, request }) => {
      const { status, json } = await request({ key, body: '', headers: { 'content-type': '' } });
      const empty = await request({ key, body: {} });
      expect({ status, message: json.message }).toEqual({ status: empty.status, message: empty.json.message });
    }));

  test('reports the position of a JSON syntax error', () =>
    everyRouteWithBody(async ({ key, request }) => {
      const at = await request({ key, body: '{\n  "a": 1,\n}' });
      expect(at.json.message).toMatch(/not valid JSON\. .*\(line 3 column 1\)/);
      const around = await request({ key, body: '{"amount": abc}' });
      expect(around.json.message).toContain('{"amount": abc}');
    }));

  test.each(['[]', '[{}]', '36', '"text"', 'null', 'true'])(
    'returns 400 for the body %s, which is not an object',
    (body) =>
      everyRouteWithBody(async ({ key, request }) => {
        const answer = await request({ key, body });
        expectFailure(answer, 400, 'invalid_request');
        expect(answer.json.errors).toEqual([{ field: 'body', message: expect.any(String) }]);
      }),
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'returns 415 for the Content-Type %j',
    (type) =>
      everyRouteWithBody(async ({ key, request }) => {
        expectFailure(await request({ key, headers: { 'content-type': type } }), 415, 'unsupported_media_type');
      }),
  );

  test.each(['application/json; charset=utf-8', 'Application/JSON'])('accepts the Content-Type %s', (type) =>
    everyRouteWithBody(async ({ key, request }) => {
      expect((await request({ key, headers: { 'content-type': type } })).status).not.toBe(415);
    }),
  );
});

describe('a route with an id', () => {
  const everyRouteWithId = (check: (route: KeyedRoute) => unknown) =>
    checkEach(
      keyedRoutes.filter(({ row }) => row.path.includes('{')),
      check,
    );

  test('returns 404 for an unknown id', () =>
    everyRouteWithId(async ({ key, request }) => {
      expectFailure(await request({ key }), 404, 'not_found');
    }));

  test.each(['x'.repeat(5_000), '\ud800', '\u0000', ' ', '__proto__', '../merchant'])(
    'returns 404 for an impossible id: %#',
    (id) =>
      everyRouteWithId(async ({ key, request }) => {
        expectFailure(await request({ key }, id), 404, 'not_found');
      }),
  );

  test('returns 404 for another merchant’s id', () =>
    everyRouteWithId(async ({ route, kind, key, request }) => {
      const id = await ids[route]?.of?.(kind);
      const answer = await request({ key: keyOf(stranger, kind) }, id);
      expectFailure(answer, 404, 'not_found');
      expect(answer.json.message).toBe((await request({ key: keyOf(stranger, kind) })).json.message);
      if (id) expect((await request({ key }, id)).status).toBe(200);
    }));

  test('returns 404 for an object that a different kind of key created', () =>
    everyRouteWithId(async ({ route, row, kind, request }) => {
      for (const other of keyKindsOf(row).filter((one) => one !== kind)) {
        const id = await ids[route]?.of?.(kind);
        expectFailure(await request({ key: keyOf(merchant, other) }, id), 404, 'not_found');
      }
    }));
});

test('a route without a key returns no server error for any path', () => {
  const keyless = httpRoutes().filter(({ row }) => !row.key);
  return checkEach(keyless, async ({ name, row }) => {
    for (const id of ['unknown', '', '%', '\u0000', '__proto__', 'x'.repeat(5_000)]) {
      const path = pathWith(row, id);
      const { status } = await call(world, await loadRoute(name), { method: row.method, body: {}, ...path });
      expect(status, id).toBeLessThan(500);
      expect(world.logged.filter(({ level }) => level === 'error')).toEqual([]);
    }
  });
});

describe('a large body', () => {
  const writing = httpRoutes()
    .filter(({ row }) => row.method !== 'GET')
    .map((route) => ({ ...route, most: (route.row.maxBodyKilobytes ?? 256) * 1024 }));

  test.each<[string, (most: number) => string, boolean]>([
    ['brackets', (most) => '['.repeat(most + 1), false],
    ['two-byte letters', (most) => 'é'.repeat(most / 2 + 1), false],
    ['base64 bytes', (most) => '['.repeat(most + 3), true],
  ])('is rejected with 413 and without a table read for too many %s', (_, bodyOf, isBase64Encoded) =>
    checkEach(writing, async ({ name, row, most }) => {
      world.requests.length = 0;
      const answer = await call(world, await loadRoute(name), {
        method: row.method,
        ...pathWith(row, ids[name]?.unknown),
        headers: { accept: 'application/json' },
        body: bodyOf(most),
        isBase64Encoded,
      });
      expectFailure(answer, 413, 'body_too_large');
      expect(world.requests).toEqual([]);
    }),
  );

  test('is accepted at the maximum size', () =>
    checkEach(writing, async ({ name, row, most }) => {
      const { status } = await call(world, await loadRoute(name), {
        method: row.method,
        ...pathWith(row, ids[name]?.unknown),
        body: '['.repeat(most),
      });
      expect(status).not.toBe(413);
    }));
});

test('test data exists for every route that needs it', () => {
  for (const { name, row } of routesWithKey()) {
    if (row.method !== 'GET') expect([...Object.keys(goodBodies), ...bodiless]).toContain(name);
    if (row.path.includes('{')) expect(ids).toHaveProperty([name]);
  }
});

test('every response has the nosniff and HSTS headers', async () => {
  const bad: string[] = [];
  for (const { name, row } of httpRoutes()) {
    const handler = await loadRoute(name);
    const [key] = keysFor(row, merchant);
    const base: Call = { method: row.method, ...pathWith(row, 'x'), ...(key && { key }) };
    const calls: Call[] = [
      base,
      { ...base, ...pathWith(row, 'x'.repeat(300)) },
      { ...base, ...pathWith(row, '\ud800') },
      { ...base, key: 'nonsense' },
      { ...base, query: { per_page: '0', cursor: 'x' } },
      { ...base, headers: { accept: 'text/html', 'accept-encoding': 'gzip' } },
      ...(row.method === 'GET'
        ? []
        : [
            { ...base, body: '{' },
            { ...base, body: 'x'.repeat(400_000) },
            { ...base, body: '<a>', headers: { 'content-type': 'text/xml' } },
            { ...base, body: '{"__proto__":{}}' },
            { ...base, body: {}, headers: { 'idempotency-key': '' } },
          ]),
    ];
    for (const one of calls) {
      const { status, headers } = await call(world, handler, one);
      if (headers['x-content-type-options'] !== 'nosniff' || !headers['strict-transport-security'])
        bad.push(`${name} ${status}`);
    }
    const usual = world.dynamoDb;
    world.dynamoDb = async () => {
      throw new Error('The table is away');
    };
    world.clock.nowMs += 60_000;
    const { status, headers } = await call(world, handler, base);
    world.dynamoDb = usual;
    if (headers['x-content-type-options'] !== 'nosniff') bad.push(`${name} ${status}`);
  }
  const { headers } = await world.call('not-found', { method: 'DELETE', path: '/nothing' });
  if (!headers['strict-transport-security']) bad.push('not-found');
  expect(bad).toEqual([]);
});

async function webhookEvent(kind: KeyKind): Promise<string> {
  const key = keyOf(merchant, kind);
  await world.call('webhook/set', { key, body: goodBodies['webhook/set'] });
  return (await world.call('webhook/test', { key })).json.data.id;
}

/** Returns the accepted query parameters, parsed from the error about an unknown one. */
async function parametersOf({ key, request }: KeyedRoute): Promise<string[]> {
  const { json } = await request({ key, query: { 0: '' } });
  const refusal = json.errors?.find(({ field }: { field: string }) => field === '0');
  return refusal ? refusal.message.replace(/^.*Use one of |\.$/g, '').split(', ') : [];
}

function unusedKey(kind: KeyKind): string {
  return newApiKey(kind, NOBODY, randomBytes);
}

function encoded(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Returns routes that require a key, once per accepted kind of key. */
function routesWithKey() {
  return httpRoutes().flatMap(({ name, row }) => keyKindsOf(row).map((kind) => ({ name, row, kind })));
}
