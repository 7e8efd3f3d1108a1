import { describe, expect, test } from 'vitest';
import { isPrivateText, readWalletText, wordsToStore } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { withoutDigits } from '../../../../shared/ghana/wallet-text/secret.ts';
import { checkEach } from '../../../support/check-each.ts';
import { expectCost } from '../../../support/cpu.ts';
import { readWithoutProof } from '../../../support/read-without-proof.ts';
import { mtn, telecel } from '../../../support/receipt-texts.ts';

const MTN_ID = '51234567890';

describe('a payment from another network', () => {
  const name = 'KOFI MENSAH BOATENG';

  test.each([
    ['VODAFONE', '233209876543', '+233209876543'],
    ['AIRTEL', '233261234567', '+233261234567'],
    // An AT account number that is not a phone number.
    ['AIRTEL', '270019352', null],
  ])('through %s from %s has the payer’s number %s', (via, number, payerPhone) => {
    const { sender, text } = mtn({ from: name, reference: `${name} ,${number},MK-0123456789 from ${via}` });
    const payment = { kind: 'payment', payerName: name, via, payerPhone, reference: 'MK-0123456789' };
    expect(readWithoutProof(sender, text)).toMatchObject(payment);
  });

  test.each([
    ['nothing', `${name} ,233209876543, from VODAFONE`, null],
    ['nothing, without a space', `${name} ,233209876543,from VODAFONE`, null],
    ['commas', `${name} ,233209876543,a, b,c from VODAFONE`, 'a, b,c'],
    ['the network’s words again', `${name} ,233209876543,1 from VODAFONE from VODAFONE`, '1 from VODAFONE'],
  ])('keeps the typed reference if it contains %s', (_, reference, typed) => {
    const { sender, text } = mtn({ from: name, reference });
    expect(readWithoutProof(sender, text)).toMatchObject({ via: 'VODAFONE', reference: typed });
  });

  test.each([
    ['another name', 'AMA OWUSU ,233209876543,1 from VODAFONE'],
    ['an unknown network', `${name} ,233209876543,1 from ELIKEM AMEGAH`],
    ['a missing number', `${name} ,D509004,233202289688 from VODAFONE`],
    ['a masked number', `${name} ,02xxxxxx41,Daniel from ITC`],
    ['a missing name', ',233209876543,1 from VODAFONE'],
    ['words before the name', `shoes, ${name} ,233209876543,1 from VODAFONE`],
    ['words after the network', `${name} ,233209876543,1 from VODAFONE 2`],
  ])('has an ordinary reference if it contains %s', (_, reference) => {
    const { sender, text } = mtn({ from: name, reference });
    expect(readWithoutProof(sender, text)).toMatchObject({ via: null, payerPhone: null, reference });
  });
});

test.each(['5123456789', '51234567890', '112345678901', '1123456789012', '11234567890123'])(
  'the id %s is accepted in payments and reversals',
  (id) => {
    const { sender, text } = mtn({ id });
    expect(readWithoutProof(sender, text)).toMatchObject({ kind: 'payment', transactionId: id });
    const reversal = { kind: 'reversal', isCertain: true, transactionIds: [id], reportedPesewas: null };
    expect(readWithoutProof(sender, `Transaction ${id} has been reversed.`)).toMatchObject(reversal);
  },
);

test.each([
  ...['Quickpay pull', 'Ecobank ova', 'UMB Bank OVA', 'INTEROPERABILITY PULL OVA', 'Absa Bank', 'GTBank'],
  ...['Other Networks', 'ICS GHS EQUITIES TRUST ACCOUNT 3', 'AGENT KOJO', 'VODAFONE PUSH'],
])('the payer %s is an institution', (from) => {
  expect(readWithoutProof('MobileMoney', mtn({ from }).text)).toMatchObject({ payerIsInstitution: true });
});

test.each(['KOFI MENSAH', 'TRUST BANKOLE', 'OVADIA NOVA', 'NANA K. PULLEY', 'NOTE TRADING'])(
  'the payer %s is not an institution',
  (from) => {
    const payment = { kind: 'payment', payerName: from, payerIsInstitution: false };
    expect(readWithoutProof('MobileMoney', mtn({ from }).text)).toMatchObject(payment);
  },
);

const OWN_TRANSFER =
  '0000015061132227 confirmed. You have received GHS2,039.42 from your GCB account on 2026-11-22 at 09:05:08. Your Telecel Cash balance is GHS2138.00. Stay alert. Never share your PIN or OTP with anyone or click unknown links. Protect your personal information.';

describe('money from an account of the wallet’s owner', () => {
  test.each([
    ...['your GCB account', 'your account', 'Your Fidelity Bank Account', 'YOUR ECOBANK ACCT', 'your Absa a/c'],
    ...['your CalBank account 1441000123', 'your savings account xxxx1234', 'your GCB bank account (**12)'],
  ])('is no customer’s payment: %s', (account) => {
    const texts = [
      ['T-CASH', OWN_TRANSFER.replace('your GCB account', account)],
      ['T-CASH', OWN_TRANSFER.replace('from your GCB account', `as payment from ${account}`)],
      ['MobileMoney', mtn({ from: account }).text],
    ] as const;
    for (const [sender, text] of texts)
      expect(readWithoutProof(sender, text)).toMatchObject({ kind: 'money_in', counterparty: account });
  });

  test('states its amount, balance and id', () => {
    const facts = { amountPesewas: 203_942, balancePesewas: 213_800, transactionId: '0000015061132227' };
    expect(readWithoutProof('T-CASH', OWN_TRANSFER)).toMatchObject(facts);
  });

  test.each([
    ['YOUR ACCOUNTANT LTD', 'payment'],
    ['YOUR CHOICE ENTERPRISE', 'payment'],
    ['your GCB account is pending', 'unread'],
    ['your failed GCB account', 'unread'],
  ])('is not assumed from %s, which is %s', (from, kind) => {
    expect(readWithoutProof('MobileMoney', mtn({ from }).text)).toMatchObject({ kind });
  });
});

test('a payment refused at the balance limit has a payer and an amount', () => {
  const text =
    'You have exceeded your daily transaction limit. AKUA OSEI failed to send GHS 6,000.00 to your account. Go to my wallet to check ' +
    'your wallet limit. Financial transaction Id: 31574300924. External ID. -. Transaction Fee is 0.';
  expect(readWithoutProof('MobileMoney', text)).toEqual({
    kind: 'no_money',
    network: 'MTN',
    amountPesewas: null,
    chargesPesewas: 0,
    balancePesewas: null,
    transactionId: '31574300924',
    counterparty: 'AKUA OSEI',
    refusedPayment: { payerName: 'AKUA OSEI', amountPesewas: 600_000 },
  });
});

describe('a text with an invalid payer name', () => {
  test.each([
    ...['KOFI is pending approval', 'KOFI MENSAH failed', 'KOFI 233241234567', 'KOFI on 2026-01-07'],
    'KOFI Reference: MK-1',
    // These names complete a shorter wording, but the remaining text is not a reference in that wording.
    ...['KOFI. Reference: MK-1', 'KOFI Transaction ID: 99999999999', 'KOFI Current Balance: GHS 9.00 .'],
    ...['KOFI Current Balance: GHS 9.00 . Reference: x', 'KOFI received GHS 9.00'],
    'KOFI with transaction reference: Transfer From: 233201111111-EVE MALLORY',
    mtn().text,
    telecel().text,
    '1234',
    '',
  ])('is not parsed: %j', (from) => {
    for (const { sender, text } of [mtn({ from }), telecel({ from })])
      expect(readWithoutProof(sender, text).kind).toBe('unread');
  });

  test('is parsed without the payer’s phone number', () => {
    const from = (name: string) =>
      `0000013264775053 Confirmed. You have received GHS1,600.00 from ${name} on 2026-06-05 at 15:08. Your Telecel Cash balance is GHS3,264.53.`;
    expect(readWithoutProof('T-CASH', from('KUMASI ENTERPRISE'))).toMatchObject({ kind: 'payment', payerPhone: null });
    for (const typed of ['KUMASI with transaction reference: Transfer From: 233201111111-EVE', 'A 233201111111 - EVE'])
      expect(readWithoutProof('T-CASH', from(typed)).kind).toBe('unread');
  });
});

describe('the fees for an outgoing payment', () => {
  const sent = (charges: string) =>
    `Payment made for GHS 500.00 to AMA APPIAH. Current Balance: GHS 65.04. Available Balance: GHS 65.04. Reference: 1. Transaction ID: ${MTN_ID}${charges}`;

  test.each([
    ['. Fee charged: GHS 3.75 TAX charged: GHS 4.00.', 775],
    ['. Fee charged: GHS3.75,Tax Charged 0.10.Download the MoMo App for a Faster & Easier Experience.', 385],
    ['. Fee charged: GHS0.00,Tax Charged 0 Download the MoMo App for a Faster & Easier Experience.', 0],
    ['. Fee charged: 1,000.50 GHS', 100_050],
    ['. TRANSACTION FEE: 0.5', 50],
    ['. Fee was GHS - Tax was GHS -.', 0],
    ['.', null],
  ])('%j are %s pesewas', (charges, chargesPesewas) => {
    expect(readWithoutProof('MobileMoney', sent(charges))).toMatchObject({ kind: 'money_out', chargesPesewas });
  });

  test.each([
    // Equal fees under two names may be two separate fees. A fee under an unknown name is unclear too.
    ...['. Fee charged: GHS 3.75. TRANSACTION FEE: 3.75', '. Tax charged: GHS 3.75. E-levy charge: GHS 3.75'],
    ...['. Fee charged: GHS 3.75. Commission: GHS 1.00', '. Fee charged: GHS -3.75', '. Fee charged: 3.755'],
    '. Fee charged: GHS 3.75. Service 0.50',
  ])('are not parsed if they are ambiguous: %j', (charges) => {
    expect(readWithoutProof('MobileMoney', sent(charges))).toEqual({ kind: 'unread', network: 'MTN' });
  });
});

describe('a transfer to another network', () => {
  const read = (reference: string) =>
    readWithoutProof(
      'MobileMoney',
      `Payment made for GHS 20.00 to VODAFONE PUSH. Current Balance: GHS 10.00. Reference: ${reference}. Transaction ID: ${MTN_ID}. Fee charged: GHS 0.15`,
    );

  test('has a recipient if the reference starts with a name and a number', () => {
    const sentTo = { name: 'KOFI MENSAH', phone: '+233209876543' };
    expect(read('KOFI MENSAH,233209876543,1')).toMatchObject({ kind: 'money_out', sentTo });
    for (const reference of ['rent, KOFI MENSAH,233209876543,1', 'rent'])
      expect(read(reference)).not.toHaveProperty('sentTo');
  });

  test.each(['KOFI GHS 9.00,233209876543,1', 'MERCY:GRACE,233209876543,1', 'KOFI MENSAH,123456789,1'])(
    'has no recipient if the name or the number is invalid: %s',
    (reference) => {
      expect(read(reference)).toMatchObject({ kind: 'money_out', counterparty: 'VODAFONE PUSH' });
      expect(read(reference)).not.toHaveProperty('sentTo');
    },
  );

  test('has no recipient if the payee is not another network, or if the transfer failed', () => {
    const typed = 'KOFI MENSAH,233209876543,1';
    const paid = `Payment made for GHS 20.00 to VODAFONE. Current Balance: GHS 10.00. Reference: ${typed}. Transaction ID: ${MTN_ID}. Fee charged: GHS 0.15`;
    const failed = `Your payment of GHS 5.00 to VODAFONE PUSH has failed at 2026-07-15 15:47:43. Reference: ${typed}. Financial Transaction Id: ${MTN_ID}. TRANSACTION FEE IS 0`;
    for (const [text, kind] of [
      [paid, 'money_out'],
      [failed, 'no_money'],
    ] as const) {
      expect(readWithoutProof('MobileMoney', text)).toMatchObject({ kind });
      expect(readWithoutProof('MobileMoney', text)).not.toHaveProperty('sentTo');
    }
  });
});

describe('a message', () => {
  const transferred = `You have transferred GHS 10.00 to Other Networks from your mobile money account 233241111111 at 2026-07-19 09:37:20. Your new balance: 4652.89 GHS. Message from sender: airtime. Message to receiver: thanks. Financial Transaction Id: ${MTN_ID}.`;
  const credited = (message: string) =>
    `An amount of GHS 20.00 has been credited to your mobile money account. Message: ${message}. Your new balance: GHS 8.13. Financial Transaction Id: ${MTN_ID}.`;

  test('is parsed only in a text about incoming money', () => {
    const read = { kind: 'money_in', counterparty: null, message: 'rent' };
    expect(readWithoutProof('MobileMoney', credited('rent'))).toMatchObject(read);
    expect(readWithoutProof('MobileMoney', credited(''))).not.toHaveProperty('message');
    expect(readWithoutProof('MobileMoney', transferred)).toMatchObject({ kind: 'money_out' });
    expect(readWithoutProof('MobileMoney', transferred)).not.toHaveProperty('message');
  });
});

describe('a reversal text', () => {
  test.each(['NOTE TRADING', 'REF KONADU', 'GOODS RECEIVED ENT', 'MESSAGE LTD', 'REFERENCE BOOKS', 'KOFI MENSAH'])(
    'is recognised in any wording for a payment from %s',
    (payer) => {
      for (const text of [
        `Transaction ${MTN_ID} of GHS 36.00 from ${payer} has been reversed.`,
        `The payment of GHS 36.00 that you received from ${payer} (${MTN_ID}) was reversed. Your new balance: GHS 1.00.`,
        `Payment received for GHS 36.00 from ${payer} has been reversed. Reference: MK-0123456789. Transaction ID: ${MTN_ID}.`,
        `Payment received for GHS 36.00 from ${payer} has been reversed. Current Balance: GHS 1.00 . Available Balance: GHS 1.00. Reference: MK-1. Transaction ID: ${MTN_ID}. TRANSACTION FEE: 0.00`,
        `Payment received for GHS 36.00 from ${payer} Current Balance: GHS 1.00 . Available Balance: GHS 1.00. Reference: MK-1. Transaction ID: ${MTN_ID} has been reversed.`,
        `REVERSAL: payment of GHS 36.00 from ${payer} with Transaction ID ${MTN_ID} is taken back. Current Balance: GHS 1.00.`,
        `Dear customer, a reversal of GHS 36.00 to ${payer} has been made. Reference: MK-1. Financial Transaction Id: ${MTN_ID}.`,
        `Your payment of GHS 36.00 from ${payer} with id ${MTN_ID} was reversed.`,
      ]) {
        const reversal = { kind: 'reversal', isCertain: true, network: 'MTN', transactionIds: [MTN_ID] };
        const reportedPesewas = text.includes('alance') ? 100 : null;
        const own = { isInOwnWords: true, amountsPesewas: [36_00], reportedPesewas };
        expect(readWithoutProof('MobileMoney', text)).toEqual({ ...reversal, ...own });
      }
      for (const text of [
        `0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - ${payer} has been reversed on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00.\nReference: 1.\nStay alert.`,
        `Transaction 0000019305566778 from 233209876543 - ${payer} has been reversed on 2026-01-07. Your Telecel Cash balance is GHS1.00.`,
      ])
        expect(readWithoutProof('T-CASH', text)).toMatchObject({ transactionIds: ['0000019305566778'] });
    },
  );

  test('is parsed if it contains phone numbers', () => {
    const text = `Payment ${MTN_ID} of 233241234567 (0241234567) has been reversed.`;
    expect(readWithoutProof('MobileMoney', text)).toMatchObject({ transactionIds: [MTN_ID] });
    expect(readWithoutProof('MobileMoney', 'Transaction ID: 233241234567 has been reversed.')).toMatchObject({
      transactionIds: ['233241234567'],
    });
  });

  test('is recognised in a received payment if its words are further apart', () => {
    for (const words of ['has  been  reversed', 'is  being  reversed', 'was fully  reversed']) {
      const text = `Payment received for GHS 36.00 from KOFI MENSAH Current Balance: GHS 1.00. Reference: MK-1. Transaction ID: ${MTN_ID} ${words}.`;
      expect(readWithoutProof('MobileMoney', text)).toMatchObject({ kind: 'reversal', transactionIds: [MTN_ID] });
    }
  });

  test('may contain a time if it avoids the word “reversed”', () => {
    const kindOf = (end: string) =>
      readWithoutProof('MobileMoney', `Transaction ${MTN_ID} of GHS 36.00 was refunded at 10:05${end}.`).kind;
    expect([kindOf(''), kindOf(' for: rent')]).toEqual(['reversal', 'unread']);
  });

  test('is not a payment in unknown words to a payee whose name contains a reversal', () => {
    const text = '0000012276338791 Confirmed. GHS20.00 given to REVERSAL SERVICES on 2026-03-05.';
    expect(readWithoutProof('T-CASH', text)).toEqual({ kind: 'unread', network: 'TELECEL' });
  });

  test.each([
    'reversed 51234567891',
    ...['Transaction 51234567891 has been reversed.', 'Reversal from Airtime Purchase', 'has been reversed'],
  ])('cannot be imitated by a payer who types %j', (typed) => {
    for (const { sender, text, id } of [mtn({ reference: typed }), telecel({ reference: typed })])
      expect(readWithoutProof(sender, text)).toMatchObject({ kind: 'payment', transactionId: id });
    // The same must be true after the network has changed its wording.
    for (const { sender, text } of [mtn({ reference: typed }), telecel({ reference: typed })]) {
      const changed = text.replace(/balance/i, 'Funds').replace(/Transaction ID: (?=\d+\. TRANSACTION)/, 'Txn: ');
      expect(readWithoutProof(sender, changed).kind).toBe('unread');
    }
    for (const { sender, text } of [mtn({ from: `KOFI ${typed} JR` }), telecel({ from: `KOFI ${typed} JR` })])
      expect(readWithoutProof(sender, text).kind).toBe('unread');
    expect(readWithoutProof('MobileMoney', `You got GHS 1.00 from EVE with message: ${typed}`).kind).toBe('unread');
  });

  test.each(['KOFI was reversed', 'KOFI WAS REVERSED', 'KOFI has been reversed'])(
    'is not a text that reports the outcome of a payment to %s',
    (payee) => {
      for (const text of [
        `Your payment of GHS 5.00 to ${payee} has failed at 2026-07-15 15:47:43. Reference: -. Financial Transaction Id: ${MTN_ID}. TRANSACTION FEE IS 0`,
        `Your payment of GHS 9.00 to ${payee} has been completed at 2026-04-21 17:35:03. Your new balance: GHS 372.96. Fee was GHS 0.00 Tax was GHS -. Financial Transaction Id: ${MTN_ID}.`,
      ])
        expect(readWithoutProof('MobileMoney', text)).toEqual({ kind: 'unread', network: 'MTN' });
    },
  );

  test.each([
    `Payment made for GHS 20.00 to REVERSAL SERVICES Current Balance: GHS 10.00 . Reference: rent. Transaction ID: ${MTN_ID}. Fee charged: GHS 0.15`,
    `Payment made for GHS 20.00 to KWAKU STORES Current Balance: GHS 10.00 . Reference: reversed 51234567891. Transaction ID: ${MTN_ID}. Fee charged: GHS 0.15`,
  ])('is not a transfer to a payee whose name contains a reversal: %s', (text) => {
    expect(readWithoutProof('MobileMoney', text)).toMatchObject({ kind: 'money_out', transactionId: MTN_ID });
  });
});

// Unread texts are kept for 30 days and can be listed with a merchant's key, so they must not contain a code.

test('a secret is detected', () =>
  checkEach(
    [
      [
        'MobileMoney',
        'Your approval code for payment of GHS50.00 to MELCOM is 456123. Do not share this code with anyone.',
      ],
      ['MobileMoney', 'Use 771204 to approve the request of SHOP.'],
      ['MobileMoney', 'Your token is 882199'],
      ['MobileMoney', 'Your default PIN is 0000'],
      ['MobileMoney', 'Use 482913 to complete your withdrawal of GHS 50.00.'],
      ['MobileMoney', 'Your m-PIN: 48 29.'],
      ['MobileMoney', 'Your code is K7QF2M.'],
      ['MobileMoney', 'PUK 48291377'],
      ['MobileMoney', 'Your O\u200bTP is ４８２９１３'],
      [
        'MobileMoney',
        'Authorise GHS 50.00 to MELCOM with 482913. Current Balance: GHS 100.00. Transaction ID: 51234567890.',
      ],
      ['MobileMoney', 'Your OTP for GHS 50.00, Transaction ID: 51234567890, is below. Balance: GHS 1.00.\n482913'],
      ['MobileMoney', `Your OTP is 123456. ${'x'.repeat(2_000)}`],
      [
        'T-CASH',
        'Never share your PIN 4829 with anyone. Your Telecel Cash balance is GHS1.00. Transaction ID: 0000019305566778.',
      ],
      ['ATMoney', '4829 is your AT Money something.'],
      ['MobileMoney', 'Your OTP is 123456. Never share it. For help call 0244300000.'],
      ['MobileMoney', 'Your OTP is 123456. If you have not requested or received this, call 100.'],
      ['MobileMoney', 'Your OTP is 123456. It must be confirmed within 5 minutes.'],
      ['MobileMoney', 'Your one time PIN is 1234.'],
      ['MobileMoney', 'Your onetime password is 123456.'],
      ['MobileMoney', 'Your O.T.P is 123456.'],
      ['MobileMoney', 'Your temporary PIN is 1234. Dial *170# to change it.'],
      ['MobileMoney', 'Your PIN has been reset. Your new PIN is 48213.'],
      ['MobileMoney', 'Your cash out token is 482913. Give it to the agent.'],
      ['MobileMoney', 'Your authorization code is 482913.'],
      ['MobileMoney', 'Your activation code is 482913.'],
      ['MobileMoney', 'Your security code is 482913.'],
      ['MobileMoney', 'Your confirmation code is 482913.'],
      ['MobileMoney', 'Your passcode is 482913.'],
      ['MobileMoney', 'Your login code: 482913'],
      ['MobileMoney', 'Your voucher code to withdraw GHS 500.00 at an ATM is 4829 1377 2041.'],
      ['T-CASH', '482913 is your code to log in to Telecel Cash.'],
      ['T-CASH', 'Your Telecel Cash verification code: 482913. Ref 8800112233'],
    ],
    ([sender, text]) => {
      expect(readWithoutProof(sender, text).kind).toBe('secret');
    },
  ));

test.each([
  ['T-CASH', telecel().text.replace('You have received', 'You just got')],
  ['T-CASH', telecel({ reference: 'MK-6542281265' }).text.replace('Confirmed', 'Done')],
  [
    'MobileMoney',
    mtn().text.replace('Payment received', 'Money received').concat(' Never share your PIN with anyone.'),
  ],
  ['ATMoney', 'You have received GHS 29.99 from 0271110021. Trans ID: GM251127.0930.C09997. Do not share your PIN.'],
  ['MobileMoney', 'Your PIN was changed.'],
  ['MobileMoney', 'The office in Kumasi has moved to Plot 482913.'],
])('an unparsed text is stored without a secret from %s: %s', (sender, text) => {
  expect(readWithoutProof(sender, text).kind).toBe('unread');
});

test('every digit of a secret is masked before storage', () => {
  expect(withoutDigits('Your code is K7QF2M, or ４８-2९ ❹.\nGHS 50.00 to MELCOM')).toBe(
    'Your code is ******, or **-** *.\nGHS **.** to MELCOM',
  );
  for (const text of ['Your default PIN is 0000', 'Your code is K7QF2M.'])
    expect(readWithoutProof('MobileMoney', withoutDigits(text)).kind).toBe('unread');
});

describe('a code next to an amount', () => {
  test('is masked before storage', () =>
    checkEach(
      [
        ...['Reply 456123 to pay GHS 50.00 to MELCOM.', 'Key in 456123 to complete your purchase of GHS 50.00.'],
        ...['Give 456123 to the agent to withdraw GHS 200.00.', 'Your cash-out number is 456123 for GHS 50.00.'],
        ...["Y'ello. 456123 is for your payment of GHS 50.00 to MELCOM.", 'Enter your 456123 to pay GHS 50.00.'],
        ...[
          'Payment of GHS50.00 to MELCOM: 456123. Valid for 5 minutes.',
          'Cardless withdrawal: 4561 2345, GHS 200.00.',
        ],
        ...['Your PIN for GHS 5.00 is 45–61', 'Your PIN for GHS 5.00 is 4.5.6.1', 'Your P.I.N. for GHS 5.00 is 4561'],
        ...[
          'OTP456123 for GHS 5.00',
          'Your MoMoPIN 4561 for GHS 5.00',
          '2FA 456123 for GHS 5.00',
          'TAC: 456123 GHS 5.00',
        ],
        ...[
          'Wo kod ne 4-5-6-1 GHS 5.00',
          'Press 4561: GHS 5.00',
          'Use K4M561X for GHS 5.00',
          'Reply 45:61 to pay GHS 50.00',
        ],
        ...['Transaction No: 45612345 is your OTP', 'Your PIN is 12:34 for GHS 45.61. Balance: GHS 6.00'],
        ...[
          'Trans ID 4561456145 is your PIN. GHS 4.00',
          'Your code is 0245614561 GHS 5.00',
          'Your token is MK4561456145 GHS 4',
        ],
      ],
      (text) => {
        expect(wordsToStore('MobileMoney', text)).not.toMatch(/4\W*5\W*6\W*1|K4M|12:34/);
      },
    ));

  test.each([
    ...['Your code is GHS 456123', 'Your OTP is 456,123 GHS', '456123¢ is your OTP', 'Your PIN is GHS 45.61'],
    ...['Trans ID 12345678 to confirm GHS 5.00', 'Pay GHS 5.00. Your security number: 0456123456'],
    ...['Voucher for GHS 5.00: 0245612345', 'Confirm GHS 5.00 with MK 1234567890', 'Trans ID 45612345, GHS 5.00'],
    ...['GHS 5.00 is held. Your security number: 0245612345', 'GHS 5.00 of 0456123456'],
  ])('is masked if it looks like an amount or an id: %s', (text) => {
    expect(wordsToStore('MobileMoney', text)).not.toMatch(/456|45\.61|1234/);
  });

  test.each([
    'GHS 5.00 code QXTRPL',
    'GHS 5.00 TOKEN: AB12',
    'GHS 5.00 password kofi-Secret',
    'Your code code is AB12',
    ...['Secret answer: mango', 'Your security word is mango.', 'Reset phrase = mango'],
  ])('is masked if it consists of letters: %s', (text) => {
    expect(wordsToStore('MobileMoney', text)).not.toMatch(/QXTRPL|AB|kofi|-Secret|mango/);
  });

  test.each([
    ['Your password is sunshine. Transaction ID: 90925747422', 'sunshine'],
    ['Your temporary login: QXTRPL', 'QXTRPL'],
  ])('is masked if it is labelled as a secret: %s', (text, secret) => {
    expect(wordsToStore('MobileMoney', text)).not.toContain(secret);
  });

  test.each([
    'Payment for GHS 20.00 to ECG PIN 4821 Current Balance: GHS 8.13 . Reference: TOKEN 39714701022411829931. Transaction ID: 90925747422.',
    'You have purchased GHS 20.00 of ECG TOKEN 39714701022411829931 on 2026-05-03. Ref: 80573991589. Your new balance is GHS 8.13.',
    'Your payment of GHS 20.00 to ECG TOKEN 39714701022411829931 has failed at 2026-07-11 23:09:24. Reference: PIN 4821. Financial Transaction Id: 85211519729. External Transaction Id: -. TRANSACTION FEE IS 0',
    'An amount of GHS 20.00 has been credited to your mobile money account. Message: Your OTP is 482913. Your new balance: GHS 8.13. Financial Transaction Id: 90925747422.',
  ])('is masked in the name, reference or message of a parsed text: %s', (text) => {
    const stored = wordsToStore('MobileMoney', text);
    expect(stored).not.toMatch(/4821|482913|3971/);
    const words = { counterparty: null, message: undefined };
    const { counterparty: _, message: __, ...figures } = { ...words, ...readWithoutProof('MobileMoney', text) };
    expect(readWithoutProof('MobileMoney', stored)).toMatchObject(figures);
    expect(figures.kind).toMatch(/^(?:money_|no_money$)/);
  });

  test.each(['MK-6542281265', 'MK 6542 281-265', 'mk６５４２２８１２６５'])(
    'is masked in a bank’s message, except for the reference %s',
    (reference) => {
      const bank = (message: string) =>
        `An amount of GHS 20.00 has been credited to your mobile money account. Message: ${message}. Your new balance: GHS 8.13. Financial Transaction Id: 90925747422.`;
      const stored = wordsToStore('MobileMoney', bank(`${reference} exam voucher 39714701022411829931, PIN 4821`));
      expect(stored).toBe(bank(`${reference.normalize('NFKC')} exam voucher ${'*'.repeat(20)}, PIN ****`));
      const token = wordsToStore('MobileMoney', bank('token MK 3971 4701 0224 1182 9931, MK39714701022411829931'));
      expect(token).not.toMatch(/3971|4701|0224|1182|9931/);
    },
  );

  test.each(['MK6542281265 4821', 'MK 6542 281 265/4821'])(
    'is masked behind a charge reference in a bank’s message: %s',
    (typed) => {
      const bank = (message: string) =>
        `An amount of GHS 20.00 has been credited to your mobile money account. Message: PIN ${message}. Your new balance: GHS 8.13. Financial Transaction Id: 90925747422.`;
      expect(wordsToStore('MobileMoney', bank(typed))).toBe(bank(typed.replace('4821', '****')));
    },
  );

  test('is masked together with all amounts if the rest of the text is no secret', () => {
    expect(wordsToStore('MobileMoney', 'Your OTP is 482913. You paid GHS 5.00.')).toBe(
      'Your OTP is ******. You paid GHS *.**.',
    );
  });

  test('is not assumed in an ordinary name or reference', () => {
    const text =
      'Payment for GHS 20.00 to KWAKU 12 Current Balance: GHS 8.13 . Reference: room 12. Transaction ID: 90925747422.';
    expect(readWithoutProof('MobileMoney', text).kind).toBe('money_out');
    expect(wordsToStore('MobileMoney', text)).toBe(text);
  });

  test('is masked only if the text really contains a code', () => {
    const text =
      'Your secret answer was changed. Your password was changed. GHS 5.00 was received. Never share your PIN with anyone.';
    expect(wordsToStore('MobileMoney', text)).toBe(text);
  });

  test('is masked in an unparsed payment, unlike the amounts', () => {
    const { sender, text } = mtn({ reference: 'MK-6542281265' });
    const anew = `${text.replace('Payment received', 'Money received')} Ask 4561 on 0241234567 at 11:02, 2026-01-07 11:02:51.`;
    expect(wordsToStore(sender, anew)).toBe(anew.replace('4561', '****'));
    const tcash = telecel({ reference: 'room 12' }).text.replace('You have', 'You just');
    expect(wordsToStore('T-CASH', tcash)).toBe(tcash.replace('room 12', 'room **'));
  });

  test('is kept in a parsed payment', () => {
    for (const { sender, text } of [mtn({ reference: '4561' }), telecel({ reference: '4561' })])
      expect(wordsToStore(sender, text)).toBe(text);
  });

  const JOINED = [
    'Your Telecel Cash code is 482913',
    '482913 is your Telecel OTP',
    'Your temporary PIN is 4829.',
    'Your cash out token is 48 29 13',
    'Dear customer, your MoMo code is 4829.',
    'Hello customer, use 4829 as your OTP',
    'Thank you. Your code is 4829',
    'Your secret code is 48-29-13. Do not share it.',
    'MTN: your voucher is AB48CD29',
    'OTP: 482913',
    'Bolt: 482913 is the login code',
    'Use 482913 to log in to Facebook',
    'G-482913 is Google verification code.',
    'TikTok verification code 482913',
  ];
  test.each(JOINED)('is masked in a text that a phone joined to a payment’s text: %s', (code) => {
    for (const reference of ['deposit', 'MK-6542281265']) {
      const whole = telecel({ reference });
      const ended = { ...whole, text: whole.text.slice(0, whole.text.indexOf(reference) + reference.length) };
      for (const { sender, text } of [mtn({ reference }), whole, ended])
        for (const separator of ['\n', '. ', ...(text === ended.text ? [] : [' '])])
          expect(wordsToStore(sender, `${text}${separator}${code}`).replace(text, '')).not.toMatch(/4\W*8|29|13/);
    }
  });

  test.each([
    'hello 4833855126 token',
    'Hello pls verify 4833855126',
    'your voucher 4833855126',
    'Your code. Voucher 483 385 5126',
    'Wifi. 4833855126 2 tokens pls',
    'ECG. Token 4833855126 0241234567',
    'ECG. Token MK4833855l26',
    'dear Ama\nvoucher MK-4833855126',
    'Wifi. Voucher 12',
  ])('is not confused with a typed reference: %s', (reference) => {
    const { sender, text } = mtn({ reference });
    expect(readWithoutProof(sender, text)).toMatchObject({ kind: 'payment', reference });
    expect(wordsToStore(sender, text)).toBe(text);
  });

  test('is masked in a joined text without making the payment or the transfer unread', () => {
    const { sender, text } = telecel({ reference: 'deposit' });
    const received = `${text.slice(0, text.indexOf('deposit'))}deposit\nYour Telecel Cash code is 482913`;
    const masked = received.replace('482913', '******');
    expect(wordsToStore(sender, received)).toBe(masked);
    expect(readWithoutProof(sender, masked)).toMatchObject({ kind: 'payment', transactionId: expect.any(String) });
    const sent =
      'Payment made for GHS 20.00 to KWAKU STORES. Reference: rent. Transaction ID: 83724298139.\nHello customer, use 4829 as your OTP';
    expect(readWithoutProof('MobileMoney', sent).kind).toBe('money_out');
    expect(wordsToStore('MobileMoney', sent)).toBe(sent.replace('4829', '****'));
  });

  test('cannot turn a text into a payment once it is masked', () => {
    for (const { sender, text } of [mtn({ from: 'KOFI Id: 456123' }), telecel({ from: 'KOFI Id: 456123' })]) {
      expect(wordsToStore(sender, text)).not.toContain('456123');
      expect(readWalletText(sender, wordsToStore(sender, text)).kind).toBe('unread');
    }
  });
});

describe('a code in a reversal text', () => {
  test.each([
    `Dear customer, transaction ${MTN_ID} was reversed. Use token 482913 at any agent to collect GHS 36.00.`,
    `Your transaction ${MTN_ID} has been reversed. Your new PIN is 48291.`,
    `Reversal of payment ${MTN_ID} needs approval: enter code 482913 on *170#.`,
    `Hi, token 482913 for the reversal of ${MTN_ID}. Current Balance: GHS 1.00.`,
    `Transaction ${MTN_ID} reversed. Your security number for the refund is 0241482913.`,
    `Reversal of 10.00 GHS for payment ${MTN_ID} was successful on 2026-11-26. Never share your PIN with anyone.`,
  ])('is masked, unlike the ids and amounts: %s', (text) => {
    const read = readWithoutProof('MobileMoney', text);
    const stored = wordsToStore('MobileMoney', text);
    expect(stored.replace(MTN_ID, '').replace(/GHS \d+\.00|10\.00 GHS/, '')).not.toMatch(/\d/);
    expect(readWithoutProof('MobileMoney', stored)).toEqual(read);
  });

  test.each([
    `transaction ${MTN_ID} of ghs 36.00 was reversed. your new pin is 48291.`,
    `Reversal 51234567891 of transaction ${MTN_ID} is done. Your new PIN is 48291.`,
  ])('is masked, unlike amounts in lower case and a second id: %s', (text) => {
    expect(wordsToStore('MobileMoney', text)).toBe(text.replace('48291', '*****'));
  });

  test('is masked even without a label if the text avoids the word “reversed”', () => {
    const text = `Transaction ${MTN_ID} of GHS 36.00 was rolled back. Show 482913 to any agent.`;
    const stored = wordsToStore('MobileMoney', text);
    expect(stored).toBe(text.replace('482913', '******'));
    const read = { kind: 'reversal', transactionIds: [MTN_ID], isInOwnWords: false, isCertain: false };
    for (const one of [text, stored]) expect(readWithoutProof('MobileMoney', one)).toMatchObject(read);
  });

  test.each([
    `Transaction ${MTN_ID} of GHS 36.00 from KOFI MENSAH has been reversed. Current Balance: GHS 1.00.`,
    `Transaction ${MTN_ID} of GHS 36.00 has been reversed. Never share your PIN with anyone.`,
    `Transaction ${MTN_ID} of GHS 36.00 has been reversed on 2026-11-26 at 10:02.`,
  ])('is not confused with an amount or a time: %s', (text) => {
    expect(wordsToStore('MobileMoney', text)).toBe(text);
  });
});

describe('isPrivateText', () => {
  test.each([
    ...[mtn().text, telecel().text, ` \n${mtn().text}`, telecel().text.replaceAll(' ', '  ')],
    ...['Your OTP is 482913.', `${'a   '.repeat(600)}your PIN is 4829`],
  ])('is true for a code or a network’s text: %j', (text) => {
    expect(isPrivateText(text)).toBe(true);
  });

  test.each([
    ...['Shall we meet at six?', 'Paymentreceivedfor', '', 'I sent GHS 36.00 for the shoes'],
    `${'a '.repeat(1_000)}your PIN is 4829`,
  ])('is false for any other text: %j', (text) => {
    expect(isPrivateText(text)).toBe(false);
  });
});

test('secrets are detected in texts from every network', () => {
  for (const sender of ['MobileMoney', 'T-CASH', 'ATMoney'])
    expect(readWithoutProof(sender, 'Your OTP is 123456. Never share it.').kind).toBe('secret');
  const drifted = mtn({ reference: 'my OTP' }).text.replace('Balance', 'Funds');
  expect(readWithoutProof('MobileMoney', drifted).kind).toBe('unread');
});

describe('a very long text', () => {
  const long = (characters: number) => {
    const { text } = mtn({ reference: 'REFERENCE' });
    return text.replace('REFERENCE', 'x'.repeat(characters - text.length + 'REFERENCE'.length));
  };

  test('is not parsed above 2,000 characters', () => {
    expect(long(2_000)).toHaveLength(2_000);
    expect(readWithoutProof('MobileMoney', long(2_000)).kind).toBe('payment');
    expect(readWithoutProof('MobileMoney', long(2_001))).toEqual({ kind: 'unread', network: 'MTN' });
    expect(readWithoutProof('+233241234567', long(2_000))).toEqual({ kind: 'stranger', looksLikePayment: true });
    expect(readWithoutProof('+233241234567', long(2_001))).toEqual({ kind: 'stranger', looksLikePayment: false });
  });

  test('is judged only by the part that is stored', () => {
    const secretAt = (at: number) => readWithoutProof('MobileMoney', `${'a '.repeat(at / 2)}your PIN is 4829`).kind;
    expect(secretAt(2_050)).toBe('secret');
    expect(secretAt(2_100)).toBe('unread');
  });

  test('is cut to 2,100 characters for storage, unlike a shorter text', () => {
    expect(wordsToStore('Kofi', 'word  '.repeat(1_000))).toBe('word '.repeat(420));
    expect(wordsToStore('Kofi', ' word  word ')).toBe(' word  word ');
  });

  test('keeps repeated spaces up to 2,000 characters', () => {
    const { text } = mtn({ reference: 'two  words REFERENCE' });
    const whole = text.replace('REFERENCE', 'x'.repeat(2_000 - text.length + 'REFERENCE'.length));
    expect(whole).toHaveLength(2_000);
    expect(readWithoutProof('MobileMoney', whole)).toMatchObject({ reference: expect.stringMatching(/^two {2}words/) });
    const spaced = ` ${'word  '.repeat(333)}a`;
    expect(spaced).toHaveLength(2_000);
    expect(wordsToStore('Kofi', spaced)).toBe(spaced);
  });

  test('is parsed if it is short enough without repeated spaces', () => {
    const { text } = mtn({ id: MTN_ID });
    const spaced = `  ${text.replaceAll(' ', '\n'.repeat(100))}  `;
    expect(spaced.length).toBeGreaterThan(2_000);
    expect(readWithoutProof('MobileMoney', spaced)).toMatchObject({ kind: 'payment', transactionId: MTN_ID });
  });
});

describe('a payer’s name', () => {
  test.each([
    ...['KOFI GHS 9.00', 'KOFI GHS1,234.50', 'KOFI ghs 0.5', 'KOFI 9.00 GHS', 'KOFI 1,234.5GHS', '123 - KOFI'],
    ...['12-KOFI', 'KOFI has been paid', 'KOFI is not paid', 'KOFI will be paid', 'KOFI are now', 'KOFI canceled'],
    ...['KOFI cancelled', 'KOFI 123456'],
    'K'.repeat(81),
  ])('is rejected if it is invalid: %j', (from) => {
    expect(readWithoutProof('MobileMoney', mtn({ from }).text)).toEqual({ kind: 'unread', network: 'MTN' });
  });

  test.each(['KOFI 2 - SONS', 'KOFI 6-01-07', 'GHS VENTURES', 'WILL HASFORD', 'K'.repeat(80)])(
    'is accepted: %j',
    (from) => {
      expect(readWithoutProof('MobileMoney', mtn({ from }).text)).toMatchObject({ kind: 'payment', payerName: from });
    },
  );

  test('is accepted with a colon only if the text has a balance', () => {
    const { sender, text } = mtn({ from: 'MERCY:GRACE' });
    expect(readWalletText(sender, text)).toMatchObject({ kind: 'payment', payerName: 'MERCY:GRACE' });
  });

  test('is stripped of invisible characters', () => {
    const { sender, text } = mtn({ from: '\u202eKOFI\u200b MENSAH\u202c' });
    expect(readWithoutProof(sender, text)).toMatchObject({ kind: 'payment', payerName: 'KOFI MENSAH' });
  });

  test('is stripped of leading punctuation', () => {
    expect(readWithoutProof('MobileMoney', mtn({ from: '., KOFI MENSAH' }).text)).toMatchObject({
      payerName: 'KOFI MENSAH',
    });
  });

  test('does not include "has been reversed"', () => {
    const reversed = (from: string, words = 'has been reversed') =>
      readWithoutProof('MobileMoney', mtn({ from: `${from} ${words}`, id: MTN_ID }).text);
    const reversal = { kind: 'reversal', network: 'MTN', transactionIds: [MTN_ID], isCertain: true };
    expect(reversed('KOFI MENSAH')).toMatchObject(reversal);
    expect(reversed('KOFI MENSAH', 'has been fully reversed')).toMatchObject(reversal);
    expect(reversed('KOFI MENSAH', 'is being fully reversed')).toMatchObject({ ...reversal, isCertain: false });
    expect(reversed('KOFI GHS 9.00').kind).toBe('unread');
  });

  test('reverses nothing in a text without a transaction id', () => {
    const interest =
      'Dear customer, you have received GHS1.20 from KOFI has been reversed as interest earned on your mobile wallet. Your new Telecel Cash balance is GHS61.00.';
    expect(readWithoutProof('T-CASH', interest).kind).toBe('unread');
  });
});

test('a phone number that repeats the country code’s digits is parsed', () => {
  const { text } = telecel({ phone: '0202331234' });
  expect(readWithoutProof('T-CASH', text)).toMatchObject({ kind: 'payment', payerPhone: '+233202331234' });
});

describe('a deposit from a bank', () => {
  const credit = (from: string, message = 'salary') =>
    `You have received GHS 500.00 from ${from} on your mobile money account at 2026-01-07 11:02:51. Message from sender: ${message}. Your new balance: GHS 600.00. Financial Transaction Id: ${MTN_ID}.`;

  test('is not parsed as a payment from a customer', () => {
    const money = { amountPesewas: 50_000, balancePesewas: 60_000, transactionId: MTN_ID };
    const read = readWithoutProof('MobileMoney', credit('ABSA BANK'));
    expect(read).toMatchObject({ kind: 'money_in', counterparty: 'ABSA BANK', ...money });
  });

  test.each(['KOFI MENSAH', 'ABSA BANK GHS 9.00', 'ABSA BANK: KOFI'])(
    'is not recognised if the payer’s name is %j',
    (from) => {
      expect(readWithoutProof('MobileMoney', credit(from)).kind).toBe('unread');
    },
  );

  test('is parsed with the template’s own words in the message', () => {
    const message = 'on your mobile money account at 2026-01-01 10:00:00. Message from sender: x';
    const money = { balancePesewas: 60_000, transactionId: MTN_ID };
    const read = readWithoutProof('MobileMoney', credit('ABSA BANK', message));
    expect(read).toMatchObject({ kind: 'money_in', counterparty: 'ABSA BANK', ...money });
  });

  test('is not parsed if the message contains a balance and an id', () => {
    const message = 'x. Your new balance: GHS 9.00. Financial Transaction Id: 99999999999';
    expect(readWithoutProof('MobileMoney', credit('ABSA BANK', message)).kind).toBe('unread');
  });
});

test('a payment to a payee named "was reversed" reverses the id in the text', () => {
  const text = `Payment made for GHS 20.00 to KOFI was reversed today. Current Balance: GHS 10.00. Reference: rent. Transaction ID: ${MTN_ID}. Fee charged: GHS 0.15`;
  const reversal = { kind: 'reversal', network: 'MTN', transactionIds: [MTN_ID], isCertain: true };
  expect(readWithoutProof('MobileMoney', text)).toMatchObject(reversal);
});

test('a payer’s name contains no colon in a text without a balance', () => {
  const read = (from: string) =>
    readWithoutProof(
      'MobileMoney',
      `Payment received for GHS 36.00 from ${from}. Reference: MK-1. Transaction ID: ${MTN_ID}.`,
    );
  expect(read('KOFI MENSAH')).toMatchObject({ kind: 'payment', balancePesewas: null });
  expect(read('MERCY:GRACE').kind).toBe('unread');
});

test('a text of the length of one SMS may end with a reference', () => {
  const text = (name: string) =>
    `0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - ${name} on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00. Ref:rent.`;
  const whole = text('K'.repeat(160 - text('').length));
  expect(whole).toHaveLength(160);
  expect(readWithoutProof('T-CASH', whole)).toMatchObject({ kind: 'payment', reference: 'rent' });
});

test('a payee’s name must contain a letter or a digit', () => {
  const paid = (to: string) =>
    `Payment made for GHS 20.00 to ${to}. Current Balance: GHS 10.00. Reference: rent. Transaction ID: ${MTN_ID}. Fee charged: GHS 0.15`;
  expect(readWithoutProof('MobileMoney', paid('123')).kind).toBe('money_out');
  expect(readWithoutProof('MobileMoney', paid('-- !')).kind).toBe('unread');
});

test('a text without spaces between words is not parsed', () => {
  const { text } = mtn();
  for (const [apart, together] of [
    ['Payment received', 'Paymentreceived'],
    ['received for', 'receivedfor'],
    ['Available Balance', 'AvailableBalance'],
    ['Transaction ID', 'TransactionID'],
  ] as const) {
    expect(text).toContain(apart);
    expect(readWithoutProof('MobileMoney', text.replace(apart, together)).kind).toBe('unread');
  }
});

test('an advert after a payment contains no figure with decimals', () => {
  const kindWith = (advert: string) => readWithoutProof('MobileMoney', `${mtn().text} ${advert}`).kind;
  expect(kindWith('Dial *170# to win 5. Enjoy')).toBe('payment');
  expect(kindWith('TCash for all')).toBe('payment');
  expect(kindWith('Dial *170# to win 5.5. Enjoy')).toBe('unread');
});

describe('an advert right after the balance', () => {
  const kindWith = (advert: string) =>
    readWithoutProof(
      'T-CASH',
      `0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - KOFI MENSAH on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00. ${advert}`,
    ).kind;

  test.each([
    ...["Don't share your PIN with anyone", 'Never share your PIN with anybody.', 'Try *170#', 'Customer care'],
    ...['See http://example.com', 'I love it'],
  ])('is ignored: %s', (advert) => {
    expect(kindWith(advert)).toBe('payment');
  });

  test.each([
    ...['Enjoy a fee of five', 'Enjoy more. It rains', 'Hi Kofi my dear friend', 'See how i walk'],
    // Words before and after a known sentence are separate sentences.
    ...['Enjoy Stay alert Kofi', 'Enjoy never share your PIN with anyone Kofi'],
  ])('is not ignored if it contains other words: %s', (advert) => {
    expect(kindWith(advert)).toBe('unread');
  });
});

describe('a reference before an id', () => {
  const ending = (reference: string) => readWithoutProof('MobileMoney', mtn({ reference, id: MTN_ID }).text);

  test('has no space at its end', () => {
    expect(ending('rent ')).toMatchObject({ kind: 'payment', reference: 'rent' });
  });

  test.each([
    ...['my transaction id please', 'Transaction ID : 99999999999', 'Transaction ID 99999999999'],
    ...['my transaction id  5', 'my Transaction ID : 9', 'transaction idx: 5'],
  ])('makes the text unreadable if it contains the label of an id: %s', (reference) => {
    expect(ending(reference).kind).toBe('unread');
  });
});

describe('a reference at the end of a text', () => {
  const textWith = (reference: string, from = 'KOFI MENSAH') =>
    `0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - ${from} on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00. Ref: ${reference}`;
  const ending = (reference: string, from?: string) => readWithoutProof('T-CASH', textWith(reference, from));

  test.each(['1.5', '1.5 yards', 'no. 7'])('keeps every full stop except the last: %j', (reference) => {
    expect(ending(reference)).toMatchObject({ kind: 'payment', reference });
    expect(ending(`${reference}.`)).toMatchObject({ kind: 'payment', reference });
  });

  test('ends before a known advert', () => {
    expect(ending('rent. Stay alert.')).toMatchObject({ reference: 'rent' });
    expect(ending('rent. Stay alert. GHS 9.00')).not.toMatchObject({ reference: 'rent' });
  });

  test.each([
    ...['school fees St. Mary', 'for Mr. Mensah', 'fees of Rev. Dr. Mensah', 'Room No. 5', 'paid by Sis. Ama'],
    ...['MK-6542281265', 'pay MK 6542 281 265 Obaapa', 'MK-6542281265 from St. Mary', 'Mr. Mensah MK-6542281265'],
    ...['MK-6542281265 Ama Owusu 0241234567', 'MK-6542281265 fees: Ama', 'MK-6542281265 charge/5'],
    ...['MK-6542281265 for 1 hour', 'MK-6542281265 for 2days', 'MK-6542281265 for 1 day', 'MK-6542281265 for 10 days'],
    ...['MK-6542281265for tomorrow', 'MK-6542281265 I paid', 'rent. Ama for: you'],
  ])('keeps all of the payer’s words: %j', (reference) => {
    expect(ending(reference)).toMatchObject({ kind: 'payment', reference });
  });

  // The reference may be followed by an unknown advert.
  test.each([
    ...['MK-6542281265 thank you', 'MK-6542281265. Thank you!', 'MK-6542281265 please call me', 'MK-6542281265! Ama'],
    ...['MK-6542281265 for the offer. God bless', 'MK-6542281265. Enjoy 50% bonus on all bundles!'],
    ...['MK-6542281265 2 yards, thank you', 'MK-6542281265\nDial *170# to win', 'MK-6542281265 MKA6 thank you!'],
  ])('ends after a charge reference if an advert may follow: %j', (typed) => {
    expect(ending(typed)).toMatchObject({ kind: 'payment', reference: 'MK-6542281265' });
  });

  test.each([
    ['Hello! MK-6542281265', 'Hello! MK-6542281265'],
    ['Hello! mk 6542 281 265 thank you', 'Hello! mk 6542 281 265'],
    ['6542281265 thank you', '6542281265'],
    ['  6542281265 thank you', '6542281265'],
    ['6542281265A5 thank you', '6542281265'],
    ['MK6542281265 thank you', 'MK6542281265'],
    ['MK-6542281265 or MK-6542281266 thank you!', 'MK-6542281265 or MK-6542281266'],
  ])('keeps the words before a charge reference: %j', (typed, reference) => {
    expect(ending(typed)).toMatchObject({ kind: 'payment', reference });
  });

  test('keeps words that may be an advert, and needs proof', () =>
    checkEach(
      [
        ...[
          'rent! Ama  Owusu',
          'school fees thank you',
          '654228 thank you',
          'fees. Call 0244000000',
          'rent. Telecel Cash. Making life easy',
          'Thanks!',
          '50% deposit',
          'call Ama 0241234567',
          'Church offer',
          'Happy birthday!',
          'customer 5',
          'rent. Kofi',
        ],
        ...[
          'A. B. Mensah',
          'Fr. Paul',
          'Mt. Zion',
          'Form 2. Ama',
          '5kg. rice',
          'free gift',
          'enjoy your day',
          'God bless. You',
        ],
        ...['refund MK-6542281265', 'settlement of tomorrow MK-6542281265 Ama', 'MK-6542281265 for Ama'],
        ...['refund request', 'settlement tomorrow', 'for returns', 'request of Ama', 'rent due', 'confirmation class'],
        ...['10% of my salary', 'visit to Kumasi', 'is it Ama?', 'pending order', 'refund', 'I have paid'],
      ],
      (reference) => {
        expect(readWalletText('T-CASH', textWith(reference))).toMatchObject({ kind: 'payment', reference });
      },
    ));

  test('is not parsed if a status may follow', () =>
    checkEach(
      [
        ...[
          'MK-6542281265. Pending',
          'MK-6542281265 has failed',
          'MK-6542281265 pending',
          'MK-6542281265. Awaiting approval!',
        ],
        ...[
          'rent. Not yet completed',
          'rent is pending',
          'rent: declined.',
          'fees. Rejected by Telecel',
          'Pending',
          'FAILED',
        ],
        ...[
          'MK-6542281265. Blocked. Kofi',
          'MK-6542281265! Will be reversed',
          'rent\nrejected',
          'shoes. Money will come',
        ],
        ...[
          'rent Awaiting confirmation',
          'rent - Not yet credited',
          'rent: Cancelled by sender',
          'rent, Insufficient funds',
        ],
        ...['Subject to approval', 'rent. Awaiting verification!', 'rent (pending approval)'],
        ...['MK-6542281265. Pen\u200bding', 'MK-6542281265. P E N D I N G', 'rent. PЕNDING'],
        // Words that are harmless as a payment's purpose are not accepted after a complete reference.
        ...[
          'Sent in error',
          'Sent to you in error',
          'Approval outstanding',
          'Settlement tomorrow',
          'Refund request',
        ].map((status) => `MK-6542281265. ${status}.`),
        ...[
          'Wallet is full',
          'Balance unchanged',
          'This is a test',
          'Sender called for it back',
          'Your wallet was full',
        ].map((status) => `MK-6542281265. ${status}.`),
        ...['MK-6542281265 refund', 'MK-6542281265 settlement tomorrow', 'rent. Sender wants it now'],
        ...['MK-6542281265 pay for tomorrow', 'MK-6542281265 for Monday..', 'rent. Never'],
      ],
      (typed) => {
        expect(ending(typed)).toEqual({ kind: 'unread', network: 'TELECEL' });
      },
    ));

  test.each([
    'rent Enjoy 50% bonus!',
    // The payer may mean another reference.
    ...['MK 6542 281 265 5 thank you', 'MK-654228126 thank you', 'MK-6542281265 not MK-654228126 thank you!'],
    ...['MK-65422812655 thank you!', '654228126 thank you'],
    ...['MK-6542281265 or MK - 6 thank you!', 'MK-6542281265 or MK6 thank you!'],
    ...['654 22 81 thank you', 'rent http://example.com', 'MK--6 thank you', '02412345678 thank you'],
  ])('is not parsed if an advert may be part of a charge reference: %j', (typed) => {
    expect(ending(typed)).toEqual({ kind: 'unread', network: 'TELECEL' });
  });

  test.each(['*170# fees', 'GH¢ fees thank you', 'tcash thank you', 'customer offer thank you'])(
    'is not parsed if it looks like an advert itself: %s',
    (typed) => {
      expect(ending(typed)).toEqual({ kind: 'unread', network: 'TELECEL' });
    },
  );

  test.each([
    ...['fee:5', 'fee :5', 'fee: GH¢5', 'fee  is 5', 'fee here is 5', 'charge 5', 'Ama Serwaa Owusu 0241234567'],
  ])('is not parsed if figures of the network may follow a charge reference: %j', (figures) => {
    expect(ending(`MK-6542281265 ${figures}`)).toEqual({ kind: 'unread', network: 'TELECEL' });
  });

  test('is parsed if the payer’s name looks like an advert', () => {
    expect(ending('1', 'FREE CALL VENTURES')).toMatchObject({ kind: 'payment', reference: '1' });
  });
});

describe('a text that ends with a known advert', () => {
  const readBefore = (reference: string) => readWithoutProof('T-CASH', telecel({ reference }).text);

  test.each([
    ...['This payment is pending', 'The sender has cancelled this payment', 'Failed', 'Payment was reversed'].flatMap(
      (status) => [`MK-6542281265.\n${status}`, `rent.\n${status}`, `MK-6542281265. ${status}`],
    ),
    ...[
      'MK-6542281265 cancelled by sender',
      'MK-6542281265 - Awaiting confirmation',
      'MK-6542281265, Not yet credited',
      'MK-6542281265 ! not',
    ],
  ])('is not parsed if a status precedes the advert: %j', (reference) => {
    expect(readBefore(reference)).toEqual({ kind: 'unread', network: 'TELECEL' });
  });

  test.each([
    ...['rent is pending', 'MK-6542281265 pending order', 'MK-6542281265 hold for me', 'MK-6542281265 refund'],
    ...['cancelled order', 'Hello. MK-6542281265 from Ama. Thanks', 'MK-6542281265 deliver tomorrow'],
  ])('keeps the payer’s words before the advert: %j', (reference) => {
    expect(readBefore(reference)).toMatchObject({ kind: 'payment', reference });
  });

  test('keeps the payer’s words before the advert even if they begin on a new line', () => {
    expect(readBefore('\nrent is pending')).toMatchObject({ kind: 'payment', reference: 'rent is pending' });
  });
});

describe('two texts that a phone joined into one', () => {
  const other = { from: 'AMA OWUSU', amount: '9.00' };
  const sent = `Payment made for GHS 62.50 to YAA ADJEI. Current Balance: GHS 74.00. Available Balance: GHS 74.00. Reference: 2. Transaction ID: ${MTN_ID}. Fee charged: GHS 0.62 TAX charged: GHS 0.00.`;
  const sentByTelecel =
    '0000012276338791 Confirmed. GHS896.00 sent to 233599903547 - YAA OPOKU on MTN MOBILE MONEY on 2026-03-05 at 05:27:14. Your Telecel Cash balance is GHS2833.78. You were charged GHS6.72. Your E-levy charge is GHS0.00. Reference: rent.';

  test.each([
    ['two payments', 'MobileMoney', mtn().text, mtn(other).text],
    ['a received and a sent payment', 'MobileMoney', mtn().text, sent],
    ['a sent and a received payment', 'MobileMoney', sent, mtn().text],
    ['two Telecel payments', 'T-CASH', telecel().text, telecel(other).text],
    ['a sent and a received Telecel payment', 'T-CASH', sentByTelecel, telecel().text],
  ])('are not parsed: %s', (_, sender, one, next) => {
    for (const gap of [' ', '\n', '. '])
      expect(['unread', 'secret']).toContain(readWithoutProof(sender, one + gap + next).kind);
    expect(readWithoutProof(sender, one).kind).not.toBe('unread');
  });

  const deposit = 'Deposit made to your bank account number: ****1234. Current Mobile Money Balance: GHS GHS 1595.58.';
  const voucher =
    'Your voucher 990000000001 with GHS 23.00 from 233572005386 has expired and has been returned to the sender. Financial';

  test.each([
    `${deposit} Transaction ID: 51720687339.`,
    `${voucher} Transaction Id: 72114053323. TRANSACTION FEE IS 0`,
  ])('are not parsed if the second has no name: %s', (next) => {
    expect(['money_out', 'money_in']).toContain(readWithoutProof('MobileMoney', next).kind);
    for (const first of [mtn().text, mtn().text.slice(0, 153)])
      for (const gap of ['', ' ', '\n'])
        expect(['unread', 'secret']).toContain(readWithoutProof('MobileMoney', first + gap + next).kind);
  });

  const long = mtn({ reference: 'one word'.repeat(8) }).text;

  test.each([
    ['two payments', 'MobileMoney', long, mtn(other).text],
    ['a sent and a received payment', 'MobileMoney', sent.replace('2', '2'.repeat(40)), mtn(other).text],
    ['a sent and a received Telecel payment', 'T-CASH', sentByTelecel, telecel(other).text],
    [
      'a received payment and a sent one without a balance',
      'MobileMoney',
      long,
      'Payment made for GHS 20.00 to KWAKU STORES. Reference: rent. Transaction ID: 83724298139.',
    ],
  ])('are not parsed if the first is truncated after its balance: %s', (_, sender, first, next) => {
    for (let length = first.search(/balance/i) + 30; length <= first.length; length++)
      expect({ length, kind: readWithoutProof(sender, first.slice(0, length) + next).kind }).toEqual({
        length,
        kind: expect.toBeOneOf(['unread', 'secret']),
      });
  });

  test('never give the second text’s balance to a deposit from a bank', () => {
    const bank =
      'An amount of GHS 20.00 has been credited to your mobile money account. Message: rent. Your new balance: GHS 8.13. Financial Transaction Id: 90925747422.';
    const next =
      'Payment made for GHS 20.00 to AMA. Your new balance: GHS 106.39. Financial Transaction Id: 84997229749.';
    expect(readWithoutProof('MobileMoney', bank)).toMatchObject({ kind: 'money_in', balancePesewas: 8_13 });
    for (const gap of ['', ' ', '\n']) {
      expect(readWithoutProof('MobileMoney', bank + gap + next).kind).toBe('unread');
      expect(readWithoutProof('MobileMoney', (bank + gap + next).toLowerCase()).kind).toBe('unread');
    }
  });

  test('are not parsed in lower case', () => {
    const first = 'Payment received for GHS 36.00 from KOFI MENSAH. Reference: rent';
    const next = 'Payment made for GHS 20.00 to KWAKU STORES. Reference: rent. Transaction ID: 83724298139.';
    for (const text of [first + next, (first + next).toLowerCase()])
      expect(readWithoutProof('MobileMoney', text).kind).toBe('unread');
  });

  test('are not parsed if the second lacks its beginning', () => {
    const next = mtn(other).text;
    const end = next.slice(next.indexOf('Current Balance'));
    for (const first of [long.slice(0, 153), long.slice(0, 160), mtn().text])
      expect(readWithoutProof('MobileMoney', first + end).kind).toBe('unread');
  });

  test.each(['Transa', 'Transacti', 'Transaction', 'Transaction ID'])(
    'are not parsed if the second lacks its beginning, and the first ends with %j',
    (end) => {
      const first = mtn({ reference: 'MK-6542281265', id: '51720687339' }).text;
      const start = first.slice(0, first.indexOf('Transaction ID')) + end;
      for (const behind of [
        'Transaction ID: 51720687339. TRANSACTION FEE: 0.00',
        'to AMA OWUSU. Reference: 2. Transaction ID: 51720687339.',
        '233209876543,1 from VODAFONE. Transaction ID: 51720687339. TRANSACTION FEE: 0.00',
        'GHS 74.00. Financial Transaction Id: 51720687339.',
      ])
        expect(readWithoutProof('MobileMoney', start + behind).kind).toBe('unread');
      for (const typed of ['rent. Transactions of May', 'rent. Transaction 5', 'rent. Transport', 'Transaction'])
        expect(readWithoutProof('MobileMoney', mtn({ reference: typed }).text)).toMatchObject({ reference: typed });
    },
  );

  const transferred = `You have transferred GHS 10.00 to Other Networks from your mobile money account 233241111111 at 2026-07-19 09:37:20. Your new balance: 4652.89 GHS. Message from sender: airtime. Message to receiver: thanks. Financial Transaction Id: ${MTN_ID}.`;
  const bankTransfer = `You have received 1000.00 GHS from Ecobank ova on your mobile money account at 2022-11-19 17:34:06. Message from sender: . Your new balance:1817.37 GHS. Financial Transaction Id: ${MTN_ID}.`;
  const requested =
    '0000015211219498 confirmed. Your bundle purchase request of GHS3.00 on 2026-06-25 has been received at 16:33:34. Kindly wait for confirmation. Your new Telecel Cash balance is GHS0.01.';

  test.each([
    ['two transfers', 'MobileMoney', '', transferred],
    ['two transfers from a bank', 'MobileMoney', '', bankTransfer],
    ['two purchases', 'T-CASH', ' ', requested],
  ])('never give the second text’s id to the first if no payment is received: %s', (_, sender, gap, first) => {
    const [id = '', other = ''] =
      sender === 'T-CASH' ? [requested.slice(0, 16), `${'0'.repeat(15)}1`] : [MTN_ID, '51720687339'];
    const next = gap + first.replace(id, other);
    expect(readWithoutProof(sender, first)).toMatchObject({ transactionId: id });
    for (let length = 12; length <= first.length; length++)
      expect({ length, kind: readWithoutProof(sender, first.slice(0, length) + next).kind }).toEqual({
        length,
        kind: 'unread',
      });
  });

  test.each([
    'Transaction ID: 0000011961066240 confirmed from 555. You have received airtime of GHS52.00 from 233577640975 - KOFI FATIMA on 2026-02-03 at 21:56:31.',
    'Dear customer, you have received GHS0.86 in your Telecel Cash wallet as interest for the quarter.',
    '0000012213751709 Confirmed. Your Telecel Cash wallet balance is GHS786.86 .',
  ])('are not parsed if the first is a Telecel payment that ends with its reference: %s', (next) => {
    expect(readWithoutProof('T-CASH', next).kind).not.toBe('unread');
    const paid =
      '0000012256387438 Confirmed. GHS5.05 paid to 233504546069 - ADWOA BOATENG on 2026-03-03 at 10:41:30. Your new Telecel Cash balance is GHS2998.39. You were charged GHS0.00. Your E-levy charge is GHS0.00. Reference: deposit';
    for (const first of [paid, `${paid}. Sendi k3k3!`, sentByTelecel])
      for (const gap of ['', ' ', '\n', '. '])
        expect(readWithoutProof('T-CASH', first + gap + next)).toEqual({ kind: 'unread', network: 'TELECEL' });
  });

  const sentReversed =
    "Y'ello Valued Customer, the transfer of GHS 3.00 to MTN BUNDLE has been reversed on 2026-05-03 10:02:00. Your new balance is GHS8.13.";
  const reversed = 'Transaction 51720687339 of GHS 20.00 has been reversed.';
  const labelled = 'Transaction ID: 51720687339 of GHS 36.00 has been reversed. Current Balance: GHS 100.00';
  const takenBack =
    'Payment received for GHS 20.00 from AMA OWUSU has been reversed. Reference: MK-1. Transaction ID: 51720687339.';
  const completed =
    'Your payment of GHS 18.00 to BANKPUSH has been completed at 2025-11-20 13:03:44. Your new balance: GHS 63.38. Fee was GHS 7.50 Tax was GHS -. Reference: x. Financial Transaction Id: 69345298006. External Transaction Id: 323122393.';
  const asPayment =
    '0000012271196836 confirmed. You have received GHS387.72 as payment from ADWOA BOATENG on 2026-03-04 at 16:47:33. Your new Telecel Cash balance is GHS598.31.';
  const reversedByTelecel = '0000019305566778 has been reversed. Your Telecel Cash balance is GHS1.00.';

  test.each([
    ['a payment and a reversed transfer', 'MobileMoney', mtn().text, sentReversed],
    ['a reversed transfer and a payment', 'MobileMoney', sentReversed, mtn().text],
    ['a payment and a reversal', 'MobileMoney', mtn().text, reversed],
    ['a payment and a reversal with a balance', 'MobileMoney', mtn().text, labelled],
    ['a reversal and a payment', 'MobileMoney', reversed, mtn().text],
    ['a reversal with a balance and a payment', 'MobileMoney', labelled, mtn().text],
    ['a reversal with a reference and a payment', 'MobileMoney', takenBack, mtn().text],
    ['a reversal and a sent payment', 'MobileMoney', takenBack, sent],
    ['a sent payment and a reversed transfer', 'MobileMoney', sent, sentReversed],
    ['a Telecel reversal and a payment', 'T-CASH', reversedByTelecel, telecel().text],
    ['a truncated reversal and a payment', 'MobileMoney', takenBack.slice(0, -30), mtn().text],
    ['a reversal and a completed payment', 'MobileMoney', reversed, completed],
    ['a Telecel payment without a reference and a reversal', 'T-CASH', asPayment, reversedByTelecel],
  ])('are no reversal: %s', (_, sender, first, next) => {
    for (const gap of ['', ' ', '\n', '. '])
      expect(['unread', 'secret']).toContain(readWithoutProof(sender, first + gap + next).kind);
  });

  const withoutPhone =
    '0000013264775053 Confirmed. You have received GHS1,600.00 from KOFI MENSAH on 2026-06-05 at 15:08. Your Telecel Cash balance is GHS3,264.53.';

  test.each([
    'Transaction 0000019305566778 has been reversed. Your Telecel Cash balance is GHS562.31.',
    'Your payment 0000019305566778\nhas been\nREVERSED',
    'Reversal of GHS 36.00 completed. Transaction ID: 0000019305566778. New balance GHS 60.00',
    'The payment that you received from AMA OWUSU (0000019305566778) has been reversed.',
    'Dear customer, ref 0000019305566778: the transaction was reversed.',
    '0000019305566999 Confirmed. Reversal of transaction 0000019305566778 of GHS45.00 on 2026-01-07 at 11:02:51.',
  ])('are no reversal of a Telecel payment without a reference if the other text says %j', (next) => {
    for (const first of [asPayment, asPayment.slice(0, 120), withoutPhone])
      for (const gap of ['', ' ', '\n', '. '])
        expect(readWithoutProof('T-CASH', first + gap + next)).toEqual({ kind: 'unread', network: 'TELECEL' });
  });

  test.each([
    `${asPayment.slice(0, 80)}0000019305566778 has been reversed. Your Telecel Cash balance is GHS562.31.`,
    `${asPayment} GHS 36.00 was reversed. Reference: 1. Transaction ID: 0000019305566778.`,
  ])('are no certain reversal of a payment if another id may be the payer’s words: %j', (text) => {
    expect(readWithoutProof('T-CASH', text)).toMatchObject({ kind: 'reversal', isCertain: false });
  });

  const MTN_PAYMENT = `Payment received for GHS 36.00 from KOFI MENSAH Current Balance: GHS 136.50 . Available Balance: GHS 136.50. Reference: MK-4071932685. Transaction ID: ${MTN_ID}. TRANSACTION FEE: 0.00`;
  const outgoing = [
    'Your airtime purchase of GHS 5.00 has been reversed. Your new balance is GHS 8.13.',
    'Your purchase was reversed. Thank you',
    'Dear Customer, your bill payment to ECG was reversed.',
    'Your transfer was reversed.',
    'The transfer of GHS 3.00 to MTN BUNDLE has been reversed.',
  ];

  test.each(outgoing.flatMap((other) => [' ', '\n'].map((space) => `${space}${other}`)))(
    'stay unread if the other is about reversed outgoing money: %j',
    (other) => {
      expect(readWithoutProof('MobileMoney', `${MTN_PAYMENT}${other}`)).toMatchObject({ kind: 'unread' });
      expect(readWithoutProof('T-CASH', `${asPayment}${other}`)).toMatchObject({ kind: 'unread' });
    },
  );

  test.each(outgoing)('stay unread if the payment is the second: %j', (first) => {
    for (const space of first.endsWith('.') ? [' ', '\n'] : ['\n']) {
      expect(readWithoutProof('MobileMoney', `${first}${space}${MTN_PAYMENT}`)).toMatchObject({ kind: 'unread' });
      expect(readWithoutProof('T-CASH', `${first}${space}${asPayment}`)).toMatchObject({ kind: 'unread' });
    }
  });

  test.each([
    ' Your transaction has been reversed.',
    ' The transaction has been reversed.',
    ' GHS 36.00 from KOFI MENSAH has been reversed.',
  ])('are no certain reversal if the other may be about the payment: %j', (other) => {
    for (const reading of [
      readWithoutProof('MobileMoney', `${MTN_PAYMENT}${other}`),
      readWithoutProof('T-CASH', `${asPayment}${other}`),
    ])
      expect(reading).not.toMatchObject({ isCertain: true });
  });

  test('are not assumed if a reversed Telecel payment is named twice', () => {
    const text = `${asPayment} Transaction 0000012271196836 has been reversed.`;
    expect(readWithoutProof('T-CASH', text)).toMatchObject({ isCertain: true, transactionIds: ['0000012271196836'] });
  });

  test.each([
    `Transaction ${MTN_ID} reversed: payment received for GHS 36.00 from KOFI MENSAH.`,
    `Transaction ID: ${MTN_ID} reversed: payment received for GHS 36.00 from KOFI MENSAH.`,
    `Reversal of your payment of GHS 36.00 to KOFI MENSAH (${MTN_ID}) was successful.`,
    `Reversal of payment received for GHS 36.00 from KOFI MENSAH was successful. Transaction ID: ${MTN_ID}.`,
  ])('are not assumed in a reversal that describes the payment: %s', (text) => {
    expect(readWithoutProof('MobileMoney', text)).toMatchObject({ isCertain: true, transactionIds: [MTN_ID] });
  });

  test.each([
    'the transfer of GHS 3.00 to MTN',
    'Payment made for GHS 20.00 to KWAKU 51720687339',
    'Your payment of GHS 5 to KOFI',
  ])('make a payment unreadable, but not its reversal, if the payer typed %j', (reference) => {
    expect(readWalletText('MobileMoney', mtn({ reference }).text)).toMatchObject({ kind: 'unclear' });
    for (const text of [
      `Transaction ID: ${MTN_ID} of GHS 36.00 has been reversed. Reference: ${reference}.`,
      `Transaction ${MTN_ID} of GHS 36.00 has been reversed. Reference: ${reference}.`,
      `Payment received for GHS 36.00 from KOFI has been reversed. Reference: ${reference}. Id ${MTN_ID}. Transaction ID: ${MTN_ID}.`,
    ])
      expect(readWithoutProof('MobileMoney', text)).toMatchObject({ isCertain: true, transactionIds: [MTN_ID] });
  });

  const short = `Payment received for GHS 36.00 from KOFI MENSAH. Reference: MK-6542281265. Transaction ID: ${MTN_ID}.`;
  const others = [mtn({ ...other, id: '51720687339' }).text, sent.replace(MTN_ID, '51720687339')];

  test.each([mtn().text, short])(
    'never give the second text’s id to the first, wherever the first text is cut off: %s',
    (first) => {
      for (const next of others)
        for (let cut = 1; cut < next.length; cut++)
          for (const gap of ['', ' ', '\n'])
            expect(readWithoutProof('MobileMoney', first + gap + next.slice(cut))).not.toMatchObject({
              kind: 'payment',
              transactionId: '51720687339',
            });
    },
  );
});

const start =
  'Payment received for GHS 1.00 from A Current Balance: GHS 1.00 . Available Balance: GHS 1.00. Reference: ';
const tcashStart =
  '0000019305566778 Confirmed. You have received GHS1.00 from 233209876543 - A on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00. Ref: ';

test.each([
  ['spaces', `Payment received for GHS 1.00 from A${' '.repeat(1_900)}x`],
  ['full stops', `${start}${'. '.repeat(900)}`],
  ['full stops after an id', `${start}Transaction ID: 51234567890${'.'.repeat(1_800)}x`],
  ['spaces after an id', `${start}Transaction ID: 51234567890${' '.repeat(1_800)}x`],
  ['ids', `${start}${'Transaction ID: 51234567890. '.repeat(60)}x`],
  ['balances', `Payment received for GHS 1.00 from ${'Current Balance: GHS 1.00 . '.repeat(70)}`],
  [
    'balances and spaces',
    `Payment received for GHS 1.00 from ${`Current Balance: GHS 1.00${' '.repeat(40)}`.repeat(28)}`,
  ],
  ['charges', `${start}Transaction ID: 51234567890 ${'Fee charged: 0 '.repeat(110)}`],
  [
    'adverts',
    `0000019305566778 Confirmed. You have received GHS1.00 from 233209876543 - A on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00. Ref: ${'Stay alert. '.repeat(150)}x:`,
  ],
  [
    'dates',
    `0000019305566778 Confirmed. You have received GHS1.00 from 233209876543 - A ${'on 2026-01-07 at 11:02:51. '.repeat(65)}`,
  ],
  ['systems', `0000019305566778 Confirmed. You have received GHS1.00 from ${'MTN MOBILE MONEY '.repeat(110)}`],
  ['reversals', `reversed ${'transaction 51234567890 '.repeat(80)}`],
  ['commas', `${start}${','.repeat(1_800)}`],
  ['abbreviations', `${tcashStart}${'St. '.repeat(450)}!`],
  ['references', `${tcashStart}${'MK 6542 281 26'.repeat(120)}!`],
  ['groups of digits', `${tcashStart}${'1 '.repeat(900)}!`],
  ['warnings', `Transaction ID: 51234567890 ${'never share '.repeat(160)}1`],
  ['digits next to a code', `code ${'1'.repeat(1_990)}`],
  ['letters and digits next to a code', `code ${'a1'.repeat(990)}`],
  ['requests', `0000019305566778 Confirmed. Your ${'request of GHS1.00 has been received '.repeat(50)}`],
  ['statuses', `${tcashStart}${'pending. . . '.repeat(140)}x`],
  ['sentences after a reference', `${tcashStart}${'rent. Kofi is '.repeat(130)}!`],
  ['separate letters', `${tcashStart}${'p '.repeat(900)}!`],
  ['a single word', `${tcashStart}${'hamed'.repeat(360)}!`],
  ['words after the text', `${start}1. Transaction ID: 51234567890. ${'a b needs you '.repeat(120)}`],
  ['hours', `${start}1. Transaction ID: 51234567890. ${'1 '.repeat(800)}`],
  ['digits and signs next to a code', `code ${'1 - '.repeat(490)}`],
  ['words', `You have paid your GHS 1.00 ${'on and on '.repeat(190)}`],
])('a text of 2,000 characters with many %s is parsed at little cost', async (_, hostile) => {
  const text = hostile.slice(0, 2_000);
  for (const sender of ['MobileMoney', 'T-CASH', 'Kofi']) {
    wordsToStore(sender, text);
    await expectCost(1, () => readWithoutProof(sender, text), sender);
  }
});
