import { beforeEach, describe, expect, test } from 'vitest';
import { hmac, mtn, receivedEvent, signedCallback, telecel } from '../support/receipts.ts';
import { type Scene, type Shop, scene } from '../support/scene.ts';

const CANARY = 'canary-of-a-doctor';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

describe('a text from a stranger', () => {
  test.each([
    ['a plain text', 'Dr. Owusu', `Your result is positive. ${CANARY}`],
    ['a text that looks like a payment', 'MobileMoneyy', mtn({ from: 'CANARY-OF-A-DOCTOR', reference: CANARY }).text],
    ['a very long text', 'Dr. Owusu', CANARY.repeat(2_000)],
    ['a sender that resembles the wallet', 'MobileMoney2', `OTP ${CANARY}`],
    ['a text from a number', '+233209999999', `${CANARY} OTP 123456`],
  ])('leaves no content or sender in the table, logs or queues: %s', async (_, sender, text) => {
    await shop.setWebhook();
    await shop.arrive({ sender, text });
    await world.housekeeping();
    const kept = await everything();
    expect(kept.toLowerCase()).not.toContain(CANARY);
    expect(kept).not.toContain(sender.trim());
  });
});

test('the content of an unsigned callback is not stored', async () => {
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
  const headers = { 'x-signature': hmac('x', CANARY) };
  await world.call('callback/smsgate', { ...signedCallback(world, event), headers });
  await world.call('callback/smsgate', { parameters: { gateway: 'phone' }, body: CANARY });
  expect(await everything()).not.toContain(CANARY);
});

test('a wallet’s text about an outgoing payment is deleted', async () => {
  const text = `Payment made for GHS 20.00 to CANARY STORES. Current Balance: GHS 1.00. Reference: ${CANARY}. Transaction ID: 60000000001.`;
  await shop.arrive({ sender: 'MobileMoney', text });
  expect((await everything()).toLowerCase()).not.toContain('canary');
});

test('an unread text is deleted after 30 days', async () => {
  await shop.setWebhook();
  await shop.arrive({ sender: 'MobileMoney', text: `Something new: ${CANARY}` });
  const within = world.clock.nowMs / 1000 + 30 * 24 * 60 * 60 + 1;
  const items = await rowsWith(CANARY);
  expect(items.length).toBeGreaterThan(0);
  for (const { expires_at_epoch_seconds: end } of items) expect(Number(end)).toBeLessThanOrEqual(within);
});

test('unread texts and reversals in doubt are stored with an expiry', async () => {
  const receipt = telecel({});
  await shop.arrive(receipt);
  await shop.arrive({ sender: 'T-CASH', text: `${CANARY}: the payment ${receipt.id} has been reversed, perhaps` });
  const items = await rowsWith(CANARY);
  for (const item of items) expect(item).toHaveProperty('expires_at_epoch_seconds');
  expect((await world.rows('RECEIPT')).length).toBeGreaterThan(0);
});

test.each(['phone', 'nobody', '__proto__', 'constructor', 'toString', 'PHONE', 'a'.repeat(200)])(
  'an unsigned callback to the gateway %s gets the same response as a post to an unknown gateway',
  async (gateway) => {
    const answered = async (to: string, body: string) => {
      const { status, json, headers } = await world.call('callback/smsgate', { parameters: { gateway: to }, body });
      return [status, json.code, json.message, headers];
    };
    const usual = await answered('unknown', '{}');
    for (const body of ['', 'x', '{}', '[]', JSON.stringify(receivedEvent(world, { sender: 'a', text: 'b' }))])
      expect(await answered(gateway, body)).toEqual(usual);
  },
);

async function rowsWith(word: string) {
  return (await world.scan()).filter((item) => JSON.stringify(item).includes(word));
}

async function everything(): Promise<string> {
  const { logged, noted, queued, posted, fetched } = world;
  return JSON.stringify([await world.scan(), logged, noted, queued, posted, fetched], (_, value) =>
    value instanceof Error ? `${value.message} ${value.stack}` : value,
  );
}
