import { beforeEach, expect, test } from 'vitest';
import { remind } from '../../../shared/push/remind.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = Date.parse('2027-01-10T12:00:00Z');
  await world.createSender('+233201234567');
  shop = await world.createShop();
  await shop.topUp(100);
});

test('a reminder that a phone has been given does not wait there into the night', async () => {
  await handedOver();
  // The phone is off. Where it is on again at 23:00, it sends what is not too old by then.
  const [{ body } = {}] = world.fetched as unknown as { body: { ttl: number } }[];
  expect(body?.ttl).toBe(3 * 60 * 60);
});

test('one that its phone dropped at night has failed, and its credit comes back once', async () => {
  const send_id = await handedOver();
  expect(await shop.balance()).toBe(99);
  world.clock.nowMs = Date.parse('2027-01-29T23:00:00Z');
  const lastSeen = world.iso();
  const phone = { id: 'device-1', lastSeen, createdAt: lastSeen, updatedAt: lastSeen, name: 'phone' };
  const text = { state: 'Failed', recipients: [{ error: 'TTL expired' }], states: { Failed: lastSeen } };
  world.gateway = async ({ url }) => {
    if (url.endsWith('/devices')) return Response.json([phone]);
    return /\/messages\/[^?]/.test(url) ? Response.json({ id: url.split('/').at(-1), ...text }) : Response.json([]);
  };
  for (let n = 0; n < 3; n++) {
    await world.housekeeping();
    world.clock.nowMs += 60 * 60 * 1000;
  }
  expect(await world.messageRow(send_id)).toMatchObject({
    state: 'failed',
    failure_reason: 'The phone did not send it in time',
  });
  expect(await shop.balance()).toBe(100);
});

/** The reminder of a request, given to a phone at six in the evening. */
async function handedOver(): Promise<string> {
  const slug = await shop.request({
    title: 'Rent, room 12',
    lines: [{ description: 'Rent', amount: 500 }],
    customer_phone: '0241112222',
    due: '2027-02-01',
    reminders: [-3],
  });
  world.clock.nowMs = Date.parse('2027-01-29T18:00:00Z');
  await remind(world.outside, slug);
  const [send] = await world.rows('SEND');
  expect(send).toMatchObject({ category: 'reminder', quiet_hours: '21:00-07:00' });
  world.fetched.length = 0;
  await world.work('deliver-sms', [{ send_id: send?.send_id, index: 0 }]);
  return String(send?.send_id);
}
