import { beforeEach, describe, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { handler } from '../../../functions/work/housekeeping.ts';
import { expectNoPings, expectPings } from '../../../shared/phones/gateway/phone.table.ts';
import { lastFinished } from '../../../shared/runtime/table/lease.ts';
import { noteOutcome } from '../../../shared/runtime/table/recent-outcomes.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { messageRows } from '../../../shared/texts/sms/message.table.ts';
import { noteTextOutcome } from '../../../shared/texts/sms/text-outcome.ts';
import { meter } from '../../bench/meter.ts';
import { loseAnswers } from '../../support/disturb.ts';
import { post as arrive, mtn, signedCallback } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { callWorker, streamEvent } from '../../support/world.ts';

const MTN = '+233241234567';
const SIM = 'SIM#phone#device-1#1';
/** Table units of a run on an idle stage with one sender. */
const IDLE = { readUnits: 18, writeUnits: 2 };
/** The first run of an hour checks for due daily summaries. */
const EVENINGS_READ_UNITS = 0.5;

let world: Scene;
let merchant: Merchant;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  // Night runs read less, because no reminders are sent.
  world.goToNoon();
  await world.createSender(MTN);
  merchant = await world.createMerchant({ credits: 100 });
  world.gateway = async ({ method, url }) => {
    if (method === 'POST') return Response.json({ state: 'Pending' }, { status: 202 });
    if (!url.endsWith('/devices')) return Response.json({ state: 'Pending' });
    const lastSeen = world.iso();
    return Response.json([{ id: 'device-1', lastSeen, simCards: [{ simNumber: 1 }] }]);
  };
});

test('a healthy stage reports 0 for every metric', async () => {
  await run();
  const { housekeeping_runs, ...measures } = world.counted;
  const names = ['phones_not_heard', 'senders_held_back', 'senders_failing', 'texts_overdue', 'receipts_overdue'];
  const all = [...names, 'callbacks_not_understood', 'follow_ups_overdue', 'wallets_unread', 'webhooks_off'];
  expect({ housekeeping_runs, measures }).toEqual({
    housekeeping_runs: 1,
    measures: Object.fromEntries(all.map((name) => [name, 0])),
  });
  expect(world.logged).toEqual([]);
});

test('a run on an idle stage reads and writes almost nothing', async () => {
  await run();
  const { readUnits, writeUnits } = await meter(world, run);
  expect({ readUnits, writeUnits }).toEqual(IDLE);
});

test('a run keeps no state in memory', async () => {
  const ids = [await text(), await text()];
  expect(await measureAfter(10 * MINUTE_MS + 1, 'texts_overdue')).toBe(2);
  for (const id of ids) await world.writeMessageState(id, 'sent');
  expect(await measure('texts_overdue')).toBe(0);
  // The process continues with an empty table.
  world = await scene({ inMemory: true });
  world.goToNoon();
  await world.createSender(MTN);
  expect((await meter(world, run)).readUnits).toBe(IDLE.readUnits + EVENINGS_READ_UNITS);
});

test('a metric that cannot be measured is not reported as 0', async () => {
  const { list } = world.outside.table;
  world.outside.table.list = (partition, range) =>
    partition === 'OUTCOME' ? Promise.reject(new Error('no')) : list(partition, range);
  await run();
  expect(Object.keys(world.counted)).not.toContain('senders_failing');
  expect(Object.keys(world.counted)).not.toContain('wallets_unread');
  expect(world.counted).toMatchObject({ housekeeping_runs: 1, webhooks_off: 0, texts_overdue: 0 });
  expect(world.logged).toMatchObject([{ level: 'error', event: 'task_failed' }]);
});

describe('overlapping housekeeping runs', () => {
  test('do nothing while a different run holds the lease', async () => {
    const { fetch } = world.outside;
    world.outside.fetch = async (...request) => {
      world.outside.fetch = fetch;
      await world.housekeeping();
      return fetch(...request);
    };
    await world.housekeeping();
    expect(world.counted.housekeeping_runs).toBe(1);
    expect(world.fetched).toHaveLength(1);
    expect(world.logged).toEqual([{ level: 'warn', event: 'run_skipped', fields: { function: 'housekeeping' } }]);
  });

  test('wait for a crashed run until its Lambda timeout has passed', async () => {
    const { fetch } = world.outside;
    await new Promise<void>((hangs) => {
      world.outside.fetch = () => {
        hangs();
        return new Promise(() => {});
      };
      void handler.with(world.outside)();
    });
    world.outside.fetch = fetch;
    world.clock.nowMs += 300_000;
    await run();
    expect(world.counted).toEqual({});
    world.clock.nowMs += 10_000;
    await run();
    expect(world.counted.housekeeping_runs).toBe(1);
  });

  test('recognise their own lease if DynamoDB’s response was lost', async () => {
    loseAnswers(world, 'UpdateItem', 1);
    await run();
    expect(world.counted.housekeeping_runs).toBe(1);
  });

  test('record the time of the last complete run', async () => {
    expect(await lastFinished(world.outside, 'housekeeping')).toBeUndefined();
    await run();
    const at = world.iso();
    world.clock.nowMs += HOUR_MS;
    expect(await lastFinished(world.outside, 'housekeeping')).toMatchObject({ at });
  });

  test('can start after a run with a failed task', async () => {
    world.outside.secret = () => Promise.reject(new Error('no'));
    for (let n = 0; n < 3; n++) {
      await run();
      expect(world.counted.housekeeping_runs).toBe(1);
    }
  });
});

describe('a silent phone', () => {
  beforeEach(() => expectPings(world.outside, 'phone'));

  test.each([
    ['is reported 15 minutes after its only ping', [0], 15],
    ['is reported after 15 minutes if it pings every five minutes', [0, 5, 10, 15, 20], 15],
    ['is reported after 15 minutes if it pings every minute', [0, 1, 2, 3, 4], 15],
    ['is reported after three missed pings if it pings every ten minutes', [0, 10, 20, 30], 30],
    ['is reported after three missed pings if it pings hourly', [0, 60, 120], 180],
    ['is reported after three usual intervals despite a night off', [0, 10, 20, 500], 30],
    [
      'is reported after 15 minutes if it was off for a weekend after its first ping',
      [0, 3 * 24 * 60, 3 * 24 * 60 + 5],
      15,
    ],
    ['is reported after three usual intervals if one ping was lost', [0, 10, 20, 40], 30],
  ])('%s', async (_, pings, minutes) => {
    const startMs = world.clock.nowMs;
    for (const minute of pings) {
      world.clock.nowMs = startMs + minute * MINUTE_MS;
      await ping();
    }
    expect(await measureAfter(minutes * MINUTE_MS, 'phones_not_heard')).toBe(0);
    expect(await measureAfter(1, 'phones_not_heard')).toBe(1);
    const fields = { gateway: 'phone', device: 'device-1', code: 'no_signed_callback' };
    expect(world.logged).toEqual([{ level: 'warn', event: 'phone_not_heard', fields }]);
  });

  test('is reported 15 minutes after its sender is enabled', async () => {
    expect(await measureAfter(15 * MINUTE_MS, 'phones_not_heard')).toBe(0);
    await world.switchSender(MTN, false);
    expect(await measureAfter(HOUR_MS, 'phones_not_heard')).toBe(0);
    await world.switchSender(MTN, true);
    expect(await measureAfter(15 * MINUTE_MS, 'phones_not_heard')).toBe(0);
    expect(await measureAfter(1, 'phones_not_heard')).toBe(1);
    // Reconnecting the account does not count as a ping.
    await expectPings(world.outside, 'phone');
    expect(await measure('phones_not_heard')).toBe(1);
  });

  test('is counted once regardless of its senders', async () => {
    await world.createSender('+233201234567');
    expect(await measureAfter(HOUR_MS, 'phones_not_heard')).toBe(1);
  });

  test('is not reported if its account was never set up for pings', async () => {
    await expectNoPings(world.outside, 'phone');
    expect(await measureAfter(HOUR_MS, 'phones_not_heard')).toBe(0);
    expect(world.logged).toEqual([]);
  });

  test('can still send texts', async () => {
    world.clock.nowMs += HOUR_MS;
    await run();
    expect(await text()).toBeDefined();
    expect(world.counted.senders_held_back).toBe(0);
  });
});

describe('a sender with failing texts', () => {
  test.each([
    ['is reported after five failures in a row', 'xxxxx', 1],
    ['is not reported after four failures in a row', 'xxxx', 0],
    ['is reported if half of the last ten failed', '....x.x.x.x.x', 1],
    ['is not reported if fewer than half of the last ten failed', 'x.x.x.x...', 0],
    ['is not reported if six texts were sent after ten failures', 'xxxxxxxxxx......', 0],
  ])('%s', async (_, outcomes, failing) => {
    for (const outcome of outcomes) await noteOutcome(world.outside, SIM, outcome === 'x');
    expect(await measure('senders_failing')).toBe(failing);
    const fields = { gateway: 'phone', device: 'device-1', sim: 1 };
    expect(world.logged).toEqual(failing ? [{ level: 'warn', event: 'sender_failing', fields }] : []);
  });

  test('causes no table requests while its texts are sent', async () => {
    const noteSent = () => noteTextOutcome(world.outside, messageRows.parse(message('sent')), false);
    await noteSent();
    world.requests.length = 0;
    for (let n = 0; n < 20; n++) await noteSent();
    expect(world.requests).toEqual([]);
    world.clock.nowMs += MINUTE_MS;
    const failed = messageRows.parse(message('failed'));
    for (let n = 0; n < 5; n++) await noteTextOutcome(world.outside, failed, true);
    expect(await measure('senders_failing')).toBe(1);
  });

  test('does not stop other work if its outcomes cannot be stored', async () => {
    const { get } = world.outside.table;
    world.outside.table.get = (key) => (key.pk === 'OUTCOME' ? Promise.reject(new Error('no')) : get(key));
    const change = { before: message('sending'), after: message('failed') };
    expect(await callWorker(world, followUp, streamEvent([change]))).toEqual({ batchItemFailures: [] });
    await arriveAndSettle(mtn().text.replace('Payment received', 'You were paid'));
    expect(world.logged.map(({ event }) => event)).toEqual(['outcome_not_noted', 'outcome_not_noted']);
  });

  test('is measured only by the final outcomes of attempts', async () => {
    const changes = [
      { before: message('sending'), after: { ...message('sending'), sending_at: 'x' } },
      { before: message('pending'), after: message('sending') },
      { before: message('sent'), after: message('delivered') },
      { after: { pk: 'SEND#1', sk: 'MESSAGE#00', send_id: '1', index: 0, state: 'failed' } },
    ];
    await callWorker(world, followUp, streamEvent(changes));
    expect(await measure('senders_failing')).toBe(0);
  });

  test('is no longer reported after a day without failures', async () => {
    for (let n = 0; n < 10; n++) await noteOutcome(world.outside, SIM, true);
    expect(await measureAfter(24 * HOUR_MS, 'senders_failing')).toBe(0);
    await noteOutcome(world.outside, SIM, true);
    expect(await measure('senders_failing')).toBe(0);
  });
});

describe('the number of overdue texts', () => {
  test('includes texts that no worker has started', async () => {
    const id = await text();
    expect(await measure('texts_overdue')).toBe(0);
    expect(await measureAfter(9 * MINUTE_MS, 'texts_overdue')).toBe(0);
    // The text is now checked every two minutes.
    world.clock.nowMs += 2 * MINUTE_MS + 1;
    for (let n = 0; n < 5; n++) {
      expect(await measure('texts_overdue')).toBe(1);
      const fields = { merchant_id: merchant.id, send_id: id, gateway: 'phone' };
      expect(world.logged).toContainEqual({ level: 'warn', event: 'texts_overdue', fields });
      world.clock.nowMs += MINUTE_MS;
    }
    await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
    await world.writeMessageState(id, 'sent');
    expect(await measure('texts_overdue')).toBe(0);
  });

  test('includes texts that the phone has received but not sent', async () => {
    const id = await text();
    await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
    expect(await world.messageRow(id)).toMatchObject({ state: 'sending' });
    expect(await measureAfter(10 * MINUTE_MS + 1, 'texts_overdue')).toBe(1);
  });

  test('excludes texts that are waiting for a send slot', async () => {
    await world.addSender({ number: MTN, messages_per_hour: 1 });
    world.clock.nowMs += 2_000;
    const ids = [await text(), await text(), await text()];
    for (const send_id of ids) await world.work('deliver-sms', [{ send_id, index: 0 }]);
    await world.writeMessageState(ids[0] ?? '', 'sent');
    expect(await measureAfter(30 * MINUTE_MS, 'texts_overdue')).toBe(0);
    expect(await measureAfter(3 * HOUR_MS, 'texts_overdue')).toBe(2);
  });

  test('excludes texts on a disabled sender', async () => {
    await text();
    await world.switchSender(MTN, false);
    expect(await measureAfter(HOUR_MS, 'texts_overdue')).toBe(0);
  });
});

describe('wallet metrics', () => {
  test('count a text as overdue if it is not settled in five minutes', async () => {
    const job = await arrive(world, { ...mtn(), recipient: MTN });
    expect(await measureAfter(5 * MINUTE_MS, 'receipts_overdue')).toBe(0);
    world.clock.nowMs += 1;
    for (let n = 0; n < 3; n++) {
      expect(await measure('receipts_overdue')).toBe(1);
      world.clock.nowMs += MINUTE_MS;
    }
    await world.settle(job);
    expect(await measure('receipts_overdue')).toBe(0);
  });

  test('count a wallet if three of its last ten texts were not recognised', async () => {
    const read = () => arriveAndSettle(mtn().text);
    const unread = () => arriveAndSettle(mtn().text.replace('Payment received', 'You were paid'));
    await unread();
    await unread();
    expect(await measure('wallets_unread')).toBe(0);
    await read();
    await unread();
    expect(await measure('wallets_unread')).toBe(1);
    const fields = { network: 'MTN', gateway: 'phone' };
    expect(world.logged).toEqual([{ level: 'warn', event: 'wallet_unread', fields }]);
    for (let n = 0; n < 7; n++) await read();
    expect(await measure('wallets_unread')).toBe(0);
  });
});

test('a disabled webhook is counted until it is set again or removed', async () => {
  await merchant.setWebhook();
  world.receiver = async () => ({ statusCode: 410, headers: {}, text: 'gone' });
  await world.makeTry(await merchant.newEvent());
  for (let n = 0; n < 3; n++) {
    expect(await measure('webhooks_off')).toBe(1);
    const fields = { merchant_id: merchant.id };
    expect(world.logged).toContainEqual({ level: 'warn', event: 'webhook_off', fields });
    world.clock.nowMs += HOUR_MS;
  }
  // A new secret does not re-enable the webhook.
  await merchant.call('webhook/roll-secret');
  expect(await measure('webhooks_off')).toBe(1);
  await merchant.setWebhook();
  expect(await measure('webhooks_off')).toBe(0);
  await world.makeTry(await merchant.newEvent());
  expect(await measure('webhooks_off')).toBe(1);
  await merchant.call('webhook/remove');
  expect(await measure('webhooks_off')).toBe(0);
});

async function run(): Promise<void> {
  for (const name of Object.keys(world.counted)) Reflect.deleteProperty(world.counted, name);
  world.logged.length = 0;
  await world.housekeeping();
}

/** Returns a metric from the next run of housekeeping. */
async function measure(name: keyof Scene['counted']): Promise<number | undefined> {
  await run();
  return world.counted[name];
}

async function measureAfter(ms: number, name: keyof Scene['counted']): Promise<number | undefined> {
  world.clock.nowMs += ms;
  return measure(name);
}

async function ping(): Promise<void> {
  const event = { deviceId: 'device-1', event: 'system:ping', id: 'ping', payload: { health: {} } };
  const { status } = await world.call('callback/smsgate', signedCallback(world, event));
  if (status !== 200) throw new Error(`The ping was answered ${status}`);
}

async function text(): Promise<string> {
  return (await merchant.text({ from: MTN })).id;
}

async function arriveAndSettle(words: string): Promise<void> {
  await world.settle(await arrive(world, { sender: 'MobileMoney', text: words, recipient: MTN }));
}

function message(state: string) {
  const route = { gateway: 'phone', device_id: 'device-1', sim_number: 1 };
  return { pk: 'SEND#1', sk: 'MESSAGE#00', send_id: '1', index: 0, state, ...route };
}
