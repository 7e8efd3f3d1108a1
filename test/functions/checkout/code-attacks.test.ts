import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type CreatedCharge, fromTelecel, mtn, newPayerNumber, pay } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { startWork } from '../../support/webhooks.ts';
import { formsOf } from './charges.ts';

// Attacks on customers who claim a payment with a code. Strangers can create charges of a shop like any customer.

const SHOP = { number: '+233241234567' };
const SENDER = '+233240009999';
const MINUTE = 60;
const GatewayText = z.object({ phoneNumbers: z.array(z.string()) });

let world: Scene;
let merchant: Merchant;
let payer: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  const place = { gateway: 'phone', device_id: 'device-1', sim_number: 1 };
  // The phone has the default sending rate.
  await world.addSender({ number: SENDER, network: 'MTN', ...place });
  merchant = await world.createMerchant();
  payer = newPayerNumber();
});

test('a one-pesewa payment does not use up a number’s daily codes', async () => {
  await pay(world, SHOP, mtn({ from: 'EVE THIEF', amount: '0.01', reference: `EVE THIEF ,${payer},1 from VODAFONE` }));
  const thiefs = await merchant.createCharge({ amount: 0.01 });
  for (let n = 0; n < 3; n++) await askFor(thiefs, payer);
  await pay(world, SHOP, fromTelecel({ phone: payer }));
  const honest = await merchant.createCharge();
  const texts = async () => (await world.rows('SEND')).filter(({ to }) => String(to) === `+${payer}`).length;
  const before = await texts();
  await askFor(honest, payer);
  expect(await texts()).toBe(before + 1);
});

test.each([0, 4, 8, 16])('a code is sent within five minutes after %i forged one-pesewa payments', async (payments) => {
  const left = new Map<string, number>();
  world.gateway = async (request) => {
    for (const to of GatewayText.parse(await request.json()).phoneNumbers) left.set(to, world.clock.nowMs);
    return Response.json({ state: 'Pending' }, { status: 202 });
  };
  const work = startWork(world, { atOnce: 1 });
  for (let n = 0; n < payments; n++) {
    const stranger = newPayerNumber();
    const reference = `EVE THIEF ,${stranger},1 from VODAFONE`;
    await pay(world, SHOP, mtn({ from: 'EVE THIEF', amount: '0.01', reference }));
    const thiefs = await merchant.createCharge({ amount: 0.01 });
    for (let k = 0; k < 3; k++) await askFor(thiefs, stranger);
  }
  await pay(world, SHOP, fromTelecel({ phone: payer }));
  const honest = await merchant.createCharge();
  await askFor(honest, payer);
  const askedMs = world.clock.nowMs;
  const sends = (await world.rows('SEND')).toSorted((a, b) => (String(a.created_at) < String(b.created_at) ? -1 : 1));
  for (const after of sends) await world.relayChanges({ after });
  await work.run(20 * MINUTE);
  const tookSeconds = ((left.get(`+${payer}`) ?? Number.POSITIVE_INFINITY) - askedMs) / 1000;
  expect(tookSeconds).toBeLessThan(5 * MINUTE);
});

describe('the response to a code request', () => {
  test('does not reveal a payment if no sender is available', async () => {
    await pay(world, SHOP, fromTelecel({ phone: payer }));
    const charge = await merchant.createCharge();
    await world.switchSender(SENDER, false);
    world.clock.nowMs += 5_000;
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ command, input }, send) => {
      if (command === 'UpdateItem' && JSON.stringify(input).includes('"CODE#'))
        throw Object.assign(new Error(), { name: 'TransactionConflictException' });
      await send();
    };
    const paid = await askFor(charge, payer);
    const unpaid = await askFor(charge, newPayerNumber());
    world.dynamoDb = usual;
    expect({ status: paid.status, message: paid.json.message }).toEqual({
      status: unpaid.status,
      message: unpaid.json.message,
    });
  });

  test('does not reveal a payment if the table fails', async () => {
    await pay(world, SHOP, fromTelecel({ phone: payer }));
    const charge = await merchant.createCharge();
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ command }, send) => {
      if (command === 'TransactWriteItems') throw Object.assign(new Error(), { name: 'InternalServerError' });
      await send();
    };
    world.slept.length = 0;
    const paid = await askFor(charge, payer);
    const paidSlept = world.slept.at(-1);
    const unpaid = await askFor(charge, newPayerNumber());
    world.dynamoDb = usual;
    expect({ status: paid.status, message: paid.json.message, paidSlept }).toEqual({
      status: unpaid.status,
      message: unpaid.json.message,
      paidSlept: world.slept.at(-1),
    });
  });
});

test('every row for a code text expires', async () => {
  const work = startWork(world, { atOnce: 1 });
  await pay(world, SHOP, fromTelecel({ phone: payer }));
  await askFor(await merchant.createCharge(), payer);
  for (const after of await world.rows('SEND')) await world.relayChanges({ after });
  await work.run(MINUTE);
  const [message] = await world.rows('MESSAGE#00');
  expect(message).toMatchObject({ state: 'sending' });
  expect(message).toHaveProperty('expires_at_epoch_seconds');
});

test('code requests stay cheap despite payments with many references', async () => {
  const shop = await world.createShop();
  const mine = await shop.createCharge({ amount: 1 });
  // Two near matches and eighteen unknown references.
  const others = Array.from({ length: 18 }, (_, n) => `MK${1_000_000_000 + n}`);
  const reference = [mine.reference, ...others].join(' ');
  for (let n = 0; n < 10; n++) await shop.pay(fromTelecel({ amount: '1.00', phone: payer, reference }));
  for (let n = 0; n < 3; n++) {
    world.requests.length = 0;
    await formsOf(world, 'checkout/confirm-code').post(mine, { phone: `+${payer}`, code: '000000' });
    expect(world.requests.length).toBeLessThanOrEqual(50);
  }
});

function askFor(charge: CreatedCharge, phone: string) {
  world.clock.nowMs += 1;
  return formsOf(world, 'checkout/ask-for-code').post(charge, { phone: `+${phone}` });
}
