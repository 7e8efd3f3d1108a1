import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';
import { manifest } from '../../functions/manifest.ts';
import { closeDay } from '../../shared/money/booking/days.ts';
import { type Charge, createCharge } from '../../shared/money/charge/charge.table.ts';
import { EXPIRY_GRACE_SECONDS, noteExpiry } from '../../shared/money/charge/expiry.table.ts';
import type { Table, TableWrite } from '../../shared/runtime/table/table.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { createSend } from '../../shared/texts/sms/send.table.ts';
import { createWebhookEvent } from '../../shared/webhook/event.table.ts';
import { newWebhookEvent } from '../../shared/webhook/event.ts';
import { createWorld } from '../support/world.ts';
import { Plant } from './plant.ts';
import { everySecond, openShops, sell, watch } from './shops.ts';
import { type Figure, type Load, lost, refused } from './walls.ts';

/** Simulates ten thousand merchants, each with a webhook event whose attempt was lost. */
function dueEvents(load: Load): Promise<Figure[]> {
  return keepHouse(load, 'events queued', 'EVENT#', 10_000, 60, ({ time }, n) => {
    const holder = { merchant_id: idOf('m', n), key_kind: 'live', url: 'https://shop.example.com/' } as const;
    const at = new Date(time.nowMs - MINUTE_MS).toISOString();
    const event = { cause: `c${n}`, at, data: { reference: `MK-${n}` } };
    return [createWebhookEvent(newWebhookEvent(holder, 'charge.success', event))];
  });
}

/**
 * Creates five hundred charges a second that expire within twenty seconds. Half of them are already paid or cancelled.
 */
function endedCharges(load: Load): Promise<Figure[]> {
  return keepHouse(load, 'charges ended', 'EXPIRY', 10_000, 20, ({ time }, n) => {
    const createdMs = time.nowMs - DAY_MS - EXPIRY_GRACE_SECONDS * 1000 - n;
    const charge: Charge = {
      reference: `MK-${1_000_000_000 + n}`,
      access_code: `code-${n}`,
      merchant_id: idOf('m', n % 100),
      merchant_name: 'Ama Stores',
      momo_number: '+233241234567',
      momo_account_name: 'AMA STORES',
      momo_network: 'MTN',
      amount_pesewas: 3600,
      customer_name: 'Kofi Mensah',
      created_at: new Date(createdMs).toISOString(),
      expires_at: new Date(createdMs + DAY_MS).toISOString(),
      state: n % 2 === 0 ? 'pending' : 'cancelled',
      origin: { kind: 'api' },
    };
    return [createCharge(charge), noteExpiry(charge)];
  });
}

/** Simulates ten thousand merchants, each with a delivered text whose send must be closed. */
function dueSends(load: Load): Promise<Figure[]> {
  return keepHouse(load, 'sends checked', 'SEND#', 10_000, 60, ({ time }, n) => {
    const created_at = new Date(time.nowMs - 10 * MINUTE_MS).toISOString();
    const owned = { send_id: idOf('s', n), merchant_id: idOf('m', n) };
    const send = {
      ...owned,
      from: '+233241234567',
      to: ['+233201112223'],
      message: 'Your order is ready.',
      created_at,
      next_check_at: new Date(time.nowMs - MINUTE_MS).toISOString(),
    };
    const message = { ...owned, index: 0, state: 'delivered', delivered_at: created_at };
    return [createSend(send), { put: { Item: { pk: `SEND#${send.send_id}`, sk: 'MESSAGE#00', ...message } } }];
  });
}

/** Stores due items and measures how long housekeeping takes to clear their list. */
async function keepHouse(
  { share }: Load,
  what: string,
  partition: string,
  whole: number,
  wholeSeconds: number,
  rowsOf: (plant: Plant, n: number) => readonly TableWrite[],
): Promise<Figure[]> {
  const plant = await Plant.open();
  const count = Math.ceil(whole * share);
  for (let n = 0; n < count; n++) await plant.world.outside.table.write(rowsOf(plant, n));
  plant.start();
  const startMs = plant.time.nowMs + MINUTE_MS;
  const done = new Set<string>();
  let doneMs = Number.NaN;
  plant.onChange = ({ dynamodb: { Keys, OldImage: before, NewImage: after } = {} }) => {
    if (!before || !Keys?.pk?.S?.startsWith(partition)) return;
    // The item was deleted or moved behind the due items in its list.
    if (!after || before.gsi2sk?.S !== after.gsi2sk?.S) done.add(`${Keys.pk.S} ${Keys.sk?.S}`);
    // Items whose write was rejected are handled by the next run.
    if (done.size >= count * 0.99 && Number.isNaN(doneMs)) doneMs = plant.time.nowMs;
  };
  const { timeoutSeconds } = manifest['work/housekeeping'];
  while (Number.isNaN(doneMs) && plant.time.nowMs < startMs + timeoutSeconds * 1000) await plant.run(1000);
  return [{ what: `${what} after`, value: (doneMs - startMs) / 1000, most: wholeSeconds * share, unit: 's' }];
}

/** Delivers five hundred webhook events a second and accepts a thousand. */
async function webhooks({ share, seconds }: Load): Promise<Figure[]> {
  // A tenth would be less than the load that once overloaded the whole service.
  const [told, taken] = [await events(500 * Math.max(share, 0.4), seconds), await events(1000 * share, seconds / 4)];
  return [
    { what: 'event to delivery (p99)', value: told.plant.samples.p99('told'), most: 2000, unit: 'ms' },
    { what: 'events not delivered', value: told.made - told.plant.samples.timed('told').length, most: 0, unit: '' },
    { what: 'events refused, of 1,000 a second', value: taken.plant.samples.counted('refused'), most: 0, unit: '' },
  ];
}

async function events(perSecond: number, seconds: number): Promise<{ plant: Plant; made: number }> {
  const plant = await Plant.open();
  const shops = await openShops(plant, 20);
  plant.start();
  watch(plant);
  let made = 0;
  everySecond(plant, { perSecond, seconds, shops }, ({ world, time }, { id: merchant_id }) => {
    const holder = { merchant_id, key_kind: 'live' } as const;
    const at = new Date(time.nowMs).toISOString();
    const data = { cause: `c${++made}`, at, data: { reference: `MK-${made}` } };
    const event = newWebhookEvent(holder, 'charge.success', data);
    return world.outside.table.write([createWebhookEvent(event)]).catch(() => plant.samples.count('refused'));
  });
  await plant.run((seconds + 30) * 1000);
  return { plant, made };
}

/** Measures the capacity of an account with ten concurrent executions and the default stage, from its first request. */
async function newAccount({ seconds }: Load): Promise<Figure[]> {
  const plant = await Plant.open({ stage: 'dev', executions: 10, coldMs: 300 });
  const shops = await openShops(plant, 5);
  plant.start();
  watch(plant);
  everySecond(plant, { perSecond: 10, seconds, shops }, sell);
  await plant.run((seconds + 60) * 1000);
  return [refused(plant), lost(plant)];
}

/** Adds up a day with two million payments to one merchant, using constant memory. */
async function busyDay({ share }: Load): Promise<Figure[]> {
  const count = 2_000_000 * share;
  const { outside } = await createWorld({ inMemory: true });
  let [next, closed, most] = [0, 0, 0];
  const beginsAt = heapMegabytes();
  const table: Table = {
    ...outside.table,
    listPage: async (pk, { limit = 100 } = {}) => {
      if (next % (count / 4) < limit) most = Math.max(most, heapMegabytes() - beginsAt);
      const rows = Array.from({ length: Math.min(limit, count - next) }, (_, n) => {
        const sk = `2026-11-17T10:00:00.000Z#${String(next + n).padStart(21, '0')}`;
        const booked = { charges_paid: 1, payments: 1, payments_pesewas: 3600 };
        return { pk, sk, ...booked, expires_at_epoch_seconds: 1_795_000_000 };
      });
      next += rows.length;
      return { items: rows, next: next < count ? { pk, sk: 'next', sort: 'next' } : undefined };
    },
    write: async (writes) => {
      closed = Number(writes[0]?.put?.Item?.payments);
    },
  };
  await closeDay({ ...outside, table }, 'm', '2026-11-17');
  return [
    { what: 'memory that is kept while it is added up', value: most, most: 5, unit: 'MB' },
    { what: 'payments that were not added', value: count - closed, most: 0, unit: '' },
  ];
}

function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  z.function().parse(runInNewContext('gc'))();
  return memoryUsage().heapUsed / 1e6;
}

const idOf = (kind: string, n: number) => `${kind}${String(n).padStart(8, '0')}`;

export const houseWalls = {
  'events due': dueEvents,
  'charges to end': endedCharges,
  'sends to check': dueSends,
  'a busy day': busyDay,
  webhooks,
  'a new account': newAccount,
};
