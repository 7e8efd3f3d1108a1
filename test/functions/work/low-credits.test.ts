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
let sends: string[];
beforeEach(async () => {
  sends = [];
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 52 });
  await world.createSender('+233241234567');
  await setWebhookWith(world, merchant.smsKey, 'https://sms.example.com/hooks');
});

const text = (count: number) => async () => void sends.push(await send(count));
const topUp = (credits: number) => () => merchant.topUp(credits);
const threshold = (credits: number) => () => setLowBelow(world.outside, merchant.id, credits);
/** The first texts of the first send fail, whose credits come back. */
const refund = (count: number) => async () => {
  for (let index = 0; index < count; index++) {
    const of = { send_id: sends[0] ?? '', merchant_id: merchant.id };
    await failMessage(world.outside, of, index, { reason: 'It failed' });
  }
};

test.each<[string, happens: (() => Promise<unknown>)[], told: string[]]>([
  ['a text that leaves 50 is not told', [text(2)], []],
  ['a text to many that jumps over the threshold is told', [text(50)], ['2 below 50']],
  ['further texts are not told', [text(3), text(1)], ['49 below 50']],
  [
    'nor that a refund lifts it and a text brings it down again',
    [text(3), refund(2), text(3), text(5)],
    ['49 below 50'],
  ],
  ['a top-up that leaves it low changes nothing', [text(4), topUp(1), refund(3), text(3)], ['48 below 50']],
  ['after a top-up that lifted it, it is told again', [text(3), topUp(1), text(2)], ['48 below 50', '49 below 50']],
  [
    'so it is where refunds had lifted it before',
    [text(3), refund(1), topUp(10), text(20)],
    ['40 below 50', '49 below 50'],
  ],
  ['another threshold is what counts', [threshold(10), text(42)], []],
  ['below another threshold it is told', [threshold(10), text(42), text(1)], ['9 below 10']],
  ['a threshold of 0 is never reached', [threshold(0), text(50), text(2)], []],
  ['a threshold that is raised above it is told at once, and once', [threshold(60), text(1)], ['52 below 60']],
  ['a threshold that is lowered is a new one', [text(3), threshold(48), text(2)], ['47 below 48', '49 below 50']],
])('%s', async (_, happens, expected) => {
  for (const happen of happens) await happen();
  expect((await told()).map(({ balance, low_below }) => `${balance} below ${low_below}`)).toEqual(expected);
});

test('is reported once per threshold and top-up, with the balance and where to buy', async () => {
  await send(3);
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
  const { lifted_by } = await getCredits(world.outside, merchant.id);
  expect(await world.rows(`LOW#50#${lifted_by}`)).toMatchObject([{ balance: 49 }]);
  const [event] = await world.rows('EVENT');
  await world.makeTry(String(event?.event_id));
  expect(world.posted.map(({ url }) => url)).toEqual(['https://sms.example.com/hooks']);
});

test('is not reported for a small first top-up, because nothing fell', async () => {
  merchant = await world.createMerchant();
  await setWebhookWith(world, merchant.smsKey, 'https://sms.example.com/hooks');
  await setLowBelow(world.outside, merchant.id, 10);
  await merchant.topUp(5);
  await send(1);
  expect(await told()).toEqual([]);
});

describe('a balance change from the stream', () => {
  test('delivered several times at once is reported once', async () => {
    await send(3);
    await send(1);
    await Promise.all(Array.from({ length: 5 }, () => carryOn()));
    for (let times = 0; times < 3; times++) await carryOn();
    expect(await told()).toHaveLength(1);
  });

  test('delivered out of order, with two top-ups in between, is reported once for each', async () => {
    for (let n = 0; n < 3; n++) {
      await send(25);
      await merchant.topUp(30);
    }
    expect(await told((records) => records.toReversed())).toHaveLength(3);
  });

  test('is not reported again after the event’s row has expired', async () => {
    await text(3)();
    await carryOn();
    // The event's row ends after 30 days.
    for (const { pk, sk } of await world.rows('EVENT')) {
      await world.outside.table.write([{ delete: { Key: { pk: String(pk), sk: String(sk) } } }]);
    }
    const before = databaseOf(world).records().length;
    await refund(2)();
    await send(2);
    expect(await told(() => databaseOf(world).records().slice(before).filter(isFollowed))).toEqual([]);
  });
});

test('exactly one of many simultaneous texts crosses the threshold', async () => {
  await Promise.all(Array.from({ length: 10 }, () => send(1)));
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
});

test('without a webhook the low balance is stored and reported to nobody', async () => {
  merchant = await world.createMerchant({ credits: 50 });
  await send(1);
  await carryOn();
  expect(await world.rows('EVENT')).toEqual([]);
});

test('a balance topped up before thresholds existed is reported too', async () => {
  const row = { pk: `CREDITS#${merchant.id}`, sk: 'BALANCE', balance: 50 };
  await world.outside.table.write([{ put: { Item: row } }]);
  await send(1);
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
});

async function send(count: number): Promise<string> {
  const to = Array.from({ length: count }, () => '0551112223');
  return (await merchant.text({ to })).id;
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
