import { describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { addUp } from '../../../shared/money/booking/totals.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { type WaitingRows, waitingView } from '../../../shared/pages/dashboard/today/waiting-view.ts';
import type { SuspectedReversal } from '../../../shared/wallets/wallet/wallet-notice.table.ts';
import type { WebhookEndpoint } from '../../../shared/webhook/endpoint.table.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';

const AT = '2026-11-20T10:00:00.000Z';
const outside = { now: () => Date.parse(AT) };
const nothing: WaitingRows = {
  days: [],
  changes: undefined,
  wallets: [],
  questions: [],
  held: undefined,
  unreadTexts: undefined,
  codes: undefined,
  limitReachedAt: undefined,
  falls: [],
  charges: [],
  webhooks: [],
  seesTexts: false,
  credits: undefined,
};
const unread = (count: number, hasMore = false) => ({ count, hasMore });
const tasks = (rows: Partial<WaitingRows>) => waitingView(outside, { ...nothing, ...rows });

test('the to-do list is empty if there is nothing to do', () => {
  expect(tasks({})).toEqual([]);
});

test.each([
  [
    'silent for two days',
    { isSilent: true, phoneAt: '2026-11-18T10:00:00.000Z' },
    ['024\u00a0123\u00a04567, last seen 2 days ago'],
  ],
  [
    'silent since its last text',
    { isSilent: true, textAt: '2026-11-20T07:00:00.000Z' },
    ['024\u00a0123\u00a04567, last seen 3 h ago'],
  ],
  ['online', { isSilent: false, phoneAt: AT }, []],
])('a phone has the correct to-do entry if it is %s', (_, heard, which) => {
  const account = { network: 'MTN', number: '+233241234567', account_name: 'AMA STORES' } as const;
  const wallet = {
    account,
    isShared: false,
    textAt: undefined,
    phoneAt: undefined,
    summary: undefined,
    asked: undefined,
    suspected: [],
  };
  const shown = tasks({ wallets: [{ ...wallet, ...heard }], unreadTexts: unread(1) });
  expect(shown.map((task) => task.which).slice(0, -1)).toEqual(which);
  if (heard.isSilent)
    expect(shown[0]).toMatchObject({
      what: 'Your MTN phone is silent',
      href: '/dashboard/today#wallets',
    });
});

describe('held payments on the to-do list', () => {
  const receipt: Receipt = {
    receipt_id: 'MTN-1',
    network: 'MTN',
    momo_number: '+233241234567',
    sender: 'MobileMoney',
    text: '',
    received_at: AT,
    state: 'held',
    amount_pesewas: arrivedPesewas(12_00),
    proof: { state: 'proven' },
  };

  test('are summarised in one line', () => {
    expect(tasks({ held: { receipts: [receipt, receipt], hasMore: false } })).toEqual([
      {
        what: '2 payments to match',
        which: 'GHS 24.00, verified',
        sum: { payments: 2, pesewas: 24_00, unverifiedPesewas: 0 },
        href: '/dashboard/held',
        count: 2,
      },
    ]);
  });

  test.each<Receipt['reason']>([
    'large_amount',
    'already_paid',
    'amount_of_another',
    'charge_expired',
    'charge_cancelled',
    'charge_reversed',
  ])('are to be checked if a verified payment needs a look at the wallet: %s', (reason) => {
    const other: Receipt = { ...receipt, reason };
    expect(tasks({ held: { receipts: [receipt, other], hasMore: false } })).toMatchObject([
      { what: '2 payments to check', which: 'GHS 24.00, not on a bill yet' },
    ]);
  });

  test('show how much of their money is not verified', () => {
    const unverified: Receipt = { ...receipt, proof: { state: 'unproven' } };
    expect(tasks({ held: { receipts: [receipt, unverified], hasMore: true } })).toMatchObject([
      {
        what: 'At least 2 payments to check',
        which: 'GHS 24.00 or more, not on a bill yet',
        sum: { payments: 2, pesewas: 24_00, unverifiedPesewas: 12_00 },
      },
    ]);
  });

  test('are excluded while being checked', () => {
    const checking: Receipt = { ...receipt, reason: 'checking' };
    expect(tasks({ held: { receipts: [checking], hasMore: false } })).toEqual([]);
  });
});

describe('a suspected reversal on the to-do list', () => {
  const fall: SuspectedReversal = {
    kind: 'reversal_suspected',
    merchant_id: 'shop',
    network: 'MTN',
    momo_number: '+233241234567',
    amount_pesewas: 36_00,
    from: AT,
    to: AT,
    payments: [{ transaction_id: '1', reference: 'MK-1111111111' }, { transaction_id: '2' }],
    received_at: AT,
  };

  test('counts as one task despite several possible payments', () => {
    expect(tasks({ falls: [fall] })).toMatchObject([
      {
        which: 'MK-1111111111',
        isReference: true,
        detail: 'check your MTN wallet',
        href: '/dashboard/charges/MK-1111111111',
        count: 1,
      },
      { which: 'GHS\u00a036.00', href: '/dashboard/held', count: 0 },
    ]);
  });

  test('disappears once the network’s text has reversed a payment that was suspected', () => {
    const payment = { ...storedPayment('paid', 36_00, { reversal_suspected_at: AT }), transaction_id: '1' };
    const reversed = { state: 'reversed' as const, reversed_at: '2026-11-20T11:00:00.000Z', payment };
    expect(tasks({ falls: [fall], charges: [storedCharge({ reference: 'MK-1111111111', ...reversed })] })).toEqual([]);
  });

  test.each(['reversed_at', 'unmarked_at'])('disappears once the charge has %s', (field) => {
    const charges = [storedCharge({ reference: 'MK-1111111111', [field]: '2026-11-20T11:00:00.000Z' })];
    expect(tasks({ falls: [fall], charges })).toEqual([]);
  });

  test('keeps the payments that are still in doubt once another was removed', () => {
    const doubted = { ...storedPayment('paid', 36_00, { reversal_suspected_at: AT }), transaction_id: '2' };
    const charges = [
      storedCharge({ reference: 'MK-1111111111', unmarked_at: '2026-11-20T11:00:00.000Z' }),
      storedCharge({ reference: 'MK-2222222222', payment: doubted }),
    ];
    const payments = [
      { transaction_id: '1', reference: 'MK-1111111111' },
      { transaction_id: '2', reference: 'MK-2222222222' },
    ];
    expect(tasks({ falls: [{ ...fall, payments }], charges })).toMatchObject([{ which: 'MK-2222222222', count: 1 }]);
  });

  test.each([
    ['leaves out a payment that a person found', { looked_by: 'ama' }, 1],
    ['keeps a payment that a person had found before', { looked_by: 'ama', reversal_suspected_at: AT }, 2],
    ['keeps a payment about which nobody has decided', {}, 2],
  ])('%s', (_, some, count) => {
    const payment = { ...storedPayment('paid', 36_00, some), transaction_id: '1' };
    const charges = [storedCharge({ reference: 'MK-1111111111', payment })];
    expect(tasks({ falls: [fall], charges })).toHaveLength(count);
  });
});

describe('a webhook on the to-do list', () => {
  const webhook: WebhookEndpoint = {
    merchant_id: 'shop',
    key_kind: 'live',
    url: 'https://shop.example.com/',
    created_at: AT,
    secrets: [{ secret: 'whsec_1' }],
  };
  const failing = (ms: number) => ({ ...webhook, failing_since: new Date(Date.parse(AT) - ms).toISOString() });

  test.each([
    ['works', webhook, []],
    ['has failed for less than ten minutes', failing(599_999), []],
    ['has failed for ten minutes', failing(600_000), [{ which: 'Failing since 20 Nov 2026, 09:50' }]],
    ['has been disabled', { ...failing(600_000), disabled_at: AT }, [{ which: 'Switched off' }]],
  ])('has the correct entry if it %s', (_, given, expected) => {
    expect(tasks({ webhooks: [given] })).toMatchObject(expected);
  });
});

test('disputed bills are listed newest first', () => {
  const day = (n: number, disputed: string[]) => ({
    day: `2026-11-${n}`,
    totals: addUp([{ texts_failed: 1 }]),
    disputed,
  });
  const days = [day(10, ['MK-0000000000']), ...[11, 12, 13, 14, 15, 16, 17].map((n) => day(n, [`MK-00000000${n}`]))];
  const disputed = { at: AT, why: 'conflict' } as const;
  const inDoubt = days.flatMap(({ disputed: [reference = ''] }) => storedCharge({ reference, disputed }));
  const shown = tasks({ days, charges: inDoubt, seesTexts: true });
  expect(shown.map(({ which }) => which)).toEqual([
    ...['MK-0000000017', 'MK-0000000016', 'MK-0000000015', 'MK-0000000014', 'MK-0000000013', 'MK-0000000012'],
    'In 7 days',
  ]);
  expect(shown.at(-1)?.what).toBe('7 texts failed');
  expect(tasks({ days, charges: inDoubt }).at(-1)?.what).toBe('Bill in doubt');
  // Ended disputes do not hide the bills that are still in doubt.
  const left = inDoubt.slice(0, 2);
  expect(tasks({ days, charges: left }).map(({ which }) => which)).toEqual(['MK-0000000011']);
  // Nobody can decide about a bill that has ended.
  for (const state of ['cancelled', 'expired'] as const)
    expect(tasks({ days, charges: inDoubt.map((one) => ({ ...one, state })) })).toEqual([]);
});

test.each([
  ['are low', { balance: 3, lifted_by: 'top-up' }, [{ which: '3 left' }]],
  ['are used up', { balance: 0, lifted_by: 'top-up' }, [{ which: '0 left' }]],
  ['have never been bought', { balance: 0 }, []],
  ['are sufficient', { balance: 10, lifted_by: 'top-up' }, []],
])('credits have the correct to-do entry if they %s', (_, credits, expected) => {
  expect(tasks({ credits: { owed: 0, low_below: 10, ...credits } })).toMatchObject(expected);
});

test('a used-up limit and unread texts are on the to-do list', () => {
  expect(tasks({ limitReachedAt: AT, unreadTexts: unread(3) })).toMatchObject([
    { what: '3 MoMo messages not understood', href: '/dashboard/held?list=unread', count: 3 },
    { what: 'Today’s limit is used up', which: 'For payments that are not verified', count: 1 },
  ]);
});

test('customers who wait for a code are on the to-do list', () => {
  const codes = { count: 1, hasMore: false, slug: 'k7m2q9x4' };
  const href = '/dashboard/links/k7m2q9x4';
  expect(tasks({ codes })).toMatchObject([{ what: '1 customer waiting for a code', href, count: 1 }]);
  expect(tasks({ codes: { ...codes, count: 50, hasMore: true } })).toMatchObject([
    { what: 'At least 50 customers waiting for a code', href, count: 50 },
  ]);
});

test('the to-do list says “at least” if there are more unread texts than it counts', () => {
  expect(tasks({ unreadTexts: unread(50, true) })).toMatchObject([
    { what: 'At least 50 MoMo messages not understood' },
  ]);
});

describe('setting changes on the to-do list', () => {
  const change = { kind: 'name', number: '+233241234567', network: 'MTN', from: 'A', to: 'B' } as const;
  const waiting = { id: '1', merchant_id: 'shop', place: 1, change, by: 'kofi', at: AT, expires_at_epoch_seconds: 1 };
  test('show pending changes first', () => {
    const unseen = [{ changes: [change, change], by: 'gone', at: AT }];
    expect(tasks({ changes: { waiting: [waiting], outdated: [waiting], unseen } })).toMatchObject([
      { what: 'Needs your confirmation', which: 'Change the name of 024 123 4567, MTN MoMo' },
      { what: 'Outdated', which: 'Change the name of 024 123 4567, MTN MoMo' },
      { what: 'Was changed', which: 'Change the name of 024 123 4567, MTN MoMo and 1 more' },
    ]);
  });

  test('are summarised if there are more than four', () => {
    const changes = { waiting: Array.from({ length: 6 }, () => waiting), outdated: [], unseen: [] };
    const shown = tasks({ changes });
    expect(shown).toHaveLength(5);
    expect(shown.at(-1)).toMatchObject({ what: '2 more setting changes', count: 1 });
  });

  test('show each new number on a line of its own, however many changes there are', () => {
    const number = { kind: 'add', number: '+233204000009', network: 'TELECEL', account_name: 'AMA STORES' } as const;
    const changes = { waiting: [...Array.from({ length: 6 }, () => waiting), { ...waiting, change: number }] };
    expect(tasks({ changes: { ...changes, outdated: [], unseen: [] } })[0]).toMatchObject({
      what: 'New number for customers’ money',
      which: '020\u00a0400\u00a00009 needs your confirmation',
      isOpen: true,
    });
  });
});
