import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { handler as ask } from '../../../functions/checkout/ask-for-code.ts';
import { manifest } from '../../../functions/manifest.ts';
import { handler as send } from '../../../functions/sms/send.ts';
import { handler as verify } from '../../../functions/transaction/verify.ts';
import { handler as deliver } from '../../../functions/work/deliver-sms.ts';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import type { Row } from '../../../shared/runtime/triggers/row.ts';
import { expectFailure } from '../../support/envelope.ts';
import {
  arrive,
  charge,
  createShop,
  fromTelecel,
  mtn,
  newPayerNumber,
  pay,
  paymentId,
  receiptRow,
  rows,
  type Shop,
} from '../../support/receipts.ts';
import { setWebhook } from '../../support/webhooks.ts';
import {
  call,
  callWorker,
  createMerchant,
  createSender,
  createWorld,
  databaseOf,
  queueEvent,
  streamEvent,
  type World,
} from '../../support/world.ts';
import { createCharge } from '../checkout/charges.ts';

const DAY_SECONDS = 24 * 60 * 60;
const NUMBER = '+233241234567';

let world: World;
let shop: Shop;

beforeEach(async () => {
  world = await createWorld();
  world.outside.retentionDays = 100;
  shop = await createShop(world);
});

test('a charge and its receipt end so many days after they came about as the stage says', async () => {
  const reference = await charge(world, shop, { amount: 36 });
  const paid = await pay(world, shop, mtn({ reference }));
  const [created] = await rows(world, 'TRANSACTION');
  expect([daysLeft(created), daysLeft(paid)]).toEqual([100, 100]);
});

test('a payment that is given to a charge later does not stay longer for it', async () => {
  const receipt = mtn();
  const held = await pay(world, shop, receipt);
  world.clock.nowMs += 5 * DAY_SECONDS * 1000;
  await arrive(world, shop, mtn({ id: receipt.id, amount: '35.00' }));
  const changed = await receiptRow(world, paymentId(shop, receipt));
  expect(changed).toMatchObject({ reason: 'conflict', expires_at_epoch_seconds: held?.expires_at_epoch_seconds });
});

test('a text that could not be read ends after 30 days, as ever', async () => {
  await arrive(world, shop, { sender: 'MobileMoney', text: 'Payment received in a new form of words' });
  const [unread] = await rows(world, 'RECEIPT');
  expect(unread).toMatchObject({ state: 'unread' });
  expect(daysLeft(unread)).toBe(30);
});

test('a send ends with each of its messages', async () => {
  await createSender(world, NUMBER);
  const { smsKey } = await createMerchant(world, { credits: 1 });
  const { json } = await call(world, send, { key: smsKey, body: { to: '0551112222', message: 'Ready' } });
  world.clock.nowMs += 60_000;
  await callWorker(world, deliver, queueEvent([{ send_id: json.data.id, index: 0 }]));
  const [sent, message] = [...(await rows(world, 'SEND')), ...(await rows(world, 'MESSAGE#00'))];
  expect(daysLeft(sent)).toBe(100);
  expect(message?.expires_at_epoch_seconds).toBe(sent?.expires_at_epoch_seconds);
});

test('a text with a code ends with its code, long before the others', async () => {
  await createSender(world, '+233240009999');
  const merchant = await createMerchant(world);
  const payer = newPayerNumber();
  await pay(world, { number: NUMBER }, fromTelecel({ phone: payer }));
  const { access_code } = await createCharge(world, merchant);
  await call(world, ask, { parameters: { access_code }, body: { phone: `+${payer}` } });
  expect(daysLeft((await rows(world, 'SEND'))[0])).toBe(8);
});

test('a charge whose row has ended is not found', async () => {
  const reference = await charge(world, shop, { amount: 36 });
  await end(`TRANSACTION#${reference}`, 'TRANSACTION');
  expectFailure(await call(world, verify, { key: shop.liveKey, parameters: { reference } }), 404, 'not_found');
});

test('a payment stays used when its charge and its receipt have ended: another text of it pays nothing', async () => {
  const reference = await charge(world, shop, { amount: 36 });
  const receipt = mtn({ reference });
  await pay(world, shop, receipt);
  await end(`TRANSACTION#${reference}`, 'TRANSACTION');
  await end(`RECEIPT#${paymentId(shop, receipt)}`, 'RECEIPT');
  const other = await createShop(world);
  const theirs = await charge(world, other, { amount: 36 });
  expect(await pay(world, other, mtn({ id: receipt.id, reference: theirs }))).toMatchObject({
    state: 'held',
    reason: 'already_paid',
  });
  const again = await charge(world, shop, { amount: 36 });
  expect(await pay(world, shop, mtn({ id: receipt.id, reference: again }))).toMatchObject({
    state: 'held',
    reason: 'already_paid',
  });
});

test('rows that end are told to nobody, neither by the stream nor by what follows changes', async () => {
  await setWebhook(world, shop);
  const reference = await charge(world, shop, { amount: 36 });
  await pay(world, shop, mtn({ reference }));
  await pay(world, shop, mtn());
  const ended = [...(await rows(world, 'TRANSACTION')), ...(await rows(world, 'RECEIPT'))];
  expect(ended).toHaveLength(3);
  const before = await rows(world, 'EVENT');
  const [queued, counted] = [[...world.queued], { ...world.counted }];

  expect(await callWorker(world, followUp, streamEvent(ended.map((row) => ({ before: row }))))).toEqual({
    batchItemFailures: [],
  });

  expect(await rows(world, 'EVENT')).toEqual(before);
  expect([world.queued, world.counted]).toEqual([queued, counted]);
  const readers: readonly Row[] = [manifest['work/relay'], manifest['work/follow-up']];
  const removals = readers.flatMap((row) =>
    row.on === 'stream' ? row.only.filter(({ event }) => event === 'REMOVE') : [],
  );
  expect(removals).toEqual([{ event: 'REMOVE', sortKeyPrefixes: ['WAIT#'] }]);
});

function daysLeft(row: Record<string, unknown> | undefined): number {
  return Math.round((Number(row?.expires_at_epoch_seconds) - world.clock.nowMs / 1000) / DAY_SECONDS);
}

/** As DynamoDB does once a row's time is over. */
async function end(pk: string, sk: string): Promise<void> {
  const { client, tableName } = databaseOf(world);
  await client.send(new DeleteCommand({ TableName: tableName, Key: { pk, sk } }));
}
