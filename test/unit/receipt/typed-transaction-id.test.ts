import { describe, expect, test } from 'vitest';
import { Network } from '../../../shared/ghana/network.ts';
import { newTestTransactionId, testTransactionId } from '../../../shared/money/receipt/receipt.ts';
import { describeTransactionId, transactionIdIn } from '../../../shared/money/receipt/typed-transaction-id.ts';
import { checkEach } from '../../support/check-each.ts';
import { expectCost } from '../../support/cpu.ts';

describe('a transaction id entered by a customer', () => {
  test.each([
    ...['70412345678', ' 7041 234 5678 ', '70412-345678.', '70412345678\r\n', '#70412345678', 'ID: 70412345678'],
    ...['id 70412345678', 'Transaction ID:70412345678', 'Txn id - 70412345678'],
    'Payment made for GHS 36.00 to AMA STORES Current Balance: GHS 222.58 . Available Balance: GHS 222.58. Reference: order 0241234567. Transaction ID: 70412345678. Fee charged: GHS1.00 Tax charged: 0.',
    'Your payment of GHS 36.00 to AMA STORES  has been completed at 2026-10-26 09:26:38. Reference: kente. Your new balance: GHS 2885.50. Fee was GHS 0.70 Tax charged: GHS0.60. Financial Transaction Id: 70412345678. External Transaction Id: -.',
    'I paid from 0241234567, it says 70412345678',
    'from 233241234567: 70412345678',
    '７０４１２３４５６７８',
    '7041\u00a0234\u20095678',
    '7041\u2011234\u200b5678',
    'MK-4071932685 70412345678',
    'MK - 4071932685, 70412345678',
    '5 ID70412345678',
  ])('is found in an MTN text or by itself: %j', (typed) => {
    expect(transactionIdIn(typed, 'MTN')).toBe('70412345678');
  });

  test.each(['1000000000', '100000000123', '10000000012345'])('has 10 to 14 digits for MTN: %s', (id) => {
    expect(transactionIdIn(id, 'MTN')).toBe(id);
  });

  test.each([
    '0000019305566778',
    '19305566778',
    'No. 19305566778 (mine)',
    'ID19305566778',
    'TEST19305566778',
    '0000019305566778 Confirmed. You have sent GHS36.00 to 233241234567 - AMA STORES on 2026-01-07 at 11:02:51.',
  ])('is found in a Telecel text or by itself: %j', (typed) => {
    expect(transactionIdIn(typed, 'TELECEL')).toBe('0000019305566778');
  });

  test.each([
    ...[
      'GM251127.0930.C09997',
      'gm251127.0930.c09997',
      'GM2511270930C09997',
      'GM251127-0930-C09997',
      'GM251127 0930 C09997',
      'id:GM251127.0930.C09997.',
      'GM251127. 0930. C09997',
      'GM251127 . 0930 . C09997',
      'Trans ID: GM251127 - 0930 - C09997',
    ],
    'Dear Customer, you have received GHS 29.99 from 0271110021. Trans ID: GM251127.0930.C09997. Your new balance is GHS 80.10.',
    'I paid GHS 29.99 from 0271110021: GM251127.0930.C09997, ref MK-4071932685',
  ])('is found in an AT text with letters: %j', (typed) => {
    expect(transactionIdIn(typed, 'AT')).toBe('GM251127.0930.C09997');
  });

  test('may contain letters for AT', () => {
    const text =
      'You have received GHS 20.00 from 0271234567 KOFI BOATENG. Trans ID: ATX7781234. New balance: GHS 45.00';
    expect(transactionIdIn(text, 'AT')).toBe('ATX7781234');
  });

  test.each(['70412345678.0', '70412345678.00', 'ID: 70412345678.00', 'it says 70412345678.00 for 0241234567'])(
    'is parsed without decimals added by a spreadsheet: %s',
    (typed) => {
      expect(transactionIdIn(typed, 'MTN')).toBe('70412345678');
    },
  );

  test('is not found in other words', () =>
    checkEach(
      [
        ['MTN', 'GM2511270930C09997'],
        ['MTN', 'GM251127.0930.C09997'],
        ['MTN', 'x70412345678'],
        ['MTN', '70412345678x'],
        ['MTN', 'paid 70412345678é'],
        ['MTN', '7041.2345678'],
        ['MTN', 'GHS 70412345678.05'],
        ['MTN', '7.0412345678E+10'],
        ['MTN', '7,0412345678E+10'],
        ['MTN', 'MK-4071932685'],
        ['MTN', 'MK 4071 932 685'],
        ['MTN', 'MK - 4071932685'],
        ['AT', 'MK4071932685'],
        ['AT', 'GM251127  MK-4071932685 0930.C09997'],
        ['AT', 'GM251127.0930.C09997X'],
        ['AT', 'XXGM251127.0930.C09997'],
        ['AT', '251127.0930.C09997'],
        ['AT', 'GM251127'],
        ['AT', 'GM251127.0930'],
        ['AT', 'AMA123456'],
        ['AT', 'GHS123456'],
        ['AT', 'GHS12345678'],
        ['AT', '2026-11-25'],
        ['AT', '20261125'],
        ['AT', '25112026'],
        ['AT', 'on 20261125 from Ama'],
        ['AT', '271110021'],
        ['AT', '561 110 021'],
        ['AT', 'CASH123456789012'],
        ['AT', '6.2841953770E+10'],
        ['MTN', ''],
        ['MTN', 'no digits'],
        ['MTN', '123456789'],
        ['MTN', '123456789012345'],
        ['MTN', '70412345678 or 70412345679'],
        ['MTN', 'GHS 36.00 to 0241234567'],
        ['MTN', '0000019305566778'],
        ['MTN', '051000770077'],
        ['MTN', '0241234567'],
        ['MTN', '233241234567'],
        ['AT', '0090000001'],
        ['AT', '233261234567'],
        ['TELECEL', '0201234567'],
        ['TELECEL', '233 20 123 4567'],
        ['TELECEL', 'no digits'],
        ['MTN', 'MK: 4071932685'],
        ['MTN', 'MK#4071932685'],
        ['MTN', 'MK/4071932685'],
        ['MTN', 'MK.4071932685'],
        ['TELECEL', '123456789'],
        ['TELECEL', '12345678901234567'],
        ['AT', '1234567'],
        ['AT', '123456789012345678901'],
      ] as const,
      ([network, typed]) => {
        expect(transactionIdIn(typed, network)).toBeUndefined();
      },
    ));

  test('has at least ten significant digits for Telecel', () => {
    expect(transactionIdIn('9305566778', 'TELECEL')).toBe('0000009305566778');
    expect(transactionIdIn('930556677', 'TELECEL')).toBeUndefined();
  });

  test.each(['12345678', '302611251', '2026112512', '20261325', '271110021123', '12345678901234567890'])(
    'has 8 to 20 digits for AT: %s',
    (id) => {
      expect(transactionIdIn(id, 'AT')).toBe(id);
    },
  );

  test.each([
    ...['ID 70412345678', 'ID: 70412345678', 'ID:70412345678', 'ID : 70412345678', 'ID. 70412345678'],
    ...['ID.: 70412345678', 'ID #70412345678', 'id - 70412345678'],
  ])('is the labelled number in %j', (labelled) => {
    const text = `Reference: 51234567891. Agent ID: 4411. Transaction ${labelled}. External Id: 61234567891`;
    expect(transactionIdIn(text, 'MTN')).toBe('70412345678');
  });

  test('is unclear if there are two labelled ids', () => {
    const text = 'Reference: Transaction ID: 51234567891. Transaction ID: 70412345678. TRANSACTION FEE: 0.00';
    expect(transactionIdIn(text, 'MTN')).toBeUndefined();
    expect(transactionIdIn(text.replace('51234567891', '70412345678'), 'MTN')).toBe('70412345678');
    expect(transactionIdIn(text.replace('Reference: T', 'External T'), 'MTN')).toBe('70412345678');
  });

  test('is the labelled number if it resembles a phone number', () => {
    expect(transactionIdIn('You paid 0241234567. Transaction ID: 233041234567.', 'MTN')).toBe('233041234567');
  });

  test('is not found after a word that contains a label', () => {
    expect(transactionIdIn('I paid 51234567891 or 70412345678', 'MTN')).toBeUndefined();
  });

  test.each(Network.options)('is found for every test payment id on %s', (network) => {
    for (const seed of ['00', '01', '7f', 'ff', '0000000000e8d4a5']) {
      const id = newTestTransactionId(network, (length) => Buffer.from(seed.padEnd(length * 2, '0'), 'hex'));
      const digits = id.replace(/^TEST/, '');
      expect(transactionIdIn(id, network)).toBe(digits);
      expect(testTransactionId(digits)).toBe(id);
    }
  });

  test('is found only in the first thousand characters', () => {
    expect(transactionIdIn(`${' '.repeat(989)}70412345678`, 'MTN')).toBe('70412345678');
    expect(transactionIdIn(`${' '.repeat(1_000)}70412345678`, 'MTN')).toBeUndefined();
  });

  test('is explained in each network’s instructions', () => {
    expect(describeTransactionId('AT')).toContain('a long number');
    expect(describeTransactionId('MTN')).toContain('10 to 14 digits');
    expect(describeTransactionId('TELECEL')).toContain('16 digits');
  });

  test('is found at little cost in a very long text', async () => {
    const find = () => {
      for (const piece of ['ID ', '7 ', 'X', 'x7', '70412345678', 'ID: 7', '- ', 'MK 4', 'GM251127.'])
        transactionIdIn(piece.repeat(200_000), 'MTN');
    };
    await expectCost(50, find);
  });
});
