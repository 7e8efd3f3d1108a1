import { beforeEach, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/envelope.ts';
import { keyOf } from '../../support/routes.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { isSignedBy, setWebhookWith } from '../../support/webhooks.ts';
import type { Call } from '../../support/world.ts';

// A merchant has one webhook per kind of key. A key cannot access the other kind's webhook.

const HOOKS = { live: 'https://live.example.com/hooks', sms: 'https://sms.example.com/hooks' };
const KINDS = [
  ['sms', 'live'],
  ['live', 'sms'],
] as const;
type Kind = (typeof KINDS)[number][0];

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = Date.UTC(2026, 10, 20, 8, 30, 15);
  merchant = await world.createMerchant();
});

describe.each(KINDS)('the webhook for %s keys', (own, other) => {
  test('does not exist if only the other kind of key has a webhook', async () => {
    await set(other);
    expectFailure(await ask('webhook/show', own), 404, 'not_found');
    expectFailure(await ask('webhook/roll-secret', own), 404, 'not_found');
    expectFailure(await ask('webhook/test', own), 404, 'not_found');
  });

  test('changes independently of the other webhook', async () => {
    const secrets = { [own]: await set(own), [other]: await set(other) };
    expect(secrets[own]).not.toBe(secrets[other]);
    const before = await endpointRow(other);

    await setWebhookWith(world, key(own), 'https://elsewhere.example.com/hooks');
    await ask('webhook/roll-secret', own);
    expect(await endpointRow(other)).toEqual(before);
    await ask('webhook/remove', own);
    expect(await world.rows('WEBHOOK')).toEqual([before]);
  });

  test('signs its test events with its own secret', async () => {
    const secrets = { live: await set('live'), sms: await set('sms') };
    const { json } = await ask('webhook/test', own);
    await world.makeTry(json.data.id);
    const [sent] = world.posted;
    expect(sent?.url).toBe(HOOKS[own]);
    expect({ byOwn: isSignedBy(world, secrets[own], sent), byOther: isSignedBy(world, secrets[other], sent) }).toEqual({
      byOwn: true,
      byOther: false,
    });
  });

  test('cannot access events of the other webhook', async () => {
    await set(own);
    await set(other);
    const id = await merchant.newEvent(other);
    const mine = await merchant.newEvent(own);
    await world.makeTry(id);
    const before = await world.eventRow(id);

    const list = await ask('webhook/list-events', own);
    expect(list.json.data.events.map((event: { id: string }) => event.id)).toEqual([mine]);
    expectFailure(await ask('webhook/show-event', own, { parameters: { id } }), 404, 'not_found');
    expectFailure(await ask('webhook/replay', own, { parameters: { id } }), 404, 'not_found');
    expect(await world.eventRow(id)).toEqual(before);
  });

  test('does not share an Idempotency-Key with the other webhook', async () => {
    const headers = { 'idempotency-key': 'roll-1' };
    await set(own);
    await set(other);
    const theirs = await ask('webhook/roll-secret', other, { headers });
    const answer = await ask('webhook/roll-secret', own, { headers });
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    expect(answer.json.data).toMatchObject({ url: HOOKS[own] });
    expect(answer.json.data.secret).not.toBe(theirs.json.data.secret);
    const again = await ask('webhook/roll-secret', own, { headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json.data).toEqual(answer.json.data);
  });

  test('has its own limit for tests and replays', async () => {
    await set(own);
    await set(other);
    for (let n = 0; n < 10; n++) await ask('webhook/test', other);
    expectFailure(await ask('webhook/test', other), 429, 'too_many_requests');
    expect((await ask('webhook/test', own)).status).toBe(200);
  });

  test('is not affected if the other receiver fails', async () => {
    await set(own);
    await set(other);
    const before = await endpointRow(own);
    const thinkMs = 15_000;
    world.receiver = async ({ url }) => {
      if (url === HOOKS[own]) return { statusCode: 200, headers: {}, text: '' };
      world.clock.nowMs += thinkMs;
      return { statusCode: 410, headers: {}, text: '' };
    };
    await world.makeTry(await merchant.newEvent(other));
    expect(await endpointRow(other)).toMatchObject({ disabled_reason: 'gone', slow_ms: thinkMs });
    expect(await endpointRow(own)).toEqual(before);
  });

  test('has its own queue lane for a slow receiver', async () => {
    world.receiver = async () => {
      world.clock.nowMs += 15_000;
      return { statusCode: 200, headers: {}, text: '' };
    };
    await set(other);
    for (let n = 0; n < 5; n++) await world.makeTry(await merchant.newEvent(other));
    await set(own);
    expect(await endpointRow(own)).not.toHaveProperty('slow_ms');
    await world.makeTry(await merchant.newEvent(own));
    expect(await endpointRow(own)).toHaveProperty('slow_ms');
    for (let n = 0; n < 5; n++) await world.makeTry(await merchant.newEvent(other));
    const mine = await merchant.newEvent(own);
    await world.makeTry(mine);
    expect(await world.eventRow(mine)).toMatchObject({ state: 'delivered' });
  });

  test('has its attempts queued despite the other webhook’s backlog', async () => {
    await set(own);
    for (let n = 0; n < 600; n++) await merchant.newEvent(other);
    world.clock.nowMs += 60_000;
    const mine = await merchant.newEvent(own);
    world.clock.nowMs += 60_000;
    await world.housekeeping();
    expect(world.queued.map(({ job }) => job.body)).toContainEqual({ event_id: mine, tries: 0 });
  });
});

test('a webhook without a kind belongs to the live key', async () => {
  await set('live');
  const { key_kind: _, ...endpoint } = (await endpointRow('live')) ?? {};
  await world.outside.table.write([{ put: { Item: endpoint } }]);
  const id = await merchant.newEvent();
  const { key_kind: __, ...event } = await world.eventRow(id);
  await world.outside.table.write([{ put: { Item: event } }]);

  await world.makeTry(id);
  expect(world.posted.map(({ url }) => url)).toEqual([HOOKS.live]);
  expect((await merchant.call('webhook/show-event', { parameters: { id } })).status).toBe(200);
  expectFailure(await world.call('webhook/show-event', { key: merchant.smsKey, parameters: { id } }), 404, 'not_found');
});

function key(kind: Kind): string {
  return keyOf(merchant, kind);
}

function set(kind: Kind): Promise<string> {
  return setWebhookWith(world, key(kind), HOOKS[kind]);
}

function ask(route: Parameters<Scene['call']>[0], kind: Kind, how: Call = {}) {
  return world.call(route, { key: key(kind), ...how });
}

async function endpointRow(kind: Kind) {
  return (await world.rows('WEBHOOK')).find(({ key_kind }) => key_kind === kind);
}
