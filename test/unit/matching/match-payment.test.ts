import { beforeEach, describe, expect, test } from 'vitest';
import type { WalletPayment } from '../../../shared/ghana/wallet-text/reading.ts';
import { type AccountOfNumber, accountRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { holdUnplaced, type Match, matchPayment, mayBeOf } from '../../../shared/money/matching/match.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { setCharge } from '../../functions/checkout/charges.ts';
import { mtn } from '../../support/receipts.ts';
import { storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
});

const KOFI = { customer_name: 'Kofi Mensah' };
const SAME = { ...KOFI, email: 'kofi@example.com' };
const PROVEN = { state: 'proven' } as const;
const UNCLEAR = { held: 'reference_unclear' };

describe('the number that received a payment', () => {
  test.each([
    ['number_unknown', { momo_number: undefined }, {}],
    ['network_differs', {}, { network: 'TELECEL' }],
  ] as const)('puts the payment on hold as %s: %j %j', async (held, arrived, payment) => {
    const reference = await shop.charge({ amount: 36 });
    expect(await match({ reference, ...payment }, arrived)).toEqual({ held });
  });

  test('may no longer belong to a merchant', async () => {
    const reference = await shop.charge({ amount: 36 });
    expect(await match({ reference }, {}, [])).toEqual(paying(reference));
    expect(await match({ reference: null }, {}, [])).toEqual({ held: 'no_charge' });
  });
});

test('a payment to a number that two shops use on different networks reaches the right shop', async () => {
  const reference = await shop.charge({ amount: 36 });
  const [own] = await accountRows.list(world.outside, { number: shop.number });
  if (!own) throw new Error('The number has no account');
  const others = { ...own, merchant_id: 'another', network: 'TELECEL' } as const;
  expect(await match({ reference }, {}, [others, own])).toEqual(paying(reference));
});

describe('a typed reference', () => {
  test('pays its charge', async () => {
    const reference = await shop.charge({ amount: 36 });
    expect(await match({ reference })).toEqual(paying(reference));
    expect(await match({ reference: reference.slice(3) })).toEqual(paying(reference));
  });

  test('is unclear if it is incomplete or belongs to no charge on this number', async () => {
    const other = await (await world.createShop()).charge({ amount: 36 });
    await shop.charge({ amount: 36, ...KOFI });
    for (const reference of ['MK-407193268', 'MK-4071932685', other])
      expect(await match({ reference })).toEqual(UNCLEAR);
  });

  test('is unclear next to a second reference', async () => {
    const [one, other] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    for (const reference of [`${one} ${other}`, `${one} ${other.slice(3)}`, `${one.slice(3)} x ${other.slice(3)}`])
      expect(await match({ reference })).toEqual(UNCLEAR);
  });

  test.each([
    [1, '0241234567'],
    [3, '0241234567 x 0241234568 x 0241234569'],
  ])('pays its charge next to %i other numbers', async (_, others) => {
    const reference = await shop.charge({ amount: 36 });
    expect(await match({ reference: `${reference} x ${others}` })).toEqual(paying(reference));
    expect(await match({ reference: `${reference.slice(3)} x ${others}` })).toEqual(paying(reference));
  });

  test('is unclear next to four other numbers', async () => {
    const others = '1241234567 x 1241234568 x 1241234569 x 1241234561';
    const reference = await shop.charge({ amount: 36 });
    expect(await match({ reference: `${reference} x ${others}` })).toEqual(UNCLEAR);
    expect(await match({ reference: `${reference.slice(3)} x ${others}` })).toEqual(UNCLEAR);
  });

  test('pays the only charge that is still waiting', async () => {
    const [paid, waiting] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    await shop.pay(mtn({ reference: paid, amount: '36.00' }));
    expect(await match({ reference: `${waiting} ${paid.slice(3)}` })).toEqual(paying(waiting));
    expect(await match({ reference: `${paid.slice(3)} x ${waiting.slice(3)}` })).toEqual(paying(waiting));
    expect(await match({ reference: paid.slice(3) })).toMatchObject({
      held: 'already_paid',
      about: { reference: paid },
    });
    for (const reference of [`${paid} ${waiting.slice(3)}`, `MK-4071932685 ${waiting.slice(3)}`, `${waiting} ${paid}`])
      expect(await match({ reference })).toEqual(UNCLEAR);
  });
});

describe('a payment with one charge’s reference and another’s amount', () => {
  const OTHER = { amountPesewas: 40_00 };
  let reference: string;
  beforeEach(async () => {
    reference = await shop.charge({ amount: 50, ...SAME });
  });

  test('is held if both have the same customer', async () => {
    await shop.charge({ amount: 40, ...SAME });
    const held = { held: 'amount_of_another', about: { reference } };
    expect(await match({ reference, ...OTHER })).toMatchObject(held);
    expect(await match({ reference, ...OTHER }, { proof: { state: 'checking' } })).toMatchObject(held);
    expect(await match({ reference, ...OTHER }, { proof: PROVEN })).toMatchObject(held);
  });

  test('is held although a small part of the other charge has arrived', async () => {
    const other = await shop.charge({ amount: 40, ...SAME });
    await shop.pay(mtn({ reference: other, amount: '0.10' }));
    await world.tell(3);
    expect(await match({ reference, ...OTHER })).toMatchObject({ held: 'amount_of_another' });
  });

  test('is a part payment if the charges have different customers', async () => {
    await shop.charge({ amount: 40, customer_name: 'Ama Owusu', email: 'ama@example.com' });
    expect(await match({ reference, ...OTHER })).toMatchObject({ isPartOf: { reference } });
  });

  test('is a part payment if a stranger opened the other charge with the customer’s phone number', async () => {
    const customer_phone = '+233241112222';
    reference = await shop.charge({ amount: 50, customer_phone });
    const link = { title: 'Airtime', amount: 40, codes: ['CODE-1'], text_codes: true };
    const { json } = await shop.call('link/create', { body: link });
    const opened = await world.openLink(json.data.slug, { phone: customer_phone });
    expect(await world.chargeRow(opened.reference)).toMatchObject({ customer_phone });
    await world.tell(2);
    const payment = { reference, ...OTHER, payerPhone: customer_phone };
    expect(await match(payment)).toMatchObject({ isPartOf: { reference } });
    await shop.charge({ amount: 40, customer_name: 'Esi Owusu', customer_phone });
    expect(await match(payment)).toMatchObject({ held: 'amount_of_another' });
  });

  test('is a part payment if it is a test payment', async () => {
    await shop.charge({ amount: 40, ...SAME });
    expect(await match({ reference, ...OTHER, transactionId: 'TEST70412345678' })).toMatchObject({
      isPartOf: { reference },
    });
  });

  test('is held as charge_cancelled if the referenced charge is cancelled', async () => {
    await shop.charge({ amount: 40, ...SAME });
    await shop.call('transaction/cancel', { parameters: { reference } });
    expect(await match({ reference, ...OTHER })).toMatchObject({ held: 'charge_cancelled' });
  });

  test('pays the referenced charge if exactly this amount is due', async () => {
    await shop.charge({ amount: 40, ...SAME });
    await shop.pay(mtn({ reference, amount: '10.00' }));
    expect(await match({ reference, ...OTHER })).toEqual(paying(reference));
  });

  test.each([
    ['pays it after parts of less than a cedi', '0.99', undefined, 'pays'],
    ['is held after a part of a cedi', '1.00', undefined, 'held'],
    ['is held if it is unverified, after an unverified part', '20.00', { state: 'unproven' }, 'held'],
    ['pays it if it is verified, after an unverified part', '20.00', PROVEN, 'pays'],
  ] as const)('that equals the referenced charge’s full amount %s', async (_, part, proof, decided) => {
    await shop.charge({ amount: 50, ...SAME });
    await shop.pay(mtn({ reference, amount: part }));
    expect(await match({ reference, amountPesewas: 50_00 }, proof ? { proof } : {})).toHaveProperty(decided);
  });

  test('of the referenced charge’s full amount is held, even if verified, after a manually assigned part', async () => {
    await shop.charge({ amount: 50, ...SAME });
    const part = mtn({ amount: '20.00' });
    await shop.pay(part);
    await shop.assign(part, reference, { body: { reference, as_part: true } });
    expect(await match({ reference, amountPesewas: 50_00 }, { proof: PROVEN })).toMatchObject({
      held: 'amount_of_another',
    });
  });

  test('is held if the referenced charge was paid in parts of the same amount', async () => {
    await shop.charge({ amount: 0.5, ...SAME });
    const payment = storedPayment('half', 50);
    await setCharge(world, { reference }, { state: 'success', asked_pesewas: 50_00, amount_pesewas: 50, payment });
    expect(await match({ reference, amountPesewas: 50 })).toMatchObject({ held: 'amount_of_another' });
    expect(await match({ reference, amountPesewas: 51 })).toMatchObject({ isPartOf: { reference } });
  });

  test('is checked first if it may turn out to be verified', async () => {
    await shop.charge({ amount: 50, ...SAME });
    await shop.pay(mtn({ reference, amount: '20.00' }));
    const payment = { reference, amountPesewas: 50_00 };
    expect(await match(payment, { proof: { state: 'checking' } })).toMatchObject({ held: 'checking' });
    expect(await match(payment, { proof: { state: 'unproven' } })).toMatchObject({ held: 'amount_of_another' });
  });
});

describe('a reference with one wrong digit', () => {
  const wrong = (reference: string) => `${reference.slice(3, -1)}${(Number(reference.at(-1)) + 1) % 10}`;

  test('is unclear even if the payer’s name matches', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    expect(await match({ reference: wrong(reference) })).toEqual(UNCLEAR);
    expect(await match({ reference: 'fees 2026' })).toMatchObject({ matchedBy: 'name' });
    expect(await match({ reference: '4071932685' })).toMatchObject({ matchedBy: 'name' });
  });

  test('is unclear if nobody owns the number', async () => {
    expect(await match({ reference: '4071932685' }, {}, [])).toEqual(UNCLEAR);
    expect(await match({ reference: '2026' }, {}, [])).toEqual({ held: 'no_charge' });
  });

  test.each([
    ['is unclear if the charge was created a day before', DAY_MS, {}, 'reference_unclear'],
    ['is ignored if the charge expired after a day', DAY_MS + 1, {}, 'no_charge'],
    ['is unclear if the older charge is still open', 2 * DAY_MS, { expires_in: 172_800 }, 'reference_unclear'],
    ['is ignored if the older charge has expired', 2 * DAY_MS + 1, { expires_in: 172_800 }, 'no_charge'],
  ])('%s', async (_, laterMs, more, held) => {
    const reference = await shop.charge({ amount: 36, ...more });
    world.clock.nowMs += laterMs;
    expect(await match({ reference: wrong(reference) })).toEqual({ held });
  });

  test('is compared only with references, not with all older charges that are open', async () => {
    await shop.charge({ amount: 36, expires_in: 172_800 });
    world.clock.nowMs += DAY_MS + 1;
    expect(await match({ reference: '4071932685' })).toEqual({ held: 'no_charge' });
  });

  test.each([
    ['is ignored', 5_000, 'no_charge'],
    ['is unclear', 5_001, 'reference_unclear'],
  ])('%s if it resembles none of %i recent references', async (_, count, held) => {
    await shop.charge({ amount: 36 });
    const { table } = world.outside;
    const limits: unknown[] = [];
    const listIndexKeys: typeof table.listIndexKeys = async (index, partition, page) => {
      limits.push(page?.limit);
      const { keys } = await table.listIndexKeys(index, partition, page);
      return { keys: Array.from({ length: count }, () => keys).flat(), next: undefined };
    };
    const outside = { ...world.outside, table: { ...table, listIndexKeys } };
    world = { ...world, outside };
    expect(await match({ reference: '4071932685' })).toEqual({ held });
    expect(limits.slice(0, 3)).toEqual([5_001, 5_000, 5_000].slice(0, count === 5_001 ? 1 : 3));
  });

  test('is unclear if a stranger opened the charge', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Cloth', amount: 36 } });
    const { reference } = await world.openLink(json.data.slug);
    expect(await match({ reference: wrong(reference) })).toEqual(UNCLEAR);
  });

  test('is unclear if the charge belongs to the second shop on the number', async () => {
    const other = await world.createShop({ number: shop.number });
    const references = [await shop.charge({ amount: 36 }), await other.charge({ amount: 36 })];
    for (const reference of references) expect(await match({ reference: wrong(reference) })).toEqual(UNCLEAR);
  });
});

describe('a reference with letters in place of two digits', () => {
  /** Returns a charge whose reference contains two digits that look like these letters. */
  async function chargeWith(digits: RegExp): Promise<string> {
    const reference = await shop.charge({ amount: 36, customer_name: 'Yaw Owusu' });
    return (reference.match(digits) ?? []).length >= 2 ? reference : chargeWith(digits);
  }

  test.each<[what: string, digits: RegExp, letter: (digit: string) => string]>([
    ['O and l', /[01]/g, (digit) => (digit === '0' ? 'O' : 'l')],
    ['S and B', /[58]/g, (digit) => (digit === '5' ? 'S' : 'B')],
    ['b and g', /[69]/g, (digit) => (digit === '6' ? 'b' : 'g')],
  ])('is unclear even if the payer’s name matches another charge (%s)', async (_, digits, letter) => {
    await shop.charge({ amount: 36, ...KOFI });
    const reference = await chargeWith(digits);
    let count = 0;
    const typed = reference.slice(3).replace(digits, (digit) => (++count > 2 ? digit : letter(digit)));
    for (const before of ['', 'M.K. ', 'KM-', 'MK-', 'fees '])
      expect(await match({ reference: before + typed })).toEqual(UNCLEAR);
  });
});

test('six digits of another charge’s reference are unclear even if the payer’s name matches', async () => {
  await shop.charge({ amount: 36, ...KOFI });
  const digits = (await shop.charge({ amount: 36, customer_name: 'Yaw Owusu' })).slice(3);
  for (const reference of [digits.slice(0, 6), `fees ${digits.slice(-6)}`, digits.slice(0, 8)])
    expect(await match({ reference })).toEqual(UNCLEAR);
  expect(await match({ reference: digits.slice(0, 4) })).toMatchObject({ matchedBy: 'name' });
});

describe('a payer with an older open charge of the amount', () => {
  const OLD = { amount: 36, expires_in: (2 * DAY_MS) / 1000 };
  test.each<[string, object, Partial<WalletPayment>]>([
    [
      'in the payer’s name, with an initial',
      { customer_name: 'Kofi M. Boateng' },
      { payerName: 'KOFI MENSAH M BOATENG' },
    ],
    ['in the payer’s name', { customer_name: 'Kofi Mensah Boateng', customer_phone: '0551112222' }, {}],
    ['with the payer’s number', { customer_phone: '0551112222' }, { payerPhone: '+233551112222', via: null }],
  ])('pays no other customer’s charge: %s', async (_, details, some) => {
    const older = await shop.charge({ ...OLD, ...details });
    world.clock.nowMs += 3 * HOUR_MS;
    await shop.charge({ amount: 36, ...KOFI, customer_phone: '0241112222' });
    await world.tell(3);
    expect(await match({ payerName: 'KOFI MENSAH BOATENG', ...some })).toEqual({ held: 'several_fit' });
    await shop.call('transaction/cancel', { parameters: { reference: older } });
    expect(await match({ payerName: 'KOFI MENSAH BOATENG', ...some })).toMatchObject({ matchedBy: 'name' });
  });

  test('pays no charge beside a half-paid one with the payer’s number', async () => {
    const older = await shop.charge({ ...OLD, amount: 66, customer_phone: '0551112222' });
    await shop.pay(mtn({ reference: older, amount: '30.00', from: 'ESI ARTHUR' }));
    await shop.charge({ amount: 36, ...KOFI });
    await world.tell(4);
    expect(await match({ payerPhone: '+233551112222', via: null })).toEqual({ held: 'several_fit' });
  });

  test('pays no charge beside an older one of another shop on the number', async () => {
    const other = await world.createShop({ number: shop.number });
    await other.charge({ ...OLD, ...KOFI });
    world.clock.nowMs += 3 * HOUR_MS;
    await shop.charge({ amount: 36, ...KOFI });
    await world.tell(3);
    expect(await match({})).toEqual({ held: 'several_fit' });
  });

  test('pays no charge beside that of a payment request in the payer’s name', async () => {
    const { json } = await shop.call('request/create', {
      body: { title: 'Fees', customer_name: 'Kofi Mensah', lines: [{ description: 'Fees', amount: 36 }] },
    });
    await shop.charge({ amount: 36, ...KOFI });
    await world.tell(2);
    expect(await match({})).toMatchObject({ matchedBy: 'name' });
    await world.openPart(json.data.slug, '36');
    await world.tell(3);
    expect(await match({})).toEqual({ held: 'several_fit' });
  });

  test.each([null, '+233551112222'])(
    'pays the newer one if the payer’s name lacks its initial: %j',
    async (payerPhone) => {
      await shop.charge({ ...OLD, customer_name: 'K. Mensah' });
      world.clock.nowMs += 3 * HOUR_MS;
      const newer = await shop.charge({ amount: 36, ...KOFI });
      await world.tell(3);
      expect(await match({ payerPhone })).toMatchObject({ pays: { reference: newer }, matchedBy: 'name' });
    },
  );

  test('pays the newer one if it is the same customer’s', async () => {
    await shop.charge({ ...OLD, ...SAME });
    world.clock.nowMs += 3 * HOUR_MS;
    const newer = await shop.charge({ amount: 36, ...SAME });
    await world.tell(3);
    expect(await match({})).toMatchObject({ pays: { reference: newer }, matchedBy: 'name' });
  });
});

describe('a payer who typed a detail of another charge', () => {
  const OTHER = { customer_name: 'Yaw Owusu', customer_phone: '0241112222', merchant_reference: 'INV-1007' };

  test.each([
    ['INV-1007', 'INV-1008'],
    ['inv1007', 'INV-1008'],
    ['Order 1007', 'INV-1008'],
    ['for Yaw Owusu', 'INV-1008'],
    ['0241112222', 'INV-1008'],
    ['+233 24 111 2222', 'INV-1008'],
    ['0241112222 36', 'INV-1008'],
    ['2 0241112222', 'INV-1008'],
    ['241112222', 'INV-1008'],
    // Its own order number shares digits with the other.
    ['INV-1007', '1007-B'],
    ['INV-1007', 'INV-1007-B'],
    ['INV-2026-1007', 'INV-2026-1008'],
    // It named its own charge, too.
    ['1007 1008', 'INV-1008'],
    ['Kofi Mensah for Yaw Owusu', 'INV-1008'],
  ])('pays no charge, although the payer’s name matches one: %s, not %s', async (reference, merchant_reference) => {
    await shop.charge({ amount: 36, ...KOFI, merchant_reference });
    await shop.charge({ amount: 36, ...OTHER });
    expect(await match({ reference })).toEqual(UNCLEAR);
  });

  test.each<[what: string, typed: string, other: object, laterMs: number]>([
    ['is for another amount', 'Order INV-1007', { amount: 50 }, 0],
    ['is for another amount and was typed in small letters', '#inv-1007.', { amount: 50 }, 0],
    ['is for another amount and was typed with a space', 'inv 1007', { amount: 50 }, 0],
    ['is for another amount and has a # sign', 'order 10077', { amount: 50, merchant_reference: '#10077' }, 0],
    ['is for another amount and has small letters', 'INV-1007', { amount: 50, merchant_reference: 'inv/1007' }, 0],
    ['is for another amount, by phone number with (0)', '+233 (0)24 111 2222', { amount: 50 }, 0],
    ['has no customer name', 'Order 1007', { customer_name: undefined }, 0],
    ['is three hours older', 'for Yaw Owusu', {}, 3 * HOUR_MS],
    ['is for another amount, by phone number', '0241112222', { amount: 50 }, 0],
  ])('pays no charge if the other charge %s', async (_, reference, some, laterMs) => {
    const other = await shop.charge({ amount: 36, ...OTHER, ...some });
    world.clock.nowMs += laterMs;
    await shop.charge({ amount: 36, ...KOFI });
    await world.tell(3);
    expect(await match({ reference })).toEqual(UNCLEAR);
    await shop.call('transaction/cancel', { parameters: { reference: other } });
    expect(await match({ reference })).toMatchObject({ matchedBy: 'name' });
  });

  test.each(['INV-1007', 'order 1007', 'for Yaw Owusu', '0241112222'])(
    'waits for a person if no charge is in the payer’s name: %s',
    async (reference) => {
      await shop.charge({ amount: 36, ...OTHER });
      await world.tell(3);
      expect(await match({ reference })).toEqual(UNCLEAR);
      expect(await match({ reference: 'lunch' })).toMatchObject({ held: 'name_differs' });
    },
  );

  test('pays no charge if sixty newer charges have the amount', async () => {
    await shop.charge({ amount: 36, customer_name: 'Yaw Owusu' });
    world.clock.nowMs += 3 * HOUR_MS;
    await shop.charge({ amount: 36, ...KOFI });
    await Promise.all(Array.from({ length: 60 }, () => shop.charge({ amount: 36 })));
    await world.tell(3);
    expect(await match({ reference: 'for Yaw Owusu' })).toEqual(UNCLEAR);
  });

  test.each([180, 360, 361])(
    'pays no charge if a request’s bill of GHS 360 is in the typed name: GHS %d',
    async (amount) => {
      const lines = [{ description: 'Fees', amount: 360 }];
      const { json } = await shop.call('request/create', {
        body: { title: 'Fees', customer_name: 'Yaw Owusu', lines },
      });
      await world.openPart(json.data.slug, '360');
      await shop.charge({ amount, ...KOFI });
      await world.tell(3);
      const paid = { amountPesewas: amount * 100 };
      expect(await match({ ...paid, reference: 'fees Yaw Owusu' })).toEqual(UNCLEAR);
      expect(await match({ ...paid, reference: 'fees' })).toMatchObject({ matchedBy: 'name' });
    },
  );

  test('pays the charge in the payer’s name if a website’s charge of another amount is in the typed name', async () => {
    await shop.charge({ amount: 5_000, customer_name: 'School Fees' });
    const own = await shop.charge({ amount: 36, ...KOFI });
    await world.tell(2);
    expect(await match({ reference: 'school fees' })).toMatchObject({ pays: { reference: own }, matchedBy: 'name' });
  });

  test('pays no charge if both are the same customer’s', async () => {
    await shop.charge({ amount: 36, ...SAME, merchant_reference: 'INV-2026-1007' });
    world.clock.nowMs += MINUTE_MS;
    const newer = await shop.charge({ amount: 36, ...SAME, merchant_reference: 'INV-2026-1008' });
    expect(await match({ reference: 'INV-2026-1007' })).toEqual(UNCLEAR);
    expect(await match({ reference: 'INV-2026-1008' })).toMatchObject({ pays: { reference: newer } });
  });

  test('pays no charge if another shop on the number entered the same name', async () => {
    await shop.charge({ amount: 36, ...KOFI });
    await (await world.createShop({ number: shop.number })).charge({ amount: 36, ...OTHER });
    expect(await match({ reference: 'for Yaw Owusu' })).toEqual(UNCLEAR);
  });

  test.each([
    ['lunch'],
    ['7 yards'],
    ['200 blocks'],
    ['1'],
    ['rent'],
    ['fees 2026'],
    ['29/11/2026'],
    ['Kofi Mensah'],
    ['Yaw'],
    ['Order 1008'],
  ])('pays the charge in the payer’s name if the detail is not the other charge’s alone: %s', async (reference) => {
    const own = await shop.charge({ amount: 36, ...KOFI, merchant_reference: 'INV-1008' });
    for (const merchant_reference of ['1', '7', '200', 'rent', 'INV-2026-0007'])
      await shop.charge({ amount: 36, ...OTHER, merchant_reference });
    await world.tell(6);
    expect(await match({ reference })).toMatchObject({ pays: { reference: own }, matchedBy: 'name' });
  });

  test('pays the charge in the payer’s name if a stranger typed the detail at a link', async () => {
    const own = await shop.charge({ amount: 36, ...KOFI });
    const { json } = await shop.call('link/create', {
      body: { title: 'Airtime', amount: 36, codes: ['CODE-1'], text_codes: true },
    });
    await world.openLink(json.data.slug, { phone: '+233241112222' });
    await world.tell(3);
    expect(await match({ reference: '0241112222' })).toMatchObject({ pays: { reference: own } });
  });
});

test('a typed order number of a paid charge pays no other charge, unless that has the number as well', async () => {
  const paid = await shop.charge({ amount: 36, merchant_reference: 'INV-1008' });
  await shop.pay(mtn({ reference: paid, from: 'AMA OWUSU' }));
  const own = await shop.charge({ amount: 36, ...KOFI });
  await world.tell(4);
  expect(await match({ reference: 'inv 1008' })).toEqual(UNCLEAR);
  expect(await match({ reference: 'lunch' })).toMatchObject({ pays: { reference: own } });
  const other = await shop.charge({ amount: 40, merchant_reference: 'INV-1009' });
  await setCharge(world, { reference: other }, { state: 'success' });
  await world.tell(2);
  expect(await match({ reference: 'inv 1009' })).toMatchObject({ pays: { reference: own } });
  await setCharge(world, { reference: own }, { state: 'cancelled' });
  const again = await shop.charge({ amount: 36, ...KOFI, merchant_reference: 'INV-1008' });
  await world.tell(3);
  expect(await match({ reference: 'inv 1008' })).toMatchObject({ pays: { reference: again } });
});

describe('a payment without a reference', () => {
  test('pays the charge with its amount and name', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    expect(await match({})).toMatchObject({ pays: { reference }, matchedBy: 'name' });
    expect(await match({ payerIsInstitution: true })).toEqual({ held: 'no_charge' });
    expect(await match({ amountPesewas: 35_99 })).toEqual({ held: 'no_charge' });
    expect(await match({ payerName: 'AMA OWUSU' })).toEqual({ held: 'name_differs' });
  });

  test('pays a charge of any shop on the number', async () => {
    const other = await world.createShop({ number: shop.number });
    const reference = await other.charge({ amount: 36, ...KOFI });
    expect(await match({})).toMatchObject({ pays: { reference }, matchedBy: 'name' });
    await shop.charge({ amount: 36, ...KOFI });
    expect(await match({})).toEqual({ held: 'several_fit' });
  });

  test.each([
    [-MINUTE_MS, 'pays'],
    [-MINUTE_MS - 1, 'held'],
    [2 * HOUR_MS, 'pays'],
    [2 * HOUR_MS + 1, 'held'],
  ])('that arrives %i ms after the charge %s', async (afterMs, decided) => {
    await shop.charge({ amount: 36, ...KOFI });
    world.clock.nowMs += afterMs;
    expect(await match({})).toHaveProperty(decided);
  });

  test('is held if the charge with its amount and name is disputed', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    await setCharge(world, { reference }, { disputed: { at: world.iso(), why: 'conflict' } });
    expect(await match({})).toEqual({ held: 'charge_disputed', about: await world.chargeRow(reference) });
  });

  test('is held if it exceeds the shop’s limit for names', async () => {
    await shop.change({ match_by_name_up_to_pesewas: 36_00 });
    const reference = await shop.charge({ amount: 36, ...KOFI });
    await shop.charge({ amount: 36.01, ...KOFI });
    expect(await match({})).toMatchObject({ pays: { reference } });
    expect(await match({ amountPesewas: 36_01 })).toEqual({ held: 'name_only' });
  });

  test('is held if more than 200 charges have its amount', async () => {
    for (let n = 0; n < 200; n++) await shop.charge({ amount: 36, customer_name: 'Ama Owusu' });
    expect(await match({})).toEqual({ held: 'name_differs' });
    await shop.charge({ amount: 36, ...KOFI });
    expect(await match({})).toEqual({ held: 'too_many_open' });
  });
});

describe('a payment that cannot be placed', () => {
  const unplaced = (reference: string | null, merchant_id: string | undefined = shop.id) =>
    holdUnplaced(world.outside, 'number_not_placed', { payment: { ...PAYMENT, reference }, receipt: { merchant_id } });
  const held = 'number_not_placed';

  test('names its merchant’s charge, if it names only one', async () => {
    const [reference, second] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 40 })];
    const about = await world.chargeRow(reference);
    expect(await unplaced(reference)).toEqual({ held, about });
    expect(await unplaced(reference.slice(3))).toEqual({ held, about });
    for (const typed of [`${reference} ${second}`, `${reference} MK-123456`, 'MK-4071932685', 'lunch', null])
      expect(await unplaced(typed)).toEqual({ held });
  });

  test('names no charge of another merchant, and none if its merchant is unknown', async () => {
    const reference = await (await world.createShop()).charge({ amount: 36 });
    expect(await unplaced(reference)).toEqual({ held });
    const payment = { ...PAYMENT, reference };
    expect(await holdUnplaced(world.outside, held, { payment, receipt: { merchant_id: undefined } })).toEqual({ held });
  });
});

describe('a payment that is held for a charge that it does not name', () => {
  const again = async (suggested_reference: string, some: Partial<WalletPayment> = {}, merchant_id = shop.id) =>
    match({ payerName: 'AMA OWUSU', ...some }, {}, undefined, { suggested_reference, merchant_id });

  test('stays held for it while it is disputed or once it is paid', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    await setCharge(world, { reference }, { disputed: { at: world.iso(), why: 'conflict' } });
    const about = { reference };
    expect(await again(reference)).toMatchObject({ held: 'charge_disputed', about, isSuggested: true });
    await setCharge(world, { reference }, { state: 'success' });
    expect(await again(reference)).toMatchObject({ held: 'already_paid', about, isSuggested: true });
  });

  test('is held as late once it has expired, and pays nothing while it is open', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    expect(await again(reference)).toEqual({ held: 'name_differs' });
    await setCharge(world, { reference }, { state: 'expired' });
    const late = { held: 'charge_expired', about: { reference }, isSuggested: true };
    expect(await again(reference)).toMatchObject(late);
  });

  test('is about no charge of another merchant, and about none that is gone', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    await setCharge(world, { reference }, { state: 'success' });
    expect(await again(reference, {}, 'another')).toEqual({ held: 'no_charge' });
    expect(await again('MK-4071932685')).toEqual({ held: 'no_charge' });
  });

  test('is matched to another charge that it names', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    await setCharge(world, { reference }, { state: 'success' });
    const named = await shop.charge({ amount: 36 });
    expect(await again(reference, { reference: named })).toEqual(paying(named));
  });
});

describe('a payer who has just paid a charge of the amount', () => {
  const payOther = async (paid: object, some: Parameters<typeof mtn>[0] = {}) => {
    const other = await shop.charge({ amount: 36, ...paid });
    const reference = await shop.charge({ amount: 36, ...SAME });
    await shop.pay(mtn({ reference: other, from: 'KOFI MENSAH', ...some }));
    return reference;
  };

  test.each([
    ['another customer', KOFI],
    ['the same customer', SAME],
  ])('pays no charge that was open at that time: the paid one is for %s', async (_, paid) => {
    await payOther(paid);
    expect(await match({})).toEqual({ held: 'several_fit' });
  });

  test.each<[string, object, Parameters<typeof mtn>[0]]>([
    ['that payment came from another person', KOFI, { from: 'AMA OWUSU' }],
    ['that payment had another amount', { ...KOFI, amount: 37 }, { amount: '37.00' }],
  ])('pays the open charge if %s', async (_, paid, some) => {
    const reference = await payOther(paid, some);
    expect(await match({})).toMatchObject({ pays: { reference }, matchedBy: 'name' });
  });

  test('pays a charge that was opened later', async () => {
    await shop.pay(mtn({ reference: await shop.charge({ amount: 36, ...KOFI }), from: 'KOFI MENSAH' }));
    world.clock.nowMs += MINUTE_MS;
    const reference = await shop.charge({ amount: 36, ...KOFI });
    expect(await match({})).toMatchObject({ pays: { reference }, matchedBy: 'name' });
  });

  test('pays nothing if more than 400 charges may be in the payer’s name', async () => {
    for (let n = 0; n < 401; n++) {
      const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah 7' });
      await setCharge(world, { reference }, { state: 'cancelled' });
    }
    await shop.charge({ amount: 36, ...KOFI });
    await world.followChanges();
    expect(await match({})).toEqual({ held: 'several_fit' });
  });

  test('pays the charge that lacks the rest after that payment', async () => {
    const reference = await shop.charge({ amount: 72, ...KOFI });
    await shop.pay(mtn({ reference, from: 'KOFI MENSAH' }));
    expect(await match({})).toMatchObject({ pays: { reference }, matchedBy: 'name' });
  });
});

describe('a stored payment', () => {
  test('may belong to its merchant, or to every merchant on its number', async () => {
    const is = (receipt: Pick<Receipt, 'merchant_id' | 'momo_number'>, merchantId = shop.id) =>
      mayBeOf(world.outside, receipt, merchantId);
    expect(await is({ merchant_id: shop.id })).toBe(true);
    expect(await is({ merchant_id: 'another', momo_number: shop.number })).toBe(false);
    expect(await is({})).toBe(true);
    expect(await is({ momo_number: shop.number })).toBe(true);
    expect(await is({ momo_number: shop.number }, 'another')).toBe(false);
    expect(await is({ momo_number: '+233249999999' })).toBe(true);
  });
});

const PAYMENT: WalletPayment = {
  kind: 'payment',
  network: 'MTN',
  amountPesewas: 36_00,
  payerName: 'KOFI MENSAH',
  payerPhone: null,
  reference: null,
  transactionId: '51234567890',
  balancePesewas: null,
  chargesPesewas: null,
  payerIsInstitution: false,
  via: null,
};

/** The match of a payment that arrives now, on a number with these accounts. */
async function match(
  some: Partial<WalletPayment>,
  arrived: Partial<Pick<Receipt, 'momo_number' | 'proof'>> = {},
  accounts?: readonly AccountOfNumber[],
  current?: Pick<Receipt, 'suggested_reference' | 'merchant_id'>,
): Promise<Match> {
  const payment = { ...PAYMENT, ...some };
  const receipt = { momo_number: shop.number, received_at: world.iso(), ...arrived };
  const owners = accounts ?? (await accountRows.list(world.outside, { number: shop.number }));
  return matchPayment(world.outside, { payment, receipt, accounts: owners, current });
}

function paying(reference: string) {
  return { pays: expect.objectContaining({ reference }), matchedBy: 'reference' };
}
