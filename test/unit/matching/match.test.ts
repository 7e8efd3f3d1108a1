import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WalletPayment } from '../../../shared/ghana/wallet-text/reading.ts';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import {
  fitsPayer,
  isPaidOn,
  isSameCustomer,
  isWaiting,
  matchByName,
  matchByReference,
} from '../../../shared/money/matching/match.ts';
import { MAX_PART_PAYMENTS } from '../../../shared/money/payment/payment.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';

const NUMBER = '+233241234567';
const CREATED_MS = Date.parse(storedCharge().created_at);
const EXPIRES_MS = Date.parse(storedCharge().expires_at);
const PAID = at(CREATED_MS + 60_000);
const PART = storedPayment('part', 1);
const FALSE_PART = storedPayment('false', 1, { transaction_id: '51234567890' });
const BY_HAND = storedPayment('by-hand', 1, { matched_by: 'hand' });
const DISPUTED = { disputed: { at: PAID, why: 'conflict' as const } };
const PROVEN = { state: 'proven' as const };
const UNPROVEN = { state: 'unproven' as const };
const PAID_IN_PARTS = {
  state: 'success',
  origin: { kind: 'request', slug: 'school-fees' },
  asked_pesewas: 7_200,
  payment: storedPayment('half', 3_600),
} as const;

describe('matching by reference', () => {
  test('pays the charge', () => {
    const charge = chargeOf();
    expect(matchByReference(paymentOf(), { received_at: PAID }, charge)).toEqual({
      pays: charge,
      matchedBy: 'reference',
    });
  });

  test('ignores names', () => {
    const charge = chargeOf({ customer_name: undefined });
    expect(matchByReference(paymentOf({ payerName: 'AMA OWUSU' }), { received_at: PAID }, charge)).toHaveProperty(
      'pays',
    );
  });

  test.each([
    ['charge_expired', { amountPesewas: 3_599 }, { state: 'expired' as const }, PAID],
    ['charge_disputed', {}, { disputed: { at: PAID, why: 'conflict' as const } }, PAID],
    ['amount_differs', { amountPesewas: 1 }, { parts: Array.from({ length: MAX_PART_PAYMENTS }, () => PART) }, PAID],
    ['charge_expired', {}, {}, at(EXPIRES_MS + 1)],
    [
      'charge_expired',
      {},
      { state: 'success' as const, asked_pesewas: 7_200, parts: Array.from({ length: MAX_PART_PAYMENTS }, () => PART) },
      PAID,
    ],
    ['already_paid', {}, { state: 'success' as const }, PAID],
    ['charge_reversed', {}, { state: 'reversed' as const }, PAID],
    // A second payment is reported as such, whatever its amount and time.
    ['already_paid', { amountPesewas: 1 }, { state: 'success' as const }, at(EXPIRES_MS + 1)],
  ])('holds the payment as %s even with a reference: %j %j', (held, payment, some, receivedAt) => {
    const charge = chargeOf(some);
    expect(matchByReference(paymentOf(payment), { received_at: receivedAt }, charge)).toEqual({ held, about: charge });
  });

  test('accepts a payment larger than the charge', () => {
    const charge = chargeOf();
    const more = paymentOf({ amountPesewas: 3_601 });
    expect(matchByReference(more, { received_at: PAID }, charge)).toEqual({ pays: charge, matchedBy: 'reference' });
  });

  test.each([
    ['a small partial payment', {}, 3_599, 'isPartOf'],
    ['a partial payment that leaves one pesewa missing', { parts: [PART] }, 3_598, 'isPartOf'],
    ['the last of several partial payments', { parts: [PART] }, 3_599, 'pays'],
    ['a partial payment beside a text with its own id', { parts: [FALSE_PART] }, 3_599, 'isPartOf'],
    ['a late text about a timely payment', { state: 'expired' as const }, 3_600, 'pays'],
  ])('accepts %s', (_, some, amountPesewas, decided) => {
    const charge = chargeOf(some);
    const arrived = { received_at: PAID, proof: { state: 'proven' as const } };
    expect(matchByReference(paymentOf({ amountPesewas }), arrived, charge)).toMatchObject({ [decided]: charge });
  });

  test.each([
    ['is counted', 3_600, {}, EXPIRES_MS],
    ['is held if it is larger', 3_601, {}, EXPIRES_MS],
    ['is held if it is late', 3_600, {}, EXPIRES_MS + 1],
    ['is held if the charge is disputed', 3_600, { disputed: { at: PAID, why: 'conflict' as const } }, EXPIRES_MS],
    ['is held if only less was accepted', 3_600, { asked_pesewas: undefined, amount_pesewas: 7_200 }, EXPIRES_MS],
  ])(
    'decides that a payment of the rest of a request’s partly paid charge %s',
    (outcome, amountPesewas, some, atMs) => {
      const charge = chargeOf({ ...PAID_IN_PARTS, ...some });
      expect(matchByReference(paymentOf({ amountPesewas }), { received_at: at(atMs) }, charge)).toEqual(
        outcome === 'is counted' ? { isPartOf: charge } : { held: 'charge_expired', about: charge },
      );
    },
  );

  test.each([
    ['pays if it is verified', 3_600, PROVEN, {}, 'pays'],
    ['pays if it is verified and larger', 3_601, PROVEN, {}, 'pays'],
    ['pays if it is verified and may replace all parts', 3_600, PROVEN, { parts: [PART] }, 'pays'],
    ['is held if it is unverified', 3_600, UNPROVEN, {}, 'charge_disputed'],
    ['is held if it is only the missing amount', 3_599, PROVEN, { parts: [PART] }, 'charge_disputed'],
    ['is held if a part was assigned by hand', 3_600, PROVEN, { parts: [PART, BY_HAND] }, 'charge_disputed'],
    ['pays after expiry, whatever the parts', 3_600, PROVEN, { state: 'expired' as const, parts: [BY_HAND] }, 'pays'],
    ['is held after expiry if it is unverified', 3_600, UNPROVEN, { state: 'expired' as const }, 'charge_disputed'],
    ['is held after expiry if it is too small', 3_599, PROVEN, { state: 'expired' as const }, 'charge_expired'],
  ])('decides that a payment for a disputed charge %s', (_, amountPesewas, proof, some, decided) => {
    const charge = chargeOf({ ...DISPUTED, ...some });
    expect(matchByReference(paymentOf({ amountPesewas }), { received_at: PAID, proof }, charge)).toEqual(
      decided === 'pays' ? { pays: charge, matchedBy: 'reference' } : { held: decided, about: charge },
    );
  });

  test.each([
    ['is held if it would replace a part', 1, 3_600, FALSE_PART, 'charge_expired'],
    ['is counted if it replaces no part', 1, 3_599, PART, 'is counted'],
    ['is counted if nothing was refunded', 0, 3_600, FALSE_PART, 'is counted'],
  ])('decides that the rest of a charge with a refund %s', (_, refunded, amountPesewas, part, outcome) => {
    const refund = { refund_id: 'refund', amount_pesewas: refunded, state: 'noted', noted_at: PAID } as const;
    const charge = chargeOf({ ...PAID_IN_PARTS, parts: [part], refunds: [refund] });
    const arrived = { received_at: at(EXPIRES_MS), proof: PROVEN };
    expect(matchByReference(paymentOf({ amountPesewas }), arrived, charge)).toEqual(
      outcome === 'is counted' ? { isPartOf: charge } : { held: outcome, about: charge },
    );
  });

  test.each([
    ['replaces an unverified part', {}, { state: 'proven' as const }, 'isPartOf'],
    ['is held if it is also unverified', {}, { state: 'unproven' as const }, 'held'],
    [
      'is held if all other parts are verified',
      { proof: { state: 'proven' as const } },
      { state: 'proven' as const },
      'held',
    ],
    [
      'is held if the other parts were assigned by hand',
      { matched_by: 'hand' as const },
      { state: 'proven' as const },
      'held',
    ],
  ])('decides that a part payment for a charge with the maximum number of parts %s', (_, part, proof, decided) => {
    const charge = chargeOf({ parts: Array.from({ length: MAX_PART_PAYMENTS }, () => ({ ...PART, ...part })) });
    const arrived = { received_at: PAID, proof };
    expect(matchByReference(paymentOf({ amountPesewas: 1 }), arrived, charge)).toHaveProperty(decided);
  });

  test('accepts a payment until the charge expires', () => {
    expect(matchByReference(paymentOf(), { received_at: at(EXPIRES_MS) }, chargeOf())).toHaveProperty('pays');
  });

  test('accepts a payment whose time is up to five minutes before the charge', () => {
    const received_at = at(CREATED_MS - 5 * MINUTE_MS);
    expect(matchByReference(paymentOf(), { received_at }, chargeOf())).toHaveProperty('pays');
  });
});

describe('matching by receiving number', () => {
  test.each([
    [true, {}],
    [false, { momo_number: '+233241234568' }],
    [false, { momo_network: 'TELECEL' as const }],
  ])('returns %s for a charge with %j', (is, some) => {
    expect(isPaidOn(chargeOf(some), paymentOf(), NUMBER, [])).toBe(is);
    expect(isPaidOn(undefined, paymentOf(), NUMBER, [])).toBe(false);
  });

  test.each([
    [true, {}],
    [false, { merchant_id: 'kofi' }],
    [false, { network: 'TELECEL' as const }],
  ])('returns %s for a merchant with a different number and the account %j', (is, some) => {
    const own = { number: '+233241234568', network: 'MTN', account_name: 'AMA', merchant_id: 'shop' } as const;
    const account = { ...own, ...some };
    expect(isPaidOn(chargeOf(), paymentOf(), '+233241234568', [account])).toBe(is);
    const others = { ...own, merchant_id: 'yaw' };
    expect(isPaidOn(chargeOf(), paymentOf(), '+233241234568', [account, others])).toBe(is);
  });
});

describe('a charge', () => {
  test.each([
    [true, {}, PAID],
    [true, {}, at(EXPIRES_MS)],
    [false, {}, at(EXPIRES_MS + 1)],
    [true, { state: 'expired' as const }, at(EXPIRES_MS)],
    [false, { state: 'success' as const }, PAID],
    [false, { state: 'reversed' as const }, PAID],
    [false, { paid_as: 'MK-4071932685' }, PAID],
  ])('accepts payments (%s) with %j at %s', (is, some, receivedAt) => {
    expect(isWaiting(chargeOf(some), receivedAt)).toBe(is);
  });
});

describe('two charges', () => {
  test.each([
    [true, { customer_phone: '+233241112223' }, { customer_phone: '+233241112223' }],
    [false, { customer_phone: '+233241112223' }, { customer_phone: '+233241112224' }],
    [false, { customer_phone: '+233241112223' }, {}],
    [true, { email: 'Kofi@example.com' }, { email: 'kofi@EXAMPLE.com' }],
    [false, { email: 'kofi@example.com' }, { customer_phone: '+233241112223' }],
    [false, {}, {}],
    [true, { email: 'kofi@example.com', customer_phone: '+233241112223' }, { email: 'kofi@example.com' }],
    [
      false,
      { email: 'kofi@example.com', customer_phone: '+233241112223' },
      { email: 'kofi@example.com', customer_phone: '+233241112224' },
    ],
  ])('are attributed to the same customer (%s) with %j and %j', (is, one, other) => {
    expect(isSameCustomer(chargeOf(one), chargeOf(other))).toBe(is);
    expect(isSameCustomer(chargeOf(other), chargeOf(one))).toBe(is);
  });

  test('are not attributed to the same customer without a name', () => {
    const email = 'kofi@example.com';
    const [nameless, named] = [chargeOf({ email, customer_name: undefined }), chargeOf({ email })];
    expect(isSameCustomer(nameless, nameless)).toBe(false);
    expect(isSameCustomer(nameless, named)).toBe(false);
    expect(isSameCustomer(named, nameless)).toBe(false);
  });
});

describe('matching by name', () => {
  test.each([
    ['the only charge with this amount', 'Kofi Mensah', []],
    ['one of several charges', 'Mensah Kofi', ['Ama Owusu', undefined, 'Kofi Owusu', 'Kofi', 'K. Mensah']],
  ])('pays %s if the name matches', (_, customer_name, others) => {
    const charge = chargeOf({ customer_name });
    const open = [...others.map((name) => chargeOf({ customer_name: name })), charge];
    expect(matchByName(paymentOf(), { received_at: PAID }, open)).toEqual({ fits: charge });
  });

  test.each([
    ['no_charge', []],
    ['name_differs', ['Ama Owusu']],
    ['name_differs', [undefined]],
    ['name_differs', ['']],
    ['name_differs', ['Kofi']],
    ['name_differs', ['K. Mensah']],
    ['name_differs', [undefined, 'Ama Owusu', 'Kofi Owusu']],
    ['several_fit', ['Kofi Mensah', 'Kofi Mensah']],
    ['several_fit', ['Kofi Mensah', 'Mensah Kofi', 'Ama Owusu']],
  ])('holds the payment as %s if the open charges are for %j', (held, names) => {
    const open = names.map((customer_name) => chargeOf({ customer_name }));
    expect(matchByName(paymentOf(), { received_at: PAID }, open)).toEqual({ held });
  });

  test.each([
    ['e-mail address', { email: 'kofi@example.com' }],
    ['phone number', { customer_phone: '+233241112223' }],
  ])('pays the newest checkout of a customer with the same %s', (_, some) => {
    const first = chargeOf({ ...some, created_at: at(CREATED_MS + 1) });
    const last = chargeOf({ ...some, created_at: at(CREATED_MS + 2) });
    const between = chargeOf({ ...some, created_at: at(CREATED_MS) });
    expect(matchByName(paymentOf(), { received_at: PAID }, [first, last, between])).toEqual({ fits: last });
  });

  test('finds the disputed charge if one of the customer’s checkouts is disputed', () => {
    const open = chargeOf({ email: 'kofi@example.com' });
    const disputed = { ...open, disputed: { at: PAID, why: 'conflict' as const } };
    for (const charges of [[disputed], [open, disputed], [disputed, open]])
      expect(matchByName(paymentOf(), { received_at: PAID }, charges)).toEqual({ fits: disputed });
  });

  test.each([
    ['belongs to another merchant', { email: 'kofi@example.com', merchant_id: 'yaw' }],
    ['has another e-mail address', { email: 'eve@example.com' }],
    ['has no e-mail address', { email: undefined }],
    ['has an empty e-mail address', { email: '' }],
    ['has more names', { email: 'kofi@example.com', customer_name: 'Kofi Mensah Boateng' }],
  ])('holds the payment as several_fit if the other checkout %s', (_, some) => {
    const open = [chargeOf({ email: 'kofi@example.com' }), chargeOf(some)];
    const payment = paymentOf({ payerName: 'KOFI MENSAH BOATENG' });
    expect(matchByName(payment, { received_at: PAID }, open)).toEqual({ held: 'several_fit' });
    expect(matchByName(payment, { received_at: PAID }, [...open, ...open].reverse())).toEqual({ held: 'several_fit' });
  });

  test.each([
    ['paid in the meantime', { state: 'success' as const }],
    ['reversed', { state: 'reversed' as const }],
    ['for another amount', { amount_pesewas: 3_601 }],
    ['expired before the payment', { expires_at: at(Date.parse(PAID) - 1) }],
    ['created more than a minute after the payment', { created_at: at(Date.parse(PAID) + 60_001) }],
    ['created more than two hours before the payment', { created_at: at(Date.parse(PAID) - 2 * HOUR_MS - 1) }],
  ])('ignores a charge that is %s', (_, some) => {
    const [gone, charge] = [chargeOf(some), chargeOf()];
    expect(matchByName(paymentOf(), { received_at: PAID }, [gone])).toEqual({ held: 'no_charge' });
    expect(matchByName(paymentOf(), { received_at: PAID }, [gone, charge])).toEqual({ fits: charge });
  });

  test.each([
    ['expires at the moment of payment', { expires_at: PAID }],
    ['lacks the amount', { amount_pesewas: 3_601, parts: [PART] }],
    ['has the amount but already a part', { parts: [PART] }],
    ['was created up to a minute later', { created_at: at(Date.parse(PAID) + 60_000) }],
    ['was created two hours earlier', { created_at: at(Date.parse(PAID) - 2 * HOUR_MS) }],
  ])('considers a charge that %s', (_, some) => {
    expect(matchByName(paymentOf(), { received_at: PAID }, [chargeOf(some)])).toHaveProperty('fits');
  });

  test('never matches based on the amount alone', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{0,6}$/);
    const name = fc.option(
      fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
      { nil: undefined },
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), name, (names, payerName = '') => {
        fc.pre(names.every((customer_name) => !fitsPayer(chargeOf({ customer_name }), payerName)));
        const open = names.map((customer_name) => chargeOf({ customer_name }));
        expect(matchByName(paymentOf({ payerName }), { received_at: PAID }, open)).toHaveProperty('held');
      }),
    );
  });

  test('pays a charge only if no other charge matches equally well', () => {
    const name = fc.constantFrom(undefined, '', 'Kofi', 'K. Mensah', 'Kofi Mensah', 'Mensah', 'Ama Owusu');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), (names) => {
        const open = names.map((customer_name) => chargeOf({ customer_name }));
        const fit = names.filter((one) => one === 'Kofi Mensah');
        expect('fits' in matchByName(paymentOf(), { received_at: PAID }, open)).toBe(fit.length === 1);
      }),
      { numRuns: 500 },
    );
  });
});

function at(ms: number): string {
  return new Date(ms).toISOString();
}

function paymentOf(some: Partial<WalletPayment> = {}): WalletPayment {
  return {
    kind: 'payment',
    network: 'MTN',
    amountPesewas: 3_600,
    payerName: 'KOFI MENSAH',
    payerPhone: null,
    reference: null,
    transactionId: '51234567890',
    balancePesewas: null,
    chargesPesewas: null,
    payerIsInstitution: false,
    via: null,
    ...some,
  };
}

function chargeOf(some: Partial<Charge> = {}): Charge {
  return storedCharge({ amount_pesewas: 3_600, customer_name: 'Kofi Mensah', ...some });
}
