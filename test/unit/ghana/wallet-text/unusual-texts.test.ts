import { describe, expect, test } from 'vitest';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { mtn, telecel } from '../../../support/receipts.ts';

const STRANGER = '+233241234567';
const ID = '51234567890';

describe('a text of more than 2,000 characters', () => {
  const long = (characters: number) => {
    const { text } = mtn({ reference: 'REFERENCE' });
    return text.replace('REFERENCE', 'x'.repeat(characters - text.length + 'REFERENCE'.length));
  };

  test('is unread, and from a stranger not a forgery; one of 2,000 is read', () => {
    expect(long(2_000)).toHaveLength(2_000);
    expect(readWalletText('MobileMoney', long(2_000)).kind).toBe('payment');
    expect(readWalletText('MobileMoney', long(2_001))).toEqual({ kind: 'unread', network: 'MTN' });
    expect(readWalletText(STRANGER, long(2_000))).toEqual({ kind: 'stranger', looksLikePayment: true });
    expect(readWalletText(STRANGER, long(2_001))).toEqual({ kind: 'stranger', looksLikePayment: false });
  });

  test('is read where all but 2,000 are spaces', () => {
    const { text } = mtn({ id: ID });
    const spaced = `  ${text.replaceAll(' ', '\n'.repeat(100))}  `;
    expect(spaced.length).toBeGreaterThan(2_000);
    expect(readWalletText('MobileMoney', spaced)).toMatchObject({ kind: 'payment', transactionId: ID });
  });
});

describe('a payer’s name', () => {
  test.each([
    ...['KOFI GHS 9.00', 'KOFI GHS1,234.50', 'KOFI ghs 0.5', 'KOFI 9.00 GHS', 'KOFI 1,234.5GHS', '123 - KOFI'],
    ...['12-KOFI', 'KOFI has been paid', 'KOFI is not paid', 'KOFI will be paid', 'KOFI are now', 'KOFI canceled'],
    ...['KOFI cancelled', 'KOFI 123456'],
    'K'.repeat(81),
  ])('is never %j: the text is unread', (from) => {
    expect(readWalletText('MobileMoney', mtn({ from }).text)).toEqual({ kind: 'unread', network: 'MTN' });
  });

  test.each(['KOFI 2 - SONS', 'KOFI 6-01-07', 'GHS VENTURES', 'WILL HASFORD', 'K'.repeat(80)])('may be %j', (from) => {
    expect(readWalletText('MobileMoney', mtn({ from }).text)).toMatchObject({ kind: 'payment', payerName: from });
  });

  test('has no punctuation of the network’s before it', () => {
    expect(readWalletText('MobileMoney', mtn({ from: '., KOFI MENSAH' }).text)).toMatchObject({
      payerName: 'KOFI MENSAH',
    });
  });

  test('followed by "has been reversed" reverses the payment only if it is one', () => {
    const reversed = (from: string) =>
      readWalletText('MobileMoney', mtn({ from: `${from} has been reversed`, id: ID }).text);
    const reversal = { kind: 'reversal', network: 'MTN', transactionIds: [ID], isCertain: true };
    expect(reversed('KOFI MENSAH')).toMatchObject(reversal);
    expect(reversed('KOFI GHS 9.00').kind).toBe('unread');
  });

  test('reverses nothing in a text that names no transaction', () => {
    const interest =
      'Dear customer, you have received GHS1.20 from KOFI has been reversed as interest earned on your mobile wallet. Your new Telecel Cash balance is GHS61.00.';
    expect(readWalletText('T-CASH', interest).kind).toBe('unread');
  });
});

test('a payer’s phone may have the country’s digits in its midst', () => {
  const { text } = telecel({ phone: '0202331234' });
  expect(readWalletText('T-CASH', text)).toMatchObject({ kind: 'payment', payerPhone: '+233202331234' });
});

describe('a payment from another network', () => {
  const name = 'KOFI MENSAH BOATENG';
  const read = (reference: string) => readWalletText('MobileMoney', mtn({ from: name, reference }).text);

  test.each([
    ['words before the name', `shoes, ${name} ,233209876543,1 from VODAFONE`],
    ['words behind the network', `${name} ,233209876543,1 from VODAFONE 2`],
  ])('is none with %s: all of it is the reference', (_, reference) => {
    expect(read(reference)).toMatchObject({ via: null, payerPhone: null, reference });
  });

  test('is one where the payer typed nothing, not even a space', () => {
    expect(read(`${name} ,233209876543,from VODAFONE`)).toMatchObject({ via: 'VODAFONE', reference: null });
  });
});

describe('money from a bank', () => {
  const credit = (from: string, message = 'salary') =>
    `You have received GHS 500.00 from ${from} on your mobile money account at 2026-01-07 11:02:51. Message from sender: ${message}. Your new balance: GHS 600.00. Financial Transaction Id: ${ID}.`;

  test('is no customer’s payment', () => {
    const money = { amountPesewas: 50_000, balancePesewas: 60_000, transactionId: ID };
    const read = readWalletText('MobileMoney', credit('ABSA BANK'));
    expect(read).toMatchObject({ kind: 'money_in', counterparty: 'ABSA BANK', ...money });
  });

  test.each(['KOFI MENSAH', 'ABSA BANK GHS 9.00', 'ABSA BANK: KOFI'])('in the name of %j is unread', (from) => {
    expect(readWalletText('MobileMoney', credit(from)).kind).toBe('unread');
  });

  test.each([
    'x. Your new balance: GHS 9.00. Financial Transaction Id: 99999999999',
    'on your mobile money account at 2026-01-01 10:00:00. Message from sender: x',
  ])('says the same whatever its sender wrote: %s', (message) => {
    const money = { balancePesewas: 60_000, transactionId: ID };
    const read = readWalletText('MobileMoney', credit('ABSA BANK', message));
    expect(read).toMatchObject({ kind: 'money_in', counterparty: 'ABSA BANK', ...money });
  });
});

test('money out in whose name something "was reversed" takes back what the text names', () => {
  const text = `Payment made for GHS 20.00 to KOFI was reversed today. Current Balance: GHS 10.00. Reference: rent. Transaction ID: ${ID}. Fee charged: GHS 0.15`;
  const reversal = { kind: 'reversal', network: 'MTN', transactionIds: [ID], isCertain: true };
  expect(readWalletText('MobileMoney', text)).toMatchObject(reversal);
});

test('somebody who is paid has a letter or a digit in the name', () => {
  const paid = (to: string) =>
    `Payment made for GHS 20.00 to ${to}. Current Balance: GHS 10.00. Reference: rent. Transaction ID: ${ID}. Fee charged: GHS 0.15`;
  expect(readWalletText('MobileMoney', paid('123')).kind).toBe('money_out');
  expect(readWalletText('MobileMoney', paid('-- !')).kind).toBe('unread');
});

test('the network’s words stand apart', () => {
  const { text } = mtn();
  for (const [apart, together] of [
    ['Payment received', 'Paymentreceived'],
    ['received for', 'receivedfor'],
    ['Available Balance', 'AvailableBalance'],
    ['Transaction ID', 'TransactionID'],
  ] as const) {
    expect(text).toContain(apart);
    expect(readWalletText('MobileMoney', text.replace(apart, together)).kind).toBe('unread');
  }
});

describe('a reference that ends the text', () => {
  const ending = (reference: string, from = 'KOFI MENSAH') =>
    readWalletText(
      'T-CASH',
      `0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - ${from} on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1.00. Ref: ${reference}`,
    );

  test.each(['1.5', '1.5 yards', 'no. 7'])('keeps its full stops but the last: %j', (reference) => {
    expect(ending(reference)).toMatchObject({ kind: 'payment', reference });
    expect(ending(`${reference}.`)).toMatchObject({ kind: 'payment', reference });
  });

  test('ends at an advert only if nothing relevant follows it', () => {
    expect(ending('rent. Stay alert.')).toMatchObject({ reference: 'rent' });
    expect(ending('rent. Stay alert. GHS 9.00')).not.toMatchObject({ reference: 'rent' });
  });

  test('is certain though the payer is called like an advert', () => {
    expect(ending('1', 'FREE CALL VENTURES')).toMatchObject({ kind: 'payment', reference: '1' });
  });
});
