import { beforeEach, describe, expect, test } from 'vitest';
import { changeMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { giveSender } from '../../../shared/merchants/merchant/senders.ts';
import { NOBODY } from '../../../shared/phones/sender/manage-senders.ts';
import { SETTINGS_CACHE_SECONDS } from '../../../shared/runtime/outside/cached.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { Kiosk, type Shop } from '../../simulation/kiosk.ts';
import { chanceFrom } from '../../simulation/random.ts';

const SECOND_MS = 1_000;
/** The kiosk opens at eight in the morning. Ghana's time is UTC. */
const EIGHT = Date.UTC(2026, 0, 5, 8);

let kiosk: Kiosk;
let shop: Shop;
beforeEach(() => open());

describe('the `send_at` field', () => {
  test.each([
    ['half a minute', 30 * SECOND_MS],
    ['nine minutes (in the queue)', 9 * MINUTE_MS],
    ['eleven minutes (by housekeeping)', 11 * MINUTE_MS],
    ['two hours and seven seconds', 2 * HOUR_MS + 7 * SECOND_MS],
    ['thirty days', 30 * DAY_MS],
  ])('sends a text scheduled %s ahead with at most a minute’s delay', async (_, aheadMs) => {
    const data = await sent({ send_at: at(aheadMs) });
    expect(data).toMatchObject({ status: 'scheduled', send_at: at(aheadMs), expires_at: null });
    const dueMs = kiosk.nowMs + aheadMs;
    if (aheadMs > DAY_MS) await step(aheadMs - HOUR_MS, HOUR_MS);
    while (kiosk.nowMs < dueMs - 5 * SECOND_MS) {
      expect(heldOf(data.id)).toEqual([]);
      expect((await shown(data.id)).status).toBe('scheduled');
      await step(Math.min(MINUTE_MS, dueMs - 5 * SECOND_MS - kiosk.nowMs));
    }
    await step(65 * SECOND_MS, SECOND_MS);
    const [held] = heldOf(data.id);
    expect(held?.takenMs).toBeGreaterThanOrEqual(dueMs);
    expect(held?.takenMs).toBeLessThanOrEqual(dueMs + MINUTE_MS);
    expect((await shown(data.id)).send_at).toBe(new Date(dueMs).toISOString());
  });

  test('sends a text within fifteen minutes if its jobs are lost', async () => {
    await sent({ send_at: at(HOUR_MS) });
    const { send: queue } = kiosk.queues;
    kiosk.queues.send = async () => {};
    await step(HOUR_MS + MINUTE_MS);
    kiosk.queues.send = queue;
    expect(kiosk.phones.held).toEqual([]);
    await step(15 * MINUTE_MS);
    expect(kiosk.phones.held).toHaveLength(1);
  });

  test('delays a text whose job arrives early', async () => {
    const { id } = await sent({ send_at: at(HOUR_MS) });
    await kiosk.queues.send('deliver-sms', [{ body: { send_id: id, index: 0 }, group: shop.id }]);
    await step(5 * MINUTE_MS, MINUTE_MS);
    expect(kiosk.phones.held).toEqual([]);
    await step(HOUR_MS, MINUTE_MS);
    expect(kiosk.phones.held).toHaveLength(1);
  });

  test('lists scheduled sends as scheduled instead of overdue', async () => {
    const { id } = await sent({ send_at: at(3 * HOUR_MS) });
    await sent({});
    await step(30 * MINUTE_MS);
    const answer = await kiosk.request('sms/list', { key: shop.smsKey, query: { status: 'scheduled' } });
    const { sends } = JSON.parse(answer?.body ?? '').data;
    expect(sends.map((one: { id: string }) => one.id)).toEqual([id]);
    expect(sends[0].messages).toMatchObject([{ status: 'scheduled' }]);
    expect(kiosk.measured.texts_overdue).toBe(0);
  });

  test.each([
    ['a time without a zone', '2026-01-05T09:00:00', 'must be a time with a UTC offset, such as 2026-11-20T08:30:00Z'],
    ['an impossible date', '2026-02-30T09:00:00Z', 'must be a time with a UTC offset, such as 2026-11-20T08:30:00Z'],
    ['a number', 1_767_600_000, 'must be a time with a UTC offset, such as 2026-11-20T08:30:00Z'],
    ['a time in the past', '2026-01-05T07:54:00Z', 'is in the past. It is now 2026-01-05T08:00:00.000Z'],
    ['a time more than thirty days ahead', '2026-02-04T08:00:01Z', 'must be at most 30 days ahead'],
  ])('rejects %s', async (_, send_at, message) => {
    const answer = await requested({ send_at });
    expect(answer).toMatchObject({ code: 'invalid_request', errors: [{ field: 'send_at', message }] });
    expect(balanceOf()).toBe(100);
  });

  test('accepts times in other time zones and times that just passed', async () => {
    expect(await sent({ send_at: '2026-01-05T11:00:00+02:00' })).toMatchObject({ send_at: '2026-01-05T09:00:00.000Z' });
    expect(await sent({ send_at: '2026-01-05T07:58:00Z' })).toMatchObject({ status: 'pending', send_at: null });
  });

  test('applies to simulated texts', async () => {
    const tester = { ...shop, smsKey: shop.smsTestKey };
    const { id } = await sent({ send_at: at(HOUR_MS) }, tester);
    const state = async () => (await shown(id, tester)).status;
    await step(59 * MINUTE_MS);
    expect(await state()).toBe('scheduled');
    await step(2 * MINUTE_MS);
    expect(await state()).toBe('delivered');
    expect(kiosk.phones.held).toEqual([]);
  });
});

describe('the `valid_for` field', () => {
  test('expires and refunds a text if the phone is off', async () => {
    for (const device of ['device-1', 'device-2']) kiosk.phones.switch(device, false);
    const { id } = await sent({ valid_for: 600 });
    await kiosk.goOn();
    expect(kiosk.phones.held).toMatchObject([{ state: 'Pending' }]);
    await step(11 * MINUTE_MS);
    for (const device of ['device-1', 'device-2']) kiosk.phones.switch(device, true);
    await step(15 * MINUTE_MS);
    expect(kiosk.phones.sent.size).toBe(0);
    expect(await shown(id)).toMatchObject({
      status: 'expired',
      failure_reason: 'It could not be sent in time',
      failed_at: null,
    });
    expect(balanceOf()).toBe(100);
    expect(kiosk.posted.map(({ body }) => JSON.parse(body).type)).toEqual(['sms.expired']);
  });

  test('expires a text while it waits in the queue', async () => {
    await open(30);
    const first = await sent({ to: numbers(20), from: shop.number });
    const late = await sent({ valid_for: 4_000, from: shop.number });
    // The number sends more slowly than estimated.
    await kiosk.outside.table.update(changeItem({ pk: 'SENDER', sk: shop.number }, { messages_per_hour: 10 }));
    await kiosk.wait(3 * SECOND_MS);
    await step(80 * MINUTE_MS);
    expect(await shown(late.id)).toMatchObject({ status: 'expired' });
    expect((await shown(first.ids[19])).status).toBe('pending');
    expect(kiosk.phones.held.some(({ id }) => id === late.id)).toBe(false);
  });

  test('rejects texts that cannot be sent in time', async () => {
    await open(60);
    expect(await requested({ to: numbers(11), valid_for: 600, from: shop.number })).toMatchObject({
      code: 'invalid_request',
      errors: [
        {
          field: 'valid_for',
          message: `is too short: the last of 11 texts would be sent from ${shop.number} at about 2026-01-05T08:10:00.000Z, but expires at 2026-01-05T08:10:00.000Z. Nothing was debited. Set it to at least 601, or send to fewer numbers`,
        },
      ],
    });
    expect(balanceOf()).toBe(100);
    // Ten texts take nine minutes.
    expect(await sent({ to: numbers(10), valid_for: 600, from: shop.number })).toMatchObject({
      expires_at: '2026-01-05T08:10:00.000Z',
    });
  });

  test('returns 429 if queued texts would cause too long a delay', async () => {
    await open(60);
    await sent({ to: numbers(9), from: shop.number });
    await kiosk.carryOn();
    expect(await requested({ valid_for: 300, from: shop.number })).toMatchObject({
      code: 'queue_full',
      message: expect.stringMatching(/at about 2026-01-05T08:0[78]/),
    });
    expect(balanceOf()).toBe(91);
    await step(5 * MINUTE_MS, 5 * SECOND_MS);
    expect(await requested({ valid_for: 300, from: shop.number })).toMatchObject({ status: true });
  });

  test.each([0, 59, 2_592_001, 1.5, '600'])('rejects %j', async (valid_for) => {
    expect(await requested({ valid_for })).toMatchObject({ errors: [{ field: 'valid_for' }] });
  });
});

describe('quiet hours', () => {
  test('delay a text until they end', async () => {
    await changeMerchant(kiosk.outside, shop.id, { quiet_hours: '07:30-09:15' });
    // Lets the cached settings of the merchant expire.
    await kiosk.wait(MINUTE_MS);
    const held = await sent({});
    expect(held).toMatchObject({ status: 'scheduled', send_at: '2026-01-05T09:15:00.000Z' });
    expect(await sent({ quiet_hours: '07:30-10:00' })).toMatchObject({ send_at: '2026-01-05T10:00:00.000Z' });
    expect(await sent({ quiet_hours: 'none' })).toMatchObject({ status: 'pending', send_at: null });
    await step(73 * MINUTE_MS);
    expect(kiosk.phones.held).toHaveLength(1);
    await step(3 * MINUTE_MS);
    expect(kiosk.phones.held.map(({ id }) => id)).toContain(held.id);
  });

  test('do not hold up other merchants’ texts', async () => {
    await open(30);
    await giveSender(kiosk.outside, shop.number, NOBODY);
    await kiosk.wait(SETTINGS_CACHE_SECONDS * 1000);
    const held = await sent({ to: numbers(40), quiet_hours: '08:20-12:00', from: shop.number });
    const other = await sent({ to: numbers(12), from: shop.number }, kiosk.shops[1]);
    await step(50 * MINUTE_MS);
    const left = (ids: readonly string[]) => kiosk.phones.held.filter(({ id }) => ids.includes(id));
    const before = left(held.ids).length;
    expect(before).toBeGreaterThan(3);
    expect(before).toBeLessThan(12);
    // All texts of the other merchant have been sent.
    expect(left(other.ids)).toHaveLength(12);
    await step(3 * HOUR_MS);
    expect(left(held.ids)).toHaveLength(before);
    expect(kiosk.measured.texts_overdue).toBe(0);
    await step(90 * MINUTE_MS);
    expect(left(held.ids)).toHaveLength(40);
    const morning = left(held.ids).slice(before);
    expect(morning.every(({ takenMs = 0 }) => takenMs >= EIGHT + 4 * HOUR_MS)).toBe(true);
    expect(kiosk.measured.texts_overdue).toBe(0);
  });

  test('fail and refund a text after three days', async () => {
    const { id } = await sent({ send_at: at(HOUR_MS), quiet_hours: '10:00-09:00' });
    const { send: queue } = kiosk.queues;
    kiosk.queues.send = async () => {};
    await step(3 * DAY_MS + 5 * HOUR_MS, 20 * MINUTE_MS);
    kiosk.queues.send = queue;
    expect((await shown(id)).status).toBe('scheduled');
    await step(DAY_MS, 10 * MINUTE_MS);
    expect({ status: (await shown(id)).status, balanceOf: balanceOf() }).toEqual({ status: 'failed', balanceOf: 100 });
  });

  test('reject a text that would expire before they end', async () => {
    expect(await requested({ valid_for: 3_600, quiet_hours: '07:00-12:00' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'valid_for', message: expect.stringContaining('2026-01-05T12:00:00.000Z') }],
    });
  });

  test.each(['21-7', '21:00-24:00', '21:00-21:00', '', 7])('reject %j', async (quiet_hours) => {
    expect(await requested({ quiet_hours })).toMatchObject({ errors: [{ field: 'quiet_hours' }] });
  });
});

async function open(messagesPerHour?: number): Promise<void> {
  kiosk = new Kiosk(chanceFrom(7));
  await kiosk.open(() => 100, messagesPerHour);
  const [first] = kiosk.shops;
  if (!first) throw new Error('A shop is open');
  shop = first;
}

const numbers = (count: number) => Array.from({ length: count }, () => '0551112223');

function heldOf(id: string) {
  return kiosk.phones.held.filter((one) => one.id === id);
}

function at(aheadMs: number): string {
  return new Date(kiosk.nowMs + aheadMs).toISOString();
}

async function requested(more: object, { smsKey } = shop) {
  const body = { to: '0551112223', message: 'Hello canary', from: 'random', ...more };
  return JSON.parse((await kiosk.request('sms/send', { key: smsKey, body }))?.body ?? '');
}

async function sent(more: object, by = shop) {
  const answer = await requested(more, by);
  expect(answer).toMatchObject({ status: true });
  return answer.data;
}

async function shown(id: string, { smsKey } = shop) {
  return JSON.parse((await kiosk.request('sms/show', { key: smsKey, parameters: { id } }))?.body ?? '').data;
}

/** Lets time pass with all jobs running. */
async function step(ms: number, everyMs = MINUTE_MS): Promise<void> {
  for (const endMs = kiosk.nowMs + ms; kiosk.nowMs < endMs; ) {
    await kiosk.goOn();
    await kiosk.wait(Math.min(everyMs, endMs - kiosk.nowMs));
  }
  await kiosk.goOn();
}

function balanceOf(): unknown {
  return kiosk.items().find(({ pk, sk }) => pk === `CREDITS#${shop.id}` && sk === 'BALANCE')?.balance;
}
