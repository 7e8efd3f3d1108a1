import type { NetworkExamples, NetworkFacts, NetworkTexts, Samples } from './network-facts.ts';

/**
 * MTN Ghana. Transaction ids have 11 digits, and will have 12 from about February 2027. MTN's texts still call Telecel
 * "Vodafone".
 */

/** Ids have no leading zero; otherwise, two ids would stand for the same number. */
const ID_PATTERN = '[1-9]\\d{9,13}';

export const mtn: NetworkFacts = {
  name: 'MTN MoMo',
  short: 'MTN',
  article: 'an',
  ussd: '*170#',
  colours: { back: '#ffcb05', text: '#1c1b19' },
  senders: ['MobileMoney', 'MoMo', 'MTN MoMo'],
  lookalikes: ['MTN', 'MTN Money', 'MTN Mobile Money', 'MTN MobMoney'],
  prefixes: ['24', '25', '53', '54', '55', '59'],
  isRead: true,
  namesNumbersOf: 'others',
  provesAfterLinks: 0,
  idsADay: 67_000_000,
  takesBack: { days: 15, how: 'the payer asks MTN, which may block the money while it investigates' },
  transactionId: {
    digits: 11,
    pattern: ID_PATTERN,
    description: 'An MTN transaction ID has 10 to 14 digits',
    example: { before: 'Payment made for GHS … Transaction ID: ', id: '51234567890', after: '' },
  },
};

const shapes = {
  payment: {
    kind: 'payment',
    text: 'Payment received for {amount} from {name}. Current Balance: {balance}. Available Balance: {money}. Reference: {reference}. [Financial ]Transaction ID: {id}{charges}',
    isFinal: true,
  },
  paymentOneBalance: {
    kind: 'payment',
    text: 'Payment received for {amount} from {name}. Current Balance: {balance}. Reference: {reference}. [Financial ]Transaction ID: {id}{charges}',
    isFinal: true,
  },
  paymentShort: {
    kind: 'payment',
    text: 'Payment received for {amount} from {name}{stop} Reference: {reference}. [Financial ]Transaction ID: {id}',
  },
  paymentWithoutFee: {
    kind: 'payment',
    text: 'Payment received for {amount} from {name}. Current Balance: {balance}.[ Available Balance: {money}]. Reference: {reference}. [Financial ]Transaction ID: {id}',
  },
  paymentWithoutBalance: {
    kind: 'payment',
    text: 'Payment received for {amount} from {name}{stop} Reference: {reference}. [Financial ]Transaction ID: {id}{charges}',
  },
  cashIn: {
    kind: 'money_in',
    text: 'Cash In received for {amount} from {name}. Current Balance[:] {balance}.[ Available Balance[:] {money}]. [Financial ]Transaction ID: {id}[{charges}]',
  },
  fromBank: {
    kind: 'money_in',
    text: 'You have received {amount} from {institution} [({digits}) ]on your mobile money account at {date} {time}. Message from sender: {message}. Your new balance: {balance}. [Financial ]Transaction Id: {id}[{charges}]',
  },
  credited: {
    kind: 'money_in',
    text: 'An amount of {amount} has been credited to your mobile money account. Message: {message}. Your new balance: {balance}. [Financial ]Transaction Id: {id}[{charges}]',
  },
  refunded: {
    kind: 'money_in',
    text: 'Hello, {name} has successfully refunded {amount} to your mobile money account at {date} {time}. Message from refunder: {message}. Your new balance: {balance}. [Financial ]Transaction Id: {id}.[ External Transaction Id: {token}][{charges}]',
  },
  depositedByToken: {
    kind: 'money_in',
    text: 'Money Transfer Deposit received for {amount} from {name} Token: {token}.[ Current Balance[:] {balance}.][ Available Balance[:] {money}.] [Financial ]Transaction ID: {id}[{charges}]',
  },
  sentReversed: {
    kind: 'money_in',
    text: "[Y'ello ][Dear ][Valued ][Customer, ]the transfer of {amount} to {name} has been reversed[ on {date} {time}]. Your new balance[ is][:] {balance}.[ [Financial ]Transaction Id: {id}][{charges}]",
  },
  voucherReturned: {
    kind: 'money_in',
    text: 'Your voucher {digits} with {amount} from {phone} has expired and has been returned to the sender. [Financial ]Transaction Id: {id}[{charges}]',
  },
  sent: {
    kind: 'money_out',
    text: 'Payment[ made] for {amount} to {name}. Current Balance: {balance}.[ Available Balance: {money}]. Reference: {reference}. [Financial ]Transaction ID: {id}[{charges}]',
  },
  bought: {
    kind: 'money_out',
    text: 'Payment[ made] for {amount} to {name}. Current Balance: {balance}.[ Available Balance: {money}]. [Financial ]Transaction Id: {id}[{charges}]',
  },
  sentShort: {
    kind: 'money_out',
    text: 'Payment[ made] for {amount} to {name}{stop} Reference: {reference}. [Financial ]Transaction ID: {id}[{charges}]',
  },
  completed: {
    kind: 'money_out',
    text: 'Your payment of {amount} to {name} has been completed at {date} {time}. Your new balance: {balance}[{charges}]. Reference: {reference}. [Financial ]Transaction Id: {id}.[ External Transaction Id: {token}]',
  },
  completedReferenceFirst: {
    kind: 'money_out',
    text: 'Your payment of {amount} to {name} has been completed at {date} {time}. Reference: {reference}. Your new balance: {balance}[{charges}]. [Financial ]Transaction Id: {id}.[ External Transaction Id: {token}]',
  },
  completedShort: {
    kind: 'money_out',
    text: 'Your payment of {amount} to {name} has been completed at {date} {time}. Your new balance: {balance}[{charges}]. [Financial ]Transaction Id: {id}.[ External Transaction Id: {token}]',
  },
  cashOut: {
    kind: 'money_out',
    text: 'Cash Out[ made] for {amount} to {name}. Current Balance[:] {balance}.[ Available Balance[:] {money}]. [Financial ]Transaction Id: {id}.[ Cash-out fee is charged automatically from your MTN[ MoMo][ MobileMoney] wallet. Please do not pay any fees to the[ Agent][ merchant]. Thank you for using MTN MobileMoney][{charges}]',
  },
  transferred: {
    kind: 'money_out',
    text: 'You have transferred {amount} to {name} from your mobile money account {digits} at {date} {time}. Your new balance: {balance}[{charges}]. Message from sender: {message}. Message to receiver: {message}. [Financial ]Transaction Id: {id}',
  },
  merchantPaid: {
    kind: 'money_out',
    text: "Y'ello. You have Paid {amount} to {name} on your mobile money account at {digits}. Message from sender: {message}. Your new balance: {balance}[{charges}]. [Financial ]Transaction Id: {id}",
  },
  purchased: {
    kind: 'money_out',
    text: 'You have[ successfully] purchased {amount} {name} on {date}[ at][ {time}]. Ref[erence]: {id}. Your new balance[ is][:] {balance}[{charges}]',
  },
  toBank: {
    kind: 'money_out',
    text: 'Deposit made to your bank account number: {token}. Current Mobile Money Balance: {balance}. [Financial ]Transaction ID: {id}',
    isFree: true,
  },
  failed: {
    kind: 'no_money',
    text: 'Your payment of {money} to {name} has failed at {date} {time}. Reference: {reference}. [Financial ]Transaction Id: {id}.[ External Transaction Id: {token}][{charges}]',
  },
  refused: {
    kind: 'no_money',
    text: 'You have exceeded your daily transaction limit. {name} failed to send {refused} to your account. Go to my wallet to check your wallet limit. [Financial ]Transaction Id: {id}.[ External[ Transaction] Id[:]. {token}][{charges}]',
  },
  limitExceeded: {
    kind: 'no_money',
    text: 'You have exceeded your daily transaction limit. Go to my wallet to check your wallet limit. [Financial ]Transaction Id: {id}.[ External[ Transaction] Id[:]. {token}][{charges}]',
  },
  airtime: {
    kind: 'no_money',
    text: '[Transaction ID: {id} confirmed from {digits}. ]You have received airtime of {money}[ from {phone}]',
  },
} as const satisfies NetworkTexts['shapes'];

export const mtnTexts: NetworkTexts = {
  transactionId: ID_PATTERN,
  shapes,
  chargeLabels: [
    'Transaction fee is',
    'Transaction fee',
    'Fee charged',
    'Fee was',
    'Tax charged',
    'Tax was',
    'E-levy charged',
    'E-levy charge',
    'E-levy was',
    'E-levy',
  ],
  adverts: [
    'Download the MoMo App for a Faster & Easier Experience',
    'Cash in (Deposit) is a free transaction on MTN Mobile Money',
    'Please do not pay any fees for it',
    'Click here:',
    'Dial *124# for balance',
  ],
  wallets: [],
  systems: ['VODAFONE', 'TELECEL', 'AIRTEL', 'TIGO', 'ITC', 'ETRANZACT', 'STANBIC Bank'],
};

const samples: Samples<typeof shapes> = {
  payment: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: 'Payment received for GHS 1700.00 from EBO ASANTE Current Balance: GHS 566.78 . Available Balance: GHS 566.78. Reference: EBO ASANTE ,90xxxxxx60,M8512739739898243553: Purchase of phone from STANBIC Bank. Transaction ID: 77057616746. TRANSACTION FEE: 0.00',
  },
  paymentOneBalance: {
    source: 'a public test of another SMS reader',
    seen: '2026-07',
    text: 'Payment received for GHS 303.00 from EFUA ANANSI Current Balance: GHS 2451.24. Reference: 3435. Transaction ID: 87425747421. TRANSACTION FEE: 0.00',
  },
  paymentShort: {
    source: 'a public test of another SMS reader',
    seen: '2026-06',
    text: 'Payment received for GHS 101.00 from ESI OWUSU. Reference: school fees. Transaction ID: 83724298138.',
  },
  paymentWithoutFee: {
    source: '`payment` with a part left out',
    seen: '2026-07',
    text: 'Payment received for GHS 36.00 from KOFI MENSAH Current Balance: GHS 136.50 . Available Balance: GHS 136.50. Reference: 1. Transaction ID: 87425747422.',
  },
  paymentWithoutBalance: {
    source: '`payment` with a part left out',
    seen: '2026-07',
    text: 'Payment received for GHS 36.00 from KOFI MENSAH. Reference: 1. Transaction ID: 87425747423. TRANSACTION FEE: 0.00',
  },
  cashIn: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: 'Cash In received for GHS 90.00 from MAWULI ADWOA IDDRISU . Current Balance GHS 3357.33 Available Balance GHS 3357.33. Transaction ID: 77000895989. Fee charged: GHS 0. Cash in (Deposit) is a free transaction on MTN Mobile Money. Please do not pay any fees for it.',
  },
  fromBank: {
    source: "a merchant's wallet",
    seen: '2022-11',
    text: 'You have received 1000.00 GHS from Ecobank ova (233539333391) on your mobile money account at 2022-11-19 17:34:06. Message from sender: . Your new balance:1817.37 GHS. Financial Transaction Id: 20430708304.',
  },
  credited: {
    source: "a merchant's wallet",
    seen: '2025-07',
    text: 'An amount of GHS 14.72 has been credited to your mobile money account. Message:Interest for April to June 2025. Your new balance: GHS 3953.99. Financial Transaction Id: 61908114678.',
  },
  refunded: {
    source: 'a public test of another SMS reader',
    seen: '2026-07',
    text: 'Hello, MTN BUNDLE  (ABCDE.sp) has successfully refunded GHS 3.00 to your mobile money account at 2026-07-11 23:09:24. Message from refunder: . Your new balance:295.83 GHS. Financial Transaction Id: 85211519729. External Transaction Id: -. TRANSACTION FEE IS 0',
  },
  depositedByToken: {
    source: 'two public tests of other SMS readers',
    seen: '2026-05',
    text: 'Money Transfer Deposit received for GHS 75.00 from AMA SAMPLE Token: 397147010224 Transaction ID: 81344637322. TRANSACTION FEE IS 0',
  },
  sentReversed: {
    source: 'a public test of another SMS reader',
    seen: '2026-05',
    text: "Y'ello Valued Customer, the transfer of GHS 3.00 to MTN BUNDLE has been reversed on 2026-05-03 10:02:00. Your new balance is GHS8.13.",
  },
  voucherReturned: {
    source: "a merchant's wallet",
    seen: '2025-12',
    text: 'Your voucher 990000000001 with GHS 23.00 from 233572005386 has expired and has been returned to the sender. Financial Transaction Id: 72114053323. TRANSACTION FEE IS 0',
  },
  sent: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: 'Payment made for GHS 62.50 to YAA ADJEI 233530859345. Current Balance: GHS 2869.54. Available Balance: GHS 2869.54. Reference: 2. Transaction ID: 76920669438. Fee charged: GHS 0.62 TAX charged: GHS 0.00.',
  },
  bought: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: 'Payment for GHS3.00 to ABENA ERIC DOGBE .Current Balance: GHS 3351.78. Transaction Id: 77270756456. Fee charged: GHS0.00,Tax Charged 0.Download the MoMo App for a Faster & Easier Experience. Click here: https://bit.ly/downloadMyMoMo',
  },
  sentShort: {
    source: '`sent` with a part left out',
    seen: '2026-06',
    text: 'Payment made for GHS 20.00 to KWAKU STORES. Reference: rent. Transaction ID: 83724298139.',
  },
  completed: {
    source: "a merchant's wallet",
    seen: '2025-11',
    text: 'Your payment of GHS 1800.00 to BANKPUSH has been completed at 2025-11-20 13:03:44. Your new balance: GHS 1863.38. Fee was GHS 7.50 Tax was GHS -. Reference: SAMUEL KWAME FRIMPONG QUAYE,,2845604098403,x. Financial Transaction Id: 69345298006. External Transaction Id: 323122393.Download the MoMo App for a Faster & Easier Experience Click here: https://bit.ly/downloadMyMoMo',
  },
  completedReferenceFirst: {
    source: "a merchant's wallet",
    seen: '2024-11',
    text: 'Your payment of GHS 195.00 to SAMUEL ADJEI has been completed at 2024-11-12 16:41:34. Reference: 1243. Your new balance: GHS 1747.86. Fee was GHS 0.97 Tax charged: GHS1.95. Financial Transaction Id: 47370155242. External Transaction Id: -.Download the MoMo App for a Faster & Easier Experience Click here: https://bit.ly/downloadMyMoMo',
  },
  completedShort: {
    source: '`completed` with a part left out',
    seen: '2026-04',
    text: 'Your payment of GHS 9.00 to MTN AIRTIME has been completed at 2026-04-21 17:35:03. Your new balance: GHS 372.96. Fee was GHS 0.00 Tax was GHS -. Financial Transaction Id: 79737177545.',
  },
  cashOut: {
    source: "a merchant's wallet",
    seen: '2026-03',
    text: 'Cash Out made for GHS200.00 to FELIX DOGBE. Current Balance: GHS3673.52 Financial Transaction Id: 76786692682. Cash-out fee is charged automatically from your MTN MoMo wallet. Please do not pay any fees to the Agent. Thank you for using MTN MobileMoney. Fee charged: GHS2.00.',
  },
  transferred: {
    source: 'a public test of another SMS reader',
    seen: '2026-07',
    text: 'You have transferred GHS 10.00  to Other Networks   from your mobile money account 233241111111 at 2026-07-19 09:37:20. Your new balance: 4652.89 GHS. Message from sender: airtime:Telecel:0201111111:6. Message to receiver: . Financial Transaction Id: 85672169720.',
  },
  merchantPaid: {
    source: 'a public test of another SMS reader',
    seen: '2026-08',
    text: "Y'ello. You have Paid GHS 40 to Merchant 104901 on your mobile money account at 202608184348. Message from sender: 1. Your new balance: GHS 106.39 . Fee was GHS 0.50 . Financial Transaction Id: 84997229749.",
  },
  purchased: {
    source: 'a public test of another SMS reader',
    seen: '2026-05',
    text: 'You have successfully purchased GHS 5.00 Airtime from MTNVENDOR on 2026-05-03.Ref: 80573991589. Your new balance is GHS 8.13. Transaction fee is GHS0.',
  },
  toBank: {
    source: "a merchant's wallet",
    seen: '2024-02',
    text: 'Deposit made to your bank account number: ****1234. Current Mobile Money Balance: GHS GHS 1213.53. Transaction ID: 35277312492.',
  },
  failed: {
    source: 'a public test of another SMS reader',
    seen: '2026-07',
    text: 'Your payment of GHS 5.00 to MTN AIRTIME  has failed at 2026-07-15 15:47:43. Reference: -. Financial Transaction Id: 85436498944. External Transaction Id: 85436498944. TRANSACTION FEE IS 0',
  },
  refused: {
    source: "a merchant's wallet",
    seen: '2023-12',
    text: 'You have exceeded your daily transaction limit. AKUA OSEI failed to send GHS 6000.00 to your account. Go to my wallet to check your wallet limit. Financial transaction Id: 31574300924. External ID. -. Transaction Fee is 0.',
  },
  limitExceeded: {
    source: "a merchant's wallet",
    seen: '2023-03',
    text: 'You have exceeded your daily transaction limit. Go to my wallet to check your wallet limit. Financial Transaction Id: 23084152523. External Transaction Id: -. TRANSACTION FEE IS 0.',
  },
  airtime: {
    source: 'receipts.json',
    seen: '2025-07',
    text: 'Transaction ID: 60000000002 confirmed from 555. You have received airtime of GHS5.00. Dial *124# for balance.',
  },
};

export const mtnExamples: NetworkExamples = {
  samples,
  receipt: {
    // MTN's receipt never contains the payer's number or the time.
    text: 'Payment received for GHS {amount} from {name} Current Balance: GHS {balance} . Available Balance: GHS {balance}. Reference: {reference}. Transaction ID: {id}. TRANSACTION FEE: 0.00',
    firstId: 50_000_000_000,
  },
  sent: 'Payment made for GHS {amount} to {name} Current Balance: GHS {balance} . Available Balance: GHS {balance}. Reference: {reference}. Transaction ID: {id}. Fee charged: GHS0.00 Tax charged: 0.',
};
