import { expect, test } from 'vitest';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { bookCredits, debitCredits, getCredits, setLowBelow } from '../../../shared/texts/credits/credits.table.ts';
import { prepareTopUp, showCredits, topUp } from '../../../shared/texts/credits/top-up.ts';
import { createWorld } from '../../support/world.ts';

const world = await createWorld();
const { outside } = world;

test('simultaneous top-ups add up correctly', async () => {
  const merchant_id = await newMerchant();
  expect(await showCredits(outside, merchant_id)).toEqual({ balance: 0, owed: 0, low_below: 50 });
  await Promise.all([1, 2, 3, 4, 5].map((credits) => topUp(outside, merchant_id, credits)));
  expect(await showCredits(outside, merchant_id)).toEqual({ balance: 15, owed: 0, low_below: 50 });
});

test.each([
  ['added', () => topUp(outside, 'X', 1)],
  ['shown', () => showCredits(outside, 'X')],
])('credits cannot be %s for an unknown merchant', async (_, act) => {
  await expect(act()).rejects.toMatchObject({ noun: 'merchant', message: 'There is no merchant X.' });
});

test('a top-up is audited', async () => {
  const merchant_id = await newMerchant();
  const { entry } = await prepareTopUp(outside, merchant_id, 5);
  expect(entry).toEqual({ merchant_id, action: 'credits add', after: { credits: 5 } });
});

test.each([
  { had: 0, added: 49, lifts: false },
  { had: 0, added: 50, lifts: true },
  { had: 30, added: 19, lifts: false },
  { had: 30, added: 20, lifts: true },
  { had: 70, added: 1, lifts: true },
])('adding $added to $had credits counts as reaching the threshold of 50: $lifts', async ({ had, added, lifts }) => {
  const merchant_id = await newMerchant();
  if (had > 0) await topUp(outside, merchant_id, had);
  const { lifted_by } = await getCredits(outside, merchant_id);
  expect(await topUp(outside, merchant_id, added)).toBe(had + added);
  expect((await getCredits(outside, merchant_id)).lifted_by !== lifted_by).toBe(lifts);
});

test('a low-balance threshold can be set before the first top-up', async () => {
  const merchant_id = await newMerchant();
  await setLowBelow(outside, merchant_id, 0);
  expect(await getCredits(outside, merchant_id)).toEqual({ balance: 0, owed: 0, low_below: 0 });
  expect(await topUp(outside, merchant_id, 1)).toBe(1);
});

test.each([
  [
    'a concurrent debit lowers the balance',
    45,
    10,
    (id: string) => outside.table.write(debitCredits(outside, id, 20)),
    35,
    false,
  ],
  [
    'concurrent refunds raise the balance',
    38,
    10,
    (id: string) => outside.table.write(bookCredits(id, refund)),
    50,
    true,
  ],
])('a top-up checks the threshold correctly if %s', async (_, had, added, meanwhile, then, lifts) => {
  const merchant_id = await newMerchant();
  await topUp(outside, merchant_id, had);
  world.dynamoDb = async ({ command }, go) => {
    if (command === 'TransactWriteItems') {
      world.dynamoDb = (_request, send) => send();
      await meanwhile(merchant_id);
    }
    await go();
  };
  expect(await topUp(outside, merchant_id, added)).toBe(then);
  expect((await getCredits(outside, merchant_id)).lifted_by !== undefined).toBe(lifts);
});

test('a later top-up first repays revoked credits', async () => {
  const merchant_id = await newMerchant();
  const seen = async () => {
    const { balance, owed } = await getCredits(outside, merchant_id);
    return [balance, owed];
  };
  await topUp(outside, merchant_id, 10);
  await outside.table.write(debitCredits(outside, merchant_id, 7));
  await outside.table.write(
    bookCredits(merchant_id, { ...refund, entry_id: 'taken', credits: -10, reason: 'taken-back' }),
  );
  expect(await seen()).toEqual([0, 7]);
  await expect(outside.table.write(debitCredits(outside, merchant_id, 1))).rejects.toThrow('0 are left and 7 are owed');
  await outside.table.write(bookCredits(merchant_id, refund));
  expect(await seen()).toEqual([0, 5]);
  expect(await topUp(outside, merchant_id, 60)).toBe(55);
  expect({ seen: await seen(), lifted_by: (await getCredits(outside, merchant_id)).lifted_by }).toEqual({
    seen: [55, 0],
    lifted_by: expect.any(String),
  });
});

test('a new balance has no debt', async () => {
  const merchant_id = await newMerchant();
  await outside.table.write([{ put: { Item: { pk: `CREDITS#${merchant_id}`, sk: 'BALANCE', balance: 12 } } }]);
  expect(await getCredits(outside, merchant_id)).toEqual({ balance: 12, owed: 0, low_below: 50 });
});

const refund = { entry_id: 'refund', credits: 2, reason: 'refund', created_at: '' } as const;

async function newMerchant(): Promise<string> {
  return (await addMerchant(outside, { name: 'Ama', momo_accounts: [] })).merchant_id;
}
