import { describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import {
  mayAskFor,
  paymentIdFor,
  receiptFor,
  startFor,
  timeOfShownId,
  WEBHOOK,
  withoutBalanceWords,
  withoutIds,
} from '../../../shared/money/receipt/shown-receipt.ts';

const HELD: Receipt = {
  receipt_id: 'MTN-244123456-62841953770',
  state: 'held',
  network: 'MTN',
  transaction_id: '62841953770',
  amount_pesewas: arrivedPesewas(36_00),
  balance_pesewas: 1_136_50,
  text: 'Payment received for GHS 36.00. Current Balance: GHS 1,136.50. Transaction ID: 62841953770.',
  received_at: '2026-11-27T09:00:00.000Z',
};
const CASHIER = { seesBalances: false, seesIds: false };

describe('a held payment', () => {
  test('has its full id but no balance in a webhook event', () => {
    const { balance_pesewas: _, ...others } = HELD;
    const text = 'Payment received for GHS 36.00. Current Balance: GHS …. Transaction ID: 62841953770.';
    expect(receiptFor(WEBHOOK, HELD)).toEqual({ ...others, text });
  });

  test('has only the end of its id, also in its text, for a reader without permission', () => {
    expect(receiptFor({ ...CASHIER, seesBalances: true }, HELD)).toEqual({
      ...HELD,
      receipt_id: `${Date.parse(HELD.received_at)}-3770`,
      transaction_id: '…3770',
      text: 'Payment received for GHS 36.00. Current Balance: GHS 1,136.50. Transaction ID: …3770.',
    });
  });

  test('is shown without a text if its id was typed by hand', () => {
    const { transaction_id, text } = receiptFor(CASHIER, { ...HELD, text: undefined });
    expect({ transaction_id, text }).toEqual({ transaction_id: '…3770', text: undefined });
  });
});

test.each([
  ['Got GHS 1,234.50 from Ama, 7 yards', 'Got GHS … from Ama, … yards'],
  [undefined, undefined],
])('an unread text hides every number from a reader who may not see balances: %s', (text, shown) => {
  const { receipt_id, received_at } = HELD;
  expect(receiptFor(CASHIER, { receipt_id, received_at, state: 'unread', text })).toHaveProperty('text', shown);
});

test.each(['Bal: GHS 5.00', 'Balance: GHS 1,005', `Balance${' '.repeat(40)}5.00`])(
  'the balance in %j is hidden',
  (text) => {
    expect(withoutBalanceWords(text)).toMatch(/^Bal\D*…$/);
  },
);

test('a held text without a transaction id is found by readers without permission', () => {
  expect(mayAskFor(CASHIER, HELD)).toBe(false);
  expect(mayAskFor(CASHIER, { ...HELD, transaction_id: undefined })).toBe(true);
});

test.each([
  [true, 'hand', '62841953770'],
  [true, 'reference', '62841953770'],
  [false, 'reference', '62841953770'],
  [false, 'hand', '…3770'],
  [false, 'claim', '…3770'],
] as const)('a reader with permission %s sees the id of a payment matched by %s as %s', (seesIds, matched_by, id) => {
  expect(paymentIdFor({ seesIds }, { transaction_id: '62841953770', matched_by })).toBe(id);
});

test('an event is unchanged for a reader who may see ids', () => {
  const json = JSON.stringify({ transaction_id: '62841953770', status: 'held' });
  expect(withoutIds({ seesIds: true }, json)).toBe(json);
});

test('only a complete shown id has a time', () => {
  const id = '1795770000000-3770';
  expect(timeOfShownId(id)).toBe(new Date(1_795_770_000_000).toISOString());
  expect([`1${id}`, `${id}1`, `MTN-${id}`].map(timeOfShownId)).toEqual([undefined, undefined, undefined]);
});

test('the start of a page is cut to its time only for readers without permission', () => {
  const start = { pk: 'RECEIPT#MTN-244123456-62841953770', sk: 'RECEIPT', sort: '2026-11-27T09:00:00.000Z#MTN-1' };
  expect(startFor(WEBHOOK, start)).toEqual(start);
  expect(startFor(CASHIER, start)).toEqual({ pk: 'RECEIPT#', sk: 'RECEIPT', sort: '2026-11-27T09:00:00.000Z#' });
  expect([startFor(WEBHOOK, undefined), startFor(CASHIER, undefined)]).toEqual([undefined, undefined]);
});
