import { describe, expect, test } from 'vitest';
import { listChanges, proposeChanges } from '../../../shared/merchants/merchant/money-change.table.ts';
import { expectFailure } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';
import { paymentNow } from '../checkout/charges.ts';

const world = await scene({ inMemory: true });
const merchant = await world.createMerchant();

const WIFI = { title: 'Hostel Wi-Fi, one week', amount: 25 };

describe('a payment link', () => {
  test('is created with a URL', async () => {
    const said = { ...WIFI, description: 'One device', note_label: 'Your room', metadata: { plan: 'week' } };
    const made = await make(said);
    expect(made.json.message).toBe('Link created');
    const { slug, ...link } = made.json.data;
    const none = { min_amount: null, max_amount: null, till: null, ends_at: null, codes: null };
    const url = `${world.outside.baseUrl}/pay/${slug}`;
    expect(link).toEqual({ ...said, ...none, url, livemode: true, status: 'open', created_at: world.iso() });
    expect((await about('show', slug)).json.data).toEqual({ slug, ...link });
  });

  test.each([
    [{}, 'title', 'is missing and must be a string'],
    [{ title: ' ' }, 'title', 'must not be empty'],
    [{ ...WIFI, min_amount: 1 }, 'min_amount', 'cannot be combined with amount, which fixes the price for everybody'],
    [{ title: 'X', min_amount: 5, max_amount: 4 }, 'max_amount', 'must not be less than min_amount'],
    [{ ...WIFI, ends_at: '2020-01-01T00:00:00Z' }, 'ends_at', expect.stringContaining('must be in the future')],
    [{ ...WIFI, ends_at: 'tomorrow' }, 'ends_at', expect.stringContaining('must be a time with a UTC offset')],
    [{ ...WIFI, note_label: '' }, 'note_label', 'must not be empty'],
  ])('rejects %j because of %s', async (body, field, message) => {
    const refused = await make(body);
    expectFailure(refused, 400, 'invalid_request');
    expect(refused.json.errors).toContainEqual({ field, message });
  });

  test('is created once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once-and-again' };
    const [first, again] = [await make(WIFI, headers), await make(WIFI, headers)];
    expect(again.json.data.slug).toBe(first.json.data.slug);
  });

  test('changes only the given fields', async () => {
    const { slug } = (await make({ ...WIFI, description: 'One device', note_label: 'Your room' })).json.data;
    const dearer = await about('change', slug, { amount: 30, description: '' });
    const kept = { title: WIFI.title, note_label: 'Your room' };
    expect(dearer.json.data).toMatchObject({ ...kept, amount: 30, description: null });
    const open = await about('change', slug, { min_amount: 5 });
    expect(open.json.data).toMatchObject({ amount: null, min_amount: 5, max_amount: null });
    const fixed = await about('change', slug, { amount: 12.5 });
    expect(fixed.json.data).toMatchObject({ amount: 12.5, min_amount: null });
    expect((await about('show', slug)).json.data).toEqual(fixed.json.data);
  });

  test('audits changes with old and new values', async () => {
    const { slug } = (await make({ ...WIFI, metadata: { plan: 'week' } })).json.data;
    const bodies = [{ amount: 0.01, metadata: { plan: 'day' } }, { min_amount: 5 }, { min_amount: 5 }];
    for (const body of bodies) {
      await about('change', slug, body);
      world.clock.nowMs += 1_000;
    }
    await about('end', slug);
    const entries = (await world.scan()).filter(({ pk, about }) => String(pk).startsWith('AUDIT#') && about === slug);
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      {
        action: 'link change',
        before: { amount_pesewas: 2_500, metadata: 'not shown' },
        after: { amount_pesewas: 1, metadata: 'not shown' },
      },
      {
        action: 'link change',
        before: { amount_pesewas: 1, min_pesewas: null },
        after: { amount_pesewas: null, min_pesewas: 500 },
      },
      { action: 'link end', before: { ends_at: null }, after: { ends_at: world.iso() } },
    ]);
  });

  test('notifies every owner of a new price, except in test mode', async () => {
    const shop = await world.createMerchant();
    for (const key of [shop.liveKey, shop.testKey]) {
      const { slug } = (await make(WIFI, {}, key)).json.data;
      for (const amount of [0.01, 0.01, 25]) {
        await about('change', slug, { amount }, key);
        world.clock.nowMs += 1_000;
      }
      await about('change', slug, { title: 'Wi-Fi' }, key);
      await about('end', slug, undefined, key);
    }
    const owner = await shop.signIn('owner');
    const { text } = await owner.visit('/dashboard/today');
    expect(text.match(/Was changed/g)).toHaveLength(2);
    expect(text).toMatch(/Change the price of [^<]*</i);
    expect((await owner.visit('/dashboard/settings/changes')).text).toMatch(/, key …\w{4}</);
  });

  test('does not hide pending approvals after many price changes', async () => {
    const { slug } = (await make(WIFI)).json.data;
    const raised = { kind: 'limit', limit: 'match_by_name_up_to', from: 50_000, to: 90_000 } as const;
    const wanted = { merchant_id: merchant.id, by: 'somebody' };
    await world.outside.table.write(proposeChanges(world.outside, wanted, [raised], { waiting: [] }));
    for (let n = 1; n <= 120; n++) {
      world.clock.nowMs += 1_000;
      await about('change', slug, { amount: n });
    }
    const { waiting, made } = await listChanges(world.outside, merchant.id);
    expect({ waiting: waiting.length, isWithinOneWrite: made.length <= 100 }).toEqual({
      waiting: 1,
      isWithinOneWrite: true,
    });
    expect(made[0]?.changes).toMatchObject([{ from: 'GHS 119.00', to: 'GHS 120.00' }]);
  });

  test('keeps both changes if two people change it at the same time', async () => {
    const { slug } = (await make(WIFI)).json.data;
    world.rightBefore('TransactWriteItems', () => about('change', slug, { min_amount: 5 }));
    await about('change', slug, { max_amount: 50 });
    expect((await about('show', slug)).json.data).toMatchObject({ amount: null, min_amount: 5, max_amount: 50 });
  });

  test('can be ended once and reopened later', async () => {
    const { slug } = (await make(WIFI)).json.data;
    const ended = await about('end', slug);
    expect(ended.json.data).toMatchObject({ status: 'ended', ends_at: world.iso() });
    world.clock.nowMs += 1_000;
    expect((await about('end', slug)).json.data).toEqual(ended.json.data);
    const later = world.iso(60_000);
    expect((await about('change', slug, { ends_at: later })).json.data).toMatchObject({
      status: 'open',
      ends_at: later,
    });
  });
});

test('payment links are listed newest first, in pages', async () => {
  const other = await world.createMerchant();
  const key = other.liveKey;
  const slugs: string[] = [];
  for (const title of ['First', 'Second', 'Third']) {
    world.clock.nowMs += 1_000;
    slugs.unshift((await world.call('link/create', { key, body: { title } })).json.data.slug);
  }
  const first = await world.call('link/list', { key, query: { per_page: '2' } });
  const second = await world.call('link/list', { key, query: { per_page: '2', cursor: first.json.meta.next } });
  const found = [first, second].flatMap(({ json }) => json.data.links.map(({ slug }: { slug: string }) => slug));
  expect({ found, next: second.json.meta.next }).toEqual({ found: slugs, next: null });
});

test('a charge contains its link’s slug', async () => {
  const { slug } = (await make({ ...WIFI, note_label: 'Your room', metadata: { plan: 'week' } })).json.data;
  const { reference } = await world.openLink(slug, { note: 'Room 12' });
  const charge = (await merchant.call('transaction/verify', { parameters: { reference } })).json.data;
  expect(charge).toMatchObject({
    amount: 25,
    description: WIFI.title,
    link: slug,
    customer_note: 'Room 12',
    metadata: { plan: 'week' },
    expires_at: world.iso(30 * 60 * 1000),
  });
  const after = await world.outside.table.get({ pk: `TRANSACTION#${reference}`, sk: 'TRANSACTION' });
  await world.relayChanges({ after });
  const found = await merchant.call('transaction/list', { query: { link: slug } });
  expect(found.json.data.transactions).toEqual([charge]);
  expect((await merchant.call('transaction/list', { query: { link: 'no slug' } })).status).toBe(400);
});

test.each([
  [0, {}],
  [1, { parts: [paymentNow(world, { amount_pesewas: 100 })] }],
])('the service sends %i events when a link’s charge expires with %j', async (count, arrived) => {
  const shop = await world.createMerchant();
  await shop.setWebhook();
  const { slug } = (await shop.call('link/create', { body: WIFI })).json.data;
  const { reference } = await world.openLink(slug);
  const before = await world.outside.table.get({ pk: `TRANSACTION#${reference}`, sk: 'TRANSACTION' });
  const after = { ...before, ...arrived, state: 'expired', expired_at: world.iso() };
  await world.relayChanges({ before: { ...before, ...arrived }, after });
  const events = (await world.scan()).filter(({ sk, merchant_id }) => sk === 'EVENT' && merchant_id === shop.id);
  expect(events.map(({ type }) => type)).toEqual(Array.from({ length: count }, () => 'charge.expired'));
});

function make(body: object, headers: Record<string, string> = {}, key = merchant.liveKey) {
  return world.call('link/create', { key, body, headers });
}

function about(route: 'show' | 'change' | 'end', slug: string, body?: object, key = merchant.liveKey) {
  return world.call(`link/${route}`, { key, parameters: { slug }, ...(body && { body }) });
}
