import { describe, expect, test } from 'vitest';
import { readWalletText, wordsToStore } from '../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { mtn, telecel } from '../../support/receipt-texts.ts';

const TEXTS = [
  ['MTN', mtn({ reference: 'MK-4172852884', from: 'AMA SAMPLE OWUSU MENSAH' })],
  ['Telecel', telecel({ reference: 'MK-4172852884', id: '0000019305566778' })],
] as const;

describe.each(TEXTS)('a payment text from %s', (_, { sender, text }) => {
  const whole = readWalletText(sender, text);

  test('is parsed completely', () => {
    expect(whole).toMatchObject({ kind: 'payment', reference: 'MK-4172852884' });
  });

  test('never has a wrong balance if it is truncated', () => {
    for (let length = 40; length < text.length; length++) {
      const reading = readWalletText(sender, text.slice(0, length));
      if (reading.kind !== 'payment' || whole.kind !== 'payment') continue;
      const { balancePesewas } = whole;
      expect({ length, reading }).toMatchObject({ length, reading: { balancePesewas } });
    }
  });

  test.each([160, 153])('is not parsed if it is truncated after %i characters', (length) => {
    // The cut falls after the balance or the id, or within one of them.
    for (let before = 0; before < text.length - length; before++) {
      const shifted = text.replace(/KOFI MENSAH BOATENG|AMA SAMPLE OWUSU MENSAH/, (name) =>
        name.slice(0, name.length - (before % 8)),
      );
      expect({ before, kind: readWalletText(sender, shifted.slice(0, length)).kind }).toEqual({
        before,
        kind: 'unread',
      });
    }
  });

  test.each(['GHC', 'GH₵ ', 'GH¢ '])('is never parsed incorrectly with the currency %s', (sign) => {
    const reading = readWalletText(sender, text.replaceAll(/GHS ?/g, sign));
    expect(['payment', 'unread']).toContain(reading.kind);
    if (reading.kind === 'payment') expect(reading).toEqual(whole);
  });

  test.each(['…', '...', ' (1/2)', '(1 / 2).', '[...]', ' (…)', '\u0000', '\u200b', '…\u200b'])(
    'never has another id or balance if an app cut it and added %j',
    (mark) => {
      for (let length = 40; length < text.length; length++) {
        const reading = readWalletText(sender, text.slice(0, length) + mark);
        if (reading.kind !== 'payment' || whole.kind !== 'payment') continue;
        const { balancePesewas, transactionId } = whole;
        expect({ length, reading }).toMatchObject({ length, reading: { balancePesewas, transactionId } });
      }
    },
  );

  test.each([' Thank you...', ' Offer ends 31/12.'])('is parsed if an advert follows: %s', (advert) => {
    expect(readWalletText(sender, text + advert)).toEqual(readWalletText(sender, `${text} Thank you`));
  });

  test.each(['\u200e', '\u2060 ', '\u0000'])('is parsed if %j stands around it', (blank) => {
    expect(readWalletText(sender, blank + text + blank)).toEqual(whole);
  });

  test('is not parsed if it arrives as two halves', () => {
    const half = Math.floor(text.length / 2);
    const kinds = [text.slice(0, half), text.slice(half)].map((part) => readWalletText(sender, part).kind);
    expect(kinds[0]).toBe('unread');
    expect(['unread', 'secret']).toContain(kinds[1]);
  });
});

describe.each([
  [
    'an outgoing payment',
    'Payment made for GHS 20.00 to ECG. Current Balance: GHS 412.50. Available Balance: GHS 412.50. Reference: light. Transaction ID: 83724298138. Fee charged: GHS 0.00 TAX charged: GHS 0.00',
  ],
  [
    'a bank transfer',
    'An amount of GHS 20.00 has been credited to your mobile money account. Message: rent. Your new balance: GHS 412.50. Financial Transaction Id: 83724298138.',
  ],
])('the text of %s', (_, text) => {
  const whole = readWalletText('MobileMoney', text);

  test.each(['', '…', ' (1/2)'])('never has another id or balance if it is cut off before %j', (mark) => {
    expect(whole).toMatchObject({ balancePesewas: 412_50, transactionId: '83724298138' });
    const known = [null, '83724298138'];
    for (let length = 40; length < text.length; length++) {
      const reading = readWalletText('MobileMoney', text.slice(0, length) + mark);
      if (!('balancePesewas' in reading)) continue;
      expect({ length, id: known.includes(reading.transactionId), balance: reading.balancePesewas }).toEqual({
        length,
        id: true,
        balance: 412_50,
      });
    }
  });
});

test('a code in a bank’s message is masked also if an invisible character stands before the text', () => {
  const text = (message: string) =>
    `\u200bAn amount of GHS 20.00 has been credited to your mobile money account. Message: ${message}. Your new balance: GHS 8.13. Financial Transaction Id: 90925747422.`;
  expect(wordsToStore('MobileMoney', text('exam voucher 39714701022411829931'))).toBe(
    text('exam voucher ********************'),
  );
});

describe('a payment text without a fee after its id', () => {
  const whole = 'Payment received for GHS 101.00 from ESI OWUSU. Reference: fees. Transaction ID: 83724298138.';

  test('is parsed completely', () => {
    expect(readWalletText('MobileMoney', whole)).toMatchObject({ kind: 'payment', transactionId: '83724298138' });
  });

  test.each(['', 'Ɔ'.repeat(40), '€'.repeat(65)])(
    'is not recognised if its id is cut off anywhere after %j',
    (words) => {
      const text = whole.replace('fees', `fees ${words}`);
      for (let end = text.indexOf('83724298138'); end < text.length; end++)
        expect({ end, kind: readWalletText('MobileMoney', text.slice(0, end)).kind }).toEqual({ end, kind: 'unread' });
    },
  );
});

describe('a payment text that ends with an amount', () => {
  const { sender, text } = telecel({ reference: 'TYPED' });
  const [before = ''] = text.split('TYPED');

  test.each(['MK-4172852884 GHS 36', 'MK-4172852884 ¢36', 'rent GHS 36.5'])(
    'is parsed if the payer typed %s',
    (typed) => {
      for (const stop of ['', '.', ' .', '.\n'])
        expect(readWalletText(sender, `${before}${typed}${stop}`)).toMatchObject({ kind: 'payment', reference: typed });
    },
  );
});
