import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { expectBadFields, expectOk } from '../../support/envelope.ts';
import { pagesOf } from '../../support/list-pages.ts';
import { scene } from '../../support/scene.ts';

const EVENTS = 23;

const world = await scene();
const merchant = await world.createMerchant();
const other = await world.createMerchant();
/** The merchant's events, newest first. Some share a millisecond. */
const ids: string[] = [];

beforeAll(async () => {
  await merchant.setWebhook();
  await other.setWebhook();
  for (let n = 0; n < EVENTS; n++) {
    if (n % 4 !== 0) world.clock.nowMs += 1000;
    ids.unshift(await merchant.newEvent());
    await other.newEvent();
  }
});

test('events are listed newest first, 50 per page', async () => {
  const { status, json } = await list();
  expect(status).toBe(200);
  expect(json.meta).toEqual({ next: null, per_page: 50 });
  const events: Listed[] = json.data.events;
  const times = events.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(events.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(events[0]).toEqual({
    id: expect.any(String),
    type: 'webhook.test',
    status: 'pending',
    tries: 0,
    next_try_at: world.iso(),
    created_at: world.iso(),
    body: { type: 'webhook.test', timestamp: expect.any(String), livemode: true, data: expect.anything() },
  });
});

test('every event is listed once for any page size', async () => {
  const whole = (await list()).json.data.events.map(({ id }: Listed) => id);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (perPage) => {
      const pages = (await pagesOf(list, { per_page: String(perPage) })).map(({ data }) => data.events);
      expect(pages.flat().map(({ id }: Listed) => id)).toEqual(whole);
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(perPage);
    }),
    { numRuns: 8 },
  );
});

test('only the merchant’s events are listed, even with another merchant’s cursor', async () => {
  const { next } = (await list({ per_page: '5' })).json.meta;
  const whole = await list({}, other.liveKey);
  expect(whole.json.data.events).toHaveLength(EVENTS);
  const behind = await list({ cursor: next }, other.liveKey);
  const shown = [...whole.json.data.events, ...(behind.json.data?.events ?? [])].map(({ id }: Listed) => id);
  expect(shown.filter((id) => ids.includes(id))).toEqual([]);
});

test('the list is empty without events', async () => {
  const { liveKey } = await world.createMerchant();
  expectOk(await list({}, liveKey), { events: [] }, { next: null, per_page: 50 });
});

test.each([
  ['without a position', { pk: '', sk: '', sort: '' }],
  ['with a very long position', { pk: 'x'.repeat(3_000), sk: 'EVENT', sort: 'x'.repeat(2_000) }],
])('a made-up cursor %s causes no server error', async (_, place) => {
  const answer = await list({ cursor: Buffer.from(JSON.stringify(place)).toString('base64url') });
  if (answer.status !== 200) expectBadFields(answer, 'cursor');
  const shown: Listed[] = answer.json.data?.events ?? [];
  expect(shown.filter(({ id }) => !ids.includes(id))).toEqual([]);
});

interface Listed {
  id: string;
  created_at: string;
}

function list(query: Record<string, string> = {}, key = merchant.liveKey) {
  return world.call('webhook/list-events', { key, query });
}
