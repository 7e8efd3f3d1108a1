import { describe, expect, test } from 'vitest';
import type { Merchant } from '../../../shared/merchants/merchant/merchant.ts';
import type { Role } from '../../../shared/merchants/user/permissions.ts';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import type { GoodsState } from '../../../shared/money/charge/goods.ts';
import type { Link } from '../../../shared/money/link/link.table.ts';
import { codeOfBill, linkView, stateOf } from '../../../shared/pages/dashboard/links/link-view.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';

const AT = '2026-11-20T10:00:00.000Z';
const outside = { now: () => Date.parse(AT), baseUrl: 'https://pay.example.com' };
const merchant: Merchant = { merchant_id: 'shop', name: 'Ama Stores', momo_accounts: [], created_at: AT };
const link: Link = {
  merchant_id: 'shop',
  slug: 'wifi',
  title: 'Wifi',
  amount_pesewas: 25_00,
  created_at: AT,
};
const stocked: Link = { ...link, codes_stocked: 100, codes_drawn: 88, codes_waiting: 2 };
const view = (given: Link, role: Role = 'owner', charges: Charge[] = []) =>
  linkView(outside, { merchant, user: { role }, link: given, charges });

test.each<[string, Link, object]>([
  ['open', link, { tone: 'waiting', label: 'Can be paid' }],
  ['ended', { ...link, ends_at: AT }, { tone: 'plain', label: 'Ended' }],
  ['well stocked', stocked, { tone: 'waiting', label: 'Can be paid' }],
  ['low', { ...stocked, codes_drawn: 95 }, { tone: 'look', label: '5 codes left' }],
  [
    'sold out once the waiting payments are counted',
    { ...stocked, codes_drawn: 98 },
    { tone: 'look', label: 'Sold out' },
  ],
])('a link that is %s has the right label', (_, given, state) => {
  expect(stateOf(outside, given)).toEqual(state);
});

test('an owner sees every action for a link without codes', () => {
  expect(view(link)).toMatchObject({
    url: 'https://pay.example.com/pay/wifi',
    amount: 'GHS 25.00',
    isSticker: false,
    end: { name: 'Ends', at: undefined },
    codes: { stock: undefined, mayAdd: true, refusal: undefined },
    mayDownload: true,
    mayChange: true,
    mayEnd: true,
  });
});

test('an ended link has no button to end it', () => {
  expect(view({ ...link, ends_at: AT })).toMatchObject({
    end: { name: 'Ended', at: '20 Nov 2026, 10:00' },
    mayChange: true,
    mayEnd: false,
  });
});

test('a cashier cannot edit a link', () => {
  expect(view({ ...stocked, amount_pesewas: 60_00 }, 'cashier')).toMatchObject({
    codes: { mayAdd: false, wait: undefined },
    mayDownload: false,
    mayChange: false,
    mayEnd: false,
  });
});

test('a sticker’s page does not mention codes', () => {
  expect(view({ ...link, till: 'till' })).toMatchObject({ isSticker: true, codes: undefined });
});

test.each<[string, Partial<Link>]>([
  ['Any amount', {}],
  ['From GHS 5.00', { min_pesewas: 5_00 }],
  ['Up to GHS 500.00', { max_pesewas: 500_00 }],
  ['GHS 5.00–500.00', { min_pesewas: 5_00, max_pesewas: 500_00 }],
])('a link’s price is shown as %s', (amount, given) => {
  expect(view({ ...link, amount_pesewas: undefined, ...given }).amount).toBe(amount);
});

describe('a link’s stock codes', () => {
  test('are counted as remaining, removed or awaited', () => {
    const codes = view({ ...stocked, codes_removed: [[1, 5]] }).codes;
    expect(codes).toMatchObject({ left: 12, stock: { of: 'of 100, 5 removed', waiting: 2 } });
  });

  test.each([
    [50_00, undefined],
    [50_01, 'A code for a payment above GHS\u00a050.00 is held until the payment is verified or someone releases it.'],
  ])('show a warning above GHS 50: %i pesewas', (amount_pesewas, wait) => {
    expect(view({ ...stocked, amount_pesewas }).codes?.wait).toBe(wait);
  });
});

describe('a bill in a link’s list', () => {
  const coded = (state: GoodsState, number?: number) =>
    storedCharge({
      reference: 'MK-1111111111',
      amount_pesewas: 25_00,
      origin: { kind: 'link', slug: 'wifi', note: 'Table 4' },
      goods: { kind: 'code', state, number },
    });

  test('is added to the total once it is paid, with the doubt about the weakest payment', () => {
    const charge = coded('unpaid');
    const proof = { state: 'proven' } as const;
    const paid = (amount: number, given = {}) =>
      storedCharge({ ...charge, state: 'success', payment: { ...storedPayment('MTN-1', amount), ...given } });
    const totalOf = (charges: Charge[]) => view(stocked, 'owner', charges).paid;
    expect(totalOf([charge])).toMatchObject({ count: 0 });
    expect(totalOf([paid(25_00, { proof }), charge])).toEqual({
      count: 1,
      amount: 'GHS 25.00',
      doubt: undefined,
    });
    const total = totalOf([paid(25_00, { proof }), paid(30_00, { proof: { state: 'unproven' } })]);
    expect(total).toMatchObject({
      count: 2,
      amount: 'GHS 55.00',
      doubt: { badge: 'Not verified' },
    });
  });

  test('has no link to a stock code before it is paid', () => {
    expect(codeOfBill(coded('unpaid'))).toBeUndefined();
  });

  test.each([
    [coded('given', 7), 'Code given (7)', false],
    [coded('waiting'), 'Code due', true],
    [coded('to_release'), 'Release the code?', true],
  ])('links to its stock code: %#', (charge, label, isDue) => {
    expect(codeOfBill(charge)).toEqual({ label, href: expect.stringContaining('MK-1111111111'), isDue });
  });

  test('comes first if its code is due', () => {
    const [given, due, late] = [coded('given', 7), coded('waiting'), coded('to_release')];
    expect(view(stocked, 'owner', [given, due, late]).bills).toEqual([due, late, given]);
  });
});
