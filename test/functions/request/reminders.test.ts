import { beforeEach, describe, expect, test } from 'vitest';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { remind } from '../../../shared/money/request/remind.ts';
import { nextReminderAt, reminderTimes, reminderToLeaveAt } from '../../../shared/money/request/reminder-times.ts';
import { findRequest } from '../../../shared/money/request/request.table.ts';
import { settleRequest } from '../../../shared/money/request/settle-request.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { removeApiKey } from '../../support/actions.ts';
import { wrote } from '../../support/contacts.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

const SENDER = '+233201234567';
const CUSTOMER = '+233241112222';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  at('2027-01-10T12:00:00Z');
  await world.createSender(SENDER);
  shop = await world.createShop();
  await shop.topUp(100);
});

const RENT = {
  title: 'Rent, room 12',
  lines: [{ description: 'Rent', amount: 500 }],
  customer_phone: '0241112222',
  due: '2027-02-01',
  repeat: { every: 'month', until: '2027-04-30' },
  reminders: [-3, 0, 7],
};

describe('a payment request’s reminder', () => {
  test('is sent on the morning of each chosen day for one credit', async () => {
    const slug = await shop.request(RENT);
    const times: string[] = [];
    for (let day = 0; day < 35; day++)
      for (const hour of [3, 8.5, 11.2, 14, 22]) {
        world.clock.nowMs = Date.parse('2027-01-11') + day * DAY_MS + hour * HOUR_MS;
        await world.housekeeping();
        for (const send of (await sends()).slice(times.length)) times.push(String(send.created_at));
      }
    expect(times.map((time) => time.slice(0, 10))).toEqual(['2027-01-29', '2027-02-01', '2027-02-08']);
    for (const time of times) expect(Number(time.slice(11, 13))).toSatisfy((hour: number) => hour >= 9 && hour <= 12);
    const [first] = await sends();
    expect(first).toMatchObject({ to: [CUSTOMER], category: 'reminder', request: slug, quiet_hours: '21:00-07:00' });
    expect(String(first?.message)).toBe(
      `Ama Stores: GHS 500.00 for Rent, room 12 is due on 1 Feb 2027. See and pay: ${world.outside.baseUrl}/r/${slug}`,
    );
    const last = (await sends()).at(-1);
    expect((await shop.shownRequest(slug)).last_reminder).toMatchObject({ sms_id: last?.send_id, not_sent: null });
  });

  test('states only the amount still due', async () => {
    const slug = await shop.request(RENT);
    await shop.payPart(slug, '500');
    await until('2027-02-10');
    expect(await sends()).toEqual([]);
    expect((await findRequest(world.outside, slug))?.remind_at?.slice(0, 10)).toBe('2027-02-26');
    await shop.payPart(slug, '150.50');
    await until('2027-02-27');
    const [only, ...others] = await sends();
    expect(String(only?.message)).toContain('GHS 349.50 for Rent, room 12 is due on 1 Mar 2027');
    expect(others).toEqual([]);
  });

  test('is cancelled and refunded if the amount is paid first', async () => {
    const slug = await reminded();
    expect({ sends: (await sends()).length, balance: await shop.balance() }).toEqual({ sends: 1, balance: 99 });
    await shop.payPart(slug, '500');
    await leave();
    const [send] = await sends();
    expect(await world.messageRow(String(send?.send_id))).toMatchObject({
      state: 'failed',
      failure_reason: 'Its payment has since been made, reversed or cancelled',
    });
    expect(await shop.balance()).toBe(100);
  });

  test('is not sent if the key that made the request was revoked', async () => {
    const slug = await shop.request(RENT);
    await removeApiKey(world.outside, shop.id, shop.liveKey.slice(-4));
    at('2027-01-29T12:00:00Z');
    await remind(world.outside, slug);
    expect(await sends()).toEqual([]);
    expect((await findRequest(world.outside, slug))?.last_reminder).toMatchObject({ not_sent: 'forbidden' });
  });

  test('is cancelled and refunded if the key is revoked before the text leaves', async () => {
    await reminded();
    await removeApiKey(world.outside, shop.id, shop.liveKey.slice(-4));
    world.clock.nowMs += HOUR_MS;
    await leave();
    const [send] = await sends();
    expect(await world.messageRow(String(send?.send_id))).toMatchObject({
      state: 'failed',
      failure_reason: 'The API key that sent it was revoked',
    });
    expect(await shop.balance()).toBe(100);
  });

  test('is cancelled if the amount is paid after a failed send', async () => {
    const slug = await reminded();
    world.gateway = async () => Response.json({}, { status: 503 });
    await leave();
    const [send] = await sends();
    expect(await world.messageRow(String(send?.send_id))).toMatchObject({ state: 'sending' });
    await shop.payPart(slug, '500');
    world.gateway = async () => Response.json({ state: 'Pending' }, { status: 202 });
    world.fetched.length = 0;
    await leave();
    expect(world.fetched).toEqual([]);
    // The phone may have received the first attempt, so housekeeping asks the gateway, which does not know the text.
    at('2027-01-29T19:30:00Z');
    world.gateway = phoneIsOn(() => Response.json({}, { status: 404 }));
    await world.housekeeping();
    expect(await world.messageRow(String(send?.send_id))).toMatchObject({ state: 'failed' });
    expect(await shop.balance()).toBe(100);
  });

  test.each([
    ['leaves out a verified payment that arrived too late', '200', true, 'GHS 300.00 for Rent'],
    ['is not sent if a verified payment of the amount arrived too late', '500', true, undefined],
    ['includes an unverified payment that arrived too late', '500', false, 'GHS 500.00 for Rent'],
  ])('%s', async (_, amount, isVerified, message) => {
    const slug = await lateBy(amount);
    if (isVerified) await verifyMoney(world);
    at('2027-01-29T12:00:00Z');
    await remind(world.outside, slug);
    const sent = (await sends()).map((send) => String(send.message).match(/GHS .*Rent/)?.[0]);
    expect(sent).toEqual(message === undefined ? [] : [message]);
    await leave();
    expect(world.fetched).toHaveLength(sent.length);
  });

  test.each([
    ['is not sent if a verified payment waits for the merchant because of its amount', true, 0],
    ['is sent despite an unverified payment that waits because of its amount', false, 1],
  ])('%s', async (_, isVerified, sent) => {
    await shop.change({ confirm_always_above_pesewas: 100_00 });
    const slug = await shop.request({ ...RENT, repeat: undefined });
    const reference = await world.openPart(slug, '500');
    await shop.pay(mtn({ reference, amount: '500.00' }));
    if (isVerified) await verifyMoney(world);
    expect(await shop.listed('held')).toMatchObject([{ reason: 'large_amount', suggested_reference: reference }]);
    const { text } = await world.call('r/page', { parameters: { slug } });
    expect(text).toContain('A payment message for this request arrived');
    at('2027-01-29T12:00:00Z');
    await world.housekeeping();
    expect(await sends()).toHaveLength(sent);
    if (!isVerified) await verifyMoney(world);
    world.fetched.length = 0;
    await leave();
    expect(world.fetched).toEqual([]);
  });

  test.each([
    ['fifty newer ones', 50, '5.00', false],
    ['six larger forged ones', 6, '600.00', true],
  ])('is not sent if a verified payment waits behind %s', async (_, count, amount, isForged) => {
    const { reference } = await waiting();
    for (let n = 0; n < count; n++) await shop.pay(mtn({ amount, ...(isForged && { reference }) }));
    at('2027-01-29T12:00:00Z');
    await world.housekeeping();
    expect(await sends()).toHaveLength(0);
  });

  test('is not sent if a verified payment waits behind six newer bills that nobody pays', async () => {
    const { slug } = await waiting();
    await world.tell(3);
    for (let n = 1; n <= 6; n++) await world.openPart(slug, `${n}`);
    const { text } = await world.call('r/page', { parameters: { slug } });
    expect(text).toContain('A payment message for this request arrived');
    at('2027-01-29T12:00:00Z');
    await world.housekeeping();
    expect(await sends()).toHaveLength(0);
  });

  test.each([
    ['arrived after its bill was cancelled', 'cancelled', ['500'], undefined],
    ['is a part of a cancelled bill', 'cancelled later', ['200'], 'GHS 300.00 for Rent'],
    ['is a second payment for a paid bill', 'open', ['250', '250'], undefined],
    ['pays the rest of a bill in doubt', 'in doubt', ['500'], undefined],
  ] as const)('does not ask for verified money that %s', async (_, bill, amounts, message) => {
    const slug = await shop.request({ ...RENT, repeat: undefined });
    const reference = await world.openPart(slug, amounts.length > 1 ? '250' : '500');
    const cancel = () => shop.call('transaction/cancel', { parameters: { reference } });
    if (bill === 'cancelled') await cancel();
    if (bill === 'in doubt') await world.outside.table.write([disputeCharge(world.outside, reference, 'conflict')]);
    for (const amount of amounts) await shop.pay(mtn({ reference, amount: `${amount}.00` }));
    await verifyMoney(world);
    await world.tell(3);
    if (bill === 'cancelled later') await cancel();
    await world.tell(3);
    const { text } = await world.call('r/page', { parameters: { slug } });
    expect(text).toContain('A payment message for this request arrived');
    at('2027-01-29T12:00:00Z');
    await remind(world.outside, slug);
    const asked = (await sends()).map((send) => String(send.message).match(/GHS .*Rent/)?.[0]);
    expect(asked).toEqual(message === undefined ? [] : [message]);
  });

  test.each(['set aside', 'assigned to another bill'])(
    'is sent once a payment that waited for the merchant is %s',
    async (done) => {
      const { slug, held } = await waiting();
      const manager = await shop.signIn('manager');
      if (done === 'set aside')
        expect((await manager.visit(`/dashboard/held/${held.id}/set-aside`, { form: {} })).status).toBe(303);
      else expect((await shop.assign(held.text, await shop.charge({ amount: 500 }))).status).toBe(200);
      at('2027-01-29T12:00:00Z');
      await world.housekeeping();
      expect(await sends()).toHaveLength(1);
      const { text } = await world.call('r/page', { parameters: { slug } });
      expect(text).not.toContain('A payment message for this request arrived');
    },
  );

  test('is sent if the merchant decided that a payment is not for the request', async () => {
    const slug = await lateBy('500');
    await verifyMoney(world);
    const [held] = await shop.listed('held');
    const manager = await shop.signIn('manager');
    const address = `/dashboard/held/${held?.id}/set-aside`;
    const listed = async () =>
      (await manager.visit(`/dashboard/requests/${slug}`)).text.includes('Other money for this request');
    expect(await listed()).toBe(true);
    expect((await manager.visit(address, { form: {} })).status).toBe(303);
    expect(await listed()).toBe(false);
    at('2027-01-29T12:00:00Z');
    await remind(world.outside, slug);
    expect(await sends()).toHaveLength(1);
  });

  test('is cancelled if a payment that arrived too late is verified before it leaves', async () => {
    const slug = await lateBy('500');
    at('2027-01-29T12:00:00Z');
    await remind(world.outside, slug);
    expect(await sends()).toHaveLength(1);
    await verifyMoney(world);
    await leave();
    expect({ fetched: world.fetched, balance: await shop.balance() }).toEqual({ fetched: [], balance: 100 });
  });

  test('is cancelled with its request', async () => {
    const slug = await reminded();
    await shop.call('request/cancel', { parameters: { slug } });
    await leave();
    const [send] = await sends();
    expect(await world.messageRow(String(send?.send_id))).toMatchObject({ state: 'failed' });
    expect({ fetched: world.fetched, balance: await shop.balance() }).toEqual({ fetched: [], balance: 100 });
  });

  test('is sent on the next reminder day after a reversal', async () => {
    const slug = await shop.request({ ...RENT, repeat: undefined });
    const reference = await world.openPart(slug, '500');
    const receipt = mtn({ reference, amount: '500.00' });
    await shop.pay(receipt);
    await settleRequest(world.outside, reference);
    expect(await findRequest(world.outside, slug)).not.toHaveProperty('remind_at');
    await shop.arrive(reversal(receipt.id, '500.00'));
    await settleRequest(world.outside, reference);
    await until('2027-01-30');
    expect(await sends()).toHaveLength(1);
  });

  test('is cancelled after a part payment', async () => {
    const slug = await reminded();
    await shop.payPart(slug, '300');
    await leave();
    expect({ fetched: world.fetched, balance: await shop.balance() }).toEqual({ fetched: [], balance: 100 });
    await until('2027-02-02');
    expect(String((await sends()).at(-1)?.message)).toContain('GHS 200.00');
  });

  test('is sent if nothing has been paid', async () => {
    await reminded();
    await leave();
    const [send] = await sends();
    expect(await world.messageRow(String(send?.send_id))).toMatchObject({ state: 'sending' });
  });

  test('is sent once if several jobs process it', async () => {
    const slug = await shop.request(RENT);
    at('2027-01-29T12:00:00Z');
    await Promise.allSettled(Array.from({ length: 5 }, () => remind(world.outside, slug)));
    expect(await sends()).toHaveLength(1);
  });

  test('says whether the amount will be due, is due today or is overdue', async () => {
    await shop.request({ ...RENT, repeat: undefined });
    await until('2027-02-20');
    const said = (await sends()).map(({ message }) => /room 12 (.*)\. See/.exec(String(message))?.[1]);
    expect(said).toEqual(['is due on 1 Feb 2027', 'is due today', 'was due on 1 Feb 2027']);
  });

  test('is retried if the table is unavailable', async () => {
    const slug = await shop.request(RENT);
    at('2027-01-29T12:00:00Z');
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ command }, send) => {
      if (command === 'TransactWriteItems') {
        // Later writes succeed, so a wrong implementation would record the reminder as not sent.
        world.dynamoDb = usual;
        throw new Error('The table is away');
      }
      await send();
    };
    await expect(remind(world.outside, slug)).rejects.toThrow('The table is away');
    await remind(world.outside, slug);
    expect(await sends()).toHaveLength(1);
  });

  test('replaces earlier missed reminders', async () => {
    const slug = await shop.request(RENT);
    at('2027-03-02T12:00:00Z');
    await world.housekeeping();
    const [only, ...others] = await sends();
    expect(String(only?.message)).toContain('GHS 1,000.00 for Rent, room 12 was due on 1 Mar 2027');
    expect(others).toEqual([]);
    expect((await findRequest(world.outside, slug))?.remind_at?.slice(0, 10)).toBe('2027-03-08');
  });

  test('is merged with a late reminder on the same day', async () => {
    await shop.request({ ...RENT, reminders: [-3, -2] });
    at('2027-01-30T08:30:00Z');
    await world.housekeeping();
    expect(await sends()).toEqual([]);
    at('2027-01-30T12:00:00Z');
    await world.housekeeping();
    expect(await sends()).toHaveLength(1);
  });

  test('is not sent at night', async () => {
    await shop.request(RENT);
    at('2027-01-29T20:00:00Z');
    await world.housekeeping();
    at('2027-01-30T05:00:00Z');
    await world.housekeeping();
    expect(await sends()).toEqual([]);
    at('2027-01-30T09:00:00Z');
    await world.housekeeping();
    expect(await sends()).toHaveLength(1);
  });

  test('is not sent after STOP', async () => {
    const slug = await shop.request(RENT);
    await wrote(world, 'STOP', shop.id, CUSTOMER);
    await until('2027-03-10');
    expect(await sends()).toEqual([]);
    expect(await shop.balance()).toBe(100);
    expect((await shop.shownRequest(slug)).last_reminder).toMatchObject({ not_sent: 'recipient_opted_out' });
  });

  test('is not sent without credits', async () => {
    const poor = await world.createShop();
    const slug = await poor.request(RENT);
    await until('2027-01-30');
    expect((await poor.shownRequest(slug)).last_reminder).toMatchObject({ not_sent: 'insufficient_credits' });
  });

  test('is not sent for a cancelled request or a suspended shop', async () => {
    const [slug, other] = [await shop.request(RENT), await shop.request(RENT)];
    await shop.call('request/cancel', { parameters: { slug } });
    await shop.suspend();
    await until('2027-02-10');
    expect(await sends()).toEqual([]);
    await shop.suspend(false);
    world.clock.nowMs += 60_000;
    expect((await shop.shownRequest(other)).last_reminder).toMatchObject({ not_sent: 'forbidden' });
  });

  test('is sent on time', async () => {
    const slug = await shop.request(RENT);
    const [next = ''] = [(await findRequest(world.outside, slug))?.remind_at];
    for (const [afterMs, times] of [
      [-1, 0],
      [0, 1],
    ] as const) {
      world.clock.nowMs = Date.parse(next) + afterMs;
      await remind(world.outside, slug);
      expect(await sends()).toHaveLength(times);
    }
    await remind(world.outside, 'no-such-request');
  });

  test('is not sent to an erased number', async () => {
    const slug = await shop.request(RENT);
    await world.outside.table.write([
      changeItem({ pk: `REQUEST#${slug}`, sk: 'REQUEST' }, { customer_phone: undefined }),
    ]);
    await until('2027-01-30');
    expect(await sends()).toEqual([]);
    expect((await shop.shownRequest(slug)).last_reminder).toMatchObject({ not_sent: 'invalid_request' });
  });

  test.each([
    ['has characters outside GSM-7', '商店', 'Reminder: GHS 500.00 for '],
    ['is too long', 'Ama '.repeat(60), 'Ama Ama Ama '],
  ])('fits into two SMS if the shop’s name %s', async (_, name, start) => {
    await world.outside.table.write([changeItem({ pk: `MERCHANT#${shop.id}`, sk: 'MERCHANT' }, { name })]);
    world.clock.nowMs += 60_000;
    const slug = await shop.request({ ...RENT, title: 'Rent, room 12 '.repeat(5).trim() });
    await until('2027-01-30');
    const text = String((await sends())[0]?.message);
    expect({ start: text.slice(0, start.length), segments: sizeOf(text).segments }).toEqual({ start, segments: 2 });
    expect(text).toMatch(new RegExp(`/r/${slug}$`));
  });

  test('is scheduled three days before the due date', async () => {
    const { json } = await shop.call('request/create', { body: { ...RENT, repeat: undefined, due: '2027-02-01' } });
    expect(json.data.next_reminder_at.slice(0, 10)).toBe('2027-01-29');
  });

  test('is not sent at night despite the shop’s own quiet hours', async () => {
    await shop.change({ quiet_hours: '12:00-13:00' });
    await shop.request(RENT);
    await until('2027-01-30');
    expect((await sends())[0]).toMatchObject({ quiet_hours: '21:00-07:00' });
  });

  test('expires on the phone before the night', async () => {
    await handedOver();
    // A phone that comes back at 23:00 still sends texts that have not expired.
    const [{ body } = {}] = world.fetched as unknown as { body: { ttl: number } }[];
    expect(body?.ttl).toBe(3 * 60 * 60);
  });

  test('is refunded once if the phone drops it at night', async () => {
    const send_id = await handedOver();
    expect(await shop.balance()).toBe(99);
    at('2027-01-29T23:00:00Z');
    const dropped = { state: 'Failed', recipients: [{ error: 'TTL expired' }], states: { Failed: world.iso() } };
    world.gateway = phoneIsOn((url) =>
      /\/messages\/[^?]/.test(url) ? Response.json({ id: url.split('/').at(-1), ...dropped }) : Response.json([]),
    );
    for (let n = 0; n < 3; n++) {
      await world.housekeeping();
      world.clock.nowMs += HOUR_MS;
    }
    expect(await world.messageRow(send_id)).toMatchObject({
      state: 'failed',
      failure_reason: 'The phone did not send it in time',
    });
    expect(await shop.balance()).toBe(100);
  });
});

describe('the reminder schedule', () => {
  const WEEKLY = {
    slug: 'abcdefghjkmn',
    instalments: ['2027-02-01', '2027-02-08'].map((due) => ({ due, amount_pesewas: 50_000 })),
    reminder_days: [-10, 0, 7],
  };
  const days = ({ at: time, until: last }: { at: string; until: string }) => [time.slice(0, 10), last];

  test('is ordered by due date and has one reminder per morning', () => {
    expect(reminderTimes(WEEKLY).map(days)).toEqual([
      ['2027-01-22', '2027-02-01'],
      ['2027-01-29', '2027-02-08'],
      ['2027-02-01', '2027-02-01'],
      ['2027-02-08', '2027-02-08'],
      ['2027-02-15', '2027-02-08'],
    ]);
  });

  test('spreads reminders between nine and eleven', () => {
    const times = Array.from({ length: 600 }, (_, n) =>
      reminderTimes({ ...WEEKLY, slug: `slug-${n}` })[0]?.at.slice(10),
    );
    expect(times.filter((time) => !/^T(09|10):[0-5]\d:00\.000Z$/.test(String(time)))).toEqual([]);
    expect(new Set(times).size).toBeGreaterThan(100);
  });

  test('starts now and skips paid instalments', () => {
    const all = reminderTimes(WEEKLY).map((one) => one.at);
    const [first = '', second = ''] = all;
    expect(nextReminderAt(WEEKLY, Date.parse(first) - 1)).toBe(first);
    expect(nextReminderAt(WEEKLY, Date.parse(first))).toBe(second);
    expect(nextReminderAt(WEEKLY, Date.parse(String(all.at(-1))))).toBeUndefined();
    const leaves = (remind_at: string | undefined, paid: number) => reminderToLeaveAt({ ...WEEKLY, remind_at }, paid);
    expect({ first: leaves(first, 0), second: leaves(second, 0), firstLater: leaves(first, 50_000) }).toEqual({
      first,
      second,
      firstLater: second,
    });
    expect({ tooLate: leaves(first, 100_000), none: leaves(undefined, 0) }).toEqual({
      tooLate: undefined,
      none: undefined,
    });
  });
});

function at(time: string): void {
  world.clock.nowMs = Date.parse(time);
}

async function until(day: string): Promise<void> {
  while (world.clock.nowMs < Date.parse(day) + 12 * HOUR_MS) {
    world.clock.nowMs = Math.min(world.clock.nowMs + DAY_MS, Date.parse(day) + 12 * HOUR_MS);
    await world.housekeeping();
  }
}

async function sends() {
  const all = await world.rows('SEND');
  return all.toSorted((one, other) => (String(one.created_at) < String(other.created_at) ? -1 : 1));
}

/** Runs the job that sends the text. */
async function leave(): Promise<void> {
  const [send] = await sends();
  await world.work('deliver-sms', [{ send_id: send?.send_id, index: 0 }]);
}

/** Hands a reminder to a phone at 18:00. */
async function handedOver(): Promise<string> {
  const slug = await shop.request(RENT);
  at('2027-01-29T18:00:00Z');
  await remind(world.outside, slug);
  const [send] = await sends();
  expect(send).toMatchObject({ category: 'reminder', quiet_hours: '21:00-07:00' });
  world.fetched.length = 0;
  await leave();
  return String(send?.send_id);
}

/** A gateway with a phone that is online. */
function phoneIsOn(answers: (url: string) => Response): Scene['gateway'] {
  const lastSeen = world.iso();
  const phone = { id: 'device-1', lastSeen, createdAt: lastSeen, updatedAt: lastSeen, name: 'phone' };
  return async ({ url }) => (url.endsWith('/devices') ? Response.json([phone]) : answers(url));
}

/** Creates a request whose customer pays the amount two days after pressing Pay. */
async function lateBy(amount: string): Promise<string> {
  const slug = await shop.request({ ...RENT, repeat: undefined });
  const reference = await world.openPart(slug, amount);
  world.clock.nowMs += 2 * DAY_MS;
  await world.housekeeping();
  await shop.pay(mtn({ reference, amount: `${amount}.00` }));
  world.fetched.length = 0;
  return slug;
}

/** Creates a request whose verified payment waits for the merchant because of its amount. */
async function waiting() {
  await shop.change({ confirm_always_above_pesewas: 100_00 });
  const slug = await shop.request({ ...RENT, repeat: undefined });
  const reference = await world.openPart(slug, '500');
  const text = mtn({ reference, amount: '500.00' });
  expect(await shop.pay(text)).toMatchObject({ state: 'held', reason: 'large_amount' });
  await verifyMoney(world);
  return { slug, reference, held: { text, id: shop.paymentId(text) } };
}

/** Creates a payment request with a queued reminder. @returns its slug. */
async function reminded(): Promise<string> {
  const slug = await shop.request(RENT);
  at('2027-01-29T12:00:00Z');
  await remind(world.outside, slug);
  return slug;
}
