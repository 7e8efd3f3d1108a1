import { beforeEach, describe, expect, test } from 'vitest';
import { manifest, queues } from '../../../functions/manifest.ts';
import { createFollowUp, followUpRows } from '../../../shared/events/follow-up.table.ts';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { prepareAllow } from '../../../shared/money/purchase/give-credits.ts';
import { stopPurchases } from '../../../shared/money/purchase/purchase.table.ts';
import { settleRequest } from '../../../shared/money/request/settle-request.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { changeItem, type Item } from '../../../shared/runtime/table/table.ts';
import { longestLifeSeconds } from '../../../shared/runtime/triggers/queue.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { meter } from '../../bench/meter.ts';
import { setOffer } from '../../support/bundles.ts';
import { drainJobs, work } from '../../support/pushed.ts';
import { mtn } from '../../support/receipts.ts';
import { type Merchant, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { provenBook } from '../../support/wallet-book.ts';

const LIFE_MS =
  1000 * longestLifeSeconds(queues['run-follow-up'].maxReceiveCount, manifest['work/run-follow-up'].timeoutSeconds);

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

const rows = async () => (await world.scan()).filter(({ pk }) => String(pk).startsWith('FOLLOW_UP#'));
const overdue = () => world.logged.filter(({ event }) => event === 'follow_up_overdue');
const goodsOf = async (reference: string) => (await world.chargeRow(reference))?.goods?.state;

/** Pays a charge of a link and queues the job. */
async function payForCode(codes = ['CANARY-1'], amount = 25): Promise<{ slug: string; reference: string }> {
  const body = { title: 'Wi-Fi', amount, codes };
  const slug = (await shop.call('link/create', { body })).json.data.slug;
  const { reference } = await world.openLink(slug);
  await shop.arrive(mtn({ reference, amount: amount.toFixed(2) }));
  await world.followChanges();
  return { slug, reference };
}

/** Runs housekeeping when queued jobs are overdue. Returns how many were counted. */
async function anHourLater(): Promise<number> {
  world.clock.nowMs += LIFE_MS + MINUTE_MS;
  const before = world.counted.follow_ups_overdue ?? 0;
  await world.housekeeping();
  return (world.counted.follow_ups_overdue ?? 0) - before;
}

interface Lost {
  /** Does everything that precedes the job. */
  readonly happens: () => Promise<unknown>;
  readonly kind: string;
  /** Returns the state that the job changes. */
  readonly isDone: () => Promise<unknown>;
  readonly done: unknown;
}

let about: { slug: string; reference: string };
const lost: Readonly<Record<string, Lost>> = {
  'a sold stock code': {
    happens: async () => {
      about = await payForCode();
    },
    kind: 'code',
    isDone: () => goodsOf(about.reference),
    done: 'given',
  },
  'a stock code for a waiting charge': {
    happens: async () => {
      about = await payForCode();
      const second = await world.openLink(about.slug);
      await shop.arrive(mtn({ reference: second.reference, amount: '25.00', id: '50000000002' }));
      await world.tell(3);
      await shop.call('link/add-codes', { parameters: { slug: about.slug }, body: { codes: ['CANARY-2'] } });
      about = { ...about, reference: String((await waitingCharge())?.reference) };
      await world.followChanges();
    },
    kind: 'stock',
    isDone: () => goodsOf(about.reference),
    done: 'given',
  },
  'paid credits': {
    happens: async () => {
      const book = await provenBook(world, shop, 6);
      await setOffer(world, shop.id, 500, 30);
      const buyer = await world.createMerchant();
      const { json } = await buyer.call('sms/buy-credits', { key: buyer.smsKey, body: { credits: 500, price: 30 } });
      about = { slug: '', reference: json.data.reference };
      await shop.arrive(book.paid(30, { reference: about.reference }));
      await world.followChanges();
    },
    kind: 'purchase',
    isDone: () => goodsOf(about.reference),
    done: 'given',
  },
  'a paid payment request': {
    happens: async () => {
      const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Tuition', amount: 850 }] });
      const reference = await world.openPart(slug, '850');
      about = { slug, reference };
      await shop.arrive(mtn({ reference, amount: '850.00' }));
      await world.followChanges();
    },
    kind: 'request',
    isDone: async () => (await world.rows('REQUEST'))[0]?.state,
    done: 'paid',
  },
};

async function waitingCharge(): Promise<Item | undefined> {
  return (await world.rows('TRANSACTION')).find(({ goods }) => Object(goods).state === 'waiting');
}

describe.each(Object.entries(lost))('the job for %s', (_, { happens, kind, isDone, done }) => {
  beforeEach(async () => {
    await happens();
  });

  test('keeps its row until it is done', async () => {
    expect((await rows()).map((row) => row.kind)).toContain(kind);
    await world.tell(4);
    expect(await anHourLater()).toBe(0);
    expect({ rows: await rows(), overdue: overdue(), isDone: await isDone() }).toEqual({
      rows: [],
      overdue: [],
      isDone: done,
    });
  });

  test('is requeued by housekeeping if the queue lost it', async () => {
    drainJobs(world);
    expect(await isDone()).not.toBe(done);
    expect(await anHourLater()).toBe(1);
    const named = { merchant_id: shop.id, kind, reference: kind === 'stock' ? about.slug : about.reference };
    expect(overdue().map(({ fields }) => fields)).toEqual([named]);
    expect(drainJobs(world).map(({ body }) => body)).toEqual([{ kind, merchant_id: shop.id, about: named.reference }]);
    await work(world, [{ kind, merchant_id: shop.id, about: named.reference }]);
    expect(await isDone()).toBe(done);
    expect(await anHourLater()).toBe(0);
  });

  test('is requeued once an hour', async () => {
    drainJobs(world);
    expect(await anHourLater()).toBe(1);
    world.clock.nowMs += MINUTE_MS;
    await world.housekeeping();
    expect(drainJobs(world)).toHaveLength(1);
    expect(await anHourLater()).toBe(1);
  });
});

describe('a follow-up job', () => {
  test('is not requeued while it may still be retried', async () => {
    await payForCode();
    drainJobs(world);
    world.clock.nowMs += LIFE_MS - MINUTE_MS;
    await world.housekeeping();
    expect({ jobs: drainJobs(world), overdue: overdue() }).toEqual({ jobs: [], overdue: [] });
  });

  test('has one row despite repeated changes', async () => {
    const { reference } = await payForCode();
    const [charge] = await world.rows('TRANSACTION');
    const before = { ...charge, state: 'pending' };
    const at = String((await rows())[0]?.queued_at);
    world.clock.nowMs = Date.parse(at);
    await world.relayChanges({ before, after: charge ?? {} }, { before, after: charge ?? {} });
    expect((await rows()).map((row) => ({ about: row.about, queued_at: row.queued_at }))).toEqual([
      { about: reference, queued_at: at },
    ]);
  });

  test('costs one write unit when recorded and one when completed', async () => {
    await payForCode();
    const [followUp] = (await rows()).map(followUpRows.parse);
    if (!followUp) throw new Error('No row was written');
    const units = async (writes: () => Promise<void>) => (await meter(world, writes)).writeUnits;
    const { table } = world.outside;
    expect(await units(() => table.remove(followUpRows.key(followUp)))).toBe(1);
    expect(await units(() => table.write([createFollowUp(world.outside, followUp, followUp.queued_at)]))).toBe(1);
  });

  test('is retried if queuing the next job fails', async () => {
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Tuition', amount: 850 }] });
    const ended = await world.openPart(slug, '850');
    world.clock.nowMs = Date.parse((await world.chargeRow(ended)).expires_at) + 10 * MINUTE_MS;
    await endCharge(world.outside, expiryOf(await world.chargeRow(ended)));
    const late = mtn({ reference: ended, amount: '850.00' });
    await shop.pay(late);
    const reference = await world.openPart(slug, '850');
    await shop.pay(mtn({ reference, amount: '850.00' }));
    await verifyMoney(world);
    await world.followChanges();
    drainJobs(world);
    const send = () => Promise.reject(new Error('The queue is unavailable'));
    const failing = { ...world.outside, queues: { ...world.outside.queues, send } };
    await expect(settleRequest(failing, reference)).rejects.toThrow('unavailable');
    expect((await world.rows('REQUEST'))[0]).toMatchObject({ state: 'paid' });
    expect(await shop.receipt(late)).toMatchObject({ reason: 'charge_expired' });
    expect(await anHourLater()).toBeGreaterThan(0);
    await work(
      world,
      drainJobs(world).map(({ body }) => body),
    );
    await world.followPayments();
    expect(await shop.receipt(late)).toMatchObject({ reason: 'already_paid' });
    expect(await anHourLater()).toBe(0);
    expect(await rows()).toEqual([]);
  });

  test('is not queued if it cannot be recorded', async () => {
    const { write } = world.outside.table;
    world.outside.table.write = (writes) =>
      JSON.stringify(writes).includes('FOLLOW_UP#')
        ? Promise.reject(new Error('The table is unavailable'))
        : write(writes);
    await expect(payForCode()).rejects.toThrow('A change was not processed');
    expect(drainJobs(world)).toEqual([]);
  });

  test('is not created for a charge without goods or a payment request', async () => {
    await shop.arrive(mtn({ reference: await shop.charge({ amount: 36 }) }));
    await world.followChanges();
    expect(await rows()).toEqual([]);
  });

  test('is dropped if its charge no longer exists', async () => {
    const { reference } = await payForCode();
    drainJobs(world);
    await world.outside.table.remove(chargeRows.key({ reference }));
    expect(await anHourLater()).toBe(0);
    expect({ rows: await rows(), jobs: drainJobs(world) }).toEqual({ rows: [], jobs: [] });
  });

  test('is complete if the goods are waiting for manual release', async () => {
    const { reference } = await payForCode(['CANARY-1'], 900);
    await world.tell(3);
    expect({ goods: await goodsOf(reference), anHourLater: await anHourLater(), rows: await rows() }).toEqual({
      goods: 'to_release',
      anHourLater: 0,
      rows: [],
    });
  });

  test('releases waiting goods after their payment is verified', async () => {
    const { reference } = await payForCode(['CANARY-1'], 900);
    await world.tell(3);
    const [charge] = await world.rows('TRANSACTION');
    const payment = { ...Object(charge?.payment), proof: { state: 'proven' } };
    await world.outside.table.write([changeItem(chargeRows.key({ reference }), { payment }, {})]);
    await world.followChanges();
    drainJobs(world);
    expect(await anHourLater()).toBe(1);
    await work(
      world,
      drainJobs(world).map(({ body }) => body),
    );
    expect(await goodsOf(reference)).toBe('given');
  });

  test('triggers no alarm for a test charge', async () => {
    const key = await shop.addKey('live', { mode: 'test' });
    const { json } = await shop.call('link/create', { key, body: { title: 'Wi-Fi', amount: 25, codes: ['TEST-1'] } });
    const { reference } = await world.openLink(json.data.slug);
    const body = { outcome: 'paid' };
    await world.call('test/simulate', { key, parameters: { reference }, body });
    await world.followChanges();
    drainJobs(world);
    expect(await anHourLater()).toBe(0);
    expect(drainJobs(world).map((job) => Object(job.body).about)).toEqual([reference]);
  });
});

test('a `take` job announces a till charge after the cashier’s undo period', async () => {
  const reference = await shop.charge({ amount: 36 });
  await shop.arrive(mtn({ reference }));
  const goods = { kind: 'take', state: 'given', shift_id: 'shift', by: 'user', at: world.iso() };
  await world.outside.table.write([changeItem(chargeRows.key({ reference }), { goods }, {})]);
  const job = { kind: 'take', merchant_id: shop.id, about: reference };
  const told = async () => (await world.chargeRow(reference)).goods;
  await world.work('run-follow-up', [job]);
  expect(await told()).not.toHaveProperty('told_at');
  world.clock.nowMs += 10 * MINUTE_MS;
  await work(world, [job]);
  expect(await told()).toMatchObject({ told_at: world.iso() });
});

describe('credits for a verified payment', () => {
  let buyer: Merchant;
  let reference: string;

  const blocks: readonly [string, { begin: () => Promise<unknown>; end: () => Promise<unknown> }][] = [
    ['seller is suspended', { begin: () => shop.suspend(true), end: () => shop.suspend(false) }],
    [
      'buyer’s purchases are stopped',
      {
        begin: () => world.outside.table.write([stopPurchases(buyer.id, 'MK-1000000000')]),
        end: async () => world.outside.table.write((await prepareAllow(world.outside, buyer.id)).writes),
      },
    ],
  ];

  beforeEach(async () => {
    buyer = await world.createMerchant();
    const book = await provenBook(world, shop, 6);
    await setOffer(world, shop.id, 500, 30);
    const { json } = await buyer.call('sms/buy-credits', { key: buyer.smsKey, body: { credits: 500, price: 30 } });
    reference = json.data.reference;
    await shop.arrive(book.paid(30, { reference }));
  });

  test.each(blocks)('trigger no alarm while their %s', async (_, { begin, end }) => {
    await begin();
    await world.tell(4);
    expect(await goodsOf(reference)).toBe('to_release');
    for (let hour = 0; hour < 3; hour++) expect([await anHourLater(), drainJobs(world)]).toEqual([0, []]);
    await end();
    expect(await anHourLater()).toBe(0);
    await world.tell(4);
    expect([await goodsOf(reference), await buyer.balance(), overdue()]).toEqual(['given', 500, []]);
    expect([await anHourLater(), await rows()]).toEqual([0, []]);
  });

  test('stay pending for longer than a dead letter is kept', async () => {
    await shop.suspend(true);
    await world.tell(4);
    world.clock.nowMs += 13 * DAY_MS;
    await world.housekeeping();
    const [row] = await rows();
    expect(Number(row?.expires_at_epoch_seconds) * 1000).toBeGreaterThan(world.clock.nowMs + 13 * DAY_MS);
  });

  test('are reported as overdue after an hour', async () => {
    await shop.suspend(true);
    await world.tell(4);
    await anHourLater();
    await shop.suspend(false);
    expect(await anHourLater()).toBe(0);
    drainJobs(world);
    expect(await anHourLater()).toBe(1);
  });
});
