import { describe, expect, test } from 'vitest';
import { causeOfHeld, causesOf } from '../../../shared/events/causes.ts';
import { Charge } from '../../../shared/money/charge/charge.table.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';

const AT = '2026-11-20T10:00:00.000Z';
const REFERENCE = 'MK-0123456789';
const STATES = ['charge.success', 'charge.expired', 'charge.cancelled', 'charge.reversed', 'charge.disputed'];
const refund = { refund_id: 'refund', amount_pesewas: 5_00, state: 'sent', noted_at: AT };

describe('the causes of a charge’s events', () => {
  test('consist of its reference if it has no payments', () => {
    expect(causesOfCharge({})).toEqual(STATES.map((type) => ({ type, cause: REFERENCE })));
  });

  test('include each payment and refund', () => {
    const parts = [storedPayment('ten', 10_00), storedPayment('twenty', 20_00)];
    const paid = { state: 'success', parts, payment: storedPayment('thirty', 30_00), refunds: [refund] };
    expect(causesOfCharge(paid).slice(STATES.length)).toEqual([
      ...['ten', 'twenty', 'thirty'].map((id) => ({ type: 'charge.partly_paid', cause: `${REFERENCE} ${id}` })),
      { type: 'charge.refunded', cause: `${REFERENCE} refund` },
    ]);
  });

  test('include each undone mark of the charge', () => {
    const again = `${REFERENCE} ${AT}`;
    expect(causesOfCharge({ unmarked_at: AT })).toEqual([
      ...STATES.flatMap((type) => [REFERENCE, again].map((cause) => ({ type, cause }))),
      { type: 'charge.unmarked', cause: again },
    ]);
    expect(causesOfCharge({ unmarked_at: AT, parts: [storedPayment('ten', 10_00)] }).slice(-2)).toEqual(
      [REFERENCE, again].map((cause) => ({ type: 'charge.partly_paid', cause: `${cause} ten` })),
    );
  });

  test('include a new dispute after an earlier dispute has ended', () => {
    const later = { type: 'charge.disputed', cause: `${REFERENCE} ${AT}` };
    expect(causesOfCharge({ earlier_dispute_at: AT })).toContainEqual(later);
  });

  test('include a reversal that came into doubt later, each once', () => {
    const disputed = { at: AT, why: 'conflict', reversal_at: AT };
    const causes = causesOfCharge({ disputed }).filter(({ type }) => type === 'charge.disputed');
    expect(causes.map(({ cause }) => cause)).toEqual([REFERENCE, `${REFERENCE} reversal`]);
  });
});

describe('the cause of a held payment’s event', () => {
  const held = { receipt_id: 'receipt', reason: 'several_fit' } as const;

  test.each([
    [
      'contains the suggested charge',
      { ...held, suggested_reference: REFERENCE },
      'MK-1',
      `receipt several_fit ${REFERENCE}`,
    ],
    ['contains the previously paid charge', held, 'MK-1', 'receipt several_fit MK-1'],
    ['contains no charge if there is none', held, undefined, 'receipt several_fit '],
  ])('%s', (_, receipt, paid, expected) => {
    expect(causeOfHeld(receipt, paid)).toBe(expected);
  });
});

function causesOfCharge(fields: object) {
  return causesOf(Charge.parse(rowOf('TRANSACTION', { ...fields })));
}
