import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import { amountWith } from '../../../shared/money/settling/pay-charge.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';

const EXPIRES = '2026-11-26T12:00:00.000Z';
const IN_TIME = '2026-11-26T11:00:00.000Z';
const LATER = '2026-11-26T12:01:00.000Z';

const success = (fields: Partial<Charge>): Charge =>
  storedCharge({
    state: 'success',
    amount_pesewas: 500,
    expires_at: EXPIRES,
    paid_at: LATER,
    payment: storedPayment('payment', 500),
    parts: undefined,
    expired_at: undefined,
    ...fields,
  });
const ofRequest = { kind: 'request', slug: 'abcdefghjkmn' } as const;
const take = { kind: 'take', state: 'given', shift_id: 's', by: 'user', at: IN_TIME } as const;

describe('the amount of a charge after a further partial payment', () => {
  test.each<[string, Partial<Charge>, number]>([
    ['grows for a partly paid request’s closed charge', { origin: ofRequest, asked_pesewas: 800 }, 600],
    ['is unchanged for a request’s charge paid before it closed', { origin: ofRequest }, 500],
    ['is unchanged for a partly paid ordinary charge', { payment: storedPayment('payment', 200) }, 500],
    ['is unchanged for a partly paid tapped charge', { payment: storedPayment('payment', 200), goods: take }, 500],
    [
      'is unchanged for a partly paid charge of a request',
      { origin: ofRequest, payment: storedPayment('payment', 200) },
      500,
    ],
    ['is unchanged for a request’s charge paid in time', { origin: ofRequest, paid_at: IN_TIME }, 500],
    ['is unchanged for a request’s charge paid after it expired', { origin: ofRequest, expired_at: LATER }, 500],
    [
      'is unchanged for a request’s overpaid charge',
      { origin: ofRequest, payment: storedPayment('payment', 600) },
      500,
    ],
    ['is unchanged for a pending charge', { origin: ofRequest, state: 'pending', payment: undefined }, 500],
  ])('%s', (_, fields, amount) => {
    expect(amountWith(success(fields), [storedPayment('part', 100)])).toBe(amount);
  });
});
