import { beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

// Payment requests contain the customer's name and number, so they expire.

const DAYS = 400;
const LINES = [{ description: 'Tuition', amount: 36 }];

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = Date.parse('2027-01-10T12:00:00Z');
  shop = await world.createShop();
});

test.each([
  ['its creation if it has no due date', {}, '2027-01-10T12:00:00Z'],
  ['its due date', { due: '2027-06-01' }, '2027-06-01'],
  ['its creation if its due date has already passed', { due: '2026-06-01' }, '2027-01-10T12:00:00Z'],
  [
    'its last due date if it repeats',
    { due: '2027-02-01', repeat: { every: 'month', until: '2027-12-31' } },
    '2027-12-01',
  ],
])('an open request is kept for 400 days after %s', async (_, more, since) => {
  await shop.request({ title: 'Fees', lines: LINES, ...more });
  expect(await keptSince()).toBe(Date.parse(since));
});

test('the retention period restarts at each payment, reversal and payment attempt', async () => {
  const slug = await shop.request({ title: 'Fees', lines: LINES });
  world.clock.nowMs += 300 * DAY_MS;
  const reference = await world.openPart(slug, '36');
  expect(await keptSince()).toBe(world.clock.nowMs);
  const receipt = mtn({ reference });
  world.clock.nowMs += 60_000;
  await shop.pay(receipt);
  await world.tell(3);
  expect({ state: await state(), keptSince: await keptSince() }).toEqual({
    state: 'paid',
    keptSince: world.clock.nowMs,
  });
  world.clock.nowMs += 2 * DAY_MS;
  await shop.arrive(reversal(receipt.id));
  await world.tell(3);
  expect({ state: await state(), keptSince: await keptSince() }).toEqual({
    state: 'open',
    keptSince: world.clock.nowMs,
  });
});

test('a part payment before the due date does not extend the retention period', async () => {
  const slug = await shop.request({ title: 'Fees', lines: LINES, due: '2027-06-01' });
  await shop.payPart(slug, '20');
  await world.tell(3);
  expect(await keptSince()).toBe(Date.parse('2027-06-01'));
  await shop.call('request/cancel', { parameters: { slug } });
  expect({ state: await state(), keptSince: await keptSince() }).toEqual({
    state: 'cancelled',
    keptSince: world.clock.nowMs,
  });
});

test('a test request is kept for a month regardless of its due date', async () => {
  const liveKey = await shop.addKey('live', { mode: 'test' });
  const madeAt = world.clock.nowMs;
  const slug = await { ...shop, liveKey }.request({ title: 'Fees', lines: LINES, due: '2027-06-01' });
  world.clock.nowMs += 5 * DAY_MS;
  await world.openPart(slug, '36');
  expect(await keptSince(30)).toBe(madeAt);
});

async function state() {
  return (await world.rows('REQUEST'))[0]?.state;
}

/** Returns the start of the row's retention, in epoch milliseconds. */
async function keptSince(days = DAYS): Promise<number> {
  const [request] = await world.rows('REQUEST');
  return Number(request?.expires_at_epoch_seconds) * 1000 - days * DAY_MS;
}
