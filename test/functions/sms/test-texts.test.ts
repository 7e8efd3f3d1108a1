import { expect, test } from 'vitest';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { MAX_TEST_OBJECTS_PER_DAY } from '../../../shared/merchants/merchant/test-limit.table.ts';
import { testSenders } from '../../../shared/phones/sender/test-senders.ts';
import { magicNumbers } from '../../../shared/texts/sms/magic-numbers.ts';
import { createSend } from '../../../shared/texts/sms/send.table.ts';
import { newSend } from '../../../shared/texts/sms/send.ts';
import { Kiosk } from '../../simulation/kiosk.ts';
import { chanceFrom } from '../../simulation/random.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';

const { delivered, failed, slow, noSender, noCredits } = magicNumbers;

test('a magic number determines a test text’s states and events', async () => {
  const { kiosk, shop } = await open();
  const before = balances(kiosk);
  const { ids } = await sent(kiosk, shop.smsTestKey, [delivered, failed, slow, '0551112223']);
  await kiosk.goOn();
  expect(await statesOf(kiosk, ids)).toEqual(['delivered', 'failed', 'sent', 'delivered']);
  await kiosk.wait(59_000);
  await kiosk.goOn();
  expect(await statesOf(kiosk, ids)).toEqual(['delivered', 'failed', 'sent', 'delivered']);
  await kiosk.wait(1_000);
  await kiosk.goOn();
  expect(await statesOf(kiosk, ids)).toEqual(['delivered', 'failed', 'delivered', 'delivered']);

  expect(balances(kiosk)).toEqual(before);
  const told = kiosk.posted.map(({ body }) => JSON.parse(body));
  expect(told.map(({ type }) => type).toSorted()).toEqual([...Array(3).fill('sms.delivered'), 'sms.failed']);
  expect(told.every(({ livemode, data }) => livemode === false && data.livemode === false)).toBe(true);
  const [first] = told.filter(({ type }) => type === 'sms.delivered');
  expect(first.data).toMatchObject({ sending_at: expect.any(String), sent_at: expect.any(String) });
});

test('a test text is never sent by a phone', async () => {
  const { kiosk, shop } = await open();
  const request = { to: ['+233551112223'], message: 'Hello' };
  const fromPhone = newSend(kiosk.outside, { merchant_id: testAccountIdOf(shop.id) }, request, { from: shop.number });
  await kiosk.outside.table.write([createSend(fromPhone)]);
  await kiosk.goOn();
  expect(await statesOf(kiosk, [fromPhone.send_id])).toEqual(['delivered']);
  expect(kiosk.phones.sent.size).toBe(0);
});

test('test data is excluded from metrics and expires after thirty days', async () => {
  const { kiosk, shop } = await open();
  const endsAt = Math.floor(kiosk.nowMs / 1000) + 30 * 24 * 60 * 60;
  // The receiver unsubscribes with a 410.
  kiosk.receiver = () => ({ statusCode: 410, headers: {}, text: '' });
  await sent(kiosk, shop.smsTestKey, [delivered, failed]);
  await kiosk.goOn();
  expect(kiosk.counted).toEqual({});
  expect(kiosk.memory.items().find(({ sk, disabled_at }) => sk === 'WEBHOOK' && disabled_at)?.merchant_id).toMatch(
    /_test$/,
  );
  await kiosk.wait(120_000);
  const gauges = Object.entries(kiosk.counted).filter(([, count]) => count > 0);
  expect(gauges.map(([name]) => name)).toEqual(['housekeeping_runs']);
  const rows = kiosk.memory.items().filter(({ pk }) => String(pk).startsWith('SEND#'));
  expect(rows).toHaveLength(3);
  for (const { expires_at_epoch_seconds } of rows) expect(expires_at_epoch_seconds).toBe(endsAt);
});

test('a repeated stream record completes a test text once', async () => {
  const { kiosk, shop } = await open();
  const { ids } = await sent(kiosk, shop.smsTestKey, [failed, delivered]);
  await kiosk.goOn();
  kiosk.rewindStream();
  await kiosk.goOn();
  expect(await statesOf(kiosk, ids)).toEqual(['failed', 'delivered']);
  expect(kiosk.posted).toHaveLength(2);
});

test('magic numbers cause a 503 and a 402', async () => {
  const { merchant, tester } = await withSender();
  const answer = await tester.call('sms/send', { body: { to: [noSender], message: 'Hello' } });
  expectFailure(answer, 503, 'no_sender_available');
  expect(answer.headers['retry-after']).toBe('60');
  const poor = await tester.call('sms/send', { body: { to: [delivered, noCredits], message: 'x' } });
  expectFailure(poor, 402, 'insufficient_credits');
  // Magic numbers have no effect with a live key, which only needs credits.
  const real = await merchant.call('sms/send', { body: { to: [noSender], message: 'Hello' } });
  expectFailure(real, 402, 'insufficient_credits');
});

test('senders in test mode are always available', async () => {
  const { merchant, tester } = await withSender();
  const { json } = await tester.call('sms/from');
  expect(json.data).toEqual({
    default: null,
    senders: [
      { number: '+233240000000', network: 'MTN', own: true, available: true, reason: null, message: null },
      { number: '+233200000000', network: 'TELECEL', own: true, available: true, reason: null, message: null },
    ],
  });
  const from = testSenders[1].number;
  const body = { to: '0551112223', message: 'Hello' };
  expect((await tester.call('sms/send', { body: { ...body, from } })).json.data.from).toBe(from);
  expectBadFields(await tester.call('sms/send', { body: { ...body, from: MTN } }), 'from');
  expectBadFields(await merchant.call('sms/send', { body: { ...body, from } }), 'from');
});

test('test mode always shows a thousand credits', async () => {
  const { merchant, tester } = await withSender();
  await tester.call('sms/send', { body: { to: [failed], message: 'Hello' } });
  const { json } = await tester.call('sms/credits');
  expect(json.data).toEqual({ balance: 1_000, owed: 0, low_below: 50, bundles: [], entries: [] });
  expect((await merchant.call('sms/credits')).json.data.balance).toBe(0);
});

test('the daily limit on test texts counts recipients', async () => {
  const { world, merchant, tester } = await withSender();
  const Item = { pk: `TEST_USE#${merchant.id}_test`, sk: world.iso().slice(0, 10) };
  await world.outside.table.write([{ put: { Item: { ...Item, counted: MAX_TEST_OBJECTS_PER_DAY - 2 } } }]);
  const text = (...to: string[]) => tester.call('sms/send', { body: { to, message: 'Hello' } });
  expectFailure(await text('0551112223', '0551112224', '0551112225'), 429, 'too_many_requests');
  expect((await text('0551112223', '0551112224')).status).toBe(200);
  expectFailure(await text('0551112223'), 429, 'too_many_requests');
});

const MTN = '+233241234567';

async function withSender() {
  const world = await scene();
  await world.createSender(MTN);
  const merchant = await world.createMerchant();
  return { world, merchant, tester: { ...merchant, smsKey: merchant.smsTestKey } };
}

async function open() {
  const kiosk = new Kiosk(chanceFrom(5));
  await kiosk.open(() => 20);
  const [shop] = kiosk.shops;
  if (!shop) throw new Error('A shop is open');
  await kiosk.request('webhook/set', { key: shop.testKey, body: { url: 'https://shop.example.com/hooks' } });
  return { kiosk, shop };
}

async function sent(kiosk: Kiosk, key: string, to: readonly string[]): Promise<{ ids: string[] }> {
  const answer = await kiosk.request('sms/send', { key, body: { to, message: 'Your order is ready' } });
  const { data } = JSON.parse(answer?.body ?? '');
  expect(data.livemode).toBe(false);
  return data;
}

async function statesOf(kiosk: Kiosk, ids: readonly string[]): Promise<string[]> {
  const { smsTestKey: key } = kiosk.shops[0] ?? { smsTestKey: '' };
  const answers = await Promise.all(ids.map((id) => kiosk.request('sms/show', { key, parameters: { id } })));
  return answers.map((answer) => JSON.parse(answer?.body ?? '').data.status);
}

function balances(kiosk: Kiosk) {
  return kiosk.memory.items().filter(({ pk }) => /^CREDIT/.test(String(pk)));
}
