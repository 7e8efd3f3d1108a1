import { describe, expect, test } from 'vitest';
import { Network, networkExamples, networks } from '../../../../shared/ghana/network.ts';
import { readWalletText, wordsToStore } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { type Reading, unclearMovementOf, withoutProof } from '../../../../shared/ghana/wallet-text/reading.ts';
import { checkEach } from '../../../support/check-each.ts';
import { mtn, type ReceiptText, telecel } from '../../../support/receipt-texts.ts';
import { samples, walletLog } from '../../../support/wallet-texts.ts';

// These texts hold unknown words, so they are read only if the wallet's balance verifies them.

/** Payers whose names contain what could be a status. */
const NAMES = [
  ...['SETTLE DOWN GUEST HOUSE', 'VERIFIED GADGETS', 'KEPT BY GRACE', 'NO LIMIT KICKS', 'PENDING GLORY', 'NOT GUILTY'],
  ...['BLOCKED NO MORE', 'HELD BY HIS HAND', 'CANCEL CULTURE GH', 'RETURN OF THE KING', 'WAIT ON THE LORD'],
  ...['REFUND POLICY LTD', 'FAILED FORWARD', 'PAID IN FULL', 'NEVER ALONE', 'UNDER REVIEW MAGAZINE', 'APPROVED BY GOD'],
  ...['CLEARED FOR TAKEOFF', 'TOMORROW PEOPLE', 'MONDAY MOTIVATION', 'CONFIRMED BACHELOR', 'ACCEPTED IN THE BELOVED'],
  ...['REVERSED CURSE', 'QUEUE LESS PHARMACY', 'DISPUTE SETTLERS', 'RECALLED TO LIFE', 'VOID OF SIN', 'ON HOLD COFFEE'],
  ...['TO BE CONTINUED', 'REJECTED STONE', '24 HOURS GYM', 'EXPIRED TAGS THRIFT', 'MERCHANT 104901', 'KOFI: MENSAH'],
];

const GREETINGS = [
  ...['Akwaaba, cherished friend! ', 'Dear customer ', 'Hello KOFI STORES! ', 'Good news: ', 'Maakye!\n', 'Fwd: '],
  ...['Message from MobileMoney Ltd: ', '[MoMo] ', 'Wo ho te sɛn? '],
];

const CLOSINGS = [
  ...['Ghana is a beautiful place, come and see it.', 'Medaase.', 'Rate us 5 stars in the Play Store.', 'Ayekoo'],
  ...['Beware of fraudsters. MTN will never call to ask for your PIN.', 'Get GHS 10 back on every purchase this week.'],
  ...['Please confirm the name before you hand over goods.', 'For help contact 100.', 'You have earned 5 points.'],
  ...[
    'No fees on transfers today.',
    'The offer expires on 31 December.',
    'Your Transaction ID is your proof of payment.',
  ],
  ...[
    'Regulated by Bank of Ghana.',
    'Verify payments in the MoMo App.',
    'Report fraud to 1515.',
    'Cancel anytime: *170#.',
  ],
];

/** Each payment text whose fields a payer must not change, with a reference. */
const payments = (reference: string): ReceiptText[] => [
  mtn({ amount: '1.00', reference }),
  telecel({ amount: '1.00', reference }),
];

describe('a payment whose balance can verify it', () => {
  test('is read from a payer with any name', () =>
    checkEach(NAMES, (from) => {
      for (const { sender, text, id } of [mtn({ from }), telecel({ from })])
        expect(readWalletText(sender, text)).toMatchObject({ kind: 'payment', payerName: from, transactionId: id });
    }));

  test('is read with an unknown sentence before or behind it', () =>
    checkEach([...GREETINGS.map((before) => [before, '']), ...CLOSINGS.map((behind) => ['', behind])], (words) => {
      const [before = '', behind = ''] = words;
      for (const { sender, text, id } of [mtn(), telecel()]) {
        const reading = readWalletText(sender, `${before}${text}${behind && `. ${behind}`}`);
        expect(reading).toMatchObject({ kind: 'payment', needsProof: true, amountPesewas: 36_00, transactionId: id });
      }
    }));

  test('is left to a person without a balance', () => {
    const text = 'Payment received for GHS 36.00 from VERIFIED GADGETS. Reference: 1. Transaction ID: 51234567890.';
    expect(readWalletText('MobileMoney', text).kind).toBe('unread');
  });

  test('is left to a person if nothing verifies the balance', () => {
    const { sender, text } = mtn({ from: 'VERIFIED GADGETS' });
    expect(withoutProof(readWalletText(sender, text))).toEqual({ kind: 'unread', network: 'MTN' });
  });
});

test.each([
  ['before', (text: string) => `Akwaaba, cherished friend! ${text}`],
  ['behind', (text: string) => `${text.replace(/\.?\s*$/, '. ')}Ghana is a beautiful place, come and see it.`],
])('every text of a real wallet keeps its fields with an unknown sentence %s it', (_, change) =>
  checkEach(
    walletLog.map(({ sender, text }) => ({ name: text, sender })),
    ({ name, sender }) => {
      const { kind, ...fields } = fieldsOf(readWalletText(sender, name));
      expect(kind).not.toBe('unread');
      expect(fieldsOf(readWalletText(sender, change(name)))).toEqual({ kind, ...fields });
    },
  ),
);

describe('words outside the payer’s that deny a payment', () => {
  const denials = [
    ...[
      'Payment pending approval.',
      'Not yet credited.',
      'The money was returned to the sender.',
      'It has been blocked.',
    ],
    ...['This payment failed.', 'Transaction cancelled by sender.', 'It is on hold.', 'Your wallet was debited.'],
  ];

  test('leave it to a person, but its balances are known', () =>
    checkEach(denials, (words) => {
      for (const { sender, text } of [mtn(), telecel()])
        for (const whole of [`${text}. ${words}`, `${words} ${text}`])
          expect(readWalletText(sender, whole).kind).toBe('unclear');
    }));

  test('leave it to a person if they follow the name in small letters', () => {
    for (const { sender, text } of [mtn({ from: 'KOFI is pending' }), telecel({ from: 'KOFI was cancelled' })])
      expect(readWalletText(sender, text).kind).toBe('unclear');
  });

  test('make it a reversal if they report one', () => {
    const { sender, text, id } = mtn();
    const reversal = { kind: 'reversal', transactionIds: [id] };
    expect(readWalletText(sender, `${text}. This transaction has been reversed.`)).toMatchObject(reversal);
  });
});

/** Each sample of each network, in full, and cut before and behind each of its sentences and labels. */
const parts = Network.options.flatMap((network) =>
  Object.values(networkExamples[network]?.samples ?? {}).flatMap(({ text }) => {
    const places = [...text.matchAll(/(?<=[.:]) |(?= Reference| Transaction ID| Confirmed)/gi)].map(
      ({ index }) => index,
    );
    return [text, ...places.flatMap((at) => [text.slice(0, at), text.slice(at).trim()])];
  }),
);

describe('a reference that contains a part of a network’s text', () => {
  test('never supplies a field, and never hides the balances', () =>
    checkEach([...new Set(parts)], (part) => {
      for (const reference of [part, `x. ${part}`, `${part}. x`])
        for (const { sender, text, id } of payments(reference)) {
          const { afterPesewas, ...fields } = ofPayment(readWalletText(sender, text));
          expect(fields).toEqual({ amountPesewas: 1_00, transactionId: fields.transactionId && id });
          expect([1_136_50, 1_135_25]).toContain(afterPesewas);
        }
    }));

  test.each([
    ['a second id', 'x. Transaction ID: 79999999999. TRANSACTION FEE: 0.00'],
    ['a second balance', 'x. Your new balance: GHS 9999.00'],
    ['a second amount', 'x. Payment received for GHS 9,999.00 from EVE'],
    ['the label of an id', 'my transaction id'],
    ['a reversal', 'x. Transaction ID: 79999999999 has been reversed'],
  ])('makes the payment unclear: %s', (_, reference) => {
    const { sender, text } = mtn({ amount: '1.00', reference });
    const reading = readWalletText(sender, text);
    expect(reading).toEqual({ kind: 'unclear', network: 'MTN', beforePesewas: 1_135_50, afterPesewas: 1_136_50 });
    expect(unclearMovementOf(reading, { at_ms: 5 })).toEqual({ before: 1_135_50, after: 1_136_50, at_ms: 5 });
  });

  test('never supplies the fee', () => {
    const { sender, text } = mtn({ reference: 'x. TRANSACTION FEE: 9.00' });
    expect(readWalletText(sender, text)).toMatchObject({ kind: 'payment', chargesPesewas: null });
  });

  test('is stored so that its balances stay known, even if it contains a code', () =>
    checkEach(
      [...parts, 'your OTP code TRANSACTION ID: 5', 'Your OTP is 482913. Payment made for GHS 1.00'],
      (part) => {
        for (const { sender, text } of payments(part)) {
          const reading = readWalletText(sender, text);
          expect(fieldsOf(readWalletText(sender, wordsToStore(sender, text)))).toEqual(fieldsOf(reading));
        }
      },
    ));
});

test('a network’s text that is not a payment stays what it is, whatever surrounds it', () =>
  checkEach(
    samples.filter(({ expect: { kind } }) => kind !== 'payment'),
    ({ sender, text }) => {
      for (const whole of [`Akwaaba! ${text}`, `${text}. Medaase.`])
        expect(readWalletText(sender, whole).kind).not.toBe('payment');
    },
  ));

test('incoming money that the network’s own words call something else is never a payment', () =>
  checkEach(
    [
      'TELECEL CASH as loan',
      'KOFI MENSAH as cash in',
      'MTN BUNDLE as refund',
      'your GCB account today',
      'KOFI as interest',
    ],
    (from) => {
      for (const { sender, text } of [mtn({ from }), telecel({ from })])
        expect(['unclear', 'money_in']).toContain(readWalletText(sender, text).kind);
    },
  ));

test('a text that begins inside the words of another one is never a payment', () =>
  checkEach(
    [
      'You got GHS 1.00 from KOFI. Note: TEXT',
      'KOFI MENSAH sent you GHS 1.00 with TEXT',
      'KOFI MENSAH says TEXT',
      'Reference: TEXT',
      'KOFI MENSAH TEXT',
      'You have sent GHS1.00. Message: TEXT. Your bal: GHS 5.00',
    ],
    (around) => {
      for (const { sender, text } of [mtn(), telecel()])
        expect(readWalletText(sender, around.replace('TEXT', text)).kind).toBe('unread');
    },
  ));

test('two texts that a phone joined are never a payment, and never mix their fields', () =>
  checkEach(
    Network.options.flatMap((network) => {
      const texts = Object.values(networkExamples[network]?.samples ?? {}).map(({ text }) => text);
      return texts.map((name) => ({ name, sender: networks[network].senders[0], others: texts }));
    }),
    ({ name: first, sender, others }) => {
      const own = readWalletText(sender, first);
      for (const second of others)
        for (const gap of ['', ' ', '\n', '. ']) {
          const reading = readWalletText(sender, first + gap + second);
          expect(['unclear', 'unread', 'secret', 'reversal']).toContain(reading.kind);
          if (reading.kind !== 'unclear') continue;
          expect(reading.afterPesewas).toBe('balancePesewas' in own && own.balancePesewas);
        }
    },
  ));

function fieldsOf(reading: Reading) {
  if (!('transactionId' in reading)) return reading;
  const { kind, amountPesewas, balancePesewas, chargesPesewas, transactionId } = reading;
  return { kind, amountPesewas, balancePesewas, chargesPesewas, transactionId };
}

/** Returns the fields of a payment that its payer must not be able to change. */
function ofPayment(reading: Reading) {
  if (reading.kind === 'unclear') {
    const { beforePesewas, afterPesewas } = reading;
    return { amountPesewas: afterPesewas - beforePesewas, afterPesewas, transactionId: undefined };
  }
  if (reading.kind !== 'payment') throw new Error(`The payment became ${JSON.stringify(reading)}`);
  const { amountPesewas, balancePesewas: afterPesewas, transactionId } = reading;
  return { amountPesewas, afterPesewas, transactionId };
}
