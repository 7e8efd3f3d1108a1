import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { expectFailure } from '../../support/envelope.ts';
import { fromTelecel, mtn, newPayerNumber, pay } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { readers } from '../../support/stream-readers.ts';
import { callWorker, databaseOf, streamEvent } from '../../support/world.ts';

const DAY_SECONDS = 24 * 60 * 60;
const NUMBER = '+233241234567';

let world: Scene;
let shop: Shop;

beforeEach(async () => {
  world = await scene();
  world.outside.retentionDays = 100;
  shop = await world.createShop();
});

test('a charge and its receipt expire after the retention period', async () => {
  const reference = await shop.charge({ amount: 36 });
  const paid = await shop.pay(mtn({ reference }));
  const [created] = await world.rows('TRANSACTION');
  expect({ created: daysLeft(created), paid: daysLeft(paid) }).toEqual({ created: 100, paid: 100 });
});

test('a later assignment does not extend the retention period', async () => {
  const receipt = mtn();
  const held = await shop.pay(receipt);
  world.clock.nowMs += 5 * DAY_SECONDS * 1000;
  await shop.arrive(mtn({ id: receipt.id, amount: '35.00' }));
  const changed = await shop.receipt(receipt);
  expect(changed).toMatchObject({ reason: 'conflict', expires_at_epoch_seconds: held?.expires_at_epoch_seconds });
});

test('an unparsed text expires after 30 days', async () => {
  await shop.arrive({ sender: 'MobileMoney', text: 'Payment received in a new form of words' });
  const [unread] = await world.rows('RECEIPT');
  expect(unread).toMatchObject({ state: 'unread' });
  expect(daysLeft(unread)).toBe(30);
});

test('a send and its messages expire together', async () => {
  await world.createSender(NUMBER);
  const merchant = await world.createMerchant({ credits: 1 });
  const { id: send_id } = await merchant.text();
  world.clock.nowMs += 60_000;
  await world.work('deliver-sms', [{ send_id, index: 0 }]);
  const [sent, message] = [...(await world.rows('SEND')), ...(await world.rows('MESSAGE#00'))];
  expect(daysLeft(sent)).toBe(100);
  expect(message?.expires_at_epoch_seconds).toBe(sent?.expires_at_epoch_seconds);
});

test('a verification text expires with its code', async () => {
  await world.createSender('+233240009999');
  const merchant = await world.createMerchant();
  const payer = newPayerNumber();
  await pay(world, { number: NUMBER }, fromTelecel({ phone: payer }));
  const { access_code } = await merchant.createCharge();
  await world.call('checkout/ask-for-code', { parameters: { access_code }, body: { phone: `+${payer}` } });
  expect(daysLeft((await world.rows('SEND'))[0])).toBe(8);
});

test('an expired charge is not found', async () => {
  const reference = await shop.charge({ amount: 36 });
  await end(`TRANSACTION#${reference}`, 'TRANSACTION');
  expectFailure(await shop.call('transaction/verify', { parameters: { reference } }), 404, 'not_found');
});

test('an expired payment cannot be used again', async () => {
  const reference = await shop.charge({ amount: 36 });
  const receipt = mtn({ reference });
  await shop.pay(receipt);
  await end(`TRANSACTION#${reference}`, 'TRANSACTION');
  await end(`RECEIPT#${shop.paymentId(receipt)}`, 'RECEIPT');
  for (const one of [await world.createShop(), shop]) {
    const again = mtn({ id: receipt.id, reference: await one.charge({ amount: 36 }) });
    expect(await one.pay(again)).toMatchObject({ state: 'held', reason: 'already_paid' });
  }
});

test('expired rows trigger no event, job or notification', async () => {
  await shop.setWebhook();
  const reference = await shop.charge({ amount: 36 });
  await shop.pay(mtn({ reference }));
  await shop.pay(mtn());
  const ended = [...(await world.rows('TRANSACTION')), ...(await world.rows('RECEIPT'))];
  expect(ended).toHaveLength(3);
  const before = await world.rows('EVENT');
  const [queued, counted] = [[...world.queued], { ...world.counted }];

  const removals = streamEvent(ended.map((row) => ({ before: row })));
  expect(await callWorker(world, followUp, removals)).toEqual({ batchItemFailures: [] });

  expect(await world.rows('EVENT')).toEqual(before);
  expect({ queued: world.queued, counted: world.counted }).toEqual({ queued, counted });
  const followed = readers.flatMap(({ handler }) => handler.row.only.filter(({ event }) => event === 'REMOVE'));
  expect(followed).toEqual([{ event: 'REMOVE', sortKeyPrefixes: ['WAIT#', 'GAP#'] }]);
});

function daysLeft(row: Record<string, unknown> | undefined): number {
  return Math.round((Number(row?.expires_at_epoch_seconds) - world.clock.nowMs / 1000) / DAY_SECONDS);
}

/** Deletes a row, as DynamoDB does after its expiry. */
async function end(pk: string, sk: string): Promise<void> {
  const { client, tableName } = databaseOf(world);
  await client.send(new DeleteCommand({ TableName: tableName, Key: { pk, sk } }));
}
