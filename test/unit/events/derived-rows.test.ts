import { beforeEach, expect, test } from 'vitest';
import { writeDerivedRows } from '../../../shared/events/derived-rows.ts';
import type { Occurrence } from '../../../shared/events/occurrence.ts';
import { noteOutcome } from '../../../shared/events/sender-outcomes.ts';
import { messageRows } from '../../../shared/texts/sms/message.table.ts';
import { rowOf } from '../../support/rows-of-kinds.ts';
import { type Scene, scene } from '../../support/scene.ts';

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

const charge = rowOf('TRANSACTION', {});
const expiries = async () => (await world.scan()).filter(({ pk }) => String(pk).startsWith('EXPIRY#'));

test('a new charge gets an expiry row', async () => {
  await writeDerivedRows(world.outside, { event: 'INSERT', sk: 'TRANSACTION', before: undefined, after: charge });
  expect(await expiries()).toMatchObject([{ reference: charge.reference }]);
});

test('a changed charge gets no second expiry row', async () => {
  const after = { ...charge, description: 'Cloth' };
  await writeDerivedRows(world.outside, { event: 'MODIFY', sk: 'TRANSACTION', before: charge, after });
  expect(await expiries()).toEqual([]);
});

test('a webhook event is queued when it is stored or replayed', async () => {
  const shop = await world.createShop();
  await shop.setWebhook();
  const event = await world.eventRow(await shop.newEvent());
  const queued = async (before: object | undefined, after: object) => {
    world.queued.length = 0;
    await writeDerivedRows(world.outside, {
      event: 'MODIFY',
      sk: 'EVENT',
      before: before && { ...before },
      after: { ...after },
    });
    return world.queued.length;
  };
  expect(await queued(undefined, event)).toBe(1);
  expect(await queued(event, { ...event, round: 1 })).toBe(1);
  expect(await queued(event, { ...event, tries: 1 })).toBe(0);
});

test('only webhook events are queued as webhook events', async () => {
  await writeDerivedRows(world.outside, {
    event: 'MODIFY',
    sk: 'RECEIPT',
    before: rowOf('RECEIPT', {}),
    after: rowOf('RECEIPT', { round: 1 }),
  });
  expect(world.queued).toEqual([]);
});

test('a SIM’s delivery results include failed and sent texts', async () => {
  const message = messageRows.parse(rowOf('MESSAGE#00', { gateway: 'phone', device_id: 'device-1', sim_number: 1 }));
  const failed: Occurrence = { what: 'sms.failed', message: { ...message, state: 'failed' } };
  const left: Occurrence = { what: 'sms.left', message: { ...message, state: 'sent' } };
  for (const occurrence of [left, failed, left, failed]) await noteOutcome(world.outside, occurrence);
  expect((await world.scan()).filter(({ pk }) => pk === 'OUTCOME')).toMatchObject([
    { sk: 'SIM#phone#device-1#1', recent: 'x.x' },
  ]);
});

test('an error storing a delivery result is logged', async () => {
  const error = new Error('The table is away');
  world.outside.table.get = () => Promise.reject(error);
  const message = messageRows.parse(
    rowOf('MESSAGE#00', { state: 'failed', gateway: 'phone', device_id: 'd', sim_number: 1 }),
  );
  await noteOutcome(world.outside, { what: 'sms.failed', message: { ...message, state: 'failed' } });
  expect(world.logged).toMatchObject([{ level: 'warn', event: 'outcome_not_noted', fields: { error } }]);
});
