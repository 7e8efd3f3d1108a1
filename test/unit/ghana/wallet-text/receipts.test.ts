import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkTexts } from '../../../../shared/ghana/network.ts';
import { networkOfSender } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { mayEndWithStatus } from '../../../../shared/ghana/wallet-text/status.ts';
import { checkEach } from '../../../support/check-each.ts';
import { expectCost } from '../../../support/cpu.ts';
import { readWithoutProof } from '../../../support/read-without-proof.ts';
import { fixtures, mtn, telecel } from '../../../support/receipt-texts.ts';

type Fixture = (typeof fixtures)[number];

const MTN_ID = '51234567890';
const TELECEL_ID = '0000019305566778';

describe('receipts.json', () => {
  test('contains texts that are parsed as described', () =>
    checkEach(fixtures, ({ network, sender, text, reads }) => {
      expect(readReceipt(sender, text)).toMatchObject(readingOf({ network, reads }));
    }));

  test('contains a text of every kind', () => {
    expect(new Set(fixtures.map(({ reads }) => reads.kind))).toEqual(new Set(['payment', 'other', 'forged', 'unread']));
  });
});

describe('a reformatted receipt', () => {
  const kofis = paidBy('KOFI MENSAH BOATENG', { reference: 'MK-0123456789', transactionId: MTN_ID });
  const mtnText = mtn({ reference: 'MK-0123456789', id: MTN_ID }).text;

  test.each([
    ['unchanged', mtnText],
    ['lines and tabs instead of spaces', mtnText.replaceAll('. ', '.\r\n').replaceAll(' from ', '\tfrom\t')],
    ['several spaces', `  ${mtnText.replaceAll(' ', '   ')}  `],
    ['non-breaking spaces', mtnText.replaceAll(' ', '\u00a0')],
    ['no spaces around amounts', mtnText.replaceAll('GHS ', 'GHS').replaceAll(': ', ':').replaceAll(' .', '.')],
    ['one balance', mtnText.replace(/Available Balance: GHS 1,136\.50\. /, '')],
    ['one balance right before the reference', mtnText.replace(/ \. Available Balance: GHS 1,136\.50\./, '.')],
    ['no balance', mtnText.replace(/ Current Balance.*(?= Reference)/, '.')],
    ['no fee', mtnText.replace(/ TRANSACTION FEE.*/, '')],
    ['a currency on the fee', mtnText.replace('FEE: 0.00', 'FEE: GHS 0.00.')],
  ])('from MTN is parsed: %s', (_, text) => {
    expect(readReceipt('MobileMoney', text)).toMatchObject(kofis);
  });

  test('is parsed in upper and lower case', () => {
    expect(readReceipt('MobileMoney', mtnText.toUpperCase())).toMatchObject(kofis);
    const small = { payerName: 'kofi mensah boateng', reference: 'mk-0123456789' };
    expect(readReceipt('MobileMoney', mtnText.toLowerCase())).toMatchObject({ ...kofis, ...small });
  });

  const amas = {
    ...paidBy('AMA OWUSU', { reference: 'MK-0123456789', transactionId: TELECEL_ID }),
    network: 'TELECEL',
    payerPhone: '+233209876543',
  };
  const telecelText = telecel({ from: 'AMA OWUSU', reference: 'MK-0123456789', id: TELECEL_ID }).text;

  test.each([
    ['unchanged', telecelText],
    ['on one line', telecelText.replaceAll('\n', ' ')],
    ['with a blank line', telecelText.replaceAll('\n', '\r\n\r\n')],
    ['with a space after the currency', telecelText.replaceAll('GHS', 'GHS ')],
    ['without spaces around the dash', telecelText.replace(' - ', '-')],
    [
      'from another network',
      telecelText.replace('233', 'MTN MOBILE MONEY with transaction reference: Transfer From: 233'),
    ],
  ])('from Telecel is parsed: %s', (_, text) => {
    expect(readReceipt('T-CASH', text)).toMatchObject(amas);
  });
});

describe('the amount of a payment', () => {
  test.each([
    ['36', 3_600],
    ['36.0', 3_600],
    ['36.00', 3_600],
    ['0.01', 1],
    ['0.1', 10],
    ['1.15', 115],
    ['1234.50', 123_450],
    ['1,234.50', 123_450],
    ['1,234', 123_400],
    ['1,234,567.89', 123_456_789],
    ['100000.00', 10_000_000],
    ['100,000.00', 10_000_000],
    // Amounts such as 1.1 and 2.2 cannot be represented exactly as doubles.
    ['8.20', 820],
    ['1009.95', 100_995],
  ])('is %d pesewas if the text says %s', (amount, amountPesewas) => {
    for (const { sender, text } of [mtn({ amount }), telecel({ amount })])
      expect(readReceipt(sender, text)).toMatchObject({ kind: 'payment', amountPesewas });
  });

  test.each([
    ...['', '3 6.00', '36 .00', '1,,234.00', ',234.00', '३६.००', '３６.००'],
    ...'-36.00 +36.00 36. .50 36.005 36,00 1,23.50 12,34 1234,500.00 1.234,50 1e3 0x24 NaN x'.split(' '),
  ])('is not parsed if the text says %j', (amount) => {
    for (const { sender, text } of [mtn({ amount }), telecel({ amount })])
      expect(readReceipt(sender, text).kind).toBe('unread');
  });

  test('is the received amount, not the balance or the fee', () => {
    const { sender, text } = mtn({ amount: '36.00' });
    const richer = text.replaceAll('1,136.50', '9,999.00').replace('FEE: 0.00', 'FEE: 5.00');
    expect(readReceipt(sender, richer)).toMatchObject({ amountPesewas: 3_600 });
    expect(readReceipt(sender, text.replace('GHS 36.00', '')).kind).toBe('unread');
  });

  test('is not parsed in a different currency', () => {
    for (const { sender, text } of [mtn(), telecel()]) {
      expect(readReceipt(sender, text.replace('GHS', 'USD')).kind).toBe('unread');
      expect(readReceipt(sender, text.replace('GHS', 'GH')).kind).toBe('unread');
    }
  });

  test('is never rounded', () => {
    for (const amount of ['90071992547409.93', '99999999999999999999', '9'.repeat(400)]) {
      for (const { sender, text } of [mtn({ amount }), telecel({ amount })])
        expect(readReceipt(sender, text).kind).toBe('unread');
    }
  });
});

// Payers write only the reference. Whatever it contains, the other fields must come from the network.
const WRITTEN_BY_PAYERS = [
  'Reference: MK-9999999999',
  ...['1.\nStay alert.\nReference: 2', 'GHS 9999.00', 'received GHS 9999.00 from AMA OWUSU'],
  'reversed 51234567891',
  ...['Transaction 51234567891 has been reversed', 'reversal of transaction 0000019305566779'],
  ...['You have received airtime of', 'Payment made for rent', 'Your OTP is 123456', 'interest'],
  ...['Transfer From: 233541234567-AMA OWUSU', '. . . .', '$& $1 \\d (?<id>99999999999) .*', '"}],{"$ne":null}'],
  'Abɛna 😀 \u202e',
];

/** References after which the text may consist of two texts joined by a phone. */
const WITH_ANOTHER_TEXT = [
  ...['Transaction ID: 99999999999', 'Transaction ID: 99999999999.', 'my transaction id please'],
  ...['You have received airtime of GHS5.00', 'Payment made for GHS 20.00 to KWAKU'],
  'Payment received for GHS 9999.00 from AMA OWUSU Current Balance: GHS 1.00 . Available Balance: GHS 1.00. Reference: MK-9999999999. Transaction ID: 99999999999. TRANSACTION FEE: 0.00',
  '1. Transaction ID: 99999999999. TRANSACTION FEE: 0.00\nPayment received for GHS 9999.00 from AMA OWUSU. Reference: MK-9999999999. Transaction ID: 99999999998.',
  '9999999999999999 Confirmed. You have received GHS9999.00 from 233541234567 - AMA OWUSU on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS9999.00. Reference: 9.',
  'from AMA OWUSU Current Balance: GHS 9999.00 .',
  'on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS9999.00.',
  '1. TransacPayment received for GHS 9999.00 from AMA OWUSU',
  'Transaction ID: 99999999999. TRANSACTION FEE: 0.00',
  'Transaction ID:99999999999.Transaction ID:99999999998.Transaction ID:',
  'MK-9999999999. Transaction ID: 99999999999',
  'x. Transaction ID: 99999999999. TRANSACTION FEE: 0.00. Transaction ID: 99999999998. TRANSACTION FEE: 0.00.',
  '. Reference: MK-9999999999. Transaction ID: 99999999999. TRANSACTION FEE: 0.00',
  '1. Transaction ID: 99999999999. TRANSACTION FEE: 0.00 Reference: MK-9999999999',
];

describe('a typed reference', () => {
  test('makes the text unreadable if it imitates a network’s text', () =>
    checkEach(WITH_ANOTHER_TEXT, (reference) => {
      const { sender, text } = (reference.startsWith('9999') ? telecel : mtn)({ reference });
      expect(readReceipt(sender, text).kind).toBe('unread');
    }));

  test('changes no other field', () =>
    checkEach(WRITTEN_BY_PAYERS, (reference) => {
      for (const { network, sender, text, id } of [mtn({ reference }), telecel({ reference })]) {
        const from = network === 'MTN' ? null : '+233209876543';
        const read = paidBy('KOFI MENSAH BOATENG', { reference: expect.anything(), transactionId: id });
        expect(readReceipt(sender, text)).toMatchObject({ ...read, network, payerPhone: from });
      }
      const older = `Payment received for GHS 36.00 from ESI OWUSU. Reference: ${reference}. Transaction ID: ${MTN_ID}.`;
      const esis = paidBy('ESI OWUSU', { reference: expect.anything(), transactionId: MTN_ID });
      expect(readReceipt('MobileMoney', older)).toMatchObject(esis);
    }));

  test('is null if it is empty', () => {
    for (const { sender, text } of [mtn({ reference: '' }), mtn({ reference: '  ' }), telecel({ reference: '' })])
      expect(readReceipt(sender, text)).toMatchObject({ kind: 'payment', reference: null });
  });

  test('changes no other field if it contains parts of receipts', () => {
    const parts = [' ', '. ', '\n', ': ', 'Reference', 'Transaction ID', 'ID: 99999999999', '0.00'];
    const pieces = fc.array(fc.constantFrom(...WRITTEN_BY_PAYERS, ...parts), { maxLength: 6 });
    fc.assert(
      fc.property(pieces, fc.string({ unit: 'binary' }), (some, more) => {
        const reference = [...some, more].join('').slice(0, 1_200);
        for (const { network, sender, text, id } of [mtn({ reference }), telecel({ reference })]) {
          const written = { ...paidBy('KOFI MENSAH BOATENG', { transactionId: id }), network };
          const payerPhone = network === 'MTN' ? expect.toBeOneOf([null, expect.any(String)]) : '+233209876543';
          const read = readReceipt(sender, text);
          const mayBeMore =
            network === 'MTN'
              ? /Payment made for GHS|received airtime|Transaction ID/
              : /[\r\n]|MK-9999999999|Transaction ID\W*\d/;
          if (read.kind === 'payment' || !mayBeMore.test(reference))
            expect(read).toMatchObject({ ...written, payerPhone });
          else expect(read.kind).toBeOneOf(['unread', 'other']);
        }
      }),
    );
  });

  test('never replaces the transaction id', () => {
    const written = ' Transaction ID: 99999999999';
    for (let length = 0; length < 3_000; length++) {
      const { sender, text } = mtn({ reference: `${'x'.repeat(length)}${written}` });
      expect(readReceipt(sender, text)).not.toMatchObject({ transactionId: '99999999999' });
    }
  });
});

describe('networkOfSender', () => {
  test.each([
    ['MTN', ['MobileMoney', 'mobilemoney', 'MOBILEMONEY', 'MoMo', 'momo', 'MTN MoMo', 'MobileMoney ', '\tMoMo\u00a0']],
    ['TELECEL', ['T-CASH', 'T-Cash', 'TelecelCash', 'TELECELCASH']],
    ['AT', ['ATMoney', 'ATMONEY', 'AT Money']],
  ])('returns %s for %j', (network, senders) => {
    expect(senders.map(networkOfSender)).toEqual(senders.map(() => network));
  });

  test.each([
    ...['', ' ', 'MTN', '+233241234567', '1234', 'Telecel', 'ATM', 'MobileMoney1', 'xMobileMoney', 'MobileMoney.'],
    ...['constructor', '__proto__', 'toString', 'hasOwnProperty'],
    // Anybody could register each of these senders.
    ...['Mobile Money', 'Mobile-Money', 'Mobile_Money', 'MobiIeMoney', 'М\u043ebileMoney'],
    ...[
      'MobileMoney\u200b',
      'M-o-M-o',
      'm o m o',
      'Mo\u00a0Mo',
      'MTN\u00a0MoMo',
      'MTNMoMo',
      'TCASH',
      't cash',
      'T CASH',
    ],
    ...['T\u2011CASH', 'T–CASH', 'Telecel Cash', 'TELECEL-CASH', 'AT-Money', 'at-money'],
  ])('returns undefined for %j', (sender) => {
    expect(networkOfSender(sender)).toBeUndefined();
    for (const { text } of [mtn(), telecel()]) expect(readReceipt(sender, text)).toEqual({ kind: 'forged' });
    for (const text of ['Shall we meet at six?', 'Your OTP is 123456'])
      expect(readReceipt(sender, text)).toEqual({ kind: 'other' });
  });

  test.each(['MobileMoney', 'T-CASH', 'ATMoney'])(
    'trusts the sender %s only for receipts from its own network',
    (sender) => {
      const foreign = [mtn(), telecel()].filter(({ network }) => network !== networkOfSender(sender));
      for (const { text } of foreign) expect(readReceipt(sender, text).kind).toBe('unread');
    },
  );
});

describe('a text that is not a receipt', () => {
  const others: Readonly<Record<string, readonly string[]>> = {
    MobileMoney: [
      'Payment made for GHS 20.00 to KWAKU STORES. Reference: rent. Transaction ID: 60000000001.',
      'Cash Out made for GHS 50.00 to AGENT KOJO. Current Balance: GHS 1.00. Transaction ID: 60000000003.',
      'Cash In received for GHS 50.00 from AGENT KOJO. Current Balance: GHS 51.00. Transaction ID: 60000000004.',
      'You have received airtime of GHS5.00 from 233241234567.',
      // Secrets are dropped regardless of the wording.
      'Your OTP is 123456. Never share it.',
      'Your one-time PIN is 1234.',
      'Dear customer, your OTP is 123456. Do not share it with anyone.',
      '123456 is your one-time password. It is valid for 5 minutes.',
      'Use OTP 123456 to approve your login. MTN will never ask you for it.',
    ],
    'T-CASH': [
      'Dear customer, you have received GHS0.86 in your Telecel Cash wallet as interest for the quarter.',
      'Your verification code is 123456.',
      '<#> 123456 is your Telecel Cash verification code',
    ],
    ATMoney: ['Your OTP is 123456'],
  };
  test('is classified as other', () =>
    checkEach(withSenders(others), ([sender, text]) => {
      expect(readReceipt(sender, text)).toEqual({ kind: 'other' });
    }));

  const unread: Readonly<Record<string, readonly string[]>> = {
    MobileMoney: [
      '',
      'Enjoy 20% more on every transfer this weekend!',
      'You have received GHS 36.00 from KOFI MENSAH. Transaction ID: 60000000005.',
      'Fwd: Payment received for GHS 36.00 from KOFI MENSAH. Reference: 1. Transaction ID: 60000000006.',
      'Payment received for GHS 36.00 from KOFI MENSAH. Reference: 1. Transaction ID: 600000000.',
      'Payment received for GHS 36.00 from KOFI MENSAH. Reference: 1. Transaction ID: 600000000000067.',
      'Payment received for GHS 36.00 from KOFI MENSAH. Transaction ID: 60000000006.',
      'Payment received for GHS 36.00. Reference: 1. Transaction ID: 60000000006.',
      'Payment received for GHS 36.00 from . Reference: 1. Transaction ID: 60000000006.',
    ],
    'T-CASH': [
      `Fwd: ${telecel().text}`,
      `You have sent GHS1.00. Message: ${telecel().text}`,
      telecel({ id: '1930556677' }).text,
      telecel({ phone: '233' }).text,
      telecel({ phone: 'AGENT 233209876543' }).text,
      telecel({ from: '' }).text,
    ],
    ATMoney: ['You have received GHS 20.00 from 0271234567 KOFI BOATENG. Trans ID: ATX7781234. New balance: GHS 45.00'],
  };
  test('is not parsed if its wording is unknown', () =>
    checkEach(withSenders(unread), ([sender, text]) => {
      expect(readReceipt(sender, text)).toEqual({ kind: 'unread', network: networkOfSender(sender) });
    }));

  test.each([
    ...['KOFI MENSAH New Balance: GHS 99.00', 'KOFI MENSAH. Fee: GHS 1.00', 'KOFI MENSAH on 2026-01-07 at 11:02:51'],
    'KOFI MENSAH pending approval. Transaction ID: 60000000007',
  ])('is not parsed with unknown words before the reference: %s', (from) => {
    const text = `Payment received for GHS 36.00 from ${from}. Reference: 1. Transaction ID: ${MTN_ID}.`;
    expect(readReceipt('MobileMoney', text)).toEqual({ kind: 'unread', network: 'MTN' });
  });
});

describe('a reversal text', () => {
  test.each([
    ['Transaction 51234567890 has been reversed.', [MTN_ID]],
    ['Transaction ID: 51234567890 of GHS 36.00 has been reversed. Current Balance: GHS 100.00', [MTN_ID]],
    ['Reversal of GHS 36.00 completed. Transaction ID: 51234567890. New balance GHS 60.00', [MTN_ID]],
    ['The payment of GHS 36.00 from KOFI MENSAH BOATENG with Transaction ID 51234567890 was reversed.', [MTN_ID]],
    ['Your payment 51234567890\nhas been\nREVERSED', [MTN_ID]],
    ['Reversal 51234567899 of transaction 51234567890 is done.', ['51234567899', MTN_ID]],
    ['GHS 36.00 was reversed. Reference: 1. Transaction ID: 51234567890.', [MTN_ID]],
    ['The payment that you received from KOFI MENSAH (51234567890) has been reversed.', [MTN_ID]],
    ['Dear customer, ref 51234567890: the transaction was reversed.', [MTN_ID]],
    ['You have received a reversal of 51234567890.', [MTN_ID]],
    ['Reversal of payment received for GHS 36.00 from KOFI MENSAH. Transaction ID: 51234567890.', [MTN_ID]],
    ['Reversal of your payment of GHS 36.00 (51234567890) was successful.', [MTN_ID]],
    // The end of this id looks like a phone number.
    ['Payment 50241234567 of GHS 36.00 was reversed.', ['50241234567']],
  ])('is parsed if MTN sends %j', (text, transactionIds) => {
    expect(readReceipt('MobileMoney', text)).toMatchObject({ kind: 'reversal', network: 'MTN', transactionIds });
  });

  test.each([
    ['0000019305566778 has been reversed. Your Telecel Cash balance is GHS1.00.', [TELECEL_ID]],
    [
      '0000019305566999 Confirmed. Reversal of transaction 0000019305566778 of GHS45.00 on 2026-01-07 at 11:02:51.',
      ['0000019305566999', TELECEL_ID],
    ],
  ])('is parsed if Telecel sends %j', (text, transactionIds) => {
    expect(readReceipt('T-CASH', text)).toMatchObject({ kind: 'reversal', network: 'TELECEL', transactionIds });
  });

  test.each([
    // These texts name no payment on the network, or only in words that a payer could have written.
    ['MobileMoney', 'A payment of GHS 36.00 was reversed.'],
    ['MobileMoney', 'You got GHS 1.00 from EVE with message: reversed 51234567890'],
    ['MobileMoney', 'Transaction 0000019305566778 has been reversed.'],
    ['T-CASH', 'Transaction 51234567890 has been reversed.'],
    ['ATMoney', 'Transaction 51234567890 has been reversed.'],
    ['MobileMoney', 'You have received 36.00 GHS from KOFI REVERSAL, id 51234567890.'],
    ['MobileMoney', 'Payment for GHS 20.00 to REVERSAL SERVICES, id 51234567890.'],
    ['T-CASH', '0000012276338791 Confirmed.GHS20.00 given to REVERSAL SERVICES.'],
  ])('is not parsed if its wording is unknown: from %s: %j', (sender, text) => {
    expect(readReceipt(sender, text)).toEqual({ kind: 'unread', network: networkOfSender(sender) });
  });

  const takenBack = {
    MobileMoney: [
      'Payment received for GHS 36.00 from KOFI MENSAH has been reversed. Reference: MK-0123456789. Transaction ID: 51234567890.',
      'Payment received for GHS 36.00 from KOFI MENSAH has been REVERSED. Current Balance: GHS 1.00 . Available Balance: GHS 1.00. Reference: MK-0123456789. Transaction ID: 51234567890. TRANSACTION FEE: 0.00',
      'Payment received for GHS 36.00 from KOFI MENSAH is being reversed Current Balance: GHS 1.00. Reference: 1. Transaction ID: 51234567890.',
    ],
    'T-CASH': [
      '0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - KOJO ANSAH reversed on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00.\nReference: MK-0123456789.\nStay alert.',
    ],
  };
  test.each(withSenders(takenBack))('is never parsed as a payment: from %s: %j', (sender, text) => {
    expect(readReceipt(sender, text).kind).not.toBe('payment');
  });

  test.each([
    [true, 'Transaction 51234567890 has been reversed.'],
    [true, 'Reversal of GHS 36.00 completed. Transaction ID: 51234567890. New balance GHS 60.00'],
    [true, 'Your payment of GHS 36.00 to NOTE TRADING (51234567890) has been reversed.'],
    [true, 'Dear customer, the transaction 51234567890 was reversed.'],
    [true, 'GHS 36.00 was reversed. Reference: 1. Transaction ID: 51234567890.'],
    [true, 'Dear customer the transaction 51234567890 was reversed.'],
    [true, 'Dear customer,the transaction 51234567890 was reversed.'],
    [true, 'Your payment of GHS 36.00 to KOFI, 51234567890, was  fully reversed.'],
    [true, 'Payment 51234567890 of GHS 36.00.  Reversed.'],
    [true, 'Reversal of payment 51234567890. The reversal was successful.'],
    [false, 'KOFI MENSAH has requested GHS 1.00 from you. Reason: transaction 51234567890 has been reversed.'],
    [false, 'Hello, KOFI reversed Transaction 51234567890 has successfully refunded GHS 3.00 to your account.'],
    [false, 'From KOFI: transaction 51234567890 reversed'],
  ])('is certain (%s) if it starts with the network’s own words: %s', (isCertain, text) => {
    const reversal = { kind: 'reversal', isInOwnWords: isCertain, isCertain };
    expect(readWithoutProof('MobileMoney', text)).toMatchObject(reversal);
  });

  test('is uncertain if it denies or only announces the reversal', () =>
    checkEach(
      [
        'Reversal of transaction 51234567890 has failed.',
        'Transaction 51234567890 could not be reversed.',
        'Transaction 51234567890 has not been reversed.',
        'Transaction 51234567890 was not reversed.',
        'Transaction 51234567890 will be reversed unless you object.',
        'Transaction 51234567890 is being reversed.',
        'Transaction reversal request for 51234567890 was declined.',
        'Dear customer, the reversal request for transaction 51234567890 of GHS 36.00 was declined. No money was taken.',
        'Your reversal request for transaction 51234567890 has been made.',
        'Your reversal for transaction 51234567890 is being processed.',
        'Reversal of transaction 51234567890 is pending.',
        'The reversal of transaction 51234567890 will be completed in two days.',
        'The reversal of transaction 51234567890 was unsuccessful.',
        'Payment 51234567890 was made. Its reversal was requested.',
        'Reversal of transaction 51234567890 may be completed in 3 days.',
        'Reversal of transaction 51234567890 can be completed at an agent.',
        'Reversal of transaction 51234567890 shall be made.',
        'Reversal of transaction 51234567890 is in process and successful soon.',
        'Reversal of transaction 51234567890 has been initiated.',
        'Reversal of transaction 51234567890 made only after approval.',
        'Reversal of transaction 51234567890 completed: no.',
        'Reversal of 51234567890 successful? No.',
        'Reversal of transaction 51234567890 was done by mistake and corrected.',
        'Reversal of transaction 51234567890 completed. Your reversal has since been returned to you.',
        'The reversal of transaction 51234567890 made by the payer is awaiting approval.',
        'The reversal of transaction 51234567890 made by KOFI MENSAH is under review.',
        'The reversal made by KOFI MENSAH of transaction 51234567890 expired.',
        'A reversal of transaction 51234567890 made by KOFI MENSAH needs your PIN.',
        'A reversal claim on transaction 51234567890 was made by KOFI MENSAH. Reply NO to keep the money.',
        'A reversal application for 51234567890 has been made.',
        'The reversal complaint for 51234567890 is done.',
        'Payment 51234567890 dispute: reversal made optional.',
        'The payment 51234567890 which KOFI asked to have been reversed stays yours.',
        'Transaction 51234567890 got nearly reversed.',
        'Transaction 51234567890 is reversed if you confirm.',
        'Transaction 51234567890 was reversed? Reply NO.',
        'Transaction 51234567890 has been reversed in part.',
        'Transaction 51234567890 has been reversed. Half of it was reversed.',
        'Reversal of transaction 51234567890 for GHS 36.00.',
        'Your payment of GHS 36.00 to KOFI, 51234567890, is  being fully reversed.',
        'Transaction 51234567890 has been reversed 50%.',
        'Transaction 51234567890 has been reversed partly.',
        'Transaction 51234567890 has been reversed temporarily.',
        'Transaction 51234567890 has been reversed for now.',
        'Transaction 51234567890 has been reversed, except a fee.',
        'Transaction 51234567890 has been reversed, less a fee.',
        'Transaction 51234567890 has been reversed, minus the tip.',
        'Transaction 51234567890 has been reversed as a test.',
        'Transaction 51234567890 has been reversed: test message.',
        'Transaction 51234567890 is about to get reversed.',
        'Transaction 51234567890 is no longer reversed.',
        'Transaction 51234567890 was wrongly reversed and is restored.',
        // Wordings that nobody has tried before.
        'Transaction 51234567890 reversed. It awaits your approval.',
        'Transaction 51234567890 would have been reversed.',
        'Transaction 51234567890 ought to have been reversed.',
        'Transaction 51234567890 has almost been reversed.',
        'Transaction 51234567890 is reversed when the sender calls 100.',
        'Transaction 51234567890 was reversed, then paid again.',
        'Reversal of transaction 51234567890 completed once you approve.',
        'The reversal of transaction 51234567890 is done tomorrow.',
        'Reversal of transaction 51234567890 was completed but returned.',
        'Reversal of transaction 51234567890 successfully submitted.',
        'Reversal of transaction 51234567890 successful after 24 hours.',
        'Reversal for transaction 51234567890 is made by dialling *170#.',
        'Reversal of transaction 51234567890 completed only in part.',
        'Transaction 51234567890 of GHS 36.00 is reversed when you agree.',
        'Transaction 51234567890 of GHS 36.00 is reversed in case you agree.',
        'Transaction 51234567890 of GHS 36.00 is reversed on your consent.',
        'Transaction 51234567890: GHS 10.00 of GHS 36.00 has been reversed. Current Balance: GHS 1126.50',
        'The transaction fee of GHS 0.36 for transaction 51234567890 has been reversed. Current Balance: GHS 1136.86',
        'Transaction tax for 51234567890 has been reversed.',
        'Reversal of the transaction fee, payment 51234567890, was successful.',
        'Reversal of E-levy: transaction 51234567890 completed.',
        'Transaction 51234567890: the e-levy was reversed.',
        'The reversal of transaction 51234567890 has been reversed. Current Balance: GHS 1136.50',
        'Payment received for GHS 36.00 from KOFI MENSAH is being reversed Current Balance: GHS 1.00. Reference: 1. Transaction ID: 51234567890.',
      ],
      (text) => {
        const reversal = { kind: 'reversal', transactionIds: [MTN_ID], isInOwnWords: true, isCertain: false };
        expect(readWithoutProof('MobileMoney', text)).toMatchObject(reversal);
      },
    ));

  test.each([
    ['Reversal of GHS 10.00 for payment 51234567890 was successful. Current Balance: GHS 1126.50', [10_00], 1126_50],
    ['Reversal of GHS 10.00 for payment 51234567890 of GHS 36.00 was successful.', [10_00, 36_00], null],
    ['Reversal of 10.00GHS for payment 51234567890 was successful. New balance: GHC 26.00', [10_00], 26_00],
    ['Payment 51234567890 of GHC 36 was reversed by 10 cedis.', [36_00, 10_00], null],
    ['Payment 51234567890 GHS 36.00 was reversed on 26.11.2026: 10.5 to the payer.', [36_00, 10_50], null],
    [
      'Payment received for GHS 36.00 from KOFI MENSAH. Reference: 5.00. Transaction ID: 51234567890: GHS 10.00 has been reversed.',
      [36_00, 10_00],
      null,
    ],
    ['Transaction 51234567890 has been reversed. Fee charged: GHS 0.36. Tax: GHS 0.10', [], null],
    ['Transaction 51234567890 has been reversed. Available Balance: GHS 36.00', [], null],
    ['Transaction 51234567890 has been reversed. Current Balance: GHS 1.00. New balance: GHS 2.00', [], null],
    ['Transaction 51234567890 has been reversed. Current Balance: GHS 1.00. New balance: GHS 1.00', [], 1_00],
    ['Transaction 51234567890 of GHS 36.00: fee GHS 0.36 has been reversed.', [36_00, 36], null],
    ['Transaction 51234567890: the E-levy GHS 0.36 has been reversed.', [36], null],
    ['Transaction 51234567890: GHS 0.36 (fee: 0.36 GHS) has been reversed.', [36, 36], null],
    ['Transaction 51234567890 of 36.00 GHS 2026-11-26 10:02:11 has been reversed.', [36_00], null],
    ['Transaction 51234567890 of 36 GHS 26/11/2026 has been reversed.', [36_00], null],
    ['Transaction 51234567890 of 36 GHS 10:02 has been reversed.', [36_00], null],
    ['Reversal of 10 GHS 51234567890 was successful.', [10_00], null],
    ['Transaction 51234567890 of 36.00GHS 233241234567 KOFI has been reversed.', [36_00], null],
    ['Reversal of 36.00 GHS 51234567890 was successful.', [36_00], null],
    ['Payment 51234567890 GHS 10 was reversed.', [10_00], null],
    ['Payment 51234567890 of 36.00 GHS 10.00 was reversed.', [36_00, 10_00], null],
    ['Transaction 51234567890 has been reversed. Your new balance:1126.50 GHS 10:02.', [], 1126_50],
  ])('yields all amounts except balances and fees: %s', (text, amountsPesewas, reportedPesewas) => {
    expect(readWithoutProof('MobileMoney', text)).toMatchObject({ isCertain: true, amountsPesewas, reportedPesewas });
  });

  test.each([
    ['MobileMoney', `Transaction ${MTN_ID}`, networkTexts.MTN],
    ['T-CASH', `Transaction ${TELECEL_ID}`, networkTexts.TELECEL],
  ])('from %s yields no amount from a fee after the reversal, whatever the fee’s label', (sender, start, texts) => {
    const labels = [...(texts?.chargeLabels ?? []), 'Fee', 'Tax is'];
    const tails = labels.flatMap((label) => [`${label} GHS 0.36.`, `${label}: 0.36 GHS.`, `${label} GHS -.`]);
    const readings = tails.map((tail) => readWithoutProof(sender, `${start} of GHS 36.00 has been reversed. ${tail}`));
    expect(tails.length).toBeGreaterThan(9);
    for (const read of readings) expect(read).toMatchObject({ isCertain: true, amountsPesewas: [36_00] });
  });

  test('is uncertain if the payer only requests the reversal', () => {
    const text = `0000019305566999 Confirmed. KOFI MENSAH wants a reversal of ${TELECEL_ID}.`;
    expect(readWithoutProof('T-CASH', text)).toMatchObject({ kind: 'reversal', isCertain: false });
  });

  test.each([
    'We have reversed the transaction 51234567890 of GHS 36.00.',
    'No reversal has been made for transaction 51234567890.',
    'Your request for reversal of transaction 51234567890 was successful.',
    'KOFI MENSAH has made a reversal claim on transaction 51234567890.',
  ])('is uncertain if it begins with unusual words: %s', (text) => {
    const reversal = { kind: 'reversal', transactionIds: [MTN_ID], isInOwnWords: false, isCertain: false };
    expect(readWithoutProof('MobileMoney', text)).toMatchObject(reversal);
  });

  test.each([
    '0000019305566999 Confirmed. Reversal of transaction 0000019305566778 failed.',
    'Reversal: 0000019305566778 confirmed. You have received GHS5.00',
  ])('is uncertain if Telecel reports no completed reversal: %s', (text) => {
    expect(readWithoutProof('T-CASH', text)).toMatchObject({ kind: 'reversal', isCertain: false });
  });

  test.each(['Confirmed. You', 'Confirmed.You'])(
    'names only the payment’s own id in “%s have received”, whatever the payer’s name contains',
    (start) => {
      const text = `${TELECEL_ID} ${start} have received GHS45.00 from KOJO 0000019305566779 has been reversed.`;
      const reversal = { kind: 'reversal', isInOwnWords: true, transactionIds: [TELECEL_ID] };
      expect(readWithoutProof('T-CASH', text)).toMatchObject(reversal);
    },
  );

  test.each([
    [
      'MobileMoney',
      'Transaction 51234567890 has been reversed. Never share your PIN with anyone. It will not be asked.',
    ],
    ['MobileMoney', 'Reversal 51234567899 of transaction 51234567890 is done.'],
    ['MobileMoney', 'Reversal successful. Transaction ID: 51234567890. Current Balance: GHS 60.00'],
    ['MobileMoney', 'Reversal of transaction 51234567890 for GHS 36.00 successfully processed.'],
    ['MobileMoney', 'Transaction 51234567890 of GHS 36.00 reversed successfully.'],
    ['MobileMoney', 'Your transaction 51234567890 has successfully been reversed.'],
    ['MobileMoney', 'Transaction 51234567890 reversed. Current Balance: GHS 60.00'],
    ['MobileMoney', 'Reversed: transaction 51234567890 of GHS 36.00.'],
    ['MobileMoney', 'Transaction 51234567890 has been reversed. If this was not you, call 100.'],
    ['MobileMoney', 'REVERSAL: payment of GHS 36.00 from KOFI with Transaction ID 51234567890 is taken back.'],
    ['T-CASH', '0000019305566999 Confirmed. Reversal of transaction 0000019305566778 of GHS45.00 on 2026-01-07.'],
  ])('is certain if it reports a completed reversal: %s: %s', (sender, text) => {
    expect(readWithoutProof(sender, text)).toMatchObject({ kind: 'reversal', isCertain: true });
  });

  test('is not parsed if it contains more than two transaction ids', () => {
    const ids = ['51234567890', '51234567891', '51234567892'];
    const textOf = (named: string[]) => `Transactions ${named.join(', ')} have been reversed.`;
    expect(readWithoutProof('MobileMoney', textOf(ids.slice(0, 2)))).toMatchObject({ transactionIds: ids.slice(0, 2) });
    expect(readWithoutProof('MobileMoney', textOf(ids))).toEqual({ kind: 'unread', network: 'MTN' });
  });

  test.each([
    ...['has  been refunded', 'had been refunded', 'was  fully  refunded', 'was rolled  back', 'was charged  back'],
    ...['was taken  back', 'was canceled', 'was cancelled', 'got recalled', 'was returned to KOFI'],
  ])('is uncertain if it says that the payment %s', (words) => {
    const reworded = { isInOwnWords: false, isCertain: false, isReworded: true };
    const reversal = { kind: 'reversal', transactionIds: [MTN_ID], amountsPesewas: [36_00], ...reworded };
    for (const label of ['', 'ID: ', 'ID : '])
      expect(readWithoutProof('MobileMoney', `Transaction ${label}${MTN_ID} of GHS 36.00 ${words}.`)).toMatchObject(
        reversal,
      );
  });

  test.each([
    ...['was returned  to you', 'was returned to  you', 'was returned into your wallet', 'was refunded to your wallet'],
    ...['was not refunded', 'was  never refunded', 'was nearly refunded', 'was almost refunded', 'fee was refunded'],
  ])('is not recognised if it says that the payment %s', (words) => {
    expect(readReceipt('MobileMoney', `Transaction ${MTN_ID} of GHS 36.00 ${words}.`).kind).toBe('unread');
  });

  test.each([
    'KOFI says transaction 51234567890 was refunded.',
    'Payment received for GHS 36.00 from KOFI 51234567890 was refunded.',
    'Payment for GHS 36.00 to KOFI 51234567890 was refunded.',
    'Transaction was refunded. Remark: 51234567891',
    'Transaction was refunded. Comment: 51234567891',
    'Transaction was refunded. Ref = 51234567891',
    'Transaction 51234567890 was refunded. Note : 51234567891',
    'Transactions 51234567890 and 51234567891 were refunded.',
  ])('is not recognised in other words if a payer may have typed them or the id: %s', (text) => {
    expect(readReceipt('MobileMoney', text)).toEqual({ kind: 'unread', network: 'MTN' });
  });

  test('reverses nothing if the sender is not a network', () => {
    for (const sender of ['+233555000111', 'MobileM0ney', ''])
      expect(readReceipt(sender, 'Transaction 51234567890 has been reversed.')).toEqual({ kind: 'other' });
  });

  test('cannot be imitated by a reference', () => {
    const said = ['reversed', 'Reversal', ' ', '. ', MTN_ID, TELECEL_ID, 'Transaction ', 'has been ', 'Reference: '];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...said)), (pieces) => {
        const reference = pieces.join('');
        for (const { sender, text, id } of [mtn({ reference }), telecel({ reference })])
          expect(readReceipt(sender, text)).toMatchObject({ kind: 'payment', transactionId: id });
      }),
    );
  });
});

describe('readWalletText', () => {
  const trusted = fc.constantFrom('MobileMoney', 'MoMo', 'T-CASH', 'TelecelCash', 'ATMoney');
  const anySender = fc.oneof(trusted, fc.constantFrom('+233555000111', 'Kofi'), fc.string({ unit: 'binary' }));
  const known = [...fixtures.map(({ text }) => text), mtn().text, telecel().text, 'Transaction 51234567890 reversed.'];
  const mutated = fc
    .tuple(
      fc.constantFrom(...known),
      fc.nat(),
      fc.nat(),
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...known)),
    )
    .map(([text, a, b, more]) => text.slice(0, a % text.length) + more + text.slice(b % text.length));
  const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 3_000 }), fc.constantFrom(...known), mutated);

  test('never throws for random texts', () => {
    fc.assert(
      fc.property(anySender, anyText, (sender, text) => {
        const reading = readReceipt(sender, text);
        if (reading.kind !== 'payment') return;
        expect(reading.network).toBe(networkOfSender(sender));
        expect(Number.isSafeInteger(reading.amountPesewas) && reading.amountPesewas >= 0).toBe(true);
        expect(reading.transactionId).toMatch(reading.network === 'MTN' ? /^\d{10,14}$/ : /^\d{16}$/);
        expect(reading.payerName).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });

  test('returns payments only from networks with sample texts', () => {
    const sender = fc.oneof(fc.constant('ATMoney'), fc.constant('+233555000111'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(sender, anyText, (name, text) => {
        fc.pre(networkOfSender(name) !== 'MTN' && networkOfSender(name) !== 'TELECEL');
        expect(['other', 'forged', 'unread']).toContain(readReceipt(name, text).kind);
      }),
      { numRuns: 500 },
    );
  });

  const word = fc.stringMatching(/^[A-Z][A-Z'-]{0,11}$/);
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const amountPesewas = fc.integer({ min: 1, max: 10_000_000 });
  const reference = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9 /,#-]{0,28}[A-Za-z0-9])?$/);

  test('returns the amount, name and reference as written', () => {
    fc.assert(
      fc.property(amountPesewas, fc.boolean(), name, reference, (pesewas, hasCommas, from, typed) => {
        // Names that may be a status are tested in names.test.ts.
        fc.pre(!mayEndWithStatus(from));
        const amount = (pesewas / 100).toLocaleString('en', { minimumFractionDigits: 2, useGrouping: hasCommas });
        const written = { amount, from, reference: typed };
        for (const { sender, text, id, network } of [mtn(written), telecel(written)]) {
          const payerPhone = network === 'MTN' ? null : '+233209876543';
          const read = paidBy(from, { amountPesewas: pesewas, reference: typed, transactionId: id });
          expect(readReceipt(sender, text)).toMatchObject({ ...read, network, payerPhone });
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['references', 'Payment received for GHS 1.00 from A Reference: '.repeat(500)],
    ['ids', `Payment received for GHS 1.00 from A Reference: ${'Transaction ID: 51234567890. '.repeat(500)}`],
    ['balances', `Payment received for GHS 1.00 from ${'Current Balance: GHS 1.00 . '.repeat(500)}`],
    ['digits', `Payment received for GHS ${'1'.repeat(5_000)}`],
    ['groups of digits', `Payment received for GHS ${'1,111'.repeat(2_000)}`],
    ['spaces', `Payment received for GHS 1.00 from ${' '.repeat(1_000_000)}`],
    ['dots', `Payment received for GHS 1.00 from ${'. '.repeat(5_000)}`],
    [
      'dates',
      `0000019305566778 Confirmed. You have received GHS1.00 from ${'on 2026-01-07 at 11:02:51. '.repeat(500)}`,
    ],
    ['reversals', `reversed ${'51234567890 '.repeat(5_000)}`],
    ['secrets', 'OTP '.repeat(5_000)],
  ])('costs little for a text with many %s', async (_, text) => {
    const parse = () => {
      for (const sender of ['MobileMoney', 'T-CASH', 'Kofi']) readReceipt(sender, text);
    };
    await expectCost(10, parse);
  });
});

/** Converts a sample from receipts.json to the parser's terms. */
function readingOf({ network, reads }: Pick<Fixture, 'network' | 'reads'>) {
  switch (reads.kind) {
    case 'payment':
      return {
        ...paidBy(reads.payer_name, { reference: reads.reference, transactionId: reads.transaction_id }),
        network,
        amountPesewas: reads.amount_pesewas,
        payerPhone: reads.payer_phone,
      };
    case 'unread':
      return { kind: 'unread', network };
    default:
      return reads;
  }
}

/** Returns the part of a reading that settling needs. Texts that do not move a customer's money are `other`. */
function readReceipt(sender: string, text: string) {
  const reading = readWithoutProof(sender, text);
  if (reading.kind === 'stranger') return { kind: reading.looksLikePayment ? 'forged' : 'other' } as const;
  const isReceipt = reading.kind === 'payment' || reading.kind === 'reversal' || reading.kind === 'unread';
  return isReceipt ? reading : ({ kind: 'other' } as const);
}

/** Returns the expected reading of a 36-cedi payment to an MTN wallet without other details. */
function paidBy(payerName: unknown, fields: object) {
  return { kind: 'payment', network: 'MTN', amountPesewas: 3_600, payerName, payerPhone: null, ...fields };
}

function withSenders(texts: Readonly<Record<string, readonly string[]>>): [sender: string, text: string][] {
  return Object.entries(texts).flatMap(([sender, some]) => some.map((text): [string, string] => [sender, text]));
}
