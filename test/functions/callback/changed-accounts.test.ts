import { beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNTS_REREAD_SECONDS } from '../../../shared/phones/gateway/accounts.ts';
import { setAccount, setSigningKey } from '../../../shared/phones/gateway/manage-accounts.ts';
import { listRefused } from '../../../shared/phones/gateway/refused-callback.table.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { expectFailure } from '../../support/envelope.ts';
import { hmac, mtn, receivedEvent, signedCallback } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { GATEWAY_URL } from '../../support/smsgate.ts';
import { type Call, SIGNING_KEYS } from '../../support/world.ts';

// The operator changes gateway accounts while a function still has the old ones cached.

const KEY = SIGNING_KEYS.phone['device-1'];

let world: Scene;
let deployment: ReturnType<typeof deploymentOf>;
let reads: number;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  deployment = deploymentOf(world);
  reads = 0;
  world.outside.secret = async () => {
    reads += 1;
    return deployment.secret.text;
  };
  await setAccount(deployment, 'phone', { url: GATEWAY_URL, username: 'ama', password: 'canary-password' });
});

describe('the first post after a gateway account changes', () => {
  test('is accepted with the first signing key', async () => {
    await refusedFor('unknown_device');
    await setSigningKey(deployment, 'phone', 'device-1', KEY);
    await takenNow();
  });

  test('is accepted with a replaced signing key', async () => {
    await setSigningKey(deployment, 'phone', 'device-1', 'key-of-before');
    await refusedFor('wrong_signature');
    await setSigningKey(deployment, 'phone', 'device-1', KEY);
    await takenNow();
  });

  test('is accepted for a new account', async () => {
    deployment.secret.text = '{}';
    await refusedFor('unknown_gateway');
    await setAccount(deployment, 'phone', { url: GATEWAY_URL, username: 'ama', password: 'canary-password' });
    await setSigningKey(deployment, 'phone', 'device-1', KEY);
    await takenNow();
  });

  async function takenNow() {
    world.clock.nowMs += ACCOUNTS_REREAD_SECONDS * 1000;
    expect((await post(genuine())).status).toBe(200);
    expect(reads).toBe(2);
    expect(await world.rows('PHONE_EVENT')).toHaveLength(1);
  }
});

describe('gateway accounts', () => {
  const SECONDS = 60;
  const most = 1 + SECONDS / ACCOUNTS_REREAD_SECONDS;

  test.each<[string, (n: number) => Call]>([
    ['badly signed posts', () => ({ ...genuine(), headers: { ...genuine().headers, 'x-signature': '0'.repeat(64) } })],
    [
      'posts from unknown devices',
      (n) => signedCallback(world, receivedEvent(world, { ...mtn(), device: `junk-${n}` })),
    ],
    ['posts to unknown gateways', (n) => ({ ...genuine(), parameters: { gateway: `junk-${n}` } })],
  ])('are read at most once every ten seconds despite a flood of %s', async (_, junk) => {
    await setSigningKey(deployment, 'phone', 'device-1', KEY);
    for (let n = 0; n < 10 * SECONDS; n++) {
      expectFailure(await post(junk(n)), 401, 'unauthorized');
      world.clock.nowMs += 100;
    }
    expect({ readsAll: reads > 2, readsAtMost: reads <= most }).toEqual({ readsAll: true, readsAtMost: true });
  });

  test('are read once for a hundred simultaneous posts', async () => {
    await refusedFor('unknown_device');
    world.clock.nowMs += ACCOUNTS_REREAD_SECONDS * 1000;
    reads = 0;
    await Promise.all(Array.from({ length: 100 }, () => post(genuine())));
    expect(reads).toBe(1);
  });

  test('are not read again because of a wrong clock or an invalid event', async () => {
    await setSigningKey(deployment, 'phone', 'device-1', KEY);
    const callback = genuine();
    const early = String(Math.floor(world.clock.nowMs / 1000) - 3600);
    const headers = { 'x-timestamp': early, 'x-signature': hmac(KEY, callback.body + early) };
    await post(callback);
    world.clock.nowMs += ACCOUNTS_REREAD_SECONDS * 1000;
    expectFailure(await post({ ...callback, headers }), 401, 'unauthorized');
    expect(await listRefused(world.outside)).toMatchObject([{ reason: 'clock' }]);
    expectFailure(await post({ ...genuine(), body: 'junk' }), 401, 'unauthorized');
    expect(reads).toBe(1);
  });
});

test('cached accounts are kept if a read fails', async () => {
  await setSigningKey(deployment, 'phone', 'device-1', KEY);
  await post(genuine());
  world.outside.secret = async () => {
    throw new Error('Secrets Manager is down');
  };
  world.clock.nowMs += ACCOUNTS_REREAD_SECONDS * 1000;
  const stranger = signedCallback(world, receivedEvent(world, { ...mtn(), device: 'junk' }));
  expectFailure(await post(stranger), 401, 'unauthorized');
  expect(world.logged[0]).toMatchObject({ level: 'warn', event: 'accounts_not_reread' });
  expect((await post(genuine())).status).toBe(200);
});

async function refusedFor(code: string): Promise<void> {
  expectFailure(await post(genuine()), 401, 'unauthorized');
  expect(await listRefused(world.outside)).toMatchObject([{ reason: code }]);
}

function genuine(): Call & { body: string } {
  const callback = signedCallback(world, receivedEvent(world, mtn()));
  return { ...callback, body: String(callback.body) };
}

function post(callback: Call) {
  return world.call('callback/smsgate', callback);
}
