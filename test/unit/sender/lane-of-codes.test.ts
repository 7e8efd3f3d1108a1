import { expect, test } from 'vitest';
import { joinQueue, listWaiting, wait } from '../../../shared/phones/sender/pace.table.ts';
import { createWorld, type World } from '../../support/world.ts';

const SENDER = { number: '+233241234567', messages_per_hour: 20 };

test('a code is sent before other queued texts', async () => {
  const world = await createWorld({ inMemory: true });
  await come(world, 'first', 'ama', false);
  for (const id of ['ama-1', 'ama-2', 'kofi-1', 'kofi-2']) await come(world, id, id.split('-')[0] ?? '', false);
  await come(world, 'ama-code-1', 'ama', true);
  await come(world, 'ama-code-2', 'ama', true);
  await come(world, 'kofi-code-1', 'kofi', true);
  expect(await order(world)).toEqual(['ama-code-1', 'kofi-code-1', 'ama-code-2', 'ama-1', 'kofi-1', 'ama-2', 'kofi-2']);
});

test('a merchant that sends many codes does not block other merchants', async () => {
  const world = await createWorld({ inMemory: true });
  await come(world, 'first', 'ama', false);
  for (let n = 1; n <= 3; n++) await come(world, `kofi-${n}`, 'kofi', false);
  for (let n = 10; n < 30; n++) await come(world, `ama-code-${n}`, 'ama', true);
  const ids = await order(world);
  const first = 'ama-code-10 ama-code-11 kofi-1 ama-code-12 kofi-2 ama-code-13 kofi-3';
  expect(ids.slice(0, 7).join(' ')).toBe(first);
  expect(ids.slice(7)).toEqual(ids.slice(7).toSorted());
});

/** Queues a text. */
async function come(world: World, send_id: string, merchant_id: string, isCode: boolean): Promise<void> {
  const place = await joinQueue(world.outside, SENDER, { merchantId: merchant_id, isCode });
  if (place !== undefined) await wait(world.outside, SENDER, { send_id, index: 0, merchant_id, place });
}

async function order(world: World): Promise<string[]> {
  return (await listWaiting(world.outside, SENDER.number, 100)).map(({ send_id }) => send_id);
}
