import { beforeEach, expect, test } from 'vitest';
import { listRefused, noteRefused } from '../../../shared/phones/gateway/refused-callback.table.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { type Scene, scene } from '../../support/scene.ts';

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

test.each([
  [
    'is counted per phone if its signature is wrong',
    { reason: 'wrong_signature', gateway: 'shop', device_id: 'a' },
    'shop#a#wrong_signature',
  ],
  [
    'is counted per phone if its clock is wrong',
    { reason: 'clock', gateway: 'shop', device_id: 'a', skew_seconds: 900 },
    'shop#a#clock',
  ],
  [
    'is counted once for all unknown phones',
    { reason: 'unknown_device', gateway: 'shop', device_id: 'a' },
    'shop##unknown_device',
  ],
  ['is counted without a gateway if the gateway is unknown', { reason: 'unknown_gateway' }, '##unknown_gateway'],
] as const)('a rejected callback %s', async (_, what, sk) => {
  expect(await noteRefused(world.outside, what)).toBe(true);
  const [row] = (await world.scan()).filter(({ pk }) => pk === 'REFUSED_CALLBACK');
  const { pk: __, sk: key, first_at, last_at, count, expires_at_epoch_seconds, ...fields } = row ?? {};
  expect([key, first_at, last_at, count]).toEqual([sk, world.iso(), world.iso(), 1]);
  expect(Number(expires_at_epoch_seconds) * 1000).toBeGreaterThan(world.clock.nowMs + 6 * DAY_MS);
  expect(fields).toEqual(what);
});

test('a rejected callback’s device id is truncated to 64 characters', async () => {
  await noteRefused(world.outside, { reason: 'unknown_device', device_id: 'x'.repeat(65) });
  expect(await listRefused(world.outside)).toMatchObject([{ device_id: 'x'.repeat(64) }]);
});

test('a rejected callback is not listed after it expires', async () => {
  world.clock.nowMs = Math.ceil(world.clock.nowMs / 1000) * 1000;
  await noteRefused(world.outside, { reason: 'unknown_gateway' });
  const [{ expires_at_epoch_seconds } = {}] = (await world.scan()).filter(({ pk }) => pk === 'REFUSED_CALLBACK');
  world.clock.nowMs = Number(expires_at_epoch_seconds) * 1000 - 1;
  expect(await listRefused(world.outside)).toHaveLength(1);
  world.clock.nowMs += 1;
  expect(await listRefused(world.outside)).toEqual([]);
});
