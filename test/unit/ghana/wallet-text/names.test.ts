import { describe, expect, test } from 'vitest';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { checkEach } from '../../../support/check-each.ts';
import { readWithoutProof } from '../../../support/read-without-proof.ts';
import { mtn, telecel } from '../../../support/receipts.ts';
import { isInSlice } from '../../../support/slice.ts';

/**
 * A name and a status can appear in the same place of a text. Names of shops and sayings must be read, whatever words
 * they contain. Without proof, words that may describe the payment are left to a person.
 */

const NAMES = [
  ...['THY WILL BE DONE ENTERPRISE', 'THY WILL BE DONE', 'NOT YET FASHION', 'REVERSE OSMOSIS WATER LTD'],
  ...['MERCY:GRACE ENTERPRISE', 'MERCY: GRACE ENTERPRISE', 'MERCY:GRACE', 'PSALM 23:1 VENTURES', 'JOHN 3:16 ENT'],
  ...['GOD HAS BEEN GOOD', 'GOD IS NOT DEAD VENTURES', 'JESUS IS NOW TRADING ENTERPRISE', 'CHRIST HAS NOT CHANGED'],
  ...["GOD'S WILL BE DONE", 'LET THY WILL BE DONE', 'LOVE NEVER FAILED VENTURES', 'PENDING MIRACLE MINISTRIES'],
  ...[
    'COMPLETE AUTO PARTS',
    'APPROVED AUTO PARTS LTD',
    'ON HOLD CREATIONS',
    'NOT NOW BOUTIQUE GH LTD',
    'AWAITING GRACE CHAPEL',
  ],
  ...[
    'CONFIRMED HARDWARE & BLOCKS',
    'CANCELLED DEBTS FOUNDATION',
    'IT IS DONE FOODS',
    'THANK YOU JESUS',
    'LIFE IS GOOD',
  ],
  ...['WILL HASFORD', 'MAY OWUSU', 'DR. MENSAH', 'ST. MARY SCHOOL', 'REF KONADU', 'FREE CALL VENTURES', 'KOFI BANK'],
  ...[
    'MOSES IS BACK ENTERPRISE',
    'WHO IS WHO',
    'PATIENCE PROGRESS ADDO',
    'COMFORT HOLDBROOK',
    'RETURN TO SENDER STORES',
  ],
  ...['THE LORD IS MY SHEPHERD', 'GODS TIME IS THE BEST', 'NEVER GIVE UP', 'WHO KNOWS TOMORROW', 'NO WEAPON FASHIONED'],
  ...['ON CREDIT BOUTIQUE', 'NO DOUBT VENTURES', 'EMBARGO SPOT', 'KEPT BY GRACE MINISTRIES', 'KOFI COLLECT'],
  // Names that start with a status.
  ...['REVERSED LIFE CHURCH', 'REVERSAL OF FORTUNE MINISTRIES', 'BLOCKED DRAIN SERVICES', 'CANCEL POVERTY NGO'],
  ...['AUTHORISED DEALERS', 'RETURNED FROM EXILE BAR', 'ONCE UPON A TIME BOOKSHOP', 'DIAL A CAB LTD'],
  ...[
    'ACCEPTANCE FASHION',
    'HELD KWAME MENSAH ENTERPRISE',
    'REQUEST FOODS',
    'FROZEN FOODS LTD',
    'DISPUTE RESOLUTION CENTRE',
  ],
  ...['FAILURE IS NOT AN OPTION ENTERPRISE', 'LOCKED AND LOADED LTD', 'WAIT AND SEE ENTERPRISE', 'ERROR FREE PRINTING'],
  // Shops, churches and associations.
  ...['YOUTH INITIATIVE', 'SACRED HEART CONFIRMATION CLASS', 'ST. PETERS COMPLETION COMMITTEE', 'NO FAIL TYRES'],
  ...['THY WILL BE DONE CATERING SERVICES', 'THY WILL BE DONE TAXI', 'NEVER FAILING GOD HERBAL CENTRE', 'EASY PAY'],
  ...[
    'WHO CAN STOP GOD ENTERPRISE',
    'JESUS NEVER FAILS HAIRDRESSING',
    'GOD WILL PROVIDE ENTERPRISE',
    'GRACE PROCESSING COMPANY',
  ],
  ...[
    "DON'T MIND YOUR WIFE CHOP BAR",
    'JESUS LOVES YOU VENTURES',
    'MAAME YAA FROZEN FOODS',
    'BUILDERS ASSOCIATION',
    '7 DAYS LTD',
  ],
  // Sayings.
  ...[
    'JESUS NEVER FAILS',
    'GOD NEVER FAILS',
    'LOVE NEVER FAILS',
    'LET YOUR WILL BE DONE',
    'ALL WILL BE WELL',
    'HE IS RISEN',
  ],
  ...['GOD WILL PROVIDE', 'GOD HAS PAID IT ALL', 'NYAME WILL DO IT', 'JESUS IS LORD', 'GLORY TO GOD', 'JAH DID IT ALL'],
  ...['JESUS PAID IT ALL', 'MENSAH CLEARING AGENT', 'EXPRESS CLEARING AND FORWARDING', 'FROZEN FOODS BY AMA'],
  // People.
  ...['ABDULLAH MUJAHED', 'FATI JAWED', 'WINIFRED KALED'],
  ...['KOFI AMED', 'MAMED MENSAH', 'KOFI SAED', 'SAIED MENSAH'],
  ...['KOFI RAED', 'MAGED MENSAH', 'KOFI WALED', 'RACHED MENSAH'],
  ...['KOFI SEYED', 'ABDELWAHED MENSAH', 'KOFI FOUED', 'AYED MENSAH'],
  ...['KOFI GODLOVED', 'GODBLESSED MENSAH', 'KOFI SANCTIFIED', 'CHERISHED MENSAH'],
  ...[
    'MENSAH PROMISE',
    'GODFRED AHMED',
    'OBED MOHAMMED',
    'ABDUL-RASHEED ALHASSAN',
    'GRACE MAY OWUSU',
    'AMA BLESSED MENSAH',
  ],
  // Weekdays.
  ...['MONDAY OKAFOR', 'Tuesday Okafor', 'KOFI WEDNESDAY', 'BLESSING THURSDAY', 'Kofi Mensah Saturday'],
  ...['KOFI FRIDAY', 'SUNDAY ADE', 'JAMES MONDAY', 'CHUKWU EMEKA KING MONDAY', 'AMA FRIDAY MENSAH'],
  ...[
    'KWAME van DYKE',
    'MUSAH bin IDDRISU',
    'Kofi mensah',
    'EBO DADA',
    'ADJOA PENDA',
    'KOFI WAITE',
    'K. A. B. C. MENSAH',
  ],
];

/** Statuses in which a weekday says when the money arrives. */
const WHEN = [
  ...['expect DAY', 'maybe DAY', 'sent DAY', 'done DAY', 'ends DAY', 'begins DAY', 'finishes DAY', 'resolves DAY'],
  ...['goes live DAY', 'earliest DAY', 'same DAY', 'that DAY', 'any DAY', 'untill DAY', 'w.e.f. DAY', 'eod DAY'],
  ...['pick up DAY', 'collection DAY', 'holiday DAY', 'DAY delivery', 'DAY maybe', 'DAY week'],
  ...[
    'comes DAY',
    'come DAY',
    'coming DAY',
    'will arrive DAY',
    'arrives DAY',
    'arriving DAY',
    'payable DAY',
    'due DAY',
  ],
  ...[
    'on DAY',
    'by DAY',
    'till DAY',
    'until DAY',
    'next DAY',
    'this DAY',
    'every DAY',
    'from DAY',
    'for DAY',
    'at DAY',
  ],
  ...['before DAY', 'after DAY', 'as of DAY', 'only DAY', 'latest DAY', 'expected DAY', 'available DAY', 'ready DAY'],
  ...[
    'valid DAY',
    'effective DAY',
    'starting DAY',
    'clears DAY',
    'lands DAY',
    'posts DAY',
    'follows DAY',
    'reaches you DAY',
  ],
  ...[
    'released DAY',
    'releases DAY',
    'unlocks DAY',
    'pays DAY',
    'sends it DAY',
    'arrives here DAY',
    'comes early DAY',
    'comes, DAY',
    'it moves DAY',
    'value date: DAY',
    'credit DAY',
  ],
  ...['DAY morning', 'DAY evening', 'DAY latest', 'DAY only', 'DAY at 5', 'DAY 5pm', 'DAY or later', 'payment DAY'],
  ...[
    'call DAY',
    'collect DAY',
    'claim DAY',
    'check DAY',
    'back DAY',
    'in DAY',
    'to you DAY',
    'matures DAY',
    'opens DAY',
  ],
];

const STATUSES = [
  // Pending.
  ...['is pending', 'is pending approval', 'pending', 'pending approval', 'is now pending', '- pending', '(pending)'],
  ...['is awaiting confirmation', 'awaiting your approval', 'is waiting for approval', 'is on hold', 'on hold'],
  ...[
    'has been put on hold',
    'is being processed',
    'is processing',
    'is in progress',
    'in progress',
    'is under review',
  ],
  ...[
    'is queued',
    'will be credited',
    'will be processed within 24 hours',
    'is to be approved',
    'not yet',
    'not yet approved',
  ],
  ...['is not yet paid', 'is yet to be completed', 'is still on its way', 'is on its way', 'has been delayed'],
  // Failed.
  ...[
    'failed',
    'has failed',
    'failed.',
    'has not been successful',
    'was unsuccessful',
    'unsuccessful',
    'was not successful',
  ],
  ...['did not go through', 'could not be completed', 'cannot be completed', "hasn't been completed", 'has timed out'],
  ...[
    'timed out',
    'was declined',
    'declined',
    'was rejected',
    'rejected',
    'has been refused',
    'was denied',
    'has expired',
  ],
  ...[
    'expired',
    'is blocked',
    'has insufficient funds',
    'has been suspended',
    'bounced',
    'has bounced back',
    'is invalid',
  ],
  ...['was aborted', 'was voided', 'is void', 'failed due to insufficient funds', 'was lost', 'went back', 'try again'],
  // Requested.
  ...['requested', 'has requested', 'is requesting', 'has been requested', 'wants to pay', 'would like to pay'],
  ...[
    'has been initiated',
    'was initiated',
    'please approve',
    'please confirm',
    'subject to approval',
    'needs approval',
  ],
  ...[
    'unless you accept',
    'once approved',
    'until you approve',
    'to be confirmed',
    'enter PIN',
    'requires authorisation',
  ],
  // Cancelled.
  ...[
    'has been cancelled',
    'has been canceled',
    'was cancelled',
    'is cancelled',
    'cancelled',
    'canceled',
    'cancellation',
  ],
  ...[
    'has been cancelled by MERCY ENTERPRISE',
    'has been withdrawn',
    'was withdrawn',
    'has been returned',
    'was refunded',
  ],
  ...[
    'is refunded',
    'returned',
    'has been taken back',
    'was stopped',
    'has been stopped',
    'was reversed by MTN',
    'reversal',
  ],
  ...[
    'is disputed',
    'has been disputed',
    'is being reversed at MERCY STORES',
    'has been abandoned',
    'is held',
    'was withheld',
  ],
  ...[
    'Status: pending',
    'status:Cancelled',
    'Reason: failed',
    'is not paid',
    'has been paid',
    'will be paid',
    'are now',
  ],
  // Other words for money that has not arrived.
  ...['not credited', 'not received', 'not successful', 'not completed', 'not sent', 'not final', 'never arrived'],
  ...['will arrive tomorrow', 'will follow', 'is stuck', 'stuck', 'deferred', 'postponed', 'in transit', 'in suspense'],
  ...[
    'recalled',
    'annulled',
    'rolled back',
    'charged back',
    'was undone',
    'sent back',
    'terminated',
    'dropped',
    'nullified',
  ],
  ...['asks you to pay', 'asks for money', 'promises to pay', 'intends to pay', 'will pay', 'shall pay', 'to pay'],
  ...[
    'needs your PIN',
    'requires action',
    'kindly wait',
    'wait',
    'has no funds',
    'limit exceeded',
    'unauthorised',
    'no funds',
  ],
  ...['is fraudulent', 'is a duplicate', 'uncleared', 'not cleared', 'partially paid', 'suspected fraud', 'flagged'],
  ...[
    'pen\u200bding',
    'PＥNDING',
    'PЕNDING',
    'P E N D I N G',
    'fáiled',
    '_pending_',
    'is-pending',
    'on-hold',
    'pending1',
  ],
  ...[
    'tomorrow',
    'in 24 hours',
    'underway',
    'overdue',
    'owes you',
    'provisional',
    'wrongly sent',
    'by mistake',
    'in error',
  ],
  ...[
    'invites you',
    'sends you a request',
    'reply YES',
    'was deducted',
    'deactivated',
    'interrupted',
    'may not arrive',
    'overruled',
  ],
  // Word stems and statuses without a verb.
  ...[
    'no longer valid',
    'in abeyance',
    'under lien',
    'hold',
    'bounces',
    'took it back',
    'gives it back',
    'withdrew it',
  ],
  ...['unsent', 'half done', 'still trying', 'ongoing', 'coming soon', 'en route', 'at risk', 'lost', 'missing'],
  ...[
    'disputing',
    'contests it',
    'complains',
    'queries it',
    'suspicious',
    'out of funds',
    'without funds',
    'over limit',
  ],
  ...[
    'no payment made',
    'next week',
    'on Monday',
    'check again',
    'contact support',
    'sent nothing',
    'repaid',
    'inactive',
  ],
  ...['due', 'payable', 'wants money', 'wants it', 'claim now', 'collect now', 'collect it', 'on standby', 'stand by'],
  ...['incoming', 'upcoming', 'forthcoming', 'conditional', 'conditionally', 'sender holds it'],
  ...[
    'on credit',
    'on loan',
    'in doubt',
    'doubtful',
    'uncertain',
    'embargo',
    'ineligible',
    'wallet full',
    'kept by MTN',
  ],
  ...['collect at agent', 'sign in', 'non-payment', 'shortfall', 'overdraft', 'TBC', 'TBA', 'pendin', 'pnding'],
  ...['Monday', 'Thursday', 'Friday', 'Sunday'].flatMap((day) => WHEN.map((words) => words.replace('DAY', day))),
  ...['rollback', 'charge back', 'attempt', 'null', 'p/e/n/d/i/n/g', 'pen-ding', 'pendıng', 'penđing', 'unsuccesful'],
];

/** Words in no vocabulary, in lower case after a name in capitals. */
const PROSE = ['lorem ipsum', 'ate the money', 'bye', 'has', 'came up short', 'sitting with the bank', 'gone quiet'];

/**
 * Returns complete receipts: from MTN with one and two balances, from Telecel with and without a number, and from a
 * merchant.
 */
const wholeTexts = (name: string) => {
  const { sender, text } = mtn({ from: name });
  const tcash = telecel({ from: name });
  return [
    { sender, text },
    { sender, text: text.replace(/ Available Balance: GHS 1,136\.50\./, '') },
    { sender: 'T-CASH', text: tcash.text },
    { sender: 'T-CASH', text: tcash.text.replace(/\d{12} - /, '') },
    { sender: 'T-CASH', text: tcash.text.replace(/from \d{12} - /, 'as payment from ') },
  ];
};

test('a payer’s name is accepted whatever it resembles', () =>
  checkEach(NAMES, (name) => {
    for (const { sender, text } of wholeTexts(name))
      expect(readWalletText(sender, text)).toMatchObject({
        kind: 'payment',
        payerName: name,
        payerIsInstitution: false,
      });
  }));

test('over 90 names and 180 status phrases are tested', () => {
  expect(STATUSES.length).toBeGreaterThan(180);
  expect(NAMES.length).toBeGreaterThan(90);
});

describe('a status phrase', () => {
  const bases = ['KOFI MENSAH', 'MERCY ENTERPRISE', 'AMA', 'GOD FIRST VENTURES', 'THY WILL BE DONE ENTERPRISE', ''];
  const spellings = [
    String,
    (words: string) => words.toUpperCase(),
    (words: string) => words.toLowerCase(),
    capitalised,
  ];
  /** Each phrase in each spelling, after one name. The long proofs take each after every name. */
  const phrases = STATUSES.flatMap((status, n) =>
    spellings.flatMap((spell, m) =>
      bases
        .filter((_, place) => isInSlice(n + m + place, bases.length))
        .map((base) => `${base} ${spell(status)}`.trim()),
    ),
  );

  test('is never parsed as part of a payment', () =>
    checkEach(phrases, (phrase) => {
      for (const { sender, text } of wholeTexts(phrase))
        expect([readWithoutProof(sender, text).kind, text]).not.toContain('payment');
    }));

  test('is never parsed after a name in a receipt without a balance', () =>
    checkEach(STATUSES, (status) => {
      const text = `Payment received for GHS 36.00 from KOFI MENSAH ${status}. Reference: 1. Transaction ID: 51234567890.`;
      expect(readWithoutProof('MobileMoney', text).kind).not.toBe('payment');
    }));
});

test.each([
  'MONDAY',
  'KOFI MONDAY MENSAH',
  'MONDAY TUESDAY',
  'KOFI MENSAH GETS THE CASH MONDAY',
  'KOFI MENSAH - MONDAY',
])('a weekday that may not be a name is not parsed: %s', (name) => {
  for (const { sender, text } of wholeTexts(name)) expect(readWithoutProof(sender, text).kind).toBe('unread');
});

/** Names that may also be a payment's status, or a request followed by the payer or a shop. */
const UNCLEAR = [
  ...[
    'PENDING KOFI MENSAH',
    'FAILED KOFI MENSAH',
    'CANCELLED KOFI MENSAH',
    'UNCONFIRMED Kofi Mensah',
    'UNPAID KOFI MENSAH',
  ],
  ...['REQUESTED KOFI MENSAH', 'REFUNDED KOFI MENSAH', 'DISPUTED KOFI MENSAH', 'EXPIRED VOUCHER KOFI MENSAH'],
  ...['ACCEPTANCE AMOAH', 'AWAITING HIS GLORY', 'KOFI MENSAH IS PENDING TECH', 'KOFI MENSAH REQUESTED RICE'],
  ...['KOFI MENSAH REQUESTS GAS', 'KOFI MENSAH CANCELLED HOTEL', 'TRANSFER WILL BE GOOD', 'THANK YOU PENDING'],
  ...[
    'KOFI MENSAH WHO KNOWS TOMORROW',
    'PAID TOMORROW',
    'KOFI MENSAH NEVER GIVE UP',
    'GODS TIME IS NOT YET',
    'THE LORD IS PENDING',
    'THE LORD HAS PAID',
    'NO WEAPON PENDING',
  ],
  ...['KOFI MENSAH CANT PAY', 'KOFI MENSAH WONT PAY', 'KOFI MENSAH DIDNT PAY', 'Kofi Mensah wasnt sent'],
];

test('a payment is not parsed if the payer’s name could be a status', () =>
  checkEach(UNCLEAR, (name) => {
    for (const { sender, text } of wholeTexts(name)) expect(readWithoutProof(sender, text).kind).toBe('unread');
  }));

test('a name followed by an upper-case status is not parsed', () =>
  checkEach(
    [
      ...[
        'PEND',
        'REVERT',
        'RETURN',
        'VOIDS',
        'ABORT',
        'TERMINATED',
        'DELAY',
        'SUSPENSE',
        'CHECK',
        'CLAIM',
        'BLOCK',
        'STOP',
      ],
      ...['REVOKED', 'RETRACT', 'UNDO', 'RETRIES', 'INVESTIGATION', 'ESCROW', 'CHECKING', 'BLOCKING', 'STOPPAGE'],
    ],
    (status) => {
      for (const { sender, text } of wholeTexts(`KOFI MENSAH ${status}`))
        expect(readWithoutProof(sender, text).kind).toBe('unread');
    },
  ));

test.each([
  ...['BUS STOP CHOP BAR', 'ONE STOP SHOP', 'MENSAH BLOCK FACTORY', 'CHECK POINT SPOT', 'RETURN TO GOD MINISTRIES'],
  ...['KOFI BLOCKSON', 'AMA CLAIMAN', 'STOPOVER RESTAURANT', 'KWAME PENDO', 'BLOCK C VENTURES'],
])('a name that contains a status word is accepted: %s', (name) => {
  for (const { sender, text } of wholeTexts(name))
    expect(readWalletText(sender, text)).toMatchObject({ kind: 'payment', payerName: name });
});

test.each(PROSE)('a title-case name followed by %s is not parsed', (words) => {
  for (const { sender, text } of wholeTexts(`Kofi Mensah ${words}`))
    expect(readWithoutProof(sender, text).kind).toBe('unread');
});

test.each(PROSE)('an upper-case name followed by %s is not parsed', (words) => {
  for (const { sender, text } of wholeTexts(`KOFI MENSAH ${words}`))
    expect(readWithoutProof(sender, text).kind).toBe('unread');
});

describe('a payment text with an extra sentence', () => {
  test('is not parsed if the sentence is a status', () =>
    checkEach(
      [
        ...[
          'Awaiting settlement',
          'Not yet completed',
          'Blocked by MTN',
          'Suspended',
          'Rejected',
          'Expired',
          'Requested only',
        ],
        ...[
          'Awaiting your approval',
          'Enter your PIN to accept',
          'Money will reach your wallet tomorrow',
          'Await confirmation',
        ],
        ...[
          'This is not a payment',
          'Please confirm within 2 hours or it expires',
          'It was sent to you in error',
          'Recalled',
        ],
        ...[
          'Unsuccessful',
          'DECLINED',
          'Frozen by MTN',
          'Dial *170# to approve it',
          'Reply 1 to accept',
          'You will be paid later',
        ],
        ...[
          'pen\u200bding',
          'P E N D I N G',
          'Terminated',
          'Do not release goods',
          'Kofi asks you to return it',
          'Never share goods yet',
        ],
        ...[
          'Sender wants it',
          'Sender took it',
          'Return the money',
          'Ignore this message',
          'Disregard the above',
          'Lorem ipsum',
        ],
        ...[
          'You get the money on Monday',
          'No longer valid',
          'Your wallet stays the same',
          'Simulation only',
          'Duty 0',
        ],
        ...['Sign it on *170#', 'MTN puts it aside', 'MTN holds the money', 'Call the sender if you know him'],
        ...['Click to take the money', 'Call 100 for your money', 'It is in the MTN vault', 'MTN takes it for a loan'],
        ...['Enjoy 50% bonus. Sender wants the money', 'Thank you.\nOnly a drill'],
      ],
      (status) => {
        const { sender, text } = mtn();
        expect(readWithoutProof(sender, `${text}. ${status}.`).kind).toBe('unread');
        const tcash = telecel({ reference: 'MK-6542281265' }).text.replace('\nReference:', ` ${status}.\nReference:`);
        expect(readWithoutProof('T-CASH', tcash).kind).toBe('unread');
      },
    ));

  test('is parsed if the sentence is an advert', () =>
    checkEach(
      [
        ...['Happy Farmers Day from MTN', 'Dial *170# to win an iPhone', 'Enjoy 50% bonus on all bundles', 'Thank you'],
        ...['Stay alert', 'Y’ello! Save with us', 'Telecel Cash. Making life easy'],
        ...[
          'Never share your PIN or OTP with anyone',
          'Do not share your password with anybody',
          'Save with us, borrow with us',
        ],
      ],
      (advert) => {
        const { sender, text } = mtn();
        expect(readWithoutProof(sender, `${text}. ${advert}.`).kind).toBe('payment');
      },
    ));
});

describe('a Telecel text with words after the reference', () => {
  const text = (typed: string) =>
    `0000019305566778 Confirmed. You have received GHS36.00 from 233201234567 - KOFI MENSAH on 2026-06-05 at 15:08:00. Your Telecel Cash balance is GHS3264.53. Ref: MK-4071932685 ${typed}`;

  test.each(['0241234567', 'Ama 024 123 4567', 'kindly call 0241234567', 'call +233241234567'])(
    'is parsed with the phone number in "%s" as part of the reference',
    (typed) => {
      const reference = expect.stringContaining('MK-4071932685');
      expect(readWithoutProof('T-CASH', text(typed))).toMatchObject({ kind: 'payment', reference });
    },
  );

  test('is parsed with ordinary words as part of the reference', () =>
    checkEach(
      [
        ...['school fees', 'fees', 'balance', 'loan', 'tax', 'commission', 'Transport & fees'],
        ...['36.00', 'GHS 36', '36 cedis', '¢20', 'at 11:02', '3.5kg', ':)', 'I have paid', 'we have sent it'],
        ...['for tomorrow', 'for Friday morning please', 'for 2 days', 'For next week.', 'I will come for it'],
        ...['I will pick it up', 'I will pay the rest', 'I will collect the order'],
      ],
      (typed) => {
        const reference = expect.stringContaining('MK-4071932685');
        expect(readWithoutProof('T-CASH', text(typed))).toMatchObject({ kind: 'payment', reference });
      },
    ));

  test.each([
    ...[
      'Fee charged: GHS 1',
      'You were charged GHS6.72',
      'E-levy charge is GHS0.00',
      'Loan: GHS 20',
      'Tax was GHS 1.00',
    ],
    ...['Current Balance: GHS 5.00', 'Transaction ID: 12345678901', 'GHS 36 debited', 'I have paid. It is pending'],
  ])('is not parsed with the network’s words "%s"', (typed) => {
    expect(readWithoutProof('T-CASH', text(typed)).kind).toBe('unread');
  });

  test('is not parsed if the words are a status or a request', () =>
    checkEach(
      [
        ...['call 0241234567 to release the funds', 'dial 0241234567', '0241234567 pending', 'contact 0241234567'],
        ...[
          'We are waiting',
          'It is waiting',
          'I am waiting',
          'waiting',
          'pls confirm',
          '0241234567 030',
          '999999 Ama',
        ],
        ...['I am told it is pending', '4071932686'],
        ...[
          '\nfor tomorrow',
          '. For tomorrow',
          'held for tomorrow',
          'for tomorrow. Pending',
          'for 2 days until confirmed',
        ],
        ...['We will pay the rest', 'I will come for it once confirmed', 'I will pay it later'],
      ],
      (typed) => {
        expect(readWithoutProof('T-CASH', text(typed)).kind).toBe('unread');
      },
    ));
});

test.each([
  ...['KOFI MENSAH Commission: MERCY ENTERPRISE', 'KOFI Token:ABC', 'AMA Note:rent', 'KOFI Txn:AB VENTURES'],
  ...['KOFI: MENSAH', 'KOFI at 11:02', 'KOFI Name: AMA STORES'],
])('a name that contains a label is not parsed: %s', (name) => {
  for (const { sender, text } of wholeTexts(name)) expect(readWithoutProof(sender, text).kind).toBe('unread');
});

test.each(['THY WILL BE DONE ENTERPRISE', 'NOT YET FASHION', 'MERCY: GRACE ENTERPRISE'])(
  'an incomplete receipt from the payer %s is not recognised',
  (name) => {
    const text = `Payment received for GHS 36.00 from ${name}. Reference: 1. Transaction ID: 51234567890.`;
    expect(readWithoutProof('MobileMoney', text)).toEqual({ kind: 'unread', network: 'MTN' });
  },
);

test.each(['THE CURSE IS REVERSED', 'MY SHAME HAS BEEN REVERSED', 'THE CURSE WAS REVERSED'])(
  'a text from the payer %s is left to a person',
  (name) => {
    for (const { sender, text } of wholeTexts(name))
      expect(readWithoutProof(sender, text)).toMatchObject({ kind: 'unread' });
  },
);

test.each(['NOT YET FASHION', 'REVERSE OSMOSIS WATER LTD', 'MERCY:GRACE ENTERPRISE'])(
  '"has been reversed" after the payer %s makes a text a reversal',
  (name) => {
    const { sender, text, id } = mtn({ from: `${name} has been reversed` });
    expect(readWithoutProof(sender, text)).toMatchObject({ kind: 'reversal', transactionIds: [id] });
  },
);

test.each([
  ...['KOFI BANK', 'AKOSUA BANK MENSAH', 'JOHN BURBANK', 'PUSH ENTERPRISE', 'KWAME PULL MENSAH', 'NANA AGENT'],
  ...['EWUSI BANK', 'TRUST BANKOLE'],
])('%s is not an institution', (from) => {
  expect(readWithoutProof('MobileMoney', mtn({ from }).text)).toMatchObject({ payerIsInstitution: false });
});

test('a bank or an agent is an institution', () =>
  checkEach(
    [
      ...[
        'Absa Bank',
        'GCB BANK',
        'Ecobank ova',
        'STANBIC BANK',
        'Bank of Africa',
        'ODOTOBRI RURAL BANK',
        'CALBANK PLC',
      ],
      ...['OMNIBSIC BANK GHANA', 'AGENT KOJO', 'VODAFONE PUSH', 'Quickpay pull', 'FIRST ATLANTIC BANK', 'UMB Bank OVA'],
    ],
    (from) => {
      expect(readWithoutProof('MobileMoney', mtn({ from }).text)).toMatchObject({ payerIsInstitution: true });
    },
  ));

function capitalised(words: string): string {
  return words.replace(/\b\p{L}/gu, (letter) => letter.toUpperCase());
}
