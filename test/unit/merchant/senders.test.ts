import { beforeEach, expect, test } from 'vitest';
import { addedMerchant, addMerchant, numbersNote } from '../../../shared/merchants/merchant/add-merchant.ts';
import { giveSender, ownerOfPlaced, prepareRemoval } from '../../../shared/merchants/merchant/senders.ts';
import { NOBODY } from '../../../shared/phones/sender/manage-senders.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { switchSender } from '../../support/actions.ts';
import { createSender, createWorld, type World } from '../../support/world.ts';

const [MTN, TELECEL] = ['+233241234567', '+233201234567'];

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  await createSender(world, MTN);
});

const add = (name: string) => addMerchant(world.outside, { name, momo_accounts: [] });
const added = (name: string) => addedMerchant(world.outside, { name, momo_accounts: [] });
const owners = async () => (await listSenders(world.outside)).map(({ owner }) => owner);
const ownerOf = async (number: string, owner?: string) =>
  ownerOfPlaced(world.outside, await listSenders(world.outside), { number, owner });

test('the first merchant gets all existing numbers', async () => {
  const { merchant_id } = await add('Ama Stores');
  await add('Esi Stores');
  expect(await owners()).toEqual([merchant_id]);
});

test('one of two merchants added simultaneously is rejected', async () => {
  const [one, other] = [await added('Ama Stores'), await added('Esi Stores')];
  await world.outside.table.write(one.writes);
  await expect(world.outside.table.write(other.writes)).rejects.toThrow('has just changed');
});

test('a warning states that the second merchant has no number', async () => {
  const first = await added('Ama Stores');
  await world.outside.table.write(first.writes);
  const second = await added('Esi Stores');
  expect({ note: numbersNote(first), first: first.own, second: second.own }).toEqual({
    note: undefined,
    first: [MTN],
    second: [],
  });
  expect(numbersNote(second)).toContain('Esi Stores has no number to send from yet');
  await giveSender(world.outside, MTN, NOBODY);
  const third = await added('Yaa Stores');
  expect(numbersNote(third)).toContain('replies to its texts are not kept');
});

test('a new number requires an owner if there are several merchants', async () => {
  expect(await ownerOf(TELECEL)).toBeUndefined();
  const { merchant_id } = await add('Ama Stores');
  expect(await ownerOf(TELECEL)).toBe(merchant_id);
  await add('Esi Stores');
  await expect(ownerOf(TELECEL)).rejects.toThrow(`Specify the owner of ${TELECEL}: `);
  expect({ telecel: await ownerOf(TELECEL, NOBODY), mtn: await ownerOf(MTN) }).toEqual({
    telecel: NOBODY,
    mtn: undefined,
  });
  await expect(ownerOf(TELECEL, 'nobody-known')).rejects.toThrow('There is no merchant nobody-known');
});

test('a sender that is enabled during its removal is kept', async () => {
  const { outside } = world;
  await switchSender(outside, MTN, false);
  const { writes } = await prepareRemoval(outside, MTN);
  await switchSender(outside, MTN, true);
  await expect(outside.table.write(writes)).rejects.toMatchObject({ code: 'busy' });
  await switchSender(outside, MTN, false);
  await outside.table.write(writes);
  expect(await listSenders(outside)).toEqual([]);
});
