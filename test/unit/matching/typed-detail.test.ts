import { beforeEach, describe, expect, test } from 'vitest';
import { detailTyped, listOfDetails, mayNameBill, namesDetailOf } from '../../../shared/money/matching/typed-detail.ts';
import { sha256 } from '../../../shared/runtime/values/sha256.ts';
import { checkEach } from '../../support/check-each.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

const order = (merchant_reference?: string) => ({ merchant_reference });
const phone = (customer_phone?: string) => ({ customer_phone });
const name = (customer_name?: string) => ({ customer_name });

describe('the detail that a payer typed', () => {
  test('a detail of the charge is recognised', () =>
    checkEach(
      [
        ['INV-1007', order('INV-1007'), 'order number'],
        ['  #inv 1007.', order('INV-1007'), 'order number'],
        ['order INV-1007 please', order('INV-1007'), 'order number'],
        ['order INV1007 please', order('INV-1007'), 'order number'],
        ['Order 1007', order('INV-1007'), 'digits'],
        ['12026', order('INV-12026'), 'digits'],
        ['20261', order('INV-20261'), 'digits'],
        ['200', order('200'), 'order number'],
        ['pay inv 2026 1007 now', order('INV/2026-1007'), 'order number'],
        ['pay inv 1007 now', order('INV1007'), 'order number'],
        ['pay INV20261007 now', order('INV-2026-1007'), 'order number'],
        ['pay inv 20261007 now', order('INV-2026-1007'), 'order number'],
        ['order 201007', order('20-1007'), 'order number'],
        ['order 1007', order('1,007'), 'order number'],
        ['fees term 2 KF-6', order('KF-6'), 'order number'],
        ['order10077', order('#10077'), 'order number'],
        ['inv1007pls', order('INV-1007'), 'order number'],
        ['fees term 2 2026 KF/2026/15/B', order('kf-2026-15-b'), 'order number'],
        ['pay A1B2C3D4 now', order('#a1-b2-c3-d4'), 'order number'],
        ['A-12', order('A12'), 'order number'],
        ['A-1-B-2-C-3 thanks', order('A-1-B-2-C-3'), 'order number'],
        ['pay INV-2026-11-2', order('INV-2026-11-2'), 'order number'],
        ['INV2026112', order('INV-2026-11-2'), 'order number'],
        ['A1-1 2 pcs', order('A1-1'), 'order number'],
        ['x 1234 y', order('1234'), 'order number'],
        ['for 024 111 2222', phone('+233241112222'), 'phone number'],
        ['00233241112222', phone('+233241112222'), 'phone number'],
        ['+233 (0)24 111 2222', phone('+233241112222'), 'phone number'],
        ['room 101 024 111 2222', phone('+233241112222'), 'phone number'],
        ['GHS 150 024-111-2222', phone('+233241112222'), 'phone number'],
        ['2 024 111 22 22', phone('+233241112222'), 'phone number'],
        ['+2330241112222', phone('+233241112222'), 'phone number'],
        ['024 - 111 - 2222', phone('+233241112222'), 'phone number'],
        ['0551112222 and 0241112222', phone('+233241112222'), 'phone number'],
        ['owusu yaw fees', name('Yaw Owusu'), 'name'],
        ['esi a. arthur', name('Esi A. Arthur'), 'name'],
        ['abdulrahman musah', name('Abdul-Rahman Musah'), 'name'],
        ['for abdulrahman', name('Abdul Rahman'), 'name'],
        ['for abdul rahman', name('Abdul-Rahman'), 'name'],
        ['for owusuansah', name('Owusu-Ansah'), 'name'],
        ['Nana Kwame Osei Tutu Agyeman', name('Nana Kwame Osei Tutu Agyeman'), 'name'],
        ['for Esi Arthur 2', name('Esi Arthur 2'), 'name'],
        ['pls room 5, 2 nights', name('Room 5'), 'name'],
        ['from Serwaa Ama A.', name('Ama A. Serwaa'), 'name'],
        ['0241112222 INV-1007', { ...order('INV-1007'), ...phone('+233241112222') }, 'order number'],
      ],
      ([typed, charge, detail]) => {
        expect(detailTyped(typed, charge)).toBe(detail);
      },
    ));

  test('other words are no detail of the charge', () =>
    checkEach(
      [
        ['200 blocks', order('200')],
        ['12', order('12')],
        ['rent', order('rent')],
        ['fees 2026', order('INV-2026-0007')],
        ['in 2026', order('2026')],
        ['INV-10070', order('INV-1007')],
        ['2 1007 yards', order('21007')],
        ['20 1007 yards', order('201007')],
        ['INV-12 3 pcs', order('INV-123')],
        ['A1-1 2 pcs', order('A1-12')],
        ['INV-100 36 cedis', order('INV-10036')],
        ['INV-2026-11-2', order('INV-2026-1-12')],
        ['pay A11-2', order('A1-12')],
        ['100', order('INV-100')],
        ['1007', order()],
        ['', order('INV-1007')],
        ['02411122223', phone('+233241112222')],
        ['1 0241112223', phone('+233241112222')],
        ['0241112222', phone()],
        ['Yaw', name('Yaw Owusu')],
        ['Yaw Owusu', name()],
        ['Yaw', name('Yaw')],
        ['Esi Arthur', name('Esi A. Arthur')],
        ['lunch', name('Senior Junior')],
        ['kofi', name('Kofi Jnr')],
        ['room 12, 5 nights', name('Room 5')],
        ['class 2 b 1 book', name('Class 1 B')],
      ],
      ([typed, charge]) => {
        expect(detailTyped(typed, charge)).toBeUndefined();
      },
    ));
});

describe('what a payer typed', () => {
  test.each([
    ['INV-1007', order('INV-1007'), order('INV-1008')],
    ['INV-2026-1007', order('INV-2026-1007'), order('INV-2026-1008')],
    ['20261129-1007', order('20261129-1007'), order('20261129-1008')],
    ['INV-1007', order('INV-1007'), order('INV-1007-B')],
    ['20261129-2', order('INV-20261129-2'), order('INV-20261129-1')],
    ['1031-B', order('SCH-1031-B'), order('SCH-1031-A')],
    ['order INV-1007 please', order('INV-1007'), order('INV-1007-B')],
    ['pay INV1007 now', order('INV-1007'), order('1007-B')],
    ['1007 1008', order('INV-1007'), order('INV-1008')],
    ['INV-2026-11-2', order('INV-2026-11-2'), order('INV-2026-1-12')],
    ['pay A11-2', order('A11-2'), order('A1-12')],
    ['ACC-2026-11-29-1045-B', order('GH-ACC-2026-11-29-1045-B'), order('GH-ACC-2026-11-29-1045-A')],
    ['1007 of 5005', order('INV-5005-1007'), order('SHOP-5005')],
    ['0241112222', phone('+233241112222'), phone('+233551112222')],
    ['0241112222', phone('+233241112222'), phone()],
    ['0241112222 0551112222', phone('+233241112222'), phone('+233551112222')],
    ['Yaw Owusu', name('Yaw Owusu'), name('Ama Serwaa')],
    ['Ama Serwaa for Yaw Owusu', name('Yaw Owusu'), name('Ama Serwaa')],
    ['Kofi Mensah Jnr', name('Kofi Mensah Junior'), name('Kofi Mensah')],
  ])('names the other bill: %j, %j beside %j', (typed, other, own) => {
    expect(namesDetailOf(typed, other, own)).toBe(true);
  });

  test.each([
    ['INV-1007', order('INV-1007'), order('INV-1007')],
    ['INV-1007-B', order('INV-1007'), order('INV-1007-B')],
    ['INV-12 3 pcs', order('INV-123'), order('INV-12')],
    ['1007', order('INV-1007'), order('1007-B')],
    ['20261129-2', order('INV-20261129-1'), order('INV-20261129-2')],
    ['20261129', order('INV-20261129-2'), order('INV-20261129-1')],
    ['0241112222', phone('+233241112222'), phone('+233241112222')],
    ['Ama Serwaa Owusu', name('Ama Serwaa'), name('Ama Serwaa Owusu')],
    ['Kofi Mensah', name('Kofi Mensah Jnr'), name('Kofi Mensah Jnr')],
    ['Kofi Mensah Jnr', name('Kofi Mensah'), name('Kofi Mensah Jnr')],
    ['lunch', { ...order('INV-1007'), ...phone('+233241112222'), ...name('Yaw Owusu') }, {}],
  ])('does not name the other bill: %j, %j beside %j', (typed, other, own) => {
    expect(namesDetailOf(typed, other, own)).toBe(false);
  });
});

test.each([
  ['INV-1007', true],
  ['room 1007', true],
  ['0241112222', true],
  ['Yaw Owusu', true],
  ['lunch', false],
  ['12', false],
  ['Owusu Jnr', false],
  ['', false],
])('%j may name a bill: %s', (typed, isNaming) => {
  expect(mayNameBill(typed)).toBe(isNaming);
});

describe('the search for bills by typed details', () => {
  let world: Scene;
  let shop: Shop;
  let searched: string[];
  beforeEach(async () => {
    world = await scene({ inMemory: true });
    shop = await world.createShop();
    searched = [];
  });

  const hashOf = (term: string) => sha256(term).slice(0, 32);

  /** Returns the hashes of the terms that a search for these words looks up. */
  async function termsFor(typed: string): Promise<string[]> {
    const { table } = world.outside;
    const listPage: typeof table.listPage = (partition, page) => {
      searched.push(String(partition).split('#').at(-1) ?? '');
      return table.listPage(partition, page);
    };
    await listOfDetails({ table: { ...table, listPage } }, shop.id, typed);
    return searched.toSorted();
  }

  test.each([
    ['lunch', []],
    ['12', []],
    ['200', ['order:200']],
    ['in 2026', ['order:IN2026']],
    [' ##inv-1007.. ', ['order:INV1007', 'order:1007']],
    ['for inv/7', ['order:FORINV7', 'order:INV7']],
    ['inv1007pls', ['order:INV1007PLS', 'order:1007', 'order:INV1007', 'order:1007PLS']],
    [
      'a 1007; b 20',
      ['order:A1007B20', 'order:B20', 'order:1007', 'order:A1007', 'order:1007B', 'order:A1007B', 'order:1007B20'],
    ],
  ])('%j looks up %j', async (typed, terms) => {
    expect(await termsFor(typed)).toEqual(terms.map(hashOf).toSorted());
  });

  test.each([
    ['#10077', '10077'],
    ['#10077', 'order #10077'],
    ['inv-1007', 'INV-1007'],
    ['INV/2026/1007', 'pay inv 2026 1007'],
    ['INV1007', 'inv 1007'],
    ['INV 1007', 'pay INV1007 now'],
    ['INV-2026-1007', 'pay INV20261007 now'],
    ['#10077', 'order10077'],
    ['9f2c7a1b3d', 'pay 9f2c7a1b3d'],
    ['550e8400-e29b-41d4-a716-446655440000', 'pay 550e8400-e29b-41d4-a716-446655440000 now'],
    ['wc_order_aB3dE5fG7hJ9k', 'order wc_order_aB3dE5fG7hJ9k'],
    ['INV-2026-00123', '2 bags rice 5kg 1 oil 2L INV-2026-00123'],
    ['1,007', 'order 1007'],
  ])('the bill with the order number %j is found by %j', async (merchant_reference, typed) => {
    const reference = await shop.charge({ amount: 36, merchant_reference });
    await world.tell(1);
    const found = await listOfDetails(world.outside, shop.id, typed);
    expect(found.map((charge) => [charge.reference, detailTyped(typed, charge)])).toEqual([
      [reference, 'order number'],
    ]);
  });

  test('looks up at most 24 order numbers, and every phone number', async () => {
    const terms = await termsFor('1001 1002 1003 1004 1005 1006 1007, 0241112222, 0551112222');
    expect(terms).toHaveLength(24 + 2);
    expect(terms).toEqual(expect.arrayContaining(['phone:+233241112222', 'phone:+233551112222'].map(hashOf)));
  });

  test('returns the newest hundred bills with the number', async () => {
    const references: string[] = [];
    for (let n = 0; n < 101; n++) {
      world.clock.nowMs += 1_000;
      references.push(await shop.charge({ amount: 36, customer_phone: '0241112222' }));
    }
    await world.tell(102);
    const found = await listOfDetails(world.outside, shop.id, '0241112222');
    expect(found.map(({ reference }) => reference)).toEqual(references.slice(1).toReversed());
  });
});
