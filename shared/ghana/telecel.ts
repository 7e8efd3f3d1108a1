import type { NetworkExamples, NetworkFacts, NetworkTexts, Samples } from './network-facts.ts';

/** Telecel Ghana, formerly Vodafone. Texts start with the transaction id: 16 digits, zero-padded. */

const ID_PATTERN = '\\d{16}';

export const telecel: NetworkFacts = {
  name: 'Telecel Cash',
  short: 'Telecel',
  article: 'a',
  ussd: '*110#',
  colours: { back: '#d1101c', text: '#ffffff' },
  senders: ['T-CASH', 'TelecelCash'],
  lookalikes: ['Telecel', 'Telecel Money', 'Vodafone', 'Vodafone Cash', 'VF-Cash', 'VodaCash'],
  prefixes: ['20', '50'],
  isRead: true,
  namesNumbersOf: 'all',
  provesAfterLinks: 20,
  idsADay: 10_700_000,
  takesBack: { days: 7, how: 'the payer dials *110#, usually within a day' },
  transactionId: {
    digits: 16,
    pattern: ID_PATTERN,
    description: 'A Telecel Cash transaction ID has 16 digits',
    isPadded: true,
    example: { before: '', id: '0000019305566778', after: ' Confirmed. …' },
  },
};

const shapes = {
  payment: {
    kind: 'payment',
    text: '{id} Confirmed. You have received {amount} from [{system} with transaction reference: Transfer From: ]{phone} - {name} on {date} at {time}. Your[ new] {wallet} balance is {balance}. {advert} Ref[erence]: {reference}',
  },
  paymentWithoutReference: {
    kind: 'payment',
    text: '{id} Confirmed. You have received {amount} from [{system} with transaction reference: Transfer From: ]{phone} - {name} on {date} at {time}. Your[ new] {wallet} balance is {balance}',
  },
  paymentWithoutPhone: {
    kind: 'payment',
    text: '{id} Confirmed. You have received {amount} from {name}[ on {wallet}] on {date} at {time}. Your[ new] {wallet} balance is {balance}. {advert} Ref[erence]: {reference}',
  },
  paymentWithoutPhoneOrReference: {
    kind: 'payment',
    text: '{id} Confirmed. You have received {amount} from {name}[ on {wallet}] on {date} at {time}. Your[ new] {wallet} balance is {balance}',
  },
  merchantPayment: {
    kind: 'payment',
    text: '{id} Confirmed. You have received {amount} as payment from [{phone} - ]{name} on {date} at {time}. Your[ new] {wallet} balance is {balance}. {advert} Ref[erence]: {reference}',
  },
  merchantPaymentWithoutReference: {
    kind: 'payment',
    text: '{id} Confirmed. You have received {amount} as payment from [{phone} - ]{name} on {date} at {time}. Your[ new] {wallet} balance is {balance}',
  },
  deposit: {
    kind: 'money_in',
    text: '{id} Confirmed. On {date} at {time}, a deposit of {amount} was made to your account from {name}. Your[ new][ {wallet}] balance is {balance}[{charges}]',
  },
  interest: {
    kind: 'money_in',
    text: 'Dear customer, you have received {amount} from {name} as interest earned on your mobile money wallet for the period {message}. Your new balance is {balance}',
  },
  interestWithoutPeriod: {
    kind: 'money_in',
    text: 'Dear customer, you have received {amount} from {name} as interest earned on your mobile[ money] wallet. Your new[ {wallet}] balance is {balance}',
  },
  interestShort: {
    kind: 'money_in',
    text: 'Dear customer, you have received {amount} in your {wallet} wallet as interest[ for the quarter]',
  },
  sent: {
    kind: 'money_out',
    text: '{id} Confirmed. {amount} sent to {token}[ -] {name} [on {system} ]on {date} at {time}. Your[ new] {wallet} balance is {balance}[{charges}]. {advert} Ref[erence]: {anything}',
  },
  sentWithoutReference: {
    kind: 'money_out',
    text: '{id} Confirmed. {amount} sent to {token}[ -] {name} [on {system} ]on {date} at {time}. Your[ new] {wallet} balance is {balance}[{charges}]',
  },
  paid: {
    kind: 'money_out',
    text: '{id} Confirmed. {amount} paid to {token}[ -] {name} on {date} at {time}. Your[ new] {wallet} balance is {balance}[{charges}]. {advert} Ref[erence]: {anything}',
  },
  paidWithoutReference: {
    kind: 'money_out',
    text: '{id} Confirmed. {amount} paid to {token}[ -] {name} on {date} at {time}. Your[ new] {wallet} balance is {balance}[{charges}]',
  },
  transferred: {
    kind: 'money_out',
    text: '{id} Confirmed. You have transferred {amount} to {name} on {date} at {time}. Your[ new] {wallet} balance is {balance}[{charges}].[ ({wallet} fee {money} + E-levy {money})]. {advert} Ref[erence]: {anything}',
  },
  withdrawn: {
    kind: 'money_out',
    text: '{id} Confirmed. You have withdrawn {amount} from {token}[ -] {name} on {date} at {time}. Your[ new] {wallet} balance is {balance}[{charges}]',
    isFree: true,
  },
  airtimeBought: {
    kind: 'money_out',
    text: '{id} Confirmed. You bought {amount} of {name} for {digits} on {date} at {time}. Your[ new] {wallet} balance is {balance}[{charges}]',
    isFree: true,
  },
  requested: {
    kind: 'money_out',
    text: '{id} Confirmed. Your {name} request of {amount} [on {date} ][at {time} ]has been received[ on {date}][ at {time}].[ Kindly wait for confirmation]. Your[ new] {wallet} balance is {balance}[{charges}]',
    isFree: true,
  },
  loanCharge: {
    kind: 'money_out',
    text: '{id} Confirmed. You have paid[ your][ off] {amount} {name} on {date} at {time}. Your[ new] {wallet} balance is {balance}[{charges}]',
    isFree: true,
  },
  balance: { kind: 'no_money', text: '{id} Confirmed. Your[ new] {wallet}[ wallet] balance is {balance}' },
  unsuccessful: {
    kind: 'no_money',
    text: 'Failed. Your {anything} was unsuccessful. Your[ new] {wallet} balance is {balance}.[ Please try again[ later]]',
  },
  tillBalance: {
    kind: 'no_money',
    text: 'M-Pesa Account[ For Organization] Balance is {money}. Merchant Account Balance is {money}',
  },
  airtimeReceived: {
    kind: 'no_money',
    text: 'Transaction ID: {id} confirmed from {digits}. You have received airtime of {money} from {phone} - {name} on {date} at {time}',
  },
} as const satisfies NetworkTexts['shapes'];

export const telecelTexts: NetworkTexts = {
  transactionId: ID_PATTERN,
  shapes,
  chargeLabels: ['You were charged', 'Your E-levy charge is', 'E-levy charge is', 'E-levy'],
  adverts: [
    'Sending money from Telecel Cash to Telecel Cash remains FREE on the Telecel Play App',
    'Download the App',
    'Do more with Telecel Cash',
    'Sendi[ k3k3]',
    'Stay alert',
    'Never share your PIN or OTP with anyone[ or click unknown links]',
    'Protect your personal information',
  ],
  // Old texts still say Vodafone Cash.
  wallets: ['Telecel Cash', 'Vodafone Cash'],
  systems: ['MTN MOBILE MONEY', 'TELECEL CASH', 'VODAFONE CASH', 'GHANAPAY'],
};

const samples: Samples<typeof shapes> = {
  payment: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: '0000012281422413 Confirmed. You have received GHS252.00 from MTN MOBILE MONEY with transaction reference: Transfer From: 233242170537-AKOSUA ABDUL-RAHMAN NARTEY on 2026-03-05 at 15:04:34. Your Telecel Cash balance is GHS3616.26. Ref: deposit',
  },
  paymentWithoutReference: {
    source: 'receipts.json',
    seen: '2026-01',
    text: '0000019472100347 Confirmed. You have received GHS150.00 from MTN MOBILE MONEY with transaction reference: Transfer From: 233541234567-AMA OWUSU  on 2026-01-14 at 09:05:44. Your Telecel Cash balance is GHS205.58.\n.\nStay alert.',
  },
  paymentWithoutPhone: {
    source: 'a public test of another SMS reader',
    seen: '2026-06',
    text: '0000013264775053 Confirmed. You have received GHS1,600.00 from KUMASI ENTERPRISE on 2026-06-05 at 15:08. Your Telecel Cash balance is GHS3,264.53. Reference: GIPOutwardAMA MTG 7806610000000',
  },
  paymentWithoutPhoneOrReference: {
    source: '`paymentWithoutPhone` with a part left out',
    seen: '2026-06',
    text: '0000013264775054 Confirmed. You have received GHS1,600.00 from KUMASI ENTERPRISE on 2026-06-05 at 15:08. Your Telecel Cash balance is GHS3,264.53.',
  },
  merchantPayment: {
    source: "`merchantPaymentWithoutReference` with Telecel's reference",
    seen: '2026-03',
    text: '0000012271196837 confirmed. You have received GHS387.72 as payment from ADWOA BOATENG on 2026-03-04 at 16:47:33. Your new Telecel Cash balance is GHS598.31. Reference: 1.',
  },
  merchantPaymentWithoutReference: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: '0000012271196836 confirmed. You have received GHS387.72 as payment from ADWOA BOATENG on 2026-03-04 at 16:47:33. Your new Telecel Cash balance is GHS598.31.',
  },
  deposit: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: '0000012256992619 Confirmed. On 2026-03-03 at 11:44:15, a deposit of GHS100.00 was made to your account from KOJO GYAMFI . Your balance is GHS2395.28. Sending money from Telecel Cash to Telecel Cash remains FREE on the Telecel Play App. Download the App https://bit.ly/TelecelPlayGhana and continue to enjoy the convenience.',
  },
  interest: {
    source: "a merchant's wallet",
    seen: '2026-01',
    text: 'Dear customer, you have received GHS0.86 from NANA ESHUN as interest earned on your mobile money wallet for the period October 2025 to December 2025. Your new balance is GHS2991.63.',
  },
  interestWithoutPeriod: {
    source: 'a public test of another SMS reader',
    seen: '2026-03',
    text: 'Dear customer, you have received GHS1.20 from Telecel Cash as interest earned on your mobile wallet. Your new Telecel Cash balance is GHS61.00.',
  },
  interestShort: {
    source: 'receipts.json',
    seen: '2026-01',
    text: 'Dear customer, you have received GHS0.86 in your Telecel Cash wallet as interest for the quarter.',
  },
  sent: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: '0000012276338791 Confirmed. GHS896.00 sent to 233599903547 - YAA OPOKU on MTN MOBILE MONEY on 2026-03-05 at 05:27:14. Your Telecel Cash balance is GHS2833.78. You were charged GHS6.72. Your E-levy charge is GHS0.00. Sending money from Telecel Cash to Telecel Cash remains FREE on the Telecel Play App. Download the App https://bit.ly/TelecelPlayGhana and continue to enjoy the convenience. Reference: rent. Sendi k3k3!',
  },
  sentWithoutReference: {
    source: '`sent` with a part left out',
    seen: '2026-02',
    text: '0000012012853843 Confirmed. GHS81.00 sent to 0554593700 - EMMANUEL EBO ANSAH on MTN MOBILE MONEY on 2026-02-08 at 19:34:00. Your Telecel Cash balance is GHS3806.60. You were charged GHS0.00. Your E-levy charge is GHS0.00.',
  },
  paid: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: '0000012256387438 Confirmed. GHS5.05 paid to 233504546069 - ADWOA BOATENG on 2026-03-03 at 10:41:30. Your new Telecel Cash balance is GHS2998.39. You were charged GHS0.00. Your E-levy charge is GHS0.00. Reference: deposit. Sendi k3k3!',
  },
  paidWithoutReference: {
    source: '`paid` with a part left out',
    seen: '2026-02',
    text: '0000012012853844 Confirmed. GHS81.00 paid to D086000 - ECOBANK PAY on 2026-02-08 at 19:34:00. Your new Telecel Cash balance is GHS3806.60. Your E-levy charge is GHS0.00.',
  },
  transferred: {
    source: "a merchant's wallet",
    seen: '2026-02',
    text: '0000012012843044 Confirmed. You have transferred GHS305.00 to STANBIC BANK ACCOUNT - 233566708875 - KOFI FATIMA DZIFA-AGBEKO on 2026-02-08 at 19:33:12. Your Telecel Cash balance is GHS2685.55. You were charged GHS3.05 (Telecel Cash fee GHS3.05 + E-levy GHS0.00). Reference: hair. Sendi k3k3!',
  },
  withdrawn: {
    source: "a merchant's wallet",
    seen: '2026-02',
    text: '0000012029556214 Confirmed. You have withdrawn GHS40.00 from 233264753098 - KOJO GYAMFI on 2026-02-10 at 11:26:46. Your Telecel Cash balance is GHS3548.78.',
  },
  airtimeBought: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: '0000012290286163 Confirmed. You bought GHS1.00 of airtime for 233577640975 on 2026-03-06 at 10:40:54. Your Telecel Cash balance is GHS2508.71.',
  },
  requested: {
    source: 'two public tests of other SMS readers',
    seen: '2026-06',
    text: '0000015211219498 confirmed. Your bundle purchase request of GHS3.00 on 2026-06-25 has been received at 16:33:34. Kindly wait for confirmation. Your new Telecel Cash balance is GHS0.01.',
  },
  loanCharge: {
    source: "a merchant's wallet",
    seen: '2026-02',
    text: '0000012221257393 confirmed. You have paid your GHS6.60 Ready Loan default charge on 2026-02-28 at 10:40:29. Your new Telecel Cash balance is GHS1792.94.',
  },
  balance: {
    source: "a merchant's wallet",
    seen: '2026-02',
    text: '0000012213751709 Confirmed. Your Telecel Cash wallet balance is GHS786.86 . Sending money from Telecel Cash to Telecel Cash remains FREE on the Telecel Play App.',
  },
  unsuccessful: {
    source: 'two public tests of other SMS readers',
    seen: '2026-04',
    text: 'Failed. Your Transfer of GHS30.00 sent to 0241110001 EFUA SAMPLE on MTN MOBILE MONEY on 2026-04-13 at 19:44:46 was unsuccessful. Your Telecel Cash balance is GHS76.39. Please try again.',
  },
  tillBalance: {
    source: 'a public test of another SMS reader',
    seen: '2026-06',
    text: 'M-Pesa Account For Organization Balance is GHS2.79\nMerchant Account Balance is GHS1.00',
  },
  airtimeReceived: {
    source: "a merchant's wallet",
    seen: '2026-02',
    text: 'Transaction ID: 0000011961066240 confirmed from 555. You have received airtime of GHS52.00 from 233577640975 - KOFI FATIMA DZIFA-AGBEKO on 2026-02-03 at 21:56:31.',
  },
};

export const telecelExamples: NetworkExamples = {
  samples,
  receipt: {
    text: '{id} Confirmed. You have received GHS{amount} from {phone} - {name} on {date} at {time}. Your Telecel Cash balance is GHS{balance}.\nReference: {reference}.\nStay alert. Never share your PIN or OTP with anyone.',
    firstId: 19_000_000_000,
  },
  sent: '{id} Confirmed. GHS{amount} paid to {phone} - {name} on {date} at {time}. Your new Telecel Cash balance is GHS{balance}. You were charged GHS0.00. Your E-levy charge is GHS0.00. Reference: {reference}. Sendi k3k3!',
};
