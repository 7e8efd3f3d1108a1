import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { setWebhook } from '../support/actions.ts';
import { liveHolder } from '../support/holders.ts';
import { hmac, mtn, receivedEvent, signedCallback, telecel } from '../support/receipts.ts';
import { type Scene, scene } from '../support/scene.ts';

const CANARY = 'canary-of-a-doctor';

describe('a stranger’s text', () => {
  test.each([
    ['plain', 'Dr. Owusu', `Your result is positive. ${CANARY}`],
    ['that looks like a payment', 'MobileMoneyy', mtn({ from: 'CANARY-OF-A-DOCTOR', reference: CANARY }).text],
    ['very long', 'Dr. Owusu', CANARY.repeat(2_000)],
    ['from the wallet’s name with a space', 'MobileMoney ', `OTP ${CANARY}`],
    ['from a number', '+233209999999', `${CANARY} OTP 123456`],
  ])('%s: neither its words nor its sender are in the table, the log or a queue', async (_, sender, text) => {
    const world = await scene({ inMemory: true });
    const shop = await world.createShop();
    await setWebhook(world.outside, liveHolder(shop.id), 'https://shop.example.com/hooks');
    await shop.arrive({ sender, text });
    await world.housekeeping();
    const kept = await everything(world);
    expect(kept.toLowerCase()).not.toContain(CANARY);
    expect(kept).not.toContain(sender.trim());
  });
});

test('a callback that is not understood, or not signed, leaves none of its words anywhere', async () => {
  const world = await scene({ inMemory: true });
  const event = receivedEvent(world, { sender: 'Dr. Owusu', text: CANARY });
  const odd = [
    { ...event, payload: { ...event.payload, message: { canary: CANARY } } },
    { ...event, payload: CANARY },
    { ...event, event: 'sms:failed', payload: { messageId: CANARY, reason: CANARY } },
    { ...event, event: 'mms:received', payload: { body: CANARY } },
    { ...event, event: CANARY },
    { ...event, id: { canary: CANARY } },
  ];
  for (const one of odd) await world.call('callback/smsgate', signedCallback(world, one));
  await world.call('callback/smsgate', {
    ...signedCallback(world, event),
    headers: { 'x-signature': hmac('x', CANARY) },
  });
  await world.call('callback/smsgate', { parameters: { gateway: 'phone' }, body: CANARY });
  expect(await everything(world)).not.toContain(CANARY);
});

test('a wallet’s text that is no payment keeps no words, once it is settled', async () => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const text = `Payment made for GHS 20.00 to CANARY STORES. Current Balance: GHS 1.00. Reference: ${CANARY}. Transaction ID: 60000000001.`;
  await shop.arrive({ sender: 'MobileMoney', text });
  const kept = await everything(world);
  expect(kept.toLowerCase()).not.toContain('canary');
});

test('an unread text is gone from every row 30 days after it came', async () => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  await setWebhook(world.outside, liveHolder(shop.id), 'https://shop.example.com/hooks');
  await shop.arrive({ sender: 'MobileMoney', text: `Something new: ${CANARY}` });
  const within = world.clock.nowMs / 1000 + 30 * 24 * 60 * 60 + 1;
  const items = (await world.scan()).filter((item) => JSON.stringify(item).includes(CANARY));
  expect(items.length).toBeGreaterThan(0);
  for (const { expires_at_epoch_seconds } of items)
    expect(Number(expires_at_epoch_seconds)).toBeLessThanOrEqual(within);
});

test('a reversal that is not certain, and an unread text of a payment, are gone too', async () => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const receipt = telecel({});
  await shop.arrive(receipt);
  await shop.arrive({ sender: 'T-CASH', text: `${CANARY}: the payment ${receipt.id} has been reversed, perhaps` });
  const items = (await world.scan()).filter((item) => JSON.stringify(item).includes(CANARY));
  for (const item of items) expect(item).toHaveProperty('expires_at_epoch_seconds');
  expect((await world.rows('RECEIPT')).length).toBeGreaterThan(0);
});

describe('gateway names', () => {
  test.each(['phone', 'nobody', '__proto__', 'constructor', 'toString', 'PHONE', 'a'.repeat(200)])(
    '%s: every unsigned request gets the same answer, but for its id',
    async (gateway) => {
      const world = await scene({ inMemory: true });
      const seen = new Set<string>();
      for (const body of ['', 'x', '{}', '[]', JSON.stringify(receivedEvent(world, { sender: 'a', text: 'b' }))]) {
        const { status, json, headers } = await world.call('callback/smsgate', { parameters: { gateway }, body });
        seen.add(JSON.stringify([status, json.code, json.message, headers]));
      }
      expect(seen.size).toBe(1);
      expect(
        createHash('sha256')
          .update([...seen].join())
          .digest('hex'),
      ).toBe(await usual());
    },
  );

  async function usual() {
    const world = await scene({ inMemory: true });
    const { status, json, headers } = await world.call('callback/smsgate', {
      parameters: { gateway: 'unknown' },
      body: '{}',
    });
    return createHash('sha256')
      .update(JSON.stringify([status, json.code, json.message, headers]))
      .digest('hex');
  }
});

async function everything(world: Scene): Promise<string> {
  const { logged, noted, queued, posted, fetched } = world;
  return JSON.stringify([await world.scan(), logged, noted, queued, posted, fetched], (_, value) =>
    value instanceof Error ? `${value.message} ${value.stack}` : value,
  );
}
