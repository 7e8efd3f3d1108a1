import { beforeEach, describe, expect, test } from 'vitest';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { book, listTotals } from '../../../shared/money/booking/booking.table.ts';
import {
  Closing,
  closeDay,
  closeDays,
  lastDays,
  totalsOfDays,
  totalsOfToday,
  unverifiedByDay,
} from '../../../shared/money/booking/days.ts';
import { addDays, DAY_MS, dayOf } from '../../../shared/runtime/values/calendar.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const START_MS = Date.parse('2026-11-20T12:00:00.000Z');

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = START_MS;
  merchant = await world.createMerchant({ momo: true });
});

test('a booking reported twice is stored once', async () => {
  await paid('1', 5_00);
  await paid('1', 5_00);
  expect((await today()).totals).toMatchObject({ payments: 1, payments_pesewas: 5_00 });
});

test('a booking expires forty days after the start of its day', async () => {
  await paid('1', 5_00);
  const [item] = await world.outside.table.list(`BOOKING#${merchant.id}#2026-11-20`);
  expect(item?.expires_at_epoch_seconds).toBe(Date.parse('2026-12-30T00:00:00Z') / 1000);
});

test('a day is closed two full days after it ends', async () => {
  await merchant.charge({ amount: 5 });
  await paid('1', 5_00);
  await paid('2', 7_00);
  const before = await onDay('2026-11-20');
  expect(before).toMatchObject({ charges_created: 1, payments: 2, payments_pesewas: 12_00 });

  const noted = await close(undefined);
  world.clock.nowMs = Date.parse('2026-11-22T23:59:59.999Z');
  let waiting = noted;
  for (let runs = 0; runs < 5; runs++) waiting = await close(waiting);
  expect(await closed()).toEqual([]);
  world.clock.nowMs += 1;
  const done = await goOn(waiting);
  expect(await closed()).toEqual(['2026-11-20']);
  expect(done).toEqual({ until: '2026-11-20' });
  expect(await onDay('2026-11-20')).toEqual(before);
});

test('a charge created at midnight counts towards the new day', async () => {
  const noted = await close(undefined);
  for (const at of ['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z']) {
    world.clock.nowMs = Date.parse(at);
    await merchant.charge({ amount: 5 });
  }
  const created = async () => {
    const { days } = await totalsOfDays(world.outside, merchant.id, { first: '2026-11-19', last: '2026-11-23' });
    return days.map(({ day, totals }) => [day, totals.charges_created]);
  };
  const once = [
    ['2026-11-19', 0],
    ['2026-11-20', 1],
    ['2026-11-21', 1],
    ['2026-11-22', 1],
    ['2026-11-23', 0],
  ];
  expect(await created()).toEqual(once);
  world.clock.nowMs = Date.parse('2026-11-25T12:00:00.000Z');
  await goOn(noted);
  expect(await closed()).toEqual(['2026-11-20', '2026-11-21', '2026-11-22']);
  expect(await created()).toEqual(once);
  const one = await listTotals(world.outside, merchant.id, '2026-11-21', '2026-11-21');
  expect([...one.keys()]).toEqual(['2026-11-21']);
});

test('a closed day still lists its disputed charges', async () => {
  const disputed = async () => {
    const range = { first: '2026-11-20', last: '2026-11-21' };
    return (await totalsOfDays(world.outside, merchant.id, range)).days.map((day) => day.disputed);
  };
  const noted = await close(undefined);
  await paid('1', 5_00);
  await note({ ...booking('2', {}), disputed: ['MK-4071932685'] });
  expect(await disputed()).toEqual([['MK-4071932685'], []]);
  world.clock.nowMs += 4 * DAY_MS;
  await goOn(noted);
  expect(await closed()).toEqual(['2026-11-20']);
  expect(await disputed()).toEqual([['MK-4071932685'], []]);
});

test('a closed day never changes', async () => {
  await paid('1', 5_00);
  const noted = await close(undefined);
  world.clock.nowMs += 4 * DAY_MS;
  await goOn(noted);
  await note(booking('2', { reversed: 1, reversed_pesewas: 5_00 }));
  const late = { ...booking('3', { payments: 1 }), at: '2026-11-20T13:00:00.000Z' };
  await note(late);
  await closeDay(world.outside, merchant.id, '2026-11-20');
  expect(await onDay('2026-11-20')).toMatchObject({ payments: 1, reversed: 0 });
  expect(await onDay('2026-11-24')).toMatchObject({ payments: 0, reversed: 1, reversed_pesewas: 5_00 });
});

test('verification on a later day lowers the unverified total for the arrival day', async () => {
  const noted = await close(undefined);
  await note(booking('1', { unverified_pesewas: 500_00 }));
  world.clock.nowMs += DAY_MS;
  await note(booking('2', { unverified_pesewas: 300_00 }));
  await note({ ...booking('3', { unverified_pesewas: -500_00 }), unverified_earlier: { '2026-11-20': -500_00 } });
  const unverified = async (first: string) => {
    const { days } = await totalsOfDays(world.outside, merchant.id, { first, last: '2026-11-21' });
    return unverifiedByDay(days);
  };
  const both = async () => [await unverified('2026-11-20'), await unverified('2026-11-21')];
  expect(await both()).toEqual([[0, 300_00], [300_00]]);
  world.clock.nowMs = Date.parse('2026-11-26T12:00:00.000Z');
  await goOn(noted);
  expect(await closed()).toEqual(['2026-11-20', '2026-11-21']);
  expect(await both()).toEqual([[0, 300_00], [300_00]]);
});

test('a test account’s closed days expire after a month', async () => {
  const testAccount = testAccountIdOf(merchant.id);
  await note({ ...booking('1', { payments: 1 }), merchant_id: testAccount });
  const noted = await close(undefined);
  world.clock.nowMs += 4 * DAY_MS;
  await goOn(noted);
  const [item] = await world.outside.table.list(`TOTALS#${testAccount}`);
  expect(item).toMatchObject({ sk: '2026-11-20', payments: 1 });
  expect(item?.expires_at_epoch_seconds).toBe(Date.parse('2026-12-20T00:00:00Z') / 1000);
});

test('totals for open days are computed from a limited number of rows', async () => {
  const limits: unknown[] = [];
  world.dynamoDb = async ({ command, input }, send) => {
    if (command === 'Query' && JSON.stringify(input).includes('BOOKING#'))
      limits.push(JSON.parse(JSON.stringify(input)).Limit);
    await send();
  };
  const { first } = lastDays(world.outside, 30);
  await totalsOfDays(world.outside, merchant.id, { first, last: '2026-11-21' });
  expect(limits).toEqual([4_000, 4_000, 4_000, 4_000]);
});

test.each([
  [false, 3_999, 7_999],
  [true, 4_000, 0],
  [true, 0, 8_000],
])(
  'the totals for an open day are incomplete (%s) with %i bookings and %i charges',
  async (isMore, bookings, charges) => {
    const { table } = world.outside;
    const keys = Array.from({ length: charges }, () => ({ pk: '', sk: '', sort: '2026-11-20T12:00:00.000Z#1' }));
    const outside = {
      ...world.outside,
      table: {
        ...table,
        list: async (partition: string) =>
          Array.from({ length: partition === `BOOKING#${merchant.id}#2026-11-20` ? bookings : 0 }, () => ({
            payments: 1,
          })),
        listIndexKeys: async () => ({ keys, next: undefined }),
      },
    };
    const totals = await totalsOfDays(outside, merchant.id, lastDays(outside, 2));
    expect(totals.isMore).toBe(isMore);
    expect(totals.days[1]?.totals).toMatchObject({ payments: bookings, charges_created: charges });
  },
);

describe('today’s totals', () => {
  test('are added up by hour', async () => {
    for (const [n, time] of ['00:00:00.000', '09:59:59.999', '09:00:00.000', '23:59:59.999'].entries())
      await note({ ...booking(String(n), { payments: 1, payments_pesewas: 5_00 }), at: `2026-11-20T${time}Z` });
    const { hours, isMore } = await totalsOfToday(world.outside, merchant.id);
    expect(isMore).toBe(false);
    expect(hours).toHaveLength(24);
    expect(
      hours.flatMap(({ payments, payments_pesewas }, hour) => (payments ? [[hour, payments_pesewas]] : [])),
    ).toEqual([
      [0, 5_00],
      [9, 10_00],
      [23, 5_00],
    ]);
  });

  test('are incomplete once there are a thousand bookings', async () => {
    const rows = (count: number) => Array.from({ length: count }, () => ({ sk: '2026-11-20T12:00:00.000Z#1' }));
    const isMoreOf = async (count: number) => {
      const table = { ...world.outside.table, list: async () => rows(count) };
      return (await totalsOfToday({ ...world.outside, table }, merchant.id)).isMore;
    };
    expect([await isMoreOf(999), await isMoreOf(1_000)]).toEqual([false, true]);
  });
});

test('days missed by earlier runs are closed for one merchant at a time', async () => {
  const others = await Promise.all(Array.from({ length: 59 }, () => world.createMerchant()));
  const all = [merchant, ...others];
  const noted = await close(undefined);
  for (const { id } of all) await note({ ...booking('1', { payments: 1 }), merchant_id: id });
  world.clock.nowMs += DAY_MS;
  for (const { id } of all) await note({ ...booking('2', { payments: 2 }), merchant_id: id });
  world.clock.nowMs += 4 * DAY_MS;
  let runs = 0;
  let closing = noted;
  for (; closing.until < '2026-11-22'; runs++) closing = await close(closing);
  // Sixty merchants need three runs per day, for five days.
  expect(runs).toBe(3 * 5);
  for (const { id } of all) {
    const days = await listTotals(world.outside, id, '2026-11-20', '2026-11-22');
    const payments = [...days].map(([day, { totals }]) => [day, totals.payments, Object.keys(totals).length]);
    expect(payments).toEqual([
      ['2026-11-20', 1, 1],
      ['2026-11-21', 2, 1],
    ]);
  }
});

test('a run that ends early stores its progress', async () => {
  await world.createMerchant();
  const noted = await close(undefined);
  world.clock.nowMs += DAY_MS;
  const closing = await closeDays(world.outside, noted, world.clock.nowMs - 1);
  expect(closing).toMatchObject({ until: noted.until, sum: { list: 'booked', totals: {} } });
  expect(closing.merchant).toBeUndefined();
});

describe('closing a day with several pages of bookings', () => {
  const BOOKINGS = 95;
  const CHARGES = 25;
  const testAccount = () => testAccountIdOf(merchant.id);
  let noted: Closing;
  let outside: Scene['outside'];

  beforeEach(async () => {
    noted = await close(undefined);
    for (let n = 0; n < BOOKINGS; n++) await paid(String(n), 1_00 + n);
    for (let n = 0; n < CHARGES; n++) await merchant.charge({ amount: 5 });
    await note({ ...booking('t', { payments: 7 }), merchant_id: testAccount() });
    world.clock.nowMs += 3 * DAY_MS;
    const { table } = world.outside;
    const short = <Page>(page: Page): Page => {
      world.clock.nowMs++;
      return page;
    };
    outside = {
      ...world.outside,
      table: {
        ...table,
        listPage: async (partition, page) => short(await table.listPage(partition, { ...page, limit: 10 })),
        listIndexKeys: async (index, partition, page) =>
          partition === 'MERCHANTS'
            ? table.listIndexKeys(index, partition, page)
            : short(await table.listIndexKeys(index, partition, { ...page, limit: 10 })),
      },
    };
  });

  const payments_pesewas = (BOOKINGS * (1_00 + 1_00 + BOOKINGS - 1)) / 2;
  const expected = { payments: BOOKINGS, payments_pesewas, charges_created: CHARGES };

  /** Runs once, with time for this many pages. Progress passes through JSON, as in the table. */
  async function run(closing: Closing, forPages: number): Promise<Closing> {
    const next = await closeDays(outside, closing, world.clock.nowMs + forPages - 1);
    return Closing.parse(JSON.parse(JSON.stringify(next)));
  }

  test.each([1, 2, 3, 7, 100])('stores correct totals if a run has time for %i pages', async (forPages) => {
    let closing = noted;
    for (let runs = 0; closing.until < '2026-11-20' && runs < 100; runs++) closing = await run(closing, forPages);
    expect(await onDay('2026-11-20')).toMatchObject(expected);
    expect(
      (await listTotals(world.outside, testAccount(), '2026-11-20', '2026-11-20')).get('2026-11-20')?.totals,
    ).toEqual({
      payments: 7,
    });
  });

  test('stores correct totals if two unfinished runs overlap', async () => {
    let closing = noted;
    for (let runs = 0; closing.until < '2026-11-20' && runs < 100; runs++) {
      // This run stops before it saves its progress.
      await run(closing, 1 + (runs % 4));
      const [one, other] = await Promise.all([run(closing, 3), run(closing, 4)]);
      closing = runs % 2 === 0 ? one : other;
    }
    expect(await onDay('2026-11-20')).toMatchObject(expected);
  });
});

function booking(sequence: string, totals: object) {
  const at = world.iso();
  return { merchant_id: merchant.id, at, sequence, totals, disputed: [] };
}

function paid(sequence: string, pesewas: number): Promise<void> {
  return note(booking(sequence, { payments: 1, payments_pesewas: pesewas }));
}

function note(one: Parameters<typeof book>[0]): Promise<void> {
  return world.outside.table.write([book(one)]);
}

function close(closing: Closing | undefined): Promise<Closing> {
  return closeDays(world.outside, closing, world.clock.nowMs + 60_000);
}

/** Runs until every day is closed. */
async function goOn(closing: Closing): Promise<Closing> {
  let now = closing;
  for (let runs = 0; now.until < addDays(dayOf(world.clock.nowMs), -3) && runs < 20; runs++) now = await close(now);
  return now;
}

async function closed(): Promise<string[]> {
  return [...(await listTotals(world.outside, merchant.id, '2026-01-01', '2026-12-31')).keys()];
}

async function onDay(day: string) {
  const { days } = await totalsOfDays(world.outside, merchant.id, { first: day, last: day });
  return days[0]?.totals;
}

async function today() {
  const { days } = await totalsOfDays(world.outside, merchant.id, lastDays(world.outside, 1));
  return days[0] ?? { totals: {} };
}
