import { beforeEach, describe, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { isWanted } from '../../../shared/runtime/triggers/stream.ts';
import { getCredits, setLowBelow } from '../../../shared/texts/credits/credits.table.ts';
import { failMessage } from '../../../shared/texts/sms/text-outcome.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { setWebhookWith } from '../../support/webhooks.ts';
import { callWorker, databaseOf, type StreamRecords } from '../../support/world.ts';

// What the relay makes of a balance that changes: `credits.low`, once for each top-up that had lifted it.

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 52 });
  await world.createSender('+233241234567');
  await setWebhookWith(world, merchant.smsKey, 'https://sms.example.com/hooks');
});

test('a text that brings the balance below 50 is told, with what is left', async () => {
  await text(2);
  expect(await told()).toEqual([]);
  await text(1);
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
  const [event] = await world.rows('EVENT');
  await world.makeTry(String(event?.event_id));
  expect(world.posted.map(({ url }) => url)).toEqual(['https://sms.example.com/hooks']);
});

test('a text to many that jumps over the threshold is told, too', async () => {
  await text(50);
  expect(await told()).toEqual([{ balance: 2, low_below: 50, bundles: [] }]);
});

test('further texts are not told, nor that a refund lifts the balance and a text brings it down again', async () => {
  const sendId = await text(3);
  await text(1);
  await refund(sendId, 0);
  await refund(sendId, 1);
  await text(3);
  await text(5);
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
  const { lifted_by } = await getCredits(world.outside, merchant.id);
  expect(await world.rows(`LOW#50#${lifted_by}`)).toMatchObject([{ balance: 49 }]);
});

test('a small first top-up is not told: nothing fell', async () => {
  merchant = await world.createMerchant();
  await setWebhookWith(world, merchant.smsKey, 'https://sms.example.com/hooks');
  await setLowBelow(world.outside, merchant.id, 10);
  await merchant.topUp(5);
  await text(1);
  expect(await told()).toEqual([]);
});

test('a top-up that leaves it low changes nothing, even if refunds lift it afterwards', async () => {
  const sendId = await text(4);
  await merchant.topUp(1);
  for (const index of [0, 1, 2]) await refund(sendId, index);
  await text(3);
  expect(await told()).toEqual([{ balance: 48, low_below: 50, bundles: [] }]);
});

test('after a top-up that lifted it, it is told again', async () => {
  await text(3);
  await merchant.topUp(1);
  await text(2);
  expect(await told()).toEqual([
    { balance: 48, low_below: 50, bundles: [] },
    { balance: 49, low_below: 50, bundles: [] },
  ]);
});

test('after a top-up on a balance that refunds had lifted, it is told again', async () => {
  const sendId = await text(3);
  await refund(sendId, 0);
  await merchant.topUp(10);
  await text(20);
  expect((await told()).map(({ balance }) => balance)).toEqual([40, 49]);
});

describe('the merchant’s own threshold', () => {
  test('is what counts', async () => {
    await setLowBelow(world.outside, merchant.id, 10);
    await text(42);
    expect(await told()).toEqual([]);
    await text(1);
    expect(await told()).toEqual([{ balance: 9, low_below: 10, bundles: [] }]);
  });

  test('of 0 is never reached', async () => {
    await setLowBelow(world.outside, merchant.id, 0);
    await text(50);
    await text(2);
    expect(await told()).toEqual([]);
  });

  test('that is raised above the balance is told at once, and once', async () => {
    await setLowBelow(world.outside, merchant.id, 60);
    await text(1);
    expect(await told()).toEqual([{ balance: 52, low_below: 60, bundles: [] }]);
  });

  test('that is lowered is a new one, which is told when the balance falls below that', async () => {
    await text(3);
    await setLowBelow(world.outside, merchant.id, 48);
    await text(2);
    expect((await told()).map(({ low_below }) => low_below)).toEqual([48, 50]);
  });
});

describe('what the stream delivers', () => {
  test('several times and at once is told once', async () => {
    await text(3);
    await text(1);
    await Promise.all(Array.from({ length: 5 }, () => carryOn()));
    for (let times = 0; times < 3; times++) await carryOn();
    expect(await told()).toHaveLength(1);
  });

  test('out of order, with two top-ups in between, is told once for each', async () => {
    for (let n = 0; n < 3; n++) {
      await text(25);
      await merchant.topUp(30);
    }
    expect(await told((records) => records.toReversed())).toHaveLength(3);
  });

  test('after the event’s row has ended is not told again', async () => {
    const sendId = await text(3);
    await carryOn();
    // The event's row ends after 30 days.
    for (const { pk, sk } of await world.rows('EVENT')) {
      await world.outside.table.write([{ delete: { Key: { pk: String(pk), sk: String(sk) } } }]);
    }
    const before = databaseOf(world).records().length;
    await refund(sendId, 0);
    await refund(sendId, 1);
    await text(2);
    expect(await told(() => databaseOf(world).records().slice(before).filter(isFollowed))).toEqual([]);
  });
});

test('of many texts at once, one brings it below', async () => {
  await Promise.all(Array.from({ length: 10 }, () => text(1)));
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
});

test('without a webhook it is noticed and told to nobody', async () => {
  merchant = await world.createMerchant({ credits: 50 });
  await text(1);
  await carryOn();
  expect(await world.rows('EVENT')).toEqual([]);
});

test('a balance that was topped up before thresholds were known is told, too', async () => {
  const row = { pk: `CREDITS#${merchant.id}`, sk: 'BALANCE', balance: 50 };
  await world.outside.table.write([{ put: { Item: row } }]);
  await text(1);
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
});

async function text(count: number): Promise<string> {
  const to = Array.from({ length: count }, () => '0551112223');
  return (await merchant.text({ to })).id;
}

function refund(send_id: string, index: number): Promise<void> {
  return failMessage(world.outside, { send_id, merchant_id: merchant.id }, index, { reason: 'It failed' });
}

const isFollowed = (change: StreamRecords[number]) => isWanted(change, followUp.row);

/** Hands every change so far to what follows them, as the stream may deliver them, and then those that it made of them. */
async function carryOn(delivered = (records: StreamRecords) => records): Promise<void> {
  for (let times = 0; times < 2; times++) {
    const Records = delivered(databaseOf(world).records().filter(isFollowed));
    expect(await callWorker(world, followUp, { Records })).toEqual({ batchItemFailures: [] });
  }
}

/** What was told of every change so far, lowest balance first. */
async function told(...delivered: Parameters<typeof carryOn>): Promise<{ balance: number; low_below: number }[]> {
  await carryOn(...delivered);
  const events = (await world.rows('EVENT')).filter(({ type }) => type === 'credits.low');
  const bodies = events.map(({ body }) => JSON.parse(String(body)));
  return bodies.map(({ data }) => data).toSorted((one, other) => one.balance - other.balance);
}
