import { expect, test } from 'vitest';
import { namedOnly, scopesOfKind } from '../../shared/merchants/merchant/api-key.ts';
import { type KeyKind, keyKinds, keyKindsOf } from '../../shared/runtime/triggers/row.ts';
import { checkEach } from '../support/check-each.ts';
import { expectBadFields, expectFailure } from '../support/envelope.ts';
import { httpRoutes, loadRoute, pathWith } from '../support/routes.ts';
import { scene } from '../support/scene.ts';
import { call } from '../support/world.ts';

const world = await scene({ inMemory: true });
const merchant = await world.createMerchant();
const routes = httpRoutes().flatMap(({ name, row }) => keyKindsOf(row).map((kind) => ({ name, row, kind })));

test.each(keyKinds)('a %s key offers exactly the permissions that its routes need', (kind) => {
  const needed = routes.filter((route) => route.kind === kind).map(({ row }) => row.needs);
  // Permissions such as balances:read add optional fields to a response.
  const besides = kind === 'live' ? namedOnly : [];
  expect(new Set(scopesOfKind[kind])).toEqual(new Set([...needed, ...besides]));
});

const everyRoute = (check: (route: (typeof routes)[number]) => unknown) => {
  const named = routes.map((route) => ({ name: `${route.name} with a ${route.kind} key`, route }));
  return checkEach(named, ({ route }) => check(route));
};

test('a route rejects a key without the required permission', () =>
  everyRoute(async (route) => {
    const { kind, row } = route;
    const others = scopesOfKind[kind].filter((one) => one !== row.needs);
    const answer = await ask(route, others);
    expectFailure(answer, 403, 'forbidden');
    expect(answer.json.message).toContain(`This route requires ${row.needs}`);
  }));

test('a route accepts a key with only the required permission', () =>
  everyRoute(async (route) => {
    if (!route.row.needs) throw new Error('A route with a key needs something');
    expect((await ask(route, [route.row.needs])).status).not.toBe(403);
  }));

test('the key’s permission is checked before the body is read', async () => {
  const route = routes.find(({ name }) => name === 'transaction/initialize');
  if (!route) throw new Error('Charges are made somewhere');
  expectFailure(await ask(route, ['charges:read'], 'not JSON'), 403, 'forbidden');
});

async function ask(
  { name, row, kind }: (typeof routes)[number],
  scope: (typeof scopesOfKind)[KeyKind],
  body: string | object = {},
) {
  const key = await merchant.addKey(kind, { scope });
  world.clock.nowMs += 1_000;
  return call(world, await loadRoute(name), {
    method: row.method,
    ...(row.method !== 'GET' && { body }),
    ...pathWith(row, 'unknown'),
    key,
  });
}

test('a stored response is not replayed to a key with a different scope', async () => {
  const keyOf = async (scope: (typeof scopesOfKind)[KeyKind] | undefined) => {
    const key = await merchant.addKey('sms', scope && { scope });
    world.clock.nowMs += 1_000;
    return key;
  };
  const [wide, narrow, same] = [await keyOf(undefined), await keyOf(['texts:send']), await keyOf(['texts:send'])];
  const contacts = [{ number: '0551112223' }];
  const stores = (key: string) =>
    world.call('contact/store', { key, headers: { 'idempotency-key': 'contacts-7' }, body: { contacts } });
  expect((await stores(narrow)).status).toBe(200);
  expect((await stores(same)).headers['idempotent-replayed']).toBe('true');
  expectFailure(await stores(wide), 422, 'idempotency_key_reused');
});

test('a body with duplicate names or a NUL character is rejected', async () => {
  const post = (body: string) =>
    merchant.call('contact/store', { headers: { 'content-type': 'application/json' }, body });
  expectBadFields(await post('{"contacts":[{"number":"0551112223","number":"0551112224"}]}'), 'number');
  expectBadFields(await post('{"contacts":[],"contacts":[{"number":"0551112223"}]}'), 'contacts');
  expectBadFields(await post('{"contacts":[{"number":"0551112223","name":"A\\u0000ma"}]}'), 'contacts[0].name');
  expect((await post('{"contacts":[{"number":"0551112223"},{"number":"0551112224"}]}')).status).toBe(200);
});
