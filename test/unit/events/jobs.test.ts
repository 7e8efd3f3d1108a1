import { beforeEach, expect, test } from 'vitest';
import { FollowUpJob } from '../../../shared/events/follow-up-job.ts';
import { queueJobs } from '../../../shared/events/jobs.ts';
import { occurrencesOf } from '../../../shared/events/occurrences-of.ts';
import { changeMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';
import { createMerchant, createWorld, type World } from '../../support/world.ts';

const AT = '2026-11-20T10:00:00.000Z';
const payment = storedPayment('sixty', 60_00);
const paid = { state: 'success', payment, paid_at: AT };
const proven = { ...paid, payment: { ...payment, proof: { state: 'proven' } } };
const tap = { kind: 'take', state: 'given', shift_id: 's', by: 'user', at: AT };
const REFERENCE = 'MK-0123456789';

let world: World;
let merchant_id: string;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  merchant_id = (await createMerchant(world)).id;
});

async function queued(sk: string, before: Item | undefined, after: Item) {
  const own = (fields: Item) => rowOf(sk, { merchant_id, ...fields });
  const change = { event: before ? 'MODIFY' : 'INSERT', sk, before: before && own(before), after: own(after) } as const;
  const from = world.queued.length;
  for (const occurrence of occurrencesOf(change)) await queueJobs(world.outside, occurrence, AT);
  const jobs = world.queued.slice(from).map(({ queue, job }) => [queue, job.body, job.delaySeconds ?? 0] as const);
  for (const [queue, body] of jobs) if (queue === 'run-follow-up' && 'about' in body) FollowUpJob.parse(body);
  return jobs;
}

const job = (kind: string, about = REFERENCE) => ['run-follow-up', { kind, merchant_id, about }, 0];

test('a tap at a till queues a job for the end of the undo period', async () => {
  const [take] = await queued('TRANSACTION', undefined, { ...paid, goods: tap });
  expect(take).toEqual(['run-follow-up', { kind: 'take', merchant_id, about: REFERENCE }, 60]);
});

test('a payment for a payment request queues a job', async () => {
  const origin = { kind: 'request', slug: 'fees' };
  expect(await queued('TRANSACTION', { origin }, { ...paid, origin })).toEqual([job('request')]);
  expect(await queued('TRANSACTION', {}, paid)).toEqual([]);
});

test('a charge for a stock code queues a job when paid or reversed', async () => {
  const goods = { kind: 'code', state: 'unpaid' };
  expect(await queued('TRANSACTION', { goods }, { parts: [payment], goods })).toEqual([]);
  expect(await queued('TRANSACTION', { goods }, { ...paid, goods })).toEqual([job('code')]);
  expect(await queued('TRANSACTION', { ...paid, goods }, { ...paid, state: 'reversed', goods })).toEqual([job('code')]);
});

test('new stock codes queue a job if customers are waiting', async () => {
  expect(await queued('LINK', { codes_waiting: 1 }, { codes_waiting: 1, codes_stocked: 2 })).toEqual([
    job('stock', 'kente'),
  ]);
});

test('second payments are re-evaluated when their charge becomes unpaid', async () => {
  const second = { second_receipts: ['other', 'more'] };
  expect(await queued('TRANSACTION', { ...paid, ...second }, { ...paid, ...second, state: 'reversed' })).toEqual([
    ['settle-receipt', { receipt_id: 'other' }, 0],
    ['settle-receipt', { receipt_id: 'more' }, 0],
  ]);
});

test.each<[string, Item, Item]>([
  ['expires', {}, { state: 'expired' }],
  ['is cancelled', {}, { state: 'cancelled', cancelled_at: AT }],
  ['is no longer disputed', { disputed: { at: AT, why: 'conflict' } }, {}],
])('second payments are re-evaluated when their charge %s', async (_, before, after) => {
  const second = { second_receipts: ['other'] };
  expect(await queued('TRANSACTION', { ...second, ...before }, { ...second, ...after })).toEqual([
    ['settle-receipt', { receipt_id: 'other' }, 0],
  ]);
});

test('a charge queues its customer receipt when paid and when verified', async () => {
  expect(await queued('TRANSACTION', {}, paid)).toEqual([]);
  await changeMerchant(world.outside, merchant_id, { text_receipts: true });
  world.clock.nowMs += 10 * 60_000;
  expect(await queued('TRANSACTION', {}, paid)).toEqual([job('receipt')]);
  expect(await queued('TRANSACTION', paid, proven)).toEqual([job('receipt')]);
  expect(await queued('TRANSACTION', paid, { ...proven, receipt_send_id: 's' })).toEqual([]);
  expect(await queued('TRANSACTION', { ...paid, goods: tap }, { ...paid, goods: { ...tap, told_at: AT } })).toEqual([]);
});

test('a keyword queues a reply', async () => {
  expect(await queued('HEARD#stop', undefined, {})).toMatchObject([
    ['run-follow-up', { kind: 'keyword', keyword: 'stop' }, 0],
  ]);
});
