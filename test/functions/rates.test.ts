import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_NOTED_FAILURES } from '../../shared/merchants/merchant/failed-request.table.ts';
import { changeKeyRate } from '../support/actions.ts';
import { expectFailure } from '../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../support/scene.ts';

let world: Scene;
let merchant: Merchant;
let key: string;

beforeEach(async () => {
  world = await scene();
  await world.createSender('+233241234567');
  merchant = await world.createMerchant({ credits: 1_000 });
  key = await merchant.addKey('sms');
});

test('a key allows bursts of 100 requests, then 50 per second', async () => {
  expect(await answeredOf(120)).toBe(100);
  world.clock.nowMs += 1_000;
  expect(await answeredOf(120)).toBe(50);
  // The unused allowance grows to a hundred requests at most.
  world.clock.nowMs += 20_000;
  expect(await answeredOf(120)).toBe(100);
});

describe('a rate-limited request', () => {
  beforeEach(() => answeredOf(100));

  test('returns a 429 with a retry time', async () => {
    world.noted.length = 0;
    const answer = await ask();
    expectFailure(answer, 429, 'too_many_requests');
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json.message).toContain('50 requests a second');
    expect(world.noted).toMatchObject([{ fields: { merchant_id: merchant.id, code: 'too_many_requests' } }]);
    world.clock.nowMs += 1_000;
    expect((await ask()).status).toBe(200);
  });

  test('costs no reads, writes or credits after the first few', async () => {
    const body = { to: '0551112223', message: 'Hello' };
    for (let n = 0; n < MAX_NOTED_FAILURES; n++) await world.call('sms/send', { key, body });
    world.requests.length = 0;
    expectFailure(await world.call('sms/send', { key, body }), 429, 'too_many_requests');
    expect(world.requests).toEqual([]);
    expect({ balance: await merchant.balance(), sends: await merchant.sends() }).toEqual({ balance: 1_000, sends: [] });
  });

  test('does not use up its Idempotency-Key', async () => {
    const request = { key, body: { to: '0551112223', message: 'Hello' }, headers: { 'idempotency-key': 'order-7' } };
    expectFailure(await world.call('sms/send', request), 429, 'too_many_requests');
    world.clock.nowMs += 1_000;
    const answer = await world.call('sms/send', request);
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('idempotent-replayed');
  });

  test('does not affect other keys or merchants', async () => {
    expectFailure(await ask(), 429, 'too_many_requests');
    const neighbour = await world.createMerchant();
    expect((await world.call('sms/from', { key: await neighbour.addKey('sms') })).status).toBe(200);
    expect((await merchant.call('sms/from')).status).toBe(200);
  });
});

test('a changed rate limit applies within 30 seconds', async () => {
  key = await merchant.addKey('sms', { requestsPerSecond: 5 });
  expect(await answeredOf(20)).toBe(10);
  await changeKeyRate(world.outside, merchant.id, key.slice(-4), 200);
  world.clock.nowMs += 30_000;
  expect(await answeredOf(500)).toBe(400);
});

test('keys are not limited after the clock is set back', async () => {
  await answeredOf(100);
  world.clock.nowMs -= 3_600_000;
  expect(await answeredOf(100)).toBe(100);
});

test('requests with a wrong key do not count towards the rate limit', async () => {
  const last = key.at(-1) === 'A' ? 'B' : 'A';
  for (let n = 0; n < 200; n++) await world.call('sms/from', { key: key.slice(0, -1) + last });
  expect((await ask()).status).toBe(200);
});

function ask() {
  return world.call('sms/from', { key });
}

/** Sends simultaneous requests. @returns how many succeed. */
async function answeredOf(count: number): Promise<number> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await ask()).status);
  return statuses.filter((status) => status === 200).length;
}
