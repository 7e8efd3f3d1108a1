import { expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import type { Occurrence } from '../../../shared/events/occurrence.ts';
import { occurrencesOf } from '../../../shared/events/occurrences-of.ts';
import { MAX_WRONG_PER_HOUR as MOST } from '../../../shared/money/claims/claim.table.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { WebhookEventType } from '../../../shared/webhook/event.ts';
import { checkEach } from '../../support/check-each.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';

type What = Occurrence['what'];

const AT = '2026-11-20T10:00:00.000Z';
const disputed = { at: AT, why: 'conflict' };
const LATER = '2026-11-20T11:00:00.000Z';
const verified = { proof: { state: 'proven' } } as const;
const [ten, twenty] = [storedPayment('ten', 10_00, verified), storedPayment('twenty', 20_00, verified)];
const partly = { parts: [ten] };
const [sixty, seventy] = [storedPayment('sixty', 60_00, verified), storedPayment('seventy', 70_00, verified)];
const paid = { state: 'success', payment: sixty, paid_at: AT };
const unverified = { ...paid, payment: storedPayment('sixty', 60_00) };
const someTen = storedPayment('ten', 10_00);
const byHand = storedPayment('sixty', 60_00, { marked: { how: 'cash', at: AT, by: 'user' } });
const marked = { ...paid, payment: byHand };
const refund = { refund_id: 'r', amount_pesewas: 5_00, state: 'noted', noted_at: AT };
const tap = { kind: 'take', state: 'given', shift_id: 's', by: 'user', at: AT };
const told = { ...tap, told_at: AT };
const ofRequest = { ...paid, origin: { kind: 'request', slug: 'fees' } };
const sent = { ...refund, state: 'sent' };
const subscription = { endpoint: '', p256dh: '', auth: '' };
const to = '+233551112222';
const stock = { codes_stocked: 9, codes_drawn: 0 };
const next = { ...sent, refund_id: 's' };
const taken = { ...tap, state: 'taken_back', undone_at: AT };
const matched = { state: 'matched' };
const saidBy = { marked: byHand.marked };
const coded = (state: string, goods: object = {}, more: object = {}) =>
  paidFor({ kind: 'code', state, ...goods }, more);
const PAID: What[] = ['charge.paid', 'charge.success', 'charge.payments_changed', 'charge.goods_changed'];
const NEW_PAID: What[] = ['charge.created', 'charge.paid', 'payment.counted'];
const CHANGED: What[] = ['charge.payments_changed'];
const MONEY: What[] = ['charge.payments_changed', 'charge.goods_changed'];
const VERIFIED: What[] = ['charge.proven', ...MONEY, 'charge.unverified'];
const REPLACED: What[] = ['charge.proven', ...MONEY, 'payment.counted', 'payment.released', 'charge.unverified'];
const REVERSED: What[] = ['charge.reversed', 'charge.unsettled', ...MONEY, 'payment.reversed'];
const OVER: What[] = [...REVERSED, 'charge.overpaid'];
const TAKEN: What[] = ['charge.created', 'charge.taken', 'charge.paid', 'payment.counted'];
const PARTLY: What[] = [...MONEY, 'payment.counted', 'charge.partly_paid'];
const RELEASED: What[] = [...MONEY, 'payment.released'];
const NO_MORE: What[] = [...RELEASED, 'charge.unverified'];
const UNMARKED: What[] = ['charge.unmarked', 'charge.reopened', 'charge.unsettled', ...NO_MORE];
const TAKEN_BACK: What[] = [...REVERSED, 'charge.unverified'];
const TWICE: What[] = ['payment.counted', 'payment.counted'];
const WAITS: What[] = ['charge.goods_changed', 'charge.code_waiting'];
const CONTRADICTED: What[] = ['receipt.contradicted', 'receipt.held'];
const paidFor = (goods: object, more: object = {}) => ({ ...paid, goods, ...more });
const undone = (goods: object) => paidFor(goods, { state: 'cancelled' });

/** Row changes and their occurrences, by sort key. `before` is undefined for a new row. */
const byKey: Readonly<Record<string, [what: string, before: Item | undefined, after: Item, occurrences: What[]][]>> = {
  TRANSACTION: [
    ['a charge is created', undefined, {}, ['charge.created']],
    ['a charge is changed', {}, { checking_until: AT }, []],
    ['a pending charge’s dispute ends', { disputed: { at: AT, why: 'reversal' } }, {}, ['charge.undisputed', ...MONEY]],
    ['a charge is paid', {}, paid, [...PAID, 'payment.counted']],
    ['a charge is overpaid', {}, { ...paid, payment: seventy }, [...PAID, 'payment.counted', 'charge.overpaid']],
    ['an overpaid charge is reversed', { ...paid, payment: seventy }, { state: 'reversed', payment: seventy }, OVER],
    ['a part arrives', {}, { parts: [ten] }, PARTLY],
    [
      'a part arrives together with more than the rest',
      {},
      { ...paid, parts: [ten] },
      [...PAID, ...TWICE, 'charge.overpaid'],
    ],
    ['a part is reversed', { parts: [ten] }, {}, [...MONEY, 'payment.reversed']],
    ['a partly paid charge expires', partly, { state: 'expired', ...partly }, ['charge.expired', ...RELEASED]],
    ['a charge is cancelled', {}, { state: 'cancelled' }, ['charge.cancelled']],
    ['a partly paid charge is cancelled', partly, { state: 'cancelled', ...partly }, ['charge.cancelled', ...RELEASED]],
    ['a charge’s payment is verified', unverified, paid, VERIFIED],
    [
      'a verified payment replaces a charge’s payment',
      { ...paid, payment: storedPayment('ten', 60_00) },
      { ...paid, second_receipts: ['ten'] },
      REPLACED,
    ],
    [
      'an unverified part is released after verification',
      { ...paid, payment: storedPayment('sixty', 60_00), parts: [storedPayment('five', 5_00)] },
      paid,
      ['charge.proven', ...MONEY, 'payment.released', 'charge.overpaid', 'charge.unverified'],
    ],
    [
      'a verified payment replaces a payment that is not listed afterwards',
      { ...paid, payment: storedPayment('ten', 60_00) },
      paid,
      REPLACED,
    ],
    [
      'one of two payments is reversed',
      { ...paid, parts: [seventy] },
      { ...paid, payment: seventy, second_receipts: ['sixty'] },
      [...MONEY, 'payment.reversed', 'charge.overpaid'],
    ],
    [
      'a second payment replaces a reversed one',
      { ...paid, second_receipts: ['seventy'] },
      { ...paid, payment: seventy },
      [...MONEY, 'payment.counted', 'payment.reversed', 'charge.overpaid'],
    ],
    ['an unverified payment pays a charge', {}, unverified, [...PAID, 'payment.counted', 'charge.unverified']],
    ['marking a charge as paid is undone', marked, { unmarked_at: AT }, UNMARKED],
    ['marking a cancelled charge as paid is undone', marked, { state: 'cancelled', unmarked_at: AT }, UNMARKED],
    ['a partial payment’s mark is undone', { parts: [byHand] }, { unmarked_at: AT }, ['charge.unmarked', ...NO_MORE]],
    ['a payment is not in the wallet', unverified, { unmarked_at: AT }, UNMARKED],
    ['a part is not in the wallet', { parts: [someTen] }, { unmarked_at: AT }, ['charge.unmarked', ...NO_MORE]],
    ['a payment marked by hand is reversed', marked, { ...marked, state: 'reversed' }, TAKEN_BACK],
    ['a charge is disputed', paid, { ...paid, disputed }, ['charge.disputed', ...MONEY, 'charge.unverified']],
    [
      'a disputed charge’s payment may also be reversed',
      { ...paid, disputed },
      { ...paid, disputed: { ...disputed, reversal_at: AT } },
      ['charge.disputed', ...MONEY],
    ],
    [
      'a disputed charge’s payment may have been reversed without a text',
      { ...paid, disputed },
      { ...paid, disputed, payment: { ...paid.payment, reversal_suspected_at: AT } },
      ['charge.disputed', ...MONEY],
    ],
    [
      'a reversal comes into doubt again',
      { ...paid, disputed: { ...disputed, reversal_at: AT } },
      { ...paid, disputed: { ...disputed, reversal_at: LATER } },
      MONEY,
    ],
    ['a charge’s goods are released manually', unverified, { ...unverified, released_by: 'user' }, VERIFIED],
    [
      'a charge is disputed and reversed in one change',
      paid,
      { ...paid, state: 'reversed', disputed },
      ['charge.disputed', ...REVERSED],
    ],
    ['a refund is noted', paid, { ...paid, refunds: [refund] }, []],
    ['a refund of a request’s charge is noted', ofRequest, { ...ofRequest, refunds: [refund] }, CHANGED],
    ['a request’s charge gets a second payment', ofRequest, { ...ofRequest, second_receipts: ['ten'] }, CHANGED],
    ['a refund is sent', { ...paid, refunds: [refund] }, { ...paid, refunds: [sent] }, ['charge.refunded']],
    ['a cashier accepts a payment', undefined, paidFor(tap), TAKEN],
    ['a tap becomes final', paidFor(tap), paidFor(told), ['charge.success']],
    ['a tap is undone', paidFor(tap), undone(taken), ['charge.cancelled', 'charge.unsettled', ...RELEASED]],
    ['a tap replaces the charge with another one', {}, { paid_as: 'MK-1' }, []],
    ['the tap that replaced the charge is undone', { paid_as: 'MK-1' }, {}, ['charge.unsettled']],
    ['a stock code is about to be released', coded('unpaid'), coded('to_release'), WAITS],
    ['a charge waits for new stock codes', coded('to_release'), coded('waiting'), WAITS],
    ['a stock code is delivered', coded('waiting'), coded('given'), ['charge.goods_changed']],
    ['a charge is created while out of stock', undefined, coded('waiting'), [...NEW_PAID]],
    ['a tap is stored after it was reported', undefined, paidFor(told), NEW_PAID.toSpliced(1, 0, 'charge.taken')],
    ['a stock code is reserved', paid, coded('unpaid'), ['charge.goods_changed']],
    [
      'a charge waiting for a code gets a note',
      coded('waiting'),
      coded('waiting', { at: AT }),
      ['charge.goods_changed'],
    ],
    [
      'a partial payment is verified',
      { parts: [storedPayment('ten', 10_00)] },
      partly,
      [...MONEY, 'charge.unverified'],
    ],
    ['a second partial payment arrives', { parts: [ten] }, { parts: [ten, twenty] }, PARTLY],
    [
      'a second payment and another one replace a charge’s payment',
      { ...paid, second_receipts: ['seventy'] },
      { ...paid, payment: seventy, parts: [ten] },
      [...MONEY, ...TWICE, 'payment.released', 'charge.overpaid'],
    ],
    [
      'a refund is noted after a stock code was delivered',
      coded('given'),
      coded('given', {}, { refunds: [refund] }),
      ['charge.goods_changed'],
    ],
    ['a second refund is sent', { ...paid, refunds: [sent] }, { ...paid, refunds: [sent, next] }, ['charge.refunded']],
    ['a charge is disputed when created', undefined, { disputed }, ['charge.created', 'charge.disputed']],
    ['a reported tap is refunded', paidFor(told), paidFor(told, { refunds: [refund] }), []],
    ['a paid charge becomes a reported tap', paid, paidFor(told), ['charge.success']],
    ['an undone tap is reported', undone(tap), undone(told), []],
    ['a paid charge starts to wait for a code', paid, coded('waiting'), WAITS],
    ['a partly paid charge is reversed', partly, { state: 'reversed', ...partly }, ['charge.reversed', ...RELEASED]],
  ],
  LINK: [
    ['a link is created', undefined, stock, []],
    ['stock codes run low', stock, { ...stock, codes_drawn: 7 }, ['link.stock_low']],
    ['low stock decreases further', { ...stock, codes_drawn: 7 }, { ...stock, codes_drawn: 8 }, []],
    [
      'the last stock code is delivered',
      { ...stock, codes_drawn: 8 },
      { ...stock, codes_drawn: 9 },
      ['link.stock_low'],
    ],
    ['new stock arrives for waiting payments', { codes_waiting: 1 }, { ...stock, codes_waiting: 1 }, ['link.stocked']],
    ['another payment waits for stock', { codes_waiting: 1 }, { codes_waiting: 2 }, []],
  ],
  REQUEST: [
    ['a payment request is created', undefined, {}, []],
    ['a payment request is paid', {}, { state: 'paid' }, ['request.paid']],
    ['a payment request’s payment is reversed', { state: 'paid' }, {}, ['request.reopened']],
    ['a payment request is cancelled', {}, { state: 'cancelled' }, []],
    ['a payment request is partly paid', {}, { version: 2 }, []],
  ],
  RECEIPT: [
    ['a payment is matched', undefined, { state: 'matched' }, ['receipt.matched']],
    ['a payment is checked', undefined, { reason: 'checking' }, []],
    ['a payment is held', { reason: 'checking' }, { reason: 'no_charge' }, ['receipt.held']],
    ['a payment that was set aside is held', undefined, { set_aside: { at: AT, by: 'user' } }, ['receipt.held']],
    ['the conflict about a payment ends', { reason: 'conflict' }, { reason: 'checking' }, ['receipt.reopened']],
    ['a payment is put back', { set_aside: { at: AT, by: 'user' } }, {}, ['receipt.reopened']],
    ['two texts contradict each other', { state: 'matched' }, { reason: 'conflict' }, CONTRADICTED],
    [
      'marking a charge with a payment is undone',
      { ...matched, ...saidBy },
      { ...saidBy, set_aside: { at: AT, by: 'user' } },
      [],
    ],
    ['a payment is not in the wallet', matched, { set_aside: { at: AT, by: 'user' } }, []],
    ['a marked payment is held', { ...matched, ...saidBy }, saidBy, ['receipt.held']],
    ['a text cannot be parsed', undefined, { state: 'unread' }, ['receipt.unread']],
    ['a matched payment gets a reason', { state: 'matched' }, { state: 'matched', reason: 'already_paid' }, []],
    ['a text contradicts a held payment', { reason: 'no_charge' }, { reason: 'conflict' }, CONTRADICTED],
    ['a payment is contradicted on arrival', undefined, { reason: 'conflict' }, CONTRADICTED],
    [
      'a contradicted payment is assigned',
      { reason: 'conflict' },
      { ...matched, reason: 'conflict' },
      ['receipt.matched'],
    ],
    ['a held payment is updated', { reason: 'no_charge' }, { reason: 'no_charge', name: 'AMA' }, []],
  ],
  SEND: [
    ['texts are accepted', undefined, {}, ['send.accepted']],
    ['accepted texts are checked', {}, { next_check_at: AT }, []],
  ],
  'MESSAGE#00': [
    ['a text is sent', { state: 'sending' }, { state: 'sent' }, ['sms.left']],
    ['a text is delivered', { state: 'sent' }, { state: 'delivered' }, ['sms.delivered']],
    [
      'a text is reported as delivered before it is reported as sent',
      { state: 'sending' },
      { state: 'delivered' },
      ['sms.left', 'sms.delivered'],
    ],
    ['a text fails', { state: 'sent' }, { state: 'failed' }, ['sms.failed']],
    ['a text expires', {}, { state: 'expired' }, ['sms.expired']],
    ['a text is cancelled', undefined, { state: 'cancelled' }, ['sms.cancelled']],
    ['a text is changed', { state: 'sent' }, { state: 'sent', from: '+233551112223' }, []],
  ],
  'ANSWER#1': [
    ['an answer arrives', undefined, {}, ['sms.received']],
    ['an answer is changed', {}, { message: 'erased' }, []],
  ],
  'HEARD#stop': [
    ['a keyword arrives', undefined, {}, ['keyword.heard']],
    ['a keyword is confirmed', {}, { send_id: 's' }, []],
    ['a keyword without a confirmation arrives', undefined, { at: undefined }, []],
    ['a keyword without a merchant to pay for it arrives', undefined, { merchant_id: undefined }, []],
    ['a keyword arrives again and is confirmed', {}, { at: LATER, send_id: 's' }, []],
  ],
  'LOW#5': [
    ['credits run low', undefined, {}, ['credits.low']],
    ['a low-credit row gets an expiry', {}, { expires_at_epoch_seconds: 1 }, []],
  ],
  'NOTICE#payment_refused#1': [
    ['a wallet refuses a payment', undefined, {}, ['wallet.payment_refused']],
    ['a refused payer is erased', {}, { payer_name: '' }, []],
  ],
  'NOTICE#near_limit#1': [
    ['a wallet is nearly full', undefined, {}, ['wallet.near_limit']],
    ['a wallet is nearly full again', {}, { received_at: AT }, ['wallet.near_limit']],
  ],
  'NOTICE#balance_unclear#1': [['a wallet’s owner receives a question', undefined, {}, ['wallet.balance_unclear']]],
  'NOTICE#payment_missed#1': [['a wallet’s text is missing', undefined, {}, ['wallet.payment_missed']]],
  'NOTICE#reversal_suspected#1': [['money left a wallet without a text', undefined, {}, ['wallet.reversal_suspected']]],
  'NOTICE#money_out#1': [['money left a wallet with a text', undefined, {}, ['wallet.money_out']]],
  'SILENT#1': [
    ['a phone stops reporting', undefined, {}, ['phone.silent']],
    ['a silent phone’s row gets an expiry', {}, { expires_at_epoch_seconds: 1 }, []],
  ],
  'DEVICE#1': [
    ['a browser is added', undefined, { subscription }, ['device.asked']],
    ['a number is added', undefined, { to }, []],
    ['a browser is changed', { subscription }, { subscription, kinds: ['paid'] }, []],
    ['a browser without a push endpoint is added', undefined, {}, []],
  ],
  PHONE_EVENT: [
    ['a stranger’s text arrives', undefined, { stranger: { looks_like_payment: false } }, ['stranger.texted']],
    ['a wallet’s text arrives', undefined, {}, []],
  ],
  'CLAIM_HOUR#1': [
    ['a second wrong claim is counted', { wrong: 1 }, { wrong: 2 }, []],
    ['wrong claims pass the limit', { wrong: 1 }, { wrong: 1000 }, ['claims.limit_reached']],
    ['the first wrong claim is counted', undefined, { wrong: 1 }, []],
    ['wrong claims reach the limit', { wrong: MOST - 1 }, { wrong: MOST }, ['claims.limit_reached']],
    ['a wrong claim follows after the limit', { wrong: MOST }, { wrong: MOST + 1 }, []],
  ],
  CODE: [
    ['no sender can send a code', undefined, { no_sender_at: AT }, ['code.without_sender']],
    ['an attempt is added to an unsendable code', { no_sender_at: AT }, { no_sender_at: AT, tries: 1 }, []],
  ],
  'REACHED#2026-11-20': [
    ['the limit for unverified goods is reached', undefined, {}, ['goods.limit_reached']],
    ['the row of a reached limit gets an expiry', {}, { expires_at_epoch_seconds: 1 }, []],
  ],
  EVENT: [
    ['a webhook event is abandoned', { state: 'pending' }, { state: 'gave_up' }, ['webhook.given_up']],
    ['a webhook event is delivered', { state: 'pending' }, { state: 'delivered' }, []],
    ['a webhook event is stored', undefined, { state: 'pending' }, []],
    ['an abandoned webhook event is retried', { state: 'gave_up' }, { state: 'gave_up', tries: 2 }, []],
    ['a webhook event is stored as abandoned', undefined, { state: 'gave_up' }, ['webhook.given_up']],
  ],
  KEY_USE: [['a row of another kind is written', undefined, {}, []]],
};

const changes = Object.entries(byKey).flatMap(([sk, rows]) =>
  rows.map(([what, before, after, occurrences]) => ({ what, sk, before, after, occurrences })),
);

test('a row change reports its occurrences', () =>
  checkEach(changes, ({ sk, before, after, occurrences: expected }) => {
    const event = before ? 'MODIFY' : 'INSERT';
    const happened = occurrencesOf({ event, sk, before: before && rowOf(sk, before), after: rowOf(sk, after) });
    expect(happened).toHaveLength(expected.length);
    expect(happened.map(({ what }) => what)).toEqual(expected);
    const { only } = manifest['work/follow-up'];
    const isRead = only.some((one) => one.event === event && one.sortKeyPrefixes.some((start) => sk.startsWith(start)));
    expect(isRead || expected.length === 0, 'the stream filters it out').toBe(true);
  }));

test('the occurrence for a held payment contains its previous charge', () => {
  const heldAfter = (before: Item) => {
    const rows = { before: rowOf('RECEIPT', before), after: rowOf('RECEIPT', { reason: 'reversed' }) };
    return occurrencesOf({ event: 'MODIFY', sk: 'RECEIPT', ...rows })[0];
  };
  expect(heldAfter({ state: 'matched', reference: 'MK-1' })).toMatchObject({ isNew: true, paid: 'MK-1' });
  expect(heldAfter({ reason: 'no_charge' })).toMatchObject({ isNew: false });
  expect(heldAfter({ reason: 'no_charge' })).not.toHaveProperty('paid');
});

const word = rowOf('HEARD#stop', {});
const claims = (wrong: number) => ({ ...rowOf('CLAIM_HOUR#1', { wrong }), pk: 'CLAIMS#+233241112222' });

test.each<[what: string, sk: string, before: Item | undefined, after: Item, says: object]>([
  ['low credits', 'LOW#5', undefined, rowOf('LOW#5', {}), { key: { pk: 'PK', sk: 'LOW#5' } }],
  [
    'a keyword',
    'HEARD#stop',
    undefined,
    word,
    { heard: { merchant_id: word.merchant_id, at: word.at, number: word.number } },
  ],
  ['wrong claims', 'CLAIM_HOUR#1', claims(1), claims(1_000), { momo_number: '+233241112222' }],
])('the occurrence for %s contains its details', (_, sk, before, after, details) => {
  expect(occurrencesOf({ event: before ? 'MODIFY' : 'INSERT', sk, before, after })).toMatchObject([details]);
});

test('a removed row causes no occurrence', () => {
  expect(occurrencesOf({ event: 'REMOVE', sk: 'SEND', before: rowOf('SEND', {}), after: undefined })).toEqual([]);
});

test('every webhook event type is caused by a row change', () => {
  const caused = new Set<string>(changes.flatMap(({ occurrences }) => occurrences));
  const types = WebhookEventType.options.filter((type) => type !== 'webhook.test');
  expect(types.filter((type) => !caused.has(type))).toEqual([]);
});
