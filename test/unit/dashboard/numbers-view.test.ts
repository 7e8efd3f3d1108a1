import { describe, expect, test } from 'vitest';
import { MAX_MOMO_ACCOUNTS } from '../../../shared/merchants/merchant/merchant.ts';
import type { Role } from '../../../shared/merchants/user/permissions.ts';
import { mayAddNumber, type NumbersRows, numbersView } from '../../../shared/pages/dashboard/settings/numbers-view.ts';

const mtn = { number: '+233241234567', network: 'MTN', account_name: 'AMA' } as const;
const at = { number: '+233261234567', network: 'AT', account_name: 'AMA' } as const;
const rows: NumbersRows = {
  merchant: { momo_accounts: [mtn] },
  user: { role: 'owner' },
  others: [[]],
  isHeard: [true],
  asked: [],
};

test('a working number has no advice', () => {
  expect(numbersView(rows)).toEqual({
    asked: [],
    mayChange: true,
    numbers: [
      {
        number: '024 123 4567',
        network: 'MTN MoMo',
        name: 'AMA',
        remarks: [{ tone: 'plain', label: 'Shown first' }],
        href: '/dashboard/settings/numbers/0241234567',
      },
    ],
    advice: [],
    unread: [],
  });
});

test('each number lists its problems once', () => {
  const momo_accounts = [mtn, { ...mtn, number: '+233241234568' }, at];
  const others = [['other'], [], []];
  const view = numbersView({ ...rows, merchant: { momo_accounts }, others, isHeard: [true, false, false] });
  expect(view.numbers.map(({ remarks }) => remarks.map(({ label }) => label))).toEqual([
    ['Shown first', 'Shared'],
    ['No payment yet'],
    ['Checked by you', 'No text yet'],
  ]);
  expect(view.advice).toEqual(['order', 'no_payment', 'shared']);
  expect(view.unread).toEqual([expect.stringContaining('Payment messages from AT Money cannot be read yet.')]);
});

test('numbers awaiting confirmation by support are listed', () => {
  expect(numbersView({ ...rows, asked: ['+233201234567'] }).asked).toEqual(['020 123 4567']);
});

describe('edit links for a shop’s numbers', () => {
  test.each<[Role, boolean]>([
    ['owner', true],
    ['manager', true],
    ['viewer', false],
  ])('are shown only with permission: %s', (role, mayChange) => {
    const view = numbersView({ ...rows, user: { role } });
    expect({ mayChange: view.mayChange, hasLink: view.numbers[0]?.href !== undefined }).toEqual({
      mayChange,
      hasLink: mayChange,
    });
    expect(mayAddNumber(rows.merchant, { role })).toBe(mayChange);
  });

  test('do not include one for a new number once the maximum is reached', () => {
    const momo_accounts = Array.from({ length: MAX_MOMO_ACCOUNTS }, () => mtn);
    expect(mayAddNumber({ momo_accounts }, { role: 'owner' })).toBe(false);
  });
});
