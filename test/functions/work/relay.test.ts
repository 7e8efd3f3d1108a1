import { beforeEach, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { handler } from '../../../functions/work/relay.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { callWorker, streamEvent } from '../../support/world.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene();
  await world.createSender('+233241234567');
  merchant = await world.createMerchant({ credits: 100 });
});

test.each([1, 3, 50])(
  'a send to %d recipients becomes one job per recipient in the merchant’s group',
  async (count) => {
    const after = await written(count);
    world.requests.length = 0;

    expect(await relay({ after })).toEqual({ batchItemFailures: [] });

    expect(world.queued).toMatchObject(
      Array.from({ length: count }, (_, index) => ({
        queue: 'deliver-sms',
        job: { group: merchant.id, body: { send_id: after.send_id, index } },
      })),
    );
    // No job is delayed.
    expect(world.queued.filter(({ job }) => (job.delaySeconds ?? 0) > 0)).toEqual([]);
    // The relay makes no table requests.
    expect(world.requests).toEqual([]);

    expect(await callWorker(world, followUp, streamEvent([{ after }]))).toEqual({ batchItemFailures: [] });
    expect(world.counted).toEqual({ texts_accepted: count });
    // One write for the booking.
    expect(world.requests).toEqual(['PutItem']);
  },
);

test('a job contains neither the number nor the text', async () => {
  await relay({ after: await written(1) });
  expect(JSON.stringify(world.queued)).not.toMatch(/0551112200|Your order/);
});

test('sends are queued in the order they were stored', async () => {
  const other = await world.createMerchant({ credits: 10 });
  const sends = [await written(2), await written(1, other), await written(1)];
  await relay(...sends.map((after) => ({ after })));
  expect(world.queued.map(({ job }) => job.group)).toEqual([merchant.id, merchant.id, other.id, merchant.id]);
});

test('a failed text is recorded in the delivery results for its SIM', async () => {
  const row = await written(1);
  await world.work('deliver-sms', [{ send_id: String(row.send_id), index: 0 }]);
  const before = await world.messageRow(String(row.send_id));
  const change = { before, after: { ...before, state: 'failed' } };
  expect(await callWorker(world, followUp, streamEvent([change]))).toEqual({ batchItemFailures: [] });
  expect(await world.scan()).toContainEqual(expect.objectContaining({ pk: 'OUTCOME', recent: 'x' }));
});

test('a send is queued only when it is created', async () => {
  const row = await written(1);
  const sendId = String(row.send_id);
  await world.work('deliver-sms', [{ send_id: sendId, index: 0 }]);
  const message = await world.messageRow(sendId);
  expect(message).toMatchObject({ state: 'sending' });
  const changes = [
    { before: row, after: { ...row, message: 'changed' } },
    { before: row },
    ...(message ? [{ after: message }] : []),
    { after: { pk: 'SENDER', sk: '+233241234567' } },
    { after: { pk: 'CREDITS#1', sk: 'BALANCE', balance: 1 } },
  ];
  expect(await relay(...changes)).toEqual({ batchItemFailures: [] });
  expect(world.queued.filter(({ queue }) => queue === 'deliver-sms')).toEqual([]);
});

test('a batch is redelivered from the first send that the queue rejects', async () => {
  const sends = [await written(1), await written(2), await written(3)];
  const { send: queueAll } = world.outside.queues;
  let sent = 0;
  world.outside.queues.send = async (queue, jobs) => {
    sent += 1;
    if (sent === 2) throw new Error('The queue is away');
    await queueAll(queue, jobs);
  };

  const answer = await relay(...sends.map((after) => ({ after })));

  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  expect(world.queued.map(({ job }) => job.body)).toEqual([{ send_id: sends[0]?.send_id, index: 0 }]);
  expect(world.logged).toMatchObject([{ level: 'error' }]);

  const again = await relay(...sends.slice(1).map((after) => ({ after })));
  expect(again).toEqual({ batchItemFailures: [] });
  expect(world.queued).toHaveLength(1 + 2 + 3);
});

test('an invalid send stops the batch but is not lost', async () => {
  const { to: _, ...broken } = await written(1);
  const answer = await relay({ after: broken });
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
});

test.each([
  ['one job for a balance drop', 400_00, {}, 1],
  ['no job for a balance rise', 600_00, {}, 0],
  ['no job for a bank transfer', 400_00, { is_push: true }, 0],
])('a new gap in a wallet’s balance chain queues %s', async (_, balance, more, jobs) => {
  const [id, at_ms] = [9_000, world.clock.nowMs];
  const gap = { from: { id, balance: 500_00, at_ms }, to: { id: id + 5, balance, at_ms }, ...more };
  const after = { pk: 'CHAIN#MTN#+233241234567', sk: 'GAP#0000000000009000', ...gap };
  for (const change of [{ after }, { before: after, after }, { before: after }]) await relay(change);
  const since = world.iso(-60 * 60_000);
  const body = { kind: 'fall', network: 'MTN', momo_number: '+233241234567', since };
  expect(world.queued).toEqual(Array(2 * jobs).fill({ queue: 'settle-receipt', job: { body, group: 'proofs' } }));
});

test.each([
  ['queues a job when it is filled', undefined, ['unexplained']],
  ['queues two jobs when the reversal no longer explains it', {}, ['fall', 'unexplained']],
  ['queues no job while the reversal still explains it', { reversal_of: 'MTN-1' }, []],
])('a gap explained by a reversal %s', async (_, explained, kinds) => {
  const [from, to] = [300, 100].map((balance) => ({ id: 9_000, balance, at_ms: world.clock.nowMs }));
  const row = { pk: 'CHAIN#MTN#+233241234567', sk: 'GAP#0000000000009000', from, to };
  await relay({ before: { ...row, reversal_of: 'MTN-1' }, after: explained && { ...row, ...explained } });
  expect(world.queued.map(({ job }) => job.body)).toMatchObject(kinds.map((kind) => ({ kind })));
});

function relay(...changes: Parameters<typeof streamEvent>[0]) {
  return callWorker(world, handler, streamEvent(changes));
}

/** Returns a send's row as `send` stores it. */
async function written(count: number, by = merchant): Promise<Item> {
  const to = Array.from({ length: count }, (_, n) => `05511122${String(n).padStart(2, '0')}`);
  const { id } = await by.text({ to, message: 'Your order is ready' });
  return (await world.sendRow(id)) ?? {};
}
