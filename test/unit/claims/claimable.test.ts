import { beforeEach, describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import {
  claimableSince,
  isClaimable,
  isMeantForAnother,
  isMeantForAnotherAtTill,
  mayBeClaimed,
  namesAnother,
} from '../../../shared/money/claims/claimable.ts';
import { MAX_CANDIDATES } from '../../../shared/money/matching/match.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { isAssignable, type PaymentReceipt, paymentReceiptId } from '../../../shared/money/receipt/receipt.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { setCharge } from '../../functions/checkout/charges.ts';
import { mtn } from '../../support/receipts.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { provenBook } from '../../support/wallet-book.ts';

const ID = '51234567890';
const AT = storedCharge().created_at;

describe('a held payment', () => {
  const [early, tooEarly] = [0, 1].map((ms) => new Date(Date.parse(AT) - 30 * MINUTE_MS - ms).toISOString());
  const nearly = { reason: 'reference_unclear' } as const;

  test.each<[string, Partial<PaymentReceipt>, Parameters<typeof storedCharge>[0]]>([
    ['has its amount', {}, {}],
    [
      'has the amount that it lacks',
      { amount_pesewas: arrivedPesewas(50_00) },
      { parts: [storedPayment('ten', 10_00)] },
    ],
    ['has its amount despite a part', {}, { parts: [storedPayment('ten', 10_00)] }],
    ['fits no name', { reason: 'name_differs' }, {}],
    ['fits only by name', { reason: 'name_only' }, {}],
    ['has a reference with one wrong digit', { ...nearly, payer_reference: 'MK-0123456788' }, {}],
    ['arrived half an hour before it', { received_at: early ?? '' }, {}],
  ])('can be claimed for a charge if it %s', (_, receipt, charge) => {
    expect(isClaimable(receiptOf(receipt), storedCharge(charge))).toBe(true);
  });

  test.each<[string, Partial<PaymentReceipt>, Parameters<typeof storedCharge>[0]]>([
    ...(
      [
        ...(['already_paid', 'amount_of_another', 'before_charge', 'charge_reversed', 'number_not_placed'] as const),
        ...(['conflict', 'checking', 'balance_gap', 'balance_unsure', 'clock_odd'] as const),
        ...(['balance_impossible', 'large_amount'] as const),
      ] as const
    ).map((reason): [string, Partial<PaymentReceipt>, object] => [`is held as ${reason}`, { reason }, {}]),
    ['has an unclear reference', { ...nearly, payer_reference: 'MK-9999999999' }, {}],
    ['has an unclear reference that is not stored', nearly, {}],
    ['was set aside', { set_aside: { at: AT, by: 'user' } }, {}],
    ['was marked by hand', { marked: { how: 'transfer', at: AT, by: 'user' } }, {}],
    ['is for a disputed charge', {}, { disputed: { at: AT, why: 'conflict' } }],
    ['has another amount', { amount_pesewas: arrivedPesewas(60_01) }, {}],
    ['arrived earlier', { received_at: tooEarly ?? '' }, {}],
  ])('cannot be claimed for a charge if it %s', (_, receipt, charge) => {
    expect(isClaimable(receiptOf(receipt), storedCharge(charge))).toBe(false);
  });

  test('may be half an hour older than its charge', () => {
    expect(claimableSince({ created_at: AT })).toBe(early);
  });
});

describe('a payment of GHS 36 from Kofi Mensah', () => {
  let world: Scene;
  let shop: Shop;
  let reference: string;
  beforeEach(async () => {
    world = await scene({ inMemory: true });
    world.goToNoon();
    shop = await world.createShop();
    reference = await shop.charge({ amount: 36 });
  });

  const [KOFI, AMA] = [{ customer_name: 'Kofi Mensah' }, { customer_name: 'Ama Owusu' }];

  /** True if the payment is meant for another charge: by claim, at a till, and by what the payer typed. */
  async function isAnothers(
    some: Partial<PaymentReceipt> = {},
  ): Promise<[claim: boolean, till: boolean, typed: boolean]> {
    await world.followChanges();
    const charge = await chargeRows.find(world.outside, { reference });
    if (!charge) throw new Error('The charge is not stored');
    const kofis = {
      momo_number: shop.number,
      merchant_id: shop.id,
      amount_pesewas: arrivedPesewas(36_00),
      received_at: world.iso(),
    };
    const receipt = receiptOf({ ...kofis, ...some });
    const [claimed, tapped] = [isMeantForAnother, isMeantForAnotherAtTill].map((is) =>
      is(world.outside, receipt, charge),
    );
    return [(await claimed) === true, (await tapped) === true, await namesAnother(world.outside, receipt, charge)];
  }

  const wrong = (of: string) => `MK-${of.slice(3, -1)}${(Number(of.at(-1)) + 1) % 10}`;
  const NO = [false, false, false];

  test('is meant for the charge with the payer’s number, unless its own charge has that number', async () => {
    const customer_phone = '+233551112222';
    await shop.charge({ amount: 36, customer_phone });
    const payer = { payer_phone: customer_phone, payer_name: 'YAW DARKO' };
    expect(await isAnothers(payer)).toEqual([true, true, false]);
    await setCharge(world, { reference }, { customer_phone });
    expect(await isAnothers(payer)).toEqual([false, false, false]);
  });

  test('can be tapped but not claimed if more than a hundred others may be in the payer’s name', async () => {
    for (let n = 0; n < 101; n++) await shop.charge({ amount: 36, customer_name: 'Kofi Kofi Mensah' });
    expect(await isAnothers({ payer_name: 'KOFI MENSAH' })).toEqual([true, false, false]);
  });

  test('is meant for its own charge', async () => {
    await shop.charge({ amount: 36, ...AMA });
    await shop.charge({ amount: 35, ...KOFI });
    for (const payer_reference of [
      undefined,
      'kente',
      reference,
      reference.slice(3),
      wrong(reference),
      'MK-9999999999',
    ])
      expect(await isAnothers({ payer_reference })).toEqual(NO);
  });

  test('is meant for the charge whose reference was typed', async () => {
    const other = await shop.charge({ amount: 35 });
    for (const typed of [other, other.slice(3), `${reference} ${other}`, `${other.slice(3)} x ${reference}`])
      expect(await isAnothers({ payer_reference: typed })).toEqual([true, true, true]);
  });

  test('is meant for another merchant’s charge only if its reference was typed with MK', async () => {
    const other = await (await world.createShop()).charge({ amount: 36 });
    expect(await isAnothers({ payer_reference: other })).toEqual([true, true, true]);
    expect(await isAnothers({ payer_reference: other.slice(3) })).toEqual(NO);
  });

  test('is unclear if its reference contains more than four numbers', async () => {
    const numbers = ['1241234561', '1241234562', '1241234563', '1241234564', '1241234565'];
    expect(await isAnothers({ payer_reference: numbers.join(' x ') })).toEqual([true, true, true]);
    expect(await isAnothers({ payer_reference: numbers.slice(1).join(' x ') })).toEqual(NO);
  });

  test('is meant for a different charge of the same amount if that charge’s reference was mistyped', async () => {
    const [other, more] = [await shop.charge({ amount: 36, ...AMA }), await shop.charge({ amount: 35, ...AMA })];
    expect(await isAnothers({ payer_reference: wrong(other) })).toEqual([true, true, true]);
    expect(await isAnothers({ payer_reference: wrong(more) })).toEqual(NO);
    expect(await isAnothers({ payer_reference: `${wrong(reference)} ${wrong(other)}` })).toEqual(NO);
  });

  test('is meant for another charge in the payer’s name', async () => {
    await shop.charge({ amount: 36, customer_name: 'Yaw Adjei' });
    await shop.charge({ amount: 36, ...KOFI });
    expect(await isAnothers()).toEqual([true, true, false]);
    expect(await isAnothers({ payer_name: 'AMA OWUSU' })).toEqual(NO);
    expect(await isAnothers({ payer_name: undefined })).toEqual(NO);
    expect(await isAnothers({ amount_pesewas: arrivedPesewas(35_00) })).toEqual(NO);
  });

  test('is meant for a charge in the payer’s name at a different shop with the same number', async () => {
    const other = await world.createShop({ number: shop.number });
    await other.charge({ amount: 36, ...KOFI });
    expect(await isAnothers()).toEqual([true, true, false]);
    expect(await isAnothers({ momo_number: undefined })).toEqual([true, true, false]);
    expect(await isAnothers({ momo_number: '+233249999999' })).toEqual(NO);
  });

  test.each([
    ['lacks the amount', 'pending', { amount_pesewas: 40_00, parts: [storedPayment('four', 4_00)] }, true],
    ['has expired', 'expired', {}, true],
    ['was cancelled', 'cancelled', {}, true],
    ['is paid', 'success', {}, false],
    ['is reversed', 'reversed', {}, false],
  ])('is compared with another charge in the payer’s name that %s', async (_, state, more, is) => {
    const other = await shop.charge({ amount: 36, ...KOFI });
    await setCharge(world, { reference: other }, { state, ...more });
    expect(await isAnothers()).toEqual([is, is, false]);
  });

  test.each([
    ['a day before the payment', {}, 2 * DAY_MS, true],
    ['earlier', {}, 2 * DAY_MS + 1, false],
    ['after an hour, a day before the payment', { expires_in: 3_600 }, DAY_MS + HOUR_MS, true],
    ['after an hour, and earlier', { expires_in: 3_600 }, DAY_MS + HOUR_MS + 1, false],
  ])('is compared with another charge in the payer’s name that expired %s', async (_, more, laterMs, is) => {
    await shop.charge({ amount: 36, ...KOFI, ...more });
    world.clock.nowMs += laterMs;
    expect(await isAnothers()).toEqual([is, is, false]);
  });

  describe('beside many other charges', () => {
    const more = async (count: number) => {
      for (let n = 0; n < count; n++) await shop.charge({ amount: 36, ...AMA });
    };

    test('is compared with up to 200 charges, or with none if there are more', async () => {
      await more(MAX_CANDIDATES);
      expect(await isAnothers()).toEqual(NO);
      await more(1);
      expect(await isAnothers()).toEqual([true, false, false]);
    });

    test('is matched to a different charge by name at a till', async () => {
      await shop.charge({ amount: 36, ...KOFI });
      world.clock.nowMs += 1_000;
      await more(MAX_CANDIDATES);
      expect((await isAnothers())[1]).toBe(true);
      expect((await isAnothers({ payer_name: 'YAW ADJEI' }))[1]).toBe(false);
    });

    test('is matched to a different charge by a mistyped reference at a till', async () => {
      const other = await shop.charge({ amount: 36, ...AMA });
      world.clock.nowMs += 1_000;
      await more(MAX_CANDIDATES);
      expect((await isAnothers({ payer_reference: wrong(other), payer_name: 'YAW ADJEI' }))[1]).toBe(true);
    });

    test('is not meant for a different charge just because its own charge has the payer’s name', async () => {
      reference = await shop.charge({ amount: 36, ...KOFI });
      await more(MAX_CANDIDATES);
      expect((await isAnothers())[1]).toBe(false);
    });
  });

  test('may be claimed in enforce mode only if it is verified', async () => {
    const book = await provenBook(world, shop, 6);
    reference = await shop.charge({ amount: 36 });
    const [verified, unverified] = [book.paid(36), mtn({ amount: '36.00' })];
    for (const text of [verified, unverified]) await shop.pay(text);
    const charge = await world.chargeRow(reference);
    const stored = await world.rows('RECEIPT');
    const may = async ({ id }: typeof unverified) => {
      const receipt = receiptRows.parse(stored.find((row) => row.transaction_id === id) ?? {});
      return isAssignable(receipt) && mayBeClaimed(world.outside, charge, receipt);
    };
    expect([await may(verified), await may(unverified)]).toEqual([true, false]);
  });

  test('cannot be claimed if a person must confirm its amount', async () => {
    const receipt = receiptOf({
      momo_number: shop.number,
      merchant_id: shop.id,
      amount_pesewas: arrivedPesewas(36_00),
    });
    const may = async () => mayBeClaimed(world.outside, await world.chargeRow(reference), receipt);
    await shop.change({ confirm_always_above_pesewas: 36_00 });
    expect(await may()).toBe(true);
    await shop.change({ confirm_always_above_pesewas: 35_99 });
    expect(await may()).toBe(false);
  });

  test.each<[string, Partial<PaymentReceipt>, boolean]>([
    ['that belongs to the shop', {}, true],
    ['of another merchant', { merchant_id: 'another' }, false],
    ['without a number', { momo_number: undefined }, false],
  ])('%s may be claimed (%s)', async (_, some, is) => {
    const charge = await chargeRows.find(world.outside, { reference });
    if (!charge) throw new Error('The charge is not stored');
    const receipt = receiptOf({
      momo_number: shop.number,
      merchant_id: shop.id,
      amount_pesewas: arrivedPesewas(36_00),
      ...some,
    });
    expect(await mayBeClaimed(world.outside, charge, receipt)).toBe(is);
    await provenBook(world, shop, 6);
    expect(await mayBeClaimed(world.outside, charge, receipt)).toBe(false);
  });
});

function receiptOf(some: Partial<PaymentReceipt> = {}): PaymentReceipt {
  const { momo_number } = storedCharge();
  return {
    receipt_id: paymentReceiptId('MTN', momo_number, ID),
    state: 'held',
    reason: 'no_charge',
    merchant_id: 'shop',
    network: 'MTN',
    momo_number,
    transaction_id: ID,
    amount_pesewas: arrivedPesewas(60_00),
    payer_name: 'KOFI MENSAH',
    received_at: AT,
    ...some,
  };
}
