import { beforeEach, describe, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { isWanted } from '../../../shared/runtime/triggers/stream.ts';
import { getCredits, setLowBelow } from '../../../shared/texts/credits/credits.table.ts';
import { failMessage } from '../../../shared/texts/sms/text-outcome.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { setWebhookWith } from '../../support/webhooks.ts';
import { callWorker, databaseOf, type StreamRecords } from '../../support/world.ts';

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
/** Fails texts of the first send, which refunds their credits. */
const refund = (count: number) => async () => {
  for (let index = 0; index < count; index++) {
    const of = { send_id: sends[0] ?? '', merchant_id: merchant.id };
    await failMessage(world.outside, of, index, { reason: 'It failed' });
  }
};

test.each<[string, happens: (() => Promise<unknown>)[], told: string[]]>([
  ['a text that reduces the balance to 50 is not reported', [text(2)], []],
  ['a send that skips the threshold is reported', [text(50)], ['2 below 50']],
  ['further texts below the threshold are not reported', [text(3), text(1)], ['49 below 50']],
  [
    'a drop after a refund above the threshold is not reported again',
    [text(3), refund(2), text(3), text(5)],
    ['49 below 50'],
  ],
  ['a top-up that stays below the threshold changes nothing', [text(4), topUp(1), refund(3), text(3)], ['48 below 50']],
  [
    'a drop after a top-up above the threshold is reported again',
    [text(3), topUp(1), text(2)],
    ['48 below 50', '49 below 50'],
  ],
  [
    'a drop is reported again after refunds and a top-up',
    [text(3), refund(1), topUp(10), text(20)],
    ['40 below 50', '49 below 50'],
  ],
  ['a custom threshold replaces the default', [threshold(10), text(42)], []],
  ['a drop below a custom threshold is reported', [threshold(10), text(42), text(1)], ['9 below 10']],
  ['a threshold of 0 is never crossed', [threshold(0), text(50), text(2)], []],
  [
    'a threshold raised above the balance is reported at once, and only once',
    [threshold(60), text(1)],
    ['52 below 60'],
  ],
  ['a lowered threshold is reported separately', [text(3), threshold(48), text(2)], ['47 below 48', '49 below 50']],
])('%s', async (_, happens, expected) => {
  for (const happen of happens) await happen();
  expect((await told()).map(({ balance, low_below }) => `${balance} below ${low_below}`)).toEqual(expected);
});

test('a low balance is reported once per threshold and top-up', async () => {
  await send(3);
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
  const { lifted_by } = await getCredits(world.outside, merchant.id);
  expect(await world.rows(`LOW#50#${lifted_by}`)).toMatchObject([{ balance: 49 }]);
  const [event] = await world.rows('EVENT');
  await world.makeTry(String(event?.event_id));
  expect(world.posted.map(({ url }) => url)).toEqual(['https://sms.example.com/hooks']);
});

test('a first top-up below the threshold is not reported', async () => {
  merchant = await world.createMerchant();
  await setWebhookWith(world, merchant.smsKey, 'https://sms.example.com/hooks');
  await setLowBelow(world.outside, merchant.id, 10);
  await merchant.topUp(5);
  await send(1);
  expect(await told()).toEqual([]);
});

describe('a balance change in the stream', () => {
  test('is reported once despite repeated delivery', async () => {
    await send(3);
    await send(1);
    await Promise.all(Array.from({ length: 5 }, () => carryOn()));
    for (let times = 0; times < 3; times++) await carryOn();
    expect(await told()).toHaveLength(1);
  });

  test('is reported once per top-up if changes arrive out of order', async () => {
    for (let n = 0; n < 3; n++) {
      await send(25);
      await merchant.topUp(30);
    }
    expect(await told((records) => records.toReversed())).toHaveLength(3);
  });

  test('is not reported again after its event has expired', async () => {
    await text(3)();
    await carryOn();
    // The event's row expires after 30 days.
    for (const { pk, sk } of await world.rows('EVENT')) {
      await world.outside.table.write([{ delete: { Key: { pk: String(pk), sk: String(sk) } } }]);
    }
    const before = databaseOf(world).records().length;
    await refund(2)();
    await send(2);
    expect(await told(() => databaseOf(world).records().slice(before).filter(isFollowed))).toEqual([]);
  });
});

test('many simultaneous texts trigger one low-balance event', async () => {
  await Promise.all(Array.from({ length: 10 }, () => send(1)));
  expect(await told()).toEqual([{ balance: 49, low_below: 50, bundles: [] }]);
});

test('a low balance is not reported if the merchant has no webhook', async () => {
  merchant = await world.createMerchant({ credits: 50 });
  await send(1);
  await carryOn();
  expect(await world.rows('EVENT')).toEqual([]);
});

test('a low balance is reported even if it was stored before thresholds existed', async () => {
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

/** Delivers all changes to the stream consumers, then the changes that these cause. */
async function carryOn(delivered = (records: StreamRecords) => records): Promise<void> {
  for (let times = 0; times < 2; times++) {
    const Records = delivered(databaseOf(world).records().filter(isFollowed));
    expect(await callWorker(world, followUp, { Records })).toEqual({ batchItemFailures: [] });
  }
}

/** Returns all events so far, lowest balance first. */
async function told(...delivered: Parameters<typeof carryOn>): Promise<{ balance: number; low_below: number }[]> {
  await carryOn(...delivered);
  const events = (await world.rows('EVENT')).filter(({ type }) => type === 'credits.low');
  const bodies = events.map(({ body }) => JSON.parse(String(body)));
  return bodies.map(({ data }) => data).toSorted((one, other) => one.balance - other.balance);
}
