import { beforeEach, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { handler } from '../../../functions/work/housekeeping.ts';
import { EXPIRY_GRACE_SECONDS, listExpiries, noteExpiry } from '../../../shared/money/transaction/expiry.table.ts';
import { CHARGE_LIFETIME_MS } from '../../../shared/money/transaction/transaction.table.ts';
import { mtn } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { callWorker, streamEvent } from '../../support/world.ts';

const ENDED_MS = CHARGE_LIFETIME_MS + EXPIRY_GRACE_SECONDS * 1000;

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

test('a new charge is recorded by the stream, and ends after its expiry and a grace period', async () => {
  const reference = await shop.charge({ amount: 36 });
  const [item] = await world.rows('TRANSACTION');
  await callWorker(world, followUp, streamEvent([{ after: item ?? {} }]));
  await callWorker(world, followUp, streamEvent([{ after: item ?? {} }]));
  world.clock.nowMs += ENDED_MS - 1;
  await handler.with(world.outside)();
  expect(await stateOf(reference)).toBe('pending');
  world.clock.nowMs += 1;
  await handler.with(world.outside)();
  expect(await stateOf(reference)).toBe('expired');
  expect(await noted()).toEqual([]);
});

test('a charge that was paid is left as it is, and is not looked at again', async () => {
  const reference = await noteNew();
  await shop.pay(mtn({ reference }));
  world.clock.nowMs += ENDED_MS;
  await handler.with(world.outside)();
  expect(await stateOf(reference)).toBe('success');
  expect(await noted()).toEqual([]);
});

test('a charge that cannot be ended now stays recorded, and does not stop others from ending', async () => {
  const [stuck, other] = [await noteNew(), await noteNew()];
  world.clock.nowMs += ENDED_MS;
  const usual = world.dynamoDb;
  world.dynamoDb = async ({ input }, sendOn) => {
    if (JSON.stringify(input).includes(`"TRANSACTION#${stuck}"`)) throw new Error('Not now');
    await sendOn();
  };
  await handler.with(world.outside)();
  world.dynamoDb = usual;
  expect([await stateOf(stuck), await stateOf(other)]).toEqual(['pending', 'expired']);
  await handler.with(world.outside)();
  expect(await stateOf(stuck)).toBe('expired');
});

async function noteNew(): Promise<string> {
  const reference = await shop.charge({ amount: 36 });
  const found = await world.transaction(reference);
  if (!found) throw new Error('The charge is gone');
  await world.outside.table.write([noteExpiry(found)]);
  return reference;
}

async function stateOf(reference: string) {
  return (await world.transaction(reference))?.state;
}

function noted() {
  return listExpiries(world.outside, world.iso(), 10);
}
