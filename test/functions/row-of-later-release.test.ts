import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { manifest, queues } from '../../functions/manifest.ts';
import { putItem } from '../../shared/runtime/table/table.ts';
import { callee } from '../../shared/runtime/triggers/call.ts';
import { queue } from '../../shared/runtime/triggers/queue.ts';
import { stream } from '../../shared/runtime/triggers/stream.ts';
import { quietPlace } from '../support/deployment.ts';
import { expectFailure } from '../support/envelope.ts';
import { goodBodies } from '../support/routes.ts';
import { asScene, type Scene, scene } from '../support/scene.ts';
import { queueEvent, streamEvent } from '../support/world.ts';

/* During a deployment, old functions may read rows of the new release. They return 503 or retry instead of failing. */

const world = await scene();
const merchant = await world.createMerchant();
const owner = await merchant.signIn('owner');
const { liveKey: key } = merchant;
const { reference, access_code } = await merchant.createCharge();
const { slug } = (await merchant.call('link/create', { body: goodBodies['link/create'] })).json.data;

beforeEach(() => void world.logged.splice(0));

test.each([
  ['a charge to read', 'transaction/verify', 'TRANSACTION#'],
  ['a charge to change', 'transaction/cancel', 'TRANSACTION#'],
  ['the key', 'transaction/verify', 'KEY#'],
  ['the charge of a checkout page', 'checkout/status', 'TRANSACTION#'],
] as const)('the API returns 503 with Retry-After if a later release wrote %s', async (_, route, partition) => {
  const answer = await (await older(partition)).call(route, { key, parameters: { reference, access_code } });
  expectFailure(answer, 503, 'busy');
  expect(answer.json.message).toMatch(/is being updated/);
  expect(answer.headers['retry-after']).toBe('60');
  expect(levels()).toEqual(['warn row_of_later_release']);
});

test.each([
  ['the checkout page', 'checkout/page', 'TRANSACTION#'],
  ['a payment link', 'pay/page', 'LINK#'],
] as const)('%s returns a 503 page for a row from a later release', async (_, route, partition) => {
  const parameters = { slug, access_code };
  const page = await (await older(partition)).call(route, { parameters, headers: { accept: 'text/html' } });
  expect(page).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  expect(levels()).toEqual(['warn row_of_later_release']);
});

test.each(['TRANSACTION#', 'SESSION#'])(
  'a dashboard page returns 503 if a later release wrote a %s row',
  async (partition) => {
    const path = `/dashboard/charges/${reference}`;
    const page = await (await older(partition)).visit(path, { by: owner });
    expect(page).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
    expect(levels()).toEqual(['warn row_of_later_release']);
  },
);

test('an invoked function returns the reason instead of failing', async () => {
  const reads = callee(manifest['work/repair'], quietPlace(world).service, z.object({}), ({ outside }) =>
    readCharge(outside),
  );
  const { outside } = await older('TRANSACTION#');
  const deployment = { ...quietPlace(world), outside };
  expect(await reads.at(deployment)({})).toEqual({ refused: expect.stringMatching(/^A row TRANSACTION has shape 2/) });
});

test('a job is retried for 20 minutes before it becomes a dead letter', async () => {
  const { outside } = await older('TRANSACTION#');
  const work = queue(manifest['work/deliver-push'], z.object({}), async (_, __, itsOutside) => {
    await readCharge(itsOutside);
  });
  const pauses: number[] = [];
  for (let receives = 1; receives < queues['deliver-push'].maxReceiveCount; receives++) {
    world.postponed.length = 0;
    const { batchItemFailures } = await work.with(outside)(queueEvent([{}], receives));
    expect(batchItemFailures).toHaveLength(1);
    pauses.push(world.postponed[0]?.seconds ?? 0);
  }
  expect(Math.min(...pauses)).toBe(60);
  expect(pauses.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThanOrEqual(20 * 60);
});

test('stream changes are retained for longer than a deployment takes', async () => {
  const row = manifest['work/relay'];
  const done: unknown[] = [];
  const work = stream(row, async ({ after }) => void done.push(after?.pk));
  const changes = [{ after: { pk: 'OTHER', sk: 'SEND' } }, { after: { pk: 'SEND#1', sk: 'SEND', shape: 2 } }];
  const next = [...changes.slice(1), { after: { pk: 'OTHER#2', sk: 'SEND' } }];
  world.slept.length = 0;
  expect(await work.with(world.outside)(streamEvent(changes))).toEqual({
    batchItemFailures: [{ itemIdentifier: '1' }],
  });
  await expect(work.with(world.outside)(streamEvent(next))).rejects.toThrow('Lambda must halve the batch');
  expect(done).toEqual(['OTHER']);
  const [slept = 0] = world.slept;
  // Fifty attempts must take at least 15 minutes.
  expect(50 * slept).toBeGreaterThanOrEqual(15 * 60_000);
  expect(slept).toBeLessThanOrEqual(row.timeoutSeconds * 1000 - 5_000);
});

/** Returns the world, with empty caches, after a later release has written the rows of a partition. */
async function older(partition: string): Promise<Scene> {
  const rows = (await world.scan()).filter(({ pk }) => String(pk).startsWith(partition));
  const write = (shape?: number) => world.outside.table.write(rows.map((row) => putItem({ ...row, shape })));
  await write(2);
  onTestFinished(() => write());
  return asScene({ ...world, outside: { ...world.outside } });
}

async function readCharge({ table }: Pick<Scene['outside'], 'table'>): Promise<object> {
  return { row: await table.get({ pk: `TRANSACTION#${reference}`, sk: 'TRANSACTION' }) };
}

function levels(): string[] {
  return world.logged.map(({ level, event }) => `${level} ${event}`);
}
