import { beforeEach, expect, test } from 'vitest';
import { audited, COMMAND_LINE, listAudit, recordAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { addApiKey } from '../../../shared/merchants/merchant/manage-keys.ts';
import { removeApiKey } from '../../support/actions.ts';
import { createMerchant, createWorld, type TestMerchant, type World } from '../../support/world.ts';

let world: World;
let merchant: TestMerchant;

beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  merchant = await createMerchant(world);
});

const noted = (action = 'key create') =>
  audited(world.outside, () => ({ merchant_id: merchant.id, by: COMMAND_LINE, action, after: { kind: 'live' } }));

test('an audit entry is written together with the change', async () => {
  world.requests.length = 0;
  await addApiKey(noted(), merchant.id, 'live');
  expect(world.requests.filter((request) => /Write|Put|Update/.test(request))).toEqual(['TransactWriteItems']);
  expect(await entries()).toMatchObject([{ by: COMMAND_LINE, action: 'key create', after: { kind: 'live' } }]);
});

test('an update with an audit entry is written as a transaction', async () => {
  const key = await addApiKey(world.outside, merchant.id, 'live');
  world.requests.length = 0;
  await removeApiKey(noted('key revoke'), merchant.id, key.slice(-4));
  expect(world.requests.filter((request) => /Write|Put|Update/.test(request))).toEqual(['TransactWriteItems']);
  expect(await entries()).toMatchObject([{ action: 'key revoke' }]);
});

test('a failed change writes no audit entry', async () => {
  const outside = noted();
  const refused = { put: { Item: { pk: 'KEY#x', sk: 'KEY' }, ConditionExpression: 'attribute_exists(pk)' } };
  await expect(outside.table.write([{ ...refused, refused: () => new Error('no') }])).rejects.toThrow('no');
  expect(await entries()).toEqual([]);
  await outside.table.write([{ put: { Item: { pk: 'KEY#x', sk: 'KEY' } } }]);
  expect(await entries()).toHaveLength(1);
});

test('an update with an audit entry returns the updated item', async () => {
  await world.outside.table.write([{ put: { Item: { pk: 'KEY#x', sk: 'KEY', a: 1 } } }]);
  const adding = { UpdateExpression: 'ADD a :a', ExpressionAttributeValues: { ':a': 1 } };
  const update = { Key: { pk: 'KEY#x', sk: 'KEY' }, ...adding };
  expect(await noted().table.update({ update })).toMatchObject({ a: 2 });
});

test('an update that fails its condition writes no audit entry', async () => {
  const outside = noted();
  const setting = { UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } };
  const update = { Key: { pk: 'KEY#x', sk: 'KEY' }, ...setting, ConditionExpression: 'attribute_exists(pk)' };
  expect(await outside.table.update({ update })).toBeUndefined();
  expect(await entries()).toEqual([]);
});

test('a use case with several writes creates one audit entry', async () => {
  const outside = noted();
  for (const n of [1, 2]) await outside.table.write([{ put: { Item: { pk: `KEY#${n}`, sk: 'KEY' } } }]);
  expect(await entries()).toHaveLength(1);
});

test('audit entries are listed per month, newest first', async () => {
  const entry = { merchant_id: merchant.id, by: 'u', action: 'a' };
  for (const action of ['first', 'second']) {
    world.clock.nowMs += 1_000;
    await world.outside.table.write([recordAudit(world.outside, { ...entry, action })]);
  }
  expect((await entries()).map(({ action }) => action)).toEqual(['second', 'first']);
  expect((await listAudit(world.outside, 'another', month(), { limit: 10 })).entries).toEqual([]);
  expect((await listAudit(world.outside, merchant.id, '2020-01', { limit: 10 })).entries).toEqual([]);
  const [item] = await world.outside.table.list(`AUDIT#${merchant.id}#${month()}`);
  const days = (Number(item?.expires_at_epoch_seconds) - world.clock.nowMs / 1000) / 86_400;
  expect(Math.round(days)).toBe(400);
});

async function entries() {
  return (await listAudit(world.outside, merchant.id, month(), { newestFirst: true, limit: 10 })).entries;
}

function month(): string {
  return world.iso().slice(0, 7);
}
