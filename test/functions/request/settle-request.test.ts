import { beforeEach, describe, expect, test } from 'vitest';
import { queueJobs } from '../../../shared/events/jobs.ts';
import { occurrencesOf } from '../../../shared/events/occurrences-of.ts';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import { MAX_CHARGES } from '../../../shared/money/request/open-request-charge.ts';
import { findRequest } from '../../../shared/money/request/request.table.ts';
import { settleRequest } from '../../../shared/money/request/settle-request.ts';
import { READ_OF_EACH, readSums } from '../../../shared/money/request/sums.ts';
import { changeItem, putItem, removeItem } from '../../../shared/runtime/table/table.ts';
import type { Change } from '../../../shared/runtime/triggers/stream.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { paymentNow } from '../checkout/charges.ts';

// Updates of the totals that a payment request stores.

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

describe('an unrelated payment', () => {
  test.each([
    ['an unknown charge', async () => 'MK-0000000000'],
    ['a charge without a request', () => shop.charge({ amount: 5 })],
    ['a charge whose request was deleted', () => pointTo(shop, 'no-such-request')],
    ['a charge of another merchant', async () => pointTo(await world.createShop({ number: '+233241112229' }), slug)],
  ])('does not change the request if it pays %s', async (_, about) => {
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

test('an unlisted paid charge is added to the request', async () => {
  const other = await shop.charge({ amount: 5 });
  await changeCharge(other, { origin: { kind: 'request', slug } });
  await shop.pay(mtn({ reference: other, amount: '5.00' }));
  await settleRequest(world.outside, other);
  expect((await requestRow())?.charges).toMatchObject([{ reference }, { reference: other, paid_pesewas: 500 }]);
});

test('a part payment extends only an open request’s retention period', async () => {
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

test('a reversal reopens a request after somebody has pressed Pay again', async () => {
  const receipt = mtn({ reference, amount: '850.00' });
  await shop.pay(receipt);
  await settleRequest(world.outside, reference);
  expect(await requestRow()).toMatchObject({ state: 'paid' });
  await shop.arrive(reversal(receipt.id, '850.00'));
  await world.openPart(slug, '850');
  await settleRequest(world.outside, reference);
  expect(await requestRow()).toMatchObject({ state: 'open', charges: [{ paid_pesewas: 0 }, { paid_pesewas: 0 }] });
});

test.each([
  ['that somebody must look at', { look: true } as const],
  ['with a payment', { paid_pesewas: arrivedPesewas(1) }],
])('the totals read an old charge %s in addition to the newest unpaid ones', async (_, fields) => {
  const row = await world.outside.table.get(chargeRows.key({ reference }));
  const copies = Array.from({ length: 1 + READ_OF_EACH }, (_, n) => `MK-${2_000_000_000 + n}`);
  for (const one of copies)
    await world.outside.table.write([putItem({ ...row, ...chargeRows.key({ reference: one }), reference: one })]);
  const request = await findRequest(world.outside, slug);
  if (!request) throw new Error('There is no request');
  const unpaid = copies.map((one) => ({ reference: one, paid_pesewas: arrivedPesewas(0) }));
  const charges = unpaid.map((one, n) => (n === 0 ? { ...one, ...fields } : one));
  const { found } = await readSums(world.outside, { ...request, charges });
  expect([...found.keys()].toSorted()).toEqual(copies);
});

describe('a payment request’s job', () => {
  const jobsOf = async (changes: Partial<Change>) => {
    const after = await world.outside.table.get(chargeRows.key({ reference }));
    const before = { ...after, state: 'expired' };
    const queued = world.queued.length;
    const change = { event: 'MODIFY', sk: 'TRANSACTION', before, after, at: '', sequence: '1', ...changes } as const;
    for (const occurrence of occurrencesOf(change)) await queueJobs(world.outside, occurrence, change.at);
    return world.queued.slice(queued).map(({ job }) => job.body);
  };

  test('is queued if the charge’s state or payments change', async () => {
    const after = await world.outside.table.get(chargeRows.key({ reference }));
    const job = { kind: 'request', merchant_id: shop.id, about: reference };
    const payment = paymentNow(world, { amount_pesewas: 5_00 });
    for (const before of [{ payment }, { parts: [payment] }])
      expect(await jobsOf({ before: { ...after, ...before } })).toEqual([job]);
    const paid = { ...after, payment };
    expect(await jobsOf({ before: { ...paid, state: 'expired' }, after: paid })).toEqual([job]);
  });

  test('is not queued if an unpaid charge ends', async () => {
    const before = await world.outside.table.get(chargeRows.key({ reference }));
    for (const state of ['expired', 'cancelled'])
      expect(await jobsOf({ before, after: { ...before, state } })).toEqual([]);
  });

  test.each<[string, Partial<Change>]>([
    ['a new charge', { event: 'INSERT', before: undefined }],
    ['another row of a charge', { sk: 'LOOKUP' }],
    ['a deleted charge', { event: 'REMOVE', after: undefined }],
  ])('is not queued for %s', async (_, changes) => {
    expect(await jobsOf(changes)).toEqual([]);
  });

  test('is not queued if no payment or request is affected', async () => {
    const after = await world.outside.table.get(chargeRows.key({ reference }));
    expect(await jobsOf({ before: { ...after, customer_name: 'Ama' } })).toEqual([]);
    const plain = await world.outside.table.get(chargeRows.key({ reference: await shop.charge({ amount: 5 }) }));
    expect(await jobsOf({ before: { ...plain, state: 'expired' }, after: plain })).toEqual([]);
  });
});

describe('a payment request with forged one-pesewa payments', () => {
  const forged = Array.from({ length: MAX_CHARGES }, (_, n) => `MK-${2_000_000_000 + n}`);
  const references = async () => (await findRequest(world.outside, slug))?.charges.map((one) => one.reference);
  const paid = async () => (await shop.shownRequest(slug)).amount_paid;

  /** Fills the request with copies of one charge. `second` overrides fields of the second copy. */
  const fill = async (fields: Record<string, unknown>, second: Record<string, unknown> = {}) => {
    const row = { ...(await world.outside.table.get(chargeRows.key({ reference }))), ...fields };
    for (const [n, one] of forged.entries()) {
      const copy = { ...row, ...(n === 1 && second), ...chargeRows.key({ reference: one }), reference: one };
      await world.outside.table.write([putItem(copy)]);
    }
    const charges = forged.map((one) => ({ reference: one, paid_pesewas: 0 }));
    await world.outside.table.write([changeItem({ pk: `REQUEST#${slug}`, sk: 'REQUEST' }, { charges })]);
    await settleRequest(world.outside, forged[0] ?? '');
  };
  const unproven = { state: 'unproven' } as const;
  const part = (pesewas: number, given: Partial<Payment> = {}) => ({
    parts: [paymentNow(world, { proof: unproven, ...given, amount_pesewas: pesewas })],
  });
  const pay = async (amount: string, arrived = amount) => {
    const opened = await world.openPart(slug, amount);
    await shop.pay(mtn({ reference: opened, amount: Number(arrived).toFixed(2) }));
    await settleRequest(world.outside, opened);
    return opened;
  };

  test('replaces the oldest one-pesewa payment with a larger one', async () => {
    await fill(part(1));
    expect(await paid()).toBe(2);
    const opened = await pay('848');
    expect(await references()).toEqual([...forged.slice(1), opened]);
    expect(await paid()).toBe(849.99);
  });

  test('accepts a payment despite a forged late payment for each charge', async () => {
    await fill({ state: 'expired', second_receipts: ['MTN-233240000001-1'] });
    const opened = await pay('20');
    expect(await references()).toEqual([...forged.slice(1), opened]);
  });

  test('keeps larger payments when another one-pesewa payment is forged', async () => {
    await fill(part(200));
    await pay('1', '0.01');
    expect(await references()).toEqual(forged);
    expect(await paid()).toBe(400);
  });

  test('does not change when a replaced charge’s job runs again', async () => {
    await fill(part(1));
    const opened = await pay('1', '0.01');
    const kept = [...forged.slice(1), opened];
    expect(await references()).toEqual(kept);
    await settleRequest(world.outside, forged[0] ?? '');
    expect(await references()).toEqual(kept);
  });

  test.each<[string, Record<string, unknown>]>([
    ['verified', { proof: { state: 'proven' } }],
    ['assigned by a person', { matched_by: 'hand' }],
  ])('keeps a one-pesewa payment that was %s', async (_, given) => {
    await fill(part(200), part(1, given));
    const opened = await pay('20');
    expect(await references()).toEqual([...forged.slice(1), opened]);
  });

  test('replaces a one-pesewa payment even if the job of an unpaid charge finds the larger one', async () => {
    await fill(part(1));
    const unpaid = await world.openPart(slug, '20');
    const opened = await world.openPart(slug, '848');
    await shop.pay(mtn({ reference: opened, amount: '848.00' }));
    await settleRequest(world.outside, unpaid);
    expect(await references()).toEqual([...forged.slice(1), opened]);
  });

  test('keeps a payment whose charge was deleted', async () => {
    await fill(part(1));
    const [deleted = '', replaced, ...others] = forged;
    await world.outside.table.write([removeItem(chargeRows.key({ reference: deleted }))]);
    const opened = await pay('848');
    expect(replaced).toBeDefined();
    expect(await references()).toEqual([deleted, ...others, opened]);
  });

  test('accepts a payment in addition to two hundred verified payments', async () => {
    const opened = await world.openPart(slug, '20');
    await fill(part(200, { proof: { state: 'proven' } }));
    await shop.pay(mtn({ reference: opened, amount: '20.00' }));
    await settleRequest(world.outside, opened);
    expect(await references()).toEqual([...forged, opened]);
  });
});
