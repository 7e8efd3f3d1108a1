import { describe, expect, test } from 'vitest';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { mtn, telecel } from '../../../support/receipts.ts';

/*
 * A name and a status stand at the same place of a text. Names of shops and sayings are read, whatever words they hold; anything that
 * may be said of the payment is left to a person.
 */

const NAMES = [
  ...['THY WILL BE DONE ENTERPRISE', 'THY WILL BE DONE', 'NOT YET FASHION', 'REVERSE OSMOSIS WATER LTD'],
  ...['MERCY:GRACE ENTERPRISE', 'MERCY: GRACE ENTERPRISE', 'MERCY:GRACE', 'PSALM 23:1 VENTURES', 'JOHN 3:16 ENT'],
  ...['GOD HAS BEEN GOOD', 'GOD IS NOT DEAD VENTURES', 'JESUS IS NOW TRADING ENTERPRISE', 'CHRIST HAS NOT CHANGED'],
  ...["GOD'S WILL BE DONE", 'LET THY WILL BE DONE', 'LOVE NEVER FAILED VENTURES', 'PENDING MIRACLE MINISTRIES'],
  ...[
    'COMPLETE AUTO PARTS',
    'APPROVED AUTO PARTS LTD',
    'ON HOLD CREATIONS',
    'NOT NOW BOUTIQUE GH LTD',
    'AWAITING GRACE CHAPEL',
  ],
  ...[
    'CONFIRMED HARDWARE & BLOCKS',
    'CANCELLED DEBTS FOUNDATION',
    'IT IS DONE FOODS',
    'THANK YOU JESUS',
    'LIFE IS GOOD',
  ],
  ...['WILL HASFORD', 'MAY OWUSU', 'DR. MENSAH', 'ST. MARY SCHOOL', 'REF KONADU', 'FREE CALL VENTURES', 'KOFI BANK'],
  ...[
    'MOSES IS BACK ENTERPRISE',
    'WHO IS WHO',
    'PATIENCE PROGRESS ADDO',
    'COMFORT HOLDBROOK',
    'RETURN TO SENDER STORES',
  ],
];

const STATUSES = [
  // Pending.
  ...['is pending', 'is pending approval', 'pending', 'pending approval', 'is now pending', '- pending', '(pending)'],
  ...['is awaiting confirmation', 'awaiting your approval', 'is waiting for approval', 'is on hold', 'on hold'],
  ...[
    'has been put on hold',
    'is being processed',
    'is processing',
    'is in progress',
    'in progress',
    'is under review',
  ],
  ...[
    'is queued',
    'will be credited',
    'will be processed within 24 hours',
    'is to be approved',
    'not yet',
    'not yet approved',
  ],
  ...['is not yet paid', 'is yet to be completed', 'is still on its way', 'is on its way', 'has been delayed'],
  // Failed.
  ...[
    'failed',
    'has failed',
    'failed.',
    'has not been successful',
    'was unsuccessful',
    'unsuccessful',
    'was not successful',
  ],
  ...['did not go through', 'could not be completed', 'cannot be completed', "hasn't been completed", 'has timed out'],
  ...[
    'timed out',
    'was declined',
    'declined',
    'was rejected',
    'rejected',
    'has been refused',
    'was denied',
    'has expired',
  ],
  ...[
    'expired',
    'is blocked',
    'has insufficient funds',
    'has been suspended',
    'bounced',
    'has bounced back',
    'is invalid',
  ],
  ...['was aborted', 'was voided', 'is void', 'failed due to insufficient funds', 'was lost', 'went back', 'try again'],
  // Requested.
  ...['requested', 'has requested', 'is requesting', 'has been requested', 'wants to pay', 'would like to pay'],
  ...[
    'has been initiated',
    'was initiated',
    'please approve',
    'please confirm',
    'subject to approval',
    'needs approval',
  ],
  ...[
    'unless you accept',
    'once approved',
    'until you approve',
    'to be confirmed',
    'enter PIN',
    'requires authorisation',
  ],
  // Cancelled.
  ...[
    'has been cancelled',
    'has been canceled',
    'was cancelled',
    'is cancelled',
    'cancelled',
    'canceled',
    'cancellation',
  ],
  ...[
    'has been cancelled by MERCY ENTERPRISE',
    'has been withdrawn',
    'was withdrawn',
    'has been returned',
    'was refunded',
  ],
  ...[
    'is refunded',
    'returned',
    'has been taken back',
    'was stopped',
    'has been stopped',
    'was reversed by MTN',
    'reversal',
  ],
  ...[
    'is disputed',
    'has been disputed',
    'is being reversed at MERCY STORES',
    'has been abandoned',
    'is held',
    'was withheld',
  ],
  ...[
    'Status: pending',
    'status:Cancelled',
    'Reason: failed',
    'is not paid',
    'has been paid',
    'will be paid',
    'are now',
  ],
];

/** Whole receipts with both balances, with one, of Telecel with and without a number, and from a merchant. */
const wholeTexts = (name: string) => {
  const { sender, text } = mtn({ from: name });
  const tcash = telecel({ from: name });
  return [
    { sender, text },
    { sender, text: text.replace(/ Available Balance: GHS 1,136\.50\./, '') },
    { sender: 'T-CASH', text: tcash.text },
    { sender: 'T-CASH', text: tcash.text.replace(/\d{12} - /, '') },
    { sender: 'T-CASH', text: tcash.text.replace(/from \d{12} - /, 'as payment from ') },
  ];
};

test.each(NAMES)('%s pays', (name) => {
  for (const { sender, text } of wholeTexts(name))
    expect(readWalletText(sender, text)).toMatchObject({ kind: 'payment', payerName: name, payerIsInstitution: false });
});

test('there are enough statuses to mean anything', () => {
  expect(STATUSES.length).toBeGreaterThan(100);
});

describe.each(STATUSES)('%s', (status) => {
  const bases = ['KOFI MENSAH', 'MERCY ENTERPRISE', 'AMA', 'GOD FIRST VENTURES', 'THY WILL BE DONE ENTERPRISE', ''];

  test('behind a name, and where a name would stand, is never a payment', () => {
    for (const base of bases)
      for (const words of [status, status.toUpperCase(), status.toLowerCase(), capitalised(status)])
        for (const { sender, text } of wholeTexts(`${base} ${words}`.trim()))
          expect([readWalletText(sender, text).kind, text]).not.toContain('payment');
  });

  test('behind a name in a receipt without a balance is none either', () => {
    const text = `Payment received for GHS 36.00 from KOFI MENSAH ${status}. Reference: 1. Transaction ID: 51234567890.`;
    expect(readWalletText('MobileMoney', text).kind).not.toBe('payment');
  });
});

test.each([
  ...['KOFI MENSAH Commission: MERCY ENTERPRISE', 'KOFI Token:ABC', 'AMA Note:rent', 'KOFI Txn:AB VENTURES'],
  ...['KOFI: MENSAH', 'KOFI at 11:02', 'KOFI Name: AMA STORES'],
])('%s has a label of a network’s and is no name', (name) => {
  for (const { sender, text } of wholeTexts(name)) expect(readWalletText(sender, text).kind).toBe('unread');
});

test.each(['THY WILL BE DONE ENTERPRISE', 'NOT YET FASHION', 'MERCY: GRACE ENTERPRISE'])(
  '%s in a receipt that is not whole leaves it unread',
  (name) => {
    const text = `Payment received for GHS 36.00 from ${name}. Reference: 1. Transaction ID: 51234567890.`;
    expect(readWalletText('MobileMoney', text)).toEqual({ kind: 'unread', network: 'MTN' });
  },
);

test.each(['NOT YET FASHION', 'REVERSE OSMOSIS WATER LTD', 'MERCY:GRACE ENTERPRISE'])(
  'a payment of %s that "has been reversed" is one that was reversed',
  (name) => {
    const { sender, text, id } = mtn({ from: `${name} has been reversed` });
    expect(readWalletText(sender, text)).toMatchObject({ kind: 'reversal', transactionIds: [id] });
  },
);

test.each([
  ...['KOFI BANK', 'AKOSUA BANK MENSAH', 'JOHN BURBANK', 'PUSH ENTERPRISE', 'KWAME PULL MENSAH', 'NANA AGENT'],
  ...['EWUSI BANK', 'TRUST BANKOLE'],
])('%s is no institution', (from) => {
  expect(readWalletText('MobileMoney', mtn({ from }).text)).toMatchObject({ payerIsInstitution: false });
});

test.each([
  ...['Absa Bank', 'GCB BANK', 'Ecobank ova', 'STANBIC BANK', 'Bank of Africa', 'ODOTOBRI RURAL BANK', 'CALBANK PLC'],
  ...['OMNIBSIC BANK GHANA', 'AGENT KOJO', 'VODAFONE PUSH', 'Quickpay pull', 'FIRST ATLANTIC BANK', 'UMB Bank OVA'],
])('%s is one', (from) => {
  expect(readWalletText('MobileMoney', mtn({ from }).text)).toMatchObject({ payerIsInstitution: true });
});

function capitalised(words: string): string {
  return words.replace(/\b\p{L}/gu, (letter) => letter.toUpperCase());
}
