import { expect, test } from 'vitest';
import { httpRoutes, keysFor, loadRoute, pathWith } from '../support/routes.ts';
import { scene } from '../support/scene.ts';
import { type Call, call } from '../support/world.ts';

const world = await scene({ inMemory: true });
const merchant = await world.createMerchant();

test('every answer of every route tells browsers to guess nothing and to keep to TLS', async () => {
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
