import { beforeEach, describe, expect, test } from 'vitest';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import { MAX_CANDIDATES } from '../../../shared/money/matching/match.ts';
import { fromTelecel, mtn } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { openAsStranger } from '../../support/strangers.ts';
import { formsOf } from '../checkout/charges.ts';

/** Charges opened by strangers, perhaps in somebody else's name. They are never matched by name. */

const world = await scene({ inMemory: true });
const { post: claim } = formsOf(world, 'checkout/claim');
const KOFI = { amount: 3_600, customer_name: 'Kofi Mensah' };
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

describe('a payment without a reference', () => {
  test('does not pay a stranger’s charge in the payer’s name', async () => {
    const opened = await openAsStranger(world, shop, KOFI);
    await shop.pay(mtn());
    expect(await stateOf(opened.reference)).toBe('pending');
    expect(await reasons()).toEqual(['no_charge']);
  });

  test.each([1, 3, MAX_CANDIDATES + 5])(
    'pays the shop’s charge despite %i charges by strangers in the payer’s name',
    async (count) => {
      const own = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
      const opened = await openMany(count, KOFI);
      await shop.pay(mtn());
      expect(await stateOf(own)).toBe('success');
      expect(await stateOf(opened.at(-1)?.reference)).toBe('pending');
    },
  );

  test('does not pay part of a stranger’s charge in the payer’s name', async () => {
    const opened = await openAsStranger(world, shop, { ...KOFI, amount: 5_000 });
    await shop.pay(mtn({ amount: '14.00', reference: opened.reference }));
    expect((await world.chargeRow(opened.reference)).parts).toHaveLength(1);
    await shop.pay(mtn({ amount: '36.00' }));
    expect(await stateOf(opened.reference)).toBe('pending');
  });
});

describe('a charge opened by a stranger', () => {
  test('can be paid with its reference', async () => {
    const opened = await openAsStranger(world, shop, KOFI);
    await shop.pay(mtn({ reference: opened.reference, from: 'AMA OWUSU' }));
    const payment = { matched_by: 'reference' };
    expect(await world.chargeRow(opened.reference)).toMatchObject({ state: 'success', payment });
  });

  test('can be claimed with the transaction id and the payer’s name', async () => {
    const opened = await openAsStranger(world, shop, { amount: 3_600 });
    const receipt = mtn({ from: 'AMA OWUSU' });
    await shop.pay(receipt);
    const { status } = await claim(opened, { transaction_id: receipt.id, name: 'Ama Owusu' });
    expect({ status, state: await stateOf(opened.reference) }).toEqual({ status: 200, state: 'success' });
  });

  test('can be claimed with a code texted to the payer’s number', async () => {
    const opened = await openAsStranger(world, shop, { amount: 3_600 });
    await shop.pay(fromTelecel());
    const { post: askForCode } = formsOf(world, 'checkout/ask-for-code');
    expect((await askForCode(opened, { phone: '0209876543' })).status).toBe(200);
    expect((await world.outside.table.list('SENDER')).length).toBeGreaterThan(0);
  });
});

describe('a claim by transaction id and name', () => {
  test('succeeds despite strangers’ charges in the payer’s name', async () => {
    const mine = await shop.charge({ amount: 36 });
    await openMany(3, KOFI);
    const receipt = mtn();
    await shop.pay(receipt);
    const { status } = await claim(await world.chargeRow(mine), { transaction_id: receipt.id, name: 'Kofi Mensah' });
    expect({ status, state: await stateOf(mine) }).toEqual({ status: 200, state: 'success' });
  });

  test('cannot use a second payment for a stranger’s charge', async () => {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    await shop.pay(mtn());
    // Kofi paid twice. For a charge of the shop, his name and the transaction id would be enough for a claim.
    const second = mtn();
    await shop.pay(second);
    const opened = await openAsStranger(world, shop, KOFI);
    const { status } = await claim(opened, { transaction_id: second.id, name: 'Kofi Mensah' });
    expect({ status, state: await stateOf(opened.reference) }).toEqual({ status: 422, state: 'pending' });
  });
});

describe('a payment with a mistyped reference', () => {
  test('is held even if the reference resembles a stranger’s', async () => {
    const opened = await openAsStranger(world, shop, { amount: 3_600 });
    const own = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    await shop.pay(mtn({ reference: nearly(opened.reference) }));
    expect({ state: await stateOf(own), reasons: await reasons() }).toEqual({
      state: 'pending',
      reasons: ['reference_unclear'],
    });
  });
});

describe('the list of charges', () => {
  test('hides a stranger’s charge until money arrives for it', async () => {
    const own = await shop.charge({ amount: 36 });
    world.clock.nowMs += 1_000;
    const opened = await openAsStranger(world, shop, KOFI);
    expect(await references()).toEqual([own]);
    await shop.pay(mtn({ reference: opened.reference, amount: '10.00' }));
    expect(await references()).toEqual([opened.reference, own]);
    await shop.pay(mtn({ reference: opened.reference, amount: '26.00' }));
    expect(await references()).toEqual([opened.reference, own]);
  });
});

async function openMany(count: number, said: typeof KOFI): Promise<Charge[]> {
  const opened: Charge[] = [];
  for (let n = 0; n < count; n++) opened.push(await openAsStranger(world, shop, said));
  return opened;
}

async function stateOf(reference = ''): Promise<string | undefined> {
  return (await world.chargeRow(reference)).state;
}

async function reasons(): Promise<unknown[]> {
  return (await shop.listed('held')).map(({ reason }) => reason);
}

async function references(): Promise<string[]> {
  const { json } = await shop.call('transaction/list');
  return json.data.transactions.map(({ reference }: { reference: string }) => reference);
}

/** Returns the reference's digits with the last one wrong. */
function nearly(reference: string): string {
  const digits = reference.slice(3);
  return `${digits.slice(0, 9)}${(Number(digits[9]) + 1) % 10}`;
}
