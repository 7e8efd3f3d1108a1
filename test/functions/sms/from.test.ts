import { expect, test } from 'vitest';
import { handler } from '../../../functions/sms/from.ts';
import { addSender, switchSender } from '../../../shared/sender/manage-senders.ts';
import { call, createMerchant, createSender, createWorld, setDefaultSender } from '../../support/world.ts';

test('GET /api/v1/sms/from lists the sender numbers, and which is the default', async () => {
  const world = await createWorld();
  const merchant = await createMerchant(world);
  await createSender(world, '+233241234567');
  await addSender(world.outside, {
    number: '+233201234567',
    network: 'TELECEL',
    gateway: 'phone',
    device_id: 'device-1',
    sim_number: 2,
  });
  await setDefaultSender(world, merchant.id, '+233241234567');
  await switchSender(world.outside, '+233201234567', false);

  const { status, json } = await call(world, handler, { key: merchant.smsKey });

  expect(status).toBe(200);
  expect(json).toEqual({
    status: true,
    message: expect.any(String),
    data: {
      default: '+233241234567',
      senders: [
        { number: '+233201234567', network: 'TELECEL', available: false },
        { number: '+233241234567', network: 'MTN', available: true },
      ],
    },
  });
});

test('without a default and without senders it says so', async () => {
  const world = await createWorld();
  const merchant = await createMerchant(world);
  const { json } = await call(world, handler, { key: merchant.smsKey });
  expect(json.data).toEqual({ default: null, senders: [] });
});

test('discloses no gateways, devices or SIMs: they are the operator’s', async () => {
  const world = await createWorld();
  const merchant = await createMerchant(world);
  await createSender(world, '+233241234567', 'device-of-the-operator');
  const { text } = await call(world, handler, { key: merchant.smsKey });
  expect(text).not.toMatch(/device|gateway|sim/);
});
