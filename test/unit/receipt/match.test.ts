import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chargeReferenceIn, matchByName, matchByReference } from '../../../shared/receipt/match.ts';
import { compareNames } from '../../../shared/receipt/names.ts';
import type { Payment } from '../../../shared/receipt/read-receipt.ts';
import type { Transaction } from '../../../shared/transaction/transaction.table.ts';

const NUMBER = '+233241234567';
const CREATED_MS = Date.parse('2026-01-07T11:00:00.000Z');
const EXPIRES_MS = CREATED_MS + 24 * 60 * 60 * 1000;
const PAID = at(CREATED_MS + 60_000);

describe('the reference that a payer typed', () => {
  test.each([
    'MK-0123456789',
    'mk-0123456789',
    'MK0123456789',
    'mk0123456789',
    'Mk 0123 456 789',
    'MK 0123-456789',
    'MK#0123456789',
    'MK–0123456789.',
    ' 0123456789 ',
    '0123456789',
    '012-345-6789',
    '(mk) 0123456789!',
  ])('%j is MK-0123456789', (typed) => {
    expect(chargeReferenceIn(typed)).toBe('MK-0123456789');
  });

  test.each([
    null,
    '',
    ' ',
    '1',
    'MK',
    'MK-',
    'MK-012345678',
    'MK-01234567890',
    'M-0123456789',
    'KM-0123456789',
    'MKK-0123456789',
    'MK-0123456789 MK-9876543210',
    'MK-0123456789 rent',
    'rent MK-0123456789',
    '0123456789MK',
    'MK-O123456789',
    'ΜΚ-O123456789',
    'MK-०१२३४५६७८९',
    '٠١٢٣٤٥٦٧٨٩',
    'school fees',
  ])('%j is none', (typed) => {
    expect(chargeReferenceIn(typed)).toBeUndefined();
  });
});

describe('by reference', () => {
  test('pays the charge that it names', () => {
    const charge = chargeOf();
    expect(matchByReference(paymentOf(), NUMBER, PAID, charge)).toEqual({ pays: charge, matchedBy: 'reference' });
  });

  test('whatever the names, and where the charge has none', () => {
    const charge = chargeOf({ customer_name: undefined });
    expect(matchByReference(paymentOf({ payerName: 'AMA OWUSU' }), NUMBER, PAID, charge)).toHaveProperty('pays');
  });

  test.each([
    ['amount_differs', { amountPesewas: 3_599 }, {}, PAID],
    ['amount_differs', { amountPesewas: 3_601 }, {}, PAID],
    ['charge_expired', {}, {}, at(EXPIRES_MS + 1)],
    ['already_paid', {}, { state: 'success' as const }, PAID],
    ['already_paid', {}, { state: 'reversed' as const }, PAID],
    // What is certain first: a second payment is one whatever its amount or time.
    ['already_paid', { amountPesewas: 1 }, { state: 'success' as const }, at(EXPIRES_MS + 1)],
  ])('is held, %s, about that charge: %j %j', (held, payment, some, receivedAt) => {
    const charge = chargeOf(some);
    expect(matchByReference(paymentOf(payment), NUMBER, receivedAt, charge)).toEqual({ held, about: charge });
  });

  test('is in time up to the last moment', () => {
    expect(matchByReference(paymentOf(), NUMBER, at(EXPIRES_MS), chargeOf())).toHaveProperty('pays');
  });

  test.each([
    ['no charge', undefined],
    ['a charge of another number', chargeOf({ momo_number: '+233241234568' })],
    ['a charge of another network', chargeOf({ momo_network: 'TELECEL' })],
  ])('names %s: then it was not meant as one', (_, charge) => {
    expect(matchByReference(paymentOf(), NUMBER, PAID, charge)).toBeUndefined();
  });
});

describe('by name', () => {
  test.each([
    ['the one charge of this amount', 'Kofi Mensah', []],
    ['one of several, by two words', 'Mensah Kofi', ['Ama Owusu', undefined, 'Kofi Owusu']],
    ['the only charge, by one word', 'Kofi', []],
  ])('pays %s', (_, customer_name, others) => {
    const charge = chargeOf({ customer_name });
    const open = [...others.map((name) => chargeOf({ customer_name: name })), charge];
    expect(matchByName(paymentOf(), PAID, open)).toEqual({ pays: charge, matchedBy: 'name' });
  });

  test.each([
    ['no_charge', []],
    ['name_differs', ['Ama Owusu']],
    ['name_differs', [undefined]],
    ['name_differs', ['']],
    ['name_differs', [undefined, 'Ama Owusu', 'Kofi Owusu']],
    ['several_fit', ['Kofi Mensah', 'Kofi Mensah']],
    ['several_fit', ['Kofi Mensah', 'K. Mensah']],
    ['several_fit', ['Kofi Mensah', 'Kofi']],
    ['several_fit', ['Kofi', 'Mensah']],
    // One word is not enough beside another charge that could be meant, even one without a name.
    ['several_fit', ['Kofi', undefined]],
    ['several_fit', ['Kofi', 'Ama Owusu']],
  ])('is held, %s, where charges of the amount are open for %j', (held, names) => {
    const open = names.map((customer_name) => chargeOf({ customer_name }));
    expect(matchByName(paymentOf(), PAID, open)).toEqual({ held });
  });

  test.each([
    ['paid meanwhile', { state: 'success' as const }],
    ['reversed', { state: 'reversed' as const }],
    ['of another amount', { amount_pesewas: 3_601 }],
    ['of another network', { momo_network: 'TELECEL' as const }],
    ['expired before the payment', { expires_at: at(Date.parse(PAID) - 1) }],
    ['made more than a minute after the payment', { created_at: at(Date.parse(PAID) + 60_001) }],
  ])('a charge that is %s does not fit, and is in nobody’s way', (_, some) => {
    const [gone, charge] = [chargeOf(some), chargeOf()];
    expect(matchByName(paymentOf(), PAID, [gone])).toEqual({ held: 'no_charge' });
    expect(matchByName(paymentOf(), PAID, [gone, charge])).toEqual({ pays: charge, matchedBy: 'name' });
  });

  test.each([
    ['expires at that moment', { expires_at: PAID }],
    ['was made within the minute that a phone’s clock may be behind', { created_at: at(Date.parse(PAID) + 60_000) }],
  ])('a charge that %s fits', (_, some) => {
    expect(matchByName(paymentOf(), PAID, [chargeOf(some)])).toHaveProperty('pays');
  });

  test('the amount alone never confirms', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{0,6}$/);
    const name = fc.option(
      fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
      { nil: undefined },
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), name, (names, payerName = '') => {
        fc.pre(names.every((one) => compareNames(one ?? '', payerName) === 'different'));
        const open = names.map((customer_name) => chargeOf({ customer_name }));
        expect(matchByName(paymentOf({ payerName }), PAID, open)).toHaveProperty('held');
      }),
    );
  });

  test('pays a charge only where no other one fits', () => {
    const name = fc.constantFrom(
      undefined,
      '',
      'Kofi',
      'K. Mensah',
      'Kofi Mensah',
      'Mensah',
      'Ama Owusu',
      'Kofi Owusu',
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), (names) => {
        const open = names.map((customer_name) => chargeOf({ customer_name }));
        const decision = matchByName(paymentOf(), PAID, open);
        const fit = names.filter((one) => compareNames(one ?? '', 'KOFI MENSAH') !== 'different');
        if ('pays' in decision) expect(fit).toHaveLength(1);
        else expect(fit).not.toEqual(['Kofi Mensah']);
      }),
      { numRuns: 500 },
    );
  });
});

function at(ms: number): string {
  return new Date(ms).toISOString();
}

function paymentOf(some: Partial<Payment> = {}): Payment {
  return {
    kind: 'payment',
    network: 'MTN',
    amountPesewas: 3_600,
    payerName: 'KOFI MENSAH',
    payerPhone: null,
    reference: null,
    transactionId: '51234567890',
    ...some,
  };
}

function chargeOf(some: Partial<Transaction> = {}): Transaction {
  return {
    reference: 'MK-0123456789',
    access_code: '0'.repeat(22),
    merchant_id: 'ama',
    merchant_name: 'Ama Stores',
    state: 'pending',
    amount_pesewas: 3_600,
    momo_number: NUMBER,
    momo_network: 'MTN',
    momo_account_name: 'AMA STORES',
    customer_name: 'Kofi Mensah',
    created_at: at(CREATED_MS),
    expires_at: at(EXPIRES_MS),
    ...some,
  };
}
