import { beforeEach, describe, expect, test } from 'vitest';
import { queueJobs } from '../../../shared/events/jobs.ts';
import { occurrencesOf } from '../../../shared/events/occurrences-of.ts';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { settleRequest } from '../../../shared/money/request/settle-request.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import type { Change } from '../../../shared/runtime/triggers/stream.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { paymentNow } from '../checkout/charges.ts';

// Totals that a payment request keeps of its charges, and the changes that update them.

const FEES = { title: 'School fees', lines: [{ description: 'Tuition', amount: 850 }] };

let world: Scene;
let shop: Shop;
let slug: string;
let reference: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  slug = await shop.request(FEES);
  reference = await world.openPart(slug, '850');
});

const requestRow = async () => (await world.rows('REQUEST'))[0];
const changeCharge = (about: string, changes: Record<string, unknown>) =>
  world.outside.table.write([changeItem(chargeRows.key({ reference: about }), changes, {})]);

describe('unrecorded changes', () => {
  test.each([
    ['of a charge that there is not', async () => 'MK-0000000000'],
    ['of a charge that pays none', () => shop.charge({ amount: 5 })],
    ['of a charge whose request is gone', () => pointTo(shop, 'no-such-request')],
    ['of a charge of another merchant', async () => pointTo(await world.createShop({ number: '+233241112229' }), slug)],
  ])('%s', async (_, about) => {
    const paid = await about();
    await shop.pay(mtn({ reference: paid, amount: '5.00' }));
    const before = await requestRow();
    await settleRequest(world.outside, paid);
    expect(await requestRow()).toEqual(before);
  });

  async function pointTo(payer: Shop, toSlug: string): Promise<string> {
    const about = await payer.charge({ amount: 5 });
    await changeCharge(about, { origin: { kind: 'request', slug: toSlug } });
    return about;
  }
});

test('a charge unknown to the request is added to its charges', async () => {
  const other = await shop.charge({ amount: 5 });
  await changeCharge(other, { origin: { kind: 'request', slug } });
  await shop.pay(mtn({ reference: other, amount: '5.00' }));
  await settleRequest(world.outside, other);
  expect((await requestRow())?.charges).toMatchObject([{ reference }, { reference: other, paid_pesewas: 500 }]);
});

test("a part extends an open request's retention, but not a cancelled one's", async () => {
  const end = async () => Number((await requestRow())?.expires_at_epoch_seconds);
  const opened = await end();
  world.clock.nowMs += 3_600_000;
  await shop.pay(mtn({ reference, amount: '20.00' }));
  await world.tell();
  const arrived = await end();
  expect(arrived - opened).toBe(3600);
  await shop.call('request/cancel', { parameters: { slug } });
  const cancelled = await end();
  world.clock.nowMs += 3_600_000;
  await shop.pay(mtn({ reference, amount: '30.00', id: '50000000009' }));
  await world.tell();
  expect(await requestRow()).toMatchObject({ state: 'cancelled', charges: [{ paid_pesewas: 5000 }] });
  expect(await end()).toBe(cancelled);
});

test('a reversed payment reopens it, even if somebody pressed Pay before that was recorded', async () => {
  const receipt = mtn({ reference, amount: '850.00' });
  await shop.pay(receipt);
  await settleRequest(world.outside, reference);
  expect(await requestRow()).toMatchObject({ state: 'paid' });
  await shop.arrive(reversal(receipt.id, '850.00'));
  await world.openPart(slug, '850');
  await settleRequest(world.outside, reference);
  expect(await requestRow()).toMatchObject({ state: 'open', charges: [{ paid_pesewas: 0 }, { paid_pesewas: 0 }] });
});

describe('a change to look at', () => {
  const jobsOf = async (changes: Partial<Change>) => {
    const after = await world.outside.table.get(chargeRows.key({ reference }));
    const before = { ...after, state: 'expired' };
    const queued = world.queued.length;
    const change = { event: 'MODIFY', sk: 'TRANSACTION', before, after, at: '', sequence: '1', ...changes } as const;
    for (const occurrence of occurrencesOf(change)) await queueJobs(world.outside, occurrence, change.at);
    return world.queued.slice(queued).map(({ job }) => job.body);
  };

  test('is a change of its charge’s state, payment or parts', async () => {
    const after = await world.outside.table.get(chargeRows.key({ reference }));
    const job = { kind: 'request', merchant_id: shop.id, about: reference };
    const payment = paymentNow(world, { amount_pesewas: 5_00 });
    for (const before of [{ state: 'expired' }, { payment }, { parts: [payment] }])
      expect(await jobsOf({ before: { ...after, ...before } })).toEqual([job]);
  });

  test.each<[string, Partial<Change>]>([
    ['a charge that is new', { event: 'INSERT', before: undefined }],
    ['another row of a charge', { sk: 'LOOKUP' }],
    ['a charge that is gone', { event: 'REMOVE', after: undefined }],
  ])('is not %s', async (_, changes) => {
    expect(await jobsOf(changes)).toEqual([]);
  });

  test('is not one without money, nor one of a charge without a request', async () => {
    const after = await world.outside.table.get(chargeRows.key({ reference }));
    expect(await jobsOf({ before: { ...after, customer_name: 'Ama' } })).toEqual([]);
    const plain = await world.outside.table.get(chargeRows.key({ reference: await shop.charge({ amount: 5 }) }));
    expect(await jobsOf({ before: { ...plain, state: 'expired' }, after: plain })).toEqual([]);
  });
});
