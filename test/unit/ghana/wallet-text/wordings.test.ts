import { describe, expect, test } from 'vitest';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { movementOf } from '../../../../shared/wallets/chain/chain.ts';

/** Wordings from 2026 found in other projects' tests, and wordings used by Vodafone (now Telecel). */
describe.each([
  [
    'a bundle purchase',
    'T-CASH',
    '0000952112194981 confirmed. Your bundle purchase request of GHS3.00 on 2026-06-25 has been received at 16:33:34. Kindly wait for confirmation. Your new Telecel Cash balance is GHS0.01.',
    { kind: 'money_out', amountPesewas: 300, balancePesewas: 1, transactionId: '0000952112194981' },
    301,
  ],
  [
    'an airtime purchase',
    'T-CASH',
    '0000015211219498 Confirmed. Your airtime purchase request of GHS5.00 has been received on 2026-06-25 at 16:33:34. Your Telecel Cash balance is GHS10.01.',
    { kind: 'money_out', amountPesewas: 500, balancePesewas: 1001, transactionId: '0000015211219498' },
    1501,
  ],
  [
    'a failed transfer',
    'T-CASH',
    'Failed. Your Transfer of GHS30.00 sent to 0241110001 EFUA SAMPLE on MTN MOBILE MONEY on 2026-04-13 at 19:44:46 was unsuccessful. Your Telecel Cash balance is GHS76.39. Please try again.',
    { kind: 'no_money', amountPesewas: null, balancePesewas: 7639 },
    undefined,
  ],
  [
    'a till’s two balances',
    'T-CASH',
    'M-Pesa Account For Organization Balance is GHS2.79\nMerchant Account Balance is GHS1.00',
    { kind: 'no_money', amountPesewas: null, balancePesewas: null },
    undefined,
  ],
  [
    'a payment in Vodafone’s wording',
    'T-CASH',
    '0000757642288810 Confirmed. You have received GHS45.00 from 233201110007 - KOJO SAMPLE on 2023-05-07 at 11:02:51. Your Vodafone Cash balance is GHS135.25. Reference: 1.',
    {
      kind: 'payment',
      amountPesewas: 4500,
      payerName: 'KOJO SAMPLE',
      payerPhone: '+233201110007',
      balancePesewas: 13_525,
      reference: '1',
    },
    9025,
  ],
  [
    'an outgoing payment in Vodafone’s wording',
    'T-CASH',
    '0000012256387438 Confirmed. GHS5.05 paid to 233504546069 - ADWOA BOATENG on 2022-03-03 at 10:41:30. Your new Vodafone Cash balance is GHS2998.39. You were charged GHS0.00. Your E-levy charge is GHS0.00. Reference: deposit.',
    { kind: 'money_out', amountPesewas: 505, balancePesewas: 299_839 },
    300_344,
  ],
  [
    'a deposit by token',
    'MobileMoney',
    'Money Transfer Deposit received for GHS 75.00 from AMA SAMPLE Token: 397147010224 Transaction ID: 1344637322. TRANSACTION FEE IS 0',
    {
      kind: 'money_in',
      amountPesewas: 7500,
      counterparty: 'AMA SAMPLE',
      balancePesewas: null,
      transactionId: '1344637322',
    },
    undefined,
  ],
  [
    'a reversed outgoing payment',
    'MobileMoney',
    "Y'ello Valued Customer, the transfer of GHS 3.00 to MTN BUNDLE has been reversed on 2026-05-03 10:02:00. Your new balance is GHS8.13.",
    { kind: 'money_in', amountPesewas: 300, counterparty: 'MTN BUNDLE', balancePesewas: 813, transactionId: null },
    undefined,
  ],
  [
    'a reversed outgoing payment with an id',
    'MobileMoney',
    'Y’ello, the transfer of GHS 3.00 to MTN BUNDLE has been reversed. Your new balance: GHS 8.13. Financial Transaction Id: 80573991590.',
    { kind: 'money_in', amountPesewas: 300, balancePesewas: 813, transactionId: '80573991590' },
    513,
  ],
  [
    'an MTN airtime purchase',
    'MobileMoney',
    'You have successfully purchased GHS 5.00 Airtime from MTNVENDOR on 2026-05-03.Ref: 80573991589. Your new balance is GHS 8.13. Transaction fee is GHS0.',
    { kind: 'money_out', amountPesewas: 500, chargesPesewas: 0, balancePesewas: 813, transactionId: '80573991589' },
    1313,
  ],
])('%s', (_, sender, text, expected, beforePesewas) => {
  test('is parsed together with the previous balance', () => {
    const reading = readWalletText(sender, text);
    expect(reading).toMatchObject(expected);
    expect(movementOf(reading, { sender, at_ms: 0, arrived_ms: 0 })?.before).toBe(beforePesewas);
  });
});

test('a text from AT is not parsed', () => {
  const text =
    'Dear Customer, you have received GHS 29.99 from 0271110021. Trans ID: GM251127.0930.C09997. Your new balance is GHS 80.10.';
  expect(readWalletText('AT Money', text)).toEqual({ kind: 'unread', network: 'AT' });
});

test.each([
  "Y'ello Valued Customer, the payment of GHS 3.00 from KOFI MENSAH has been reversed. Transaction Id: 51234567890.",
  'The transfer of GHS 3.00 from KOFI MENSAH with id 51234567890 has been reversed. Your new balance is GHS8.13.',
])('a reversed incoming payment is not treated as a refund: %s', (text) => {
  expect(readWalletText('MobileMoney', text).kind).toBe('reversal');
});
