import { describe, expect, test } from 'vitest';
import { wordsToStore } from '../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { readWithoutProof } from '../../support/read-without-proof.ts';
import { mtn, telecel } from '../../support/receipt-texts.ts';

const TEXTS = [
  ['MTN', mtn({ reference: 'MK-4172852884', from: 'AMA SAMPLE OWUSU MENSAH' })],
  ['Telecel', telecel({ reference: 'MK-4172852884', id: '0000019305566778' })],
] as const;

describe.each(TEXTS)('a payment text from %s', (_, { sender, text }) => {
  const whole = readWithoutProof(sender, text);

  test('is parsed completely', () => {
    expect(whole).toMatchObject({ kind: 'payment', reference: 'MK-4172852884' });
  });

  test('never has a wrong balance if it is truncated', () => {
    for (let length = 40; length < text.length; length++) {
      const reading = readWithoutProof(sender, text.slice(0, length));
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
      expect({ before, kind: readWithoutProof(sender, shifted.slice(0, length)).kind }).toEqual({
        before,
        kind: 'unread',
      });
    }
  });

  test.each(['GHC', 'GH₵ ', 'GH¢ '])('is never parsed incorrectly with the currency %s', (sign) => {
    const reading = readWithoutProof(sender, text.replaceAll(/GHS ?/g, sign));
    expect(['payment', 'unread']).toContain(reading.kind);
    if (reading.kind === 'payment') expect(reading).toEqual(whole);
  });

  test.each(['…', '...', ' (1/2)', ' (10/12)', '(1 / 2).', '[...]', ' (…)', ' [ … ]', '\u0000', '\u200b', '…\u200b'])(
    'never has another id or balance if an app cut it and added %j',
    (mark) => {
      for (let length = 40; length < text.length; length++) {
        const reading = readWithoutProof(sender, text.slice(0, length) + mark);
        if (reading.kind !== 'payment' || whole.kind !== 'payment') continue;
        const { balancePesewas, transactionId } = whole;
        expect({ length, reading }).toMatchObject({ length, reading: { balancePesewas, transactionId } });
      }
    },
  );

  test.each([' Thank you...', ' Offer ends 31/12.'])('is parsed if an advert follows: %s', (advert) => {
    expect(readWithoutProof(sender, text + advert)).toEqual(readWithoutProof(sender, `${text} Thank you`));
  });

  test.each(['\u200e', '\u2060 ', '\u0000'])('is parsed if %j stands around it', (blank) => {
    expect(readWithoutProof(sender, blank + text + blank)).toEqual(whole);
  });

  test('is not parsed if it arrives as two halves', () => {
    const half = Math.floor(text.length / 2);
    const kinds = [text.slice(0, half), text.slice(half)].map((part) => readWithoutProof(sender, part).kind);
    expect(kinds[0]).toBe('unread');
    expect(['unread', 'secret']).toContain(kinds[1]);
  });
});

describe.each([
  [
    'an outgoing payment',
    'MobileMoney',
    'Payment made for GHS 20.00 to ECG. Current Balance: GHS 412.50. Available Balance: GHS 412.50. Reference: light. Transaction ID: 83724298138. Fee charged: GHS 0.00 TAX charged: GHS 0.00',
  ],
  [
    'a bank transfer',
    'MobileMoney',
    'An amount of GHS 20.00 has been credited to your mobile money account. Message: rent. Your new balance: GHS 412.50. Financial Transaction Id: 83724298138.',
  ],
  [
    'a withdrawal',
    'T-CASH',
    '0000083724298138 Confirmed. You have withdrawn GHS40.00 from 233264753098 - KOJO GYAMFI on 2026-02-10 at 11:26:46. Your Telecel Cash balance is GHS412.50.',
  ],
])('the text of %s', (_, sender, text) => {
  test.each(['', '…', ' (1/2)', ' (10/12)', ' [ … ]'])(
    'never has another id or balance if it is cut off before %j',
    (mark) => {
      for (const whole of [text, text.toLowerCase()]) {
        expect(readWithoutProof(sender, whole)).toMatchObject({
          balancePesewas: 412_50,
          transactionId: expect.stringContaining('83724298138'),
        });
        const known = [null, '83724298138', '0000083724298138'];
        for (let length = 40; length < whole.length; length++) {
          const reading = readWithoutProof(sender, whole.slice(0, length) + mark);
          if (!('balancePesewas' in reading)) continue;
          expect({ length, id: known.includes(reading.transactionId), balance: reading.balancePesewas }).toEqual({
            length,
            id: true,
            balance: 412_50,
          });
        }
      }
    },
  );
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
    expect(readWithoutProof('MobileMoney', whole)).toMatchObject({ kind: 'payment', transactionId: '83724298138' });
  });

  test.each(['', 'Ɔ'.repeat(40), '€'.repeat(65)])(
    'is not recognised if its id is cut off anywhere after %j',
    (words) => {
      const text = whole.replace('fees', `fees ${words}`);
      for (let end = text.indexOf('83724298138'); end < text.length; end++)
        expect({ end, kind: readWithoutProof('MobileMoney', text.slice(0, end)).kind }).toEqual({
          end,
          kind: 'unread',
        });
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
        expect(readWithoutProof(sender, `${before}${typed}${stop}`)).toMatchObject({
          kind: 'payment',
          reference: typed,
        });
    },
  );
});

describe.each([153, 160, 306])('a payment text of %i characters, as long as whole SMS parts', (length) => {
  const before =
    '0000019305566778 Confirmed. You have received GHS45.00 from ESI on 2026-01-07 at 11:02. Your Telecel Cash balance is GHS1.00. Ref: ';
  const ending = (end: string) => {
    const text = `${before}${'x'.repeat(length - before.length - end.length - 1)} ${end}`;
    expect(text).toHaveLength(length);
    return readWithoutProof('T-CASH', text).kind;
  };

  test.each(['MK', 'MK-', 'MK6', 'MK - 65', 'mk-654228126', 'pay R', 'pay Ref', 'pay.Ref'])(
    'is not parsed if it ends with %j, which may be cut off',
    (end) => {
      expect(ending(end)).toBe('unread');
    },
  );

  test.each(['MK-6542281265', 'MK-ABC', 'dinner', 'care'])('is parsed if it ends with %j', (end) => {
    expect(ending(end)).toBe('payment');
  });
});

describe('a text that ends with the balance', () => {
  const paid = (name: string) =>
    `0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - ${name} on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00`;
  const withdrawn = (name: string) =>
    `0000012029556214 Confirmed. You have withdrawn GHS40.00 from 233264753098 - ${name} on 2026-02-10 at 11:26:46. Your Telecel Cash balance is GHS3548.78.`;
  const ofLength = (length: number, text: (name: string) => string) => text('K'.repeat(length - text('').length));

  test.each(['…', ' (10/12)', ' [ … ]'])(
    'is not a parsed payment if an app cut its reference off before %j',
    (mark) => {
      for (const text of [paid('ESI'), `${paid('ESI')}.`]) {
        expect(readWithoutProof('T-CASH', text).kind).toBe('payment');
        expect(readWithoutProof('T-CASH', text + mark).kind).toBe('unread');
        expect(readWithoutProof('T-CASH', text.toLowerCase() + mark).kind).toBe('unread');
      }
    },
  );

  test.each([153, 160])('is a parsed withdrawal, but no parsed payment, if it has %i characters', (length) => {
    expect(readWithoutProof('T-CASH', ofLength(length, withdrawn)).kind).toBe('money_out');
    expect(readWithoutProof('T-CASH', ofLength(length, paid)).kind).toBe('unread');
  });
});

test('a payment text is not parsed if it is cut off within its fee', () => {
  const { sender, text } = mtn({ reference: '1/2' });
  const kindOf = (fee: string) => readWithoutProof(sender, text.replace('FEE: 0.00', `FEE: ${fee}`)).kind;
  expect(['GHS 5.00', 'GHS 5.00.'].map(kindOf)).toEqual(['payment', 'payment']);
  expect(['GHS 5', 'GHS 5.', 'GHS 5.0', 'ghs 5', 'GHS 5…'].map(kindOf)).toEqual(Array(5).fill('unread'));
});
