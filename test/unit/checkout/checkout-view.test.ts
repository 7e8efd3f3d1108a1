import { describe, expect, test } from 'vitest';
import { checkoutView, presentStatus } from '../../../shared/pages/checkout/checkout-view.ts';
import { storedCharge } from '../../support/rows-of-kinds.ts';

const nowMs = Date.parse(storedCharge().created_at) + 5 * 60_000;
const outside = { now: () => nowMs, baseUrl: 'https://pay.example.com' };
const pending = storedCharge();

test.each([
  [1, 'GHS 0.01'],
  [3600, 'GHS 36.00'],
  [123_450, 'GHS 1,234.50'],
  [10_000_000, 'GHS 100,000.00'],
])('%i pesewas are formatted as %s', (amount_pesewas, shown) => {
  expect(checkoutView(outside, { ...pending, amount_pesewas }).amount).toBe(shown);
});

test('a phone number is grouped for display but not when copied', () => {
  expect(checkoutView(outside, pending)).toMatchObject({ shownNumber: '024 123 4567', number: '0241234567' });
});

test('times are displayed in Ghana’s time zone', () => {
  const paid_at = '2026-09-03T23:59:59.999Z';
  const { paid } = checkoutView(outside, { ...pending, state: 'success', paid_at });
  expect(paid).toEqual({ at: paid_at, shown: '3 Sep 2026, 23:59 GMT' });
});

test('a paid charge does not expire', () => {
  const ended = { ...pending, expires_at: new Date(nowMs).toISOString() };
  expect(checkoutView(outside, ended).status).toBe('expired');
  expect(checkoutView({ ...outside, now: () => nowMs - 1 }, ended).status).toBe('pending');
  expect(checkoutView(outside, { ...ended, state: 'success' }).status).toBe('success');
});

describe('the link back to the shop', () => {
  const backOf = (callback_url: string) =>
    checkoutView(outside, { ...pending, state: 'success', callback_url }).back?.url;

  test.each([
    ['https://shop.example.com', 'https://shop.example.com/?reference=MK-0123456789'],
    ['https://shop.example.com/a?', 'https://shop.example.com/a?reference=MK-0123456789'],
    ['https://shop.example.com/a?b=c', 'https://shop.example.com/a?b=c&reference=MK-0123456789'],
    ['https://shop.example.com/a#d', 'https://shop.example.com/a?reference=MK-0123456789#d'],
    ['https://shop.example.com/#/x?y=z', 'https://shop.example.com/?reference=MK-0123456789#/x?y=z'],
    ['https://shop.example.com/?flag&a=%20+', 'https://shop.example.com/?flag&a=%20+&reference=MK-0123456789'],
    ["https://shop.example.com/?order=o'7", 'https://shop.example.com/?order=o%277&reference=MK-0123456789'],
    ['https://shop.example.com/?reference=7', 'https://shop.example.com/?reference=MK-0123456789'],
    ['https://shop.example.com/?reference', 'https://shop.example.com/?reference=MK-0123456789'],
    ['https://shop.example.com/?reference=7&a&reference=8', 'https://shop.example.com/?a&reference=MK-0123456789'],
    ['https://shop.example.com/?a=1&reference=7', 'https://shop.example.com/?a=1&reference=MK-0123456789'],
    ['https://shop.example.com/?my_reference=7', 'https://shop.example.com/?my_reference=7&reference=MK-0123456789'],
  ])('with the callback URL %s is %s', (callback, url) => {
    expect(backOf(callback)).toBe(url);
  });

  test('includes a non-default port', () => {
    const callback_url = 'https://shop.example.com:8443/a';
    expect(checkoutView(outside, { ...pending, state: 'success', callback_url }).back?.host).toBe(
      'shop.example.com:8443',
    );
  });

  test.each(['pending', 'reversed'] as const)('opens the shop’s home page for a charge in the %s state', (state) => {
    const charge = { ...pending, state, callback_url: 'https://shop.example.com/thanks?order=7#top' };
    expect(checkoutView(outside, charge).back).toBeUndefined();
    expect(checkoutView(outside, charge).shop).toEqual({
      url: 'https://shop.example.com/',
      host: 'shop.example.com',
    });
    expect(presentStatus(outside, charge).redirect_url).toBeNull();
  });
});
