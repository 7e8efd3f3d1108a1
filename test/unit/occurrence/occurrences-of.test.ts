import { expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { type Occurrence, occurrencesOf } from '../../../shared/money/occurrence/occurrences-of.ts';
import { MAX_WRONG_PER_HOUR } from '../../../shared/money/receipt/claim.table.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { WebhookEventType } from '../../../shared/webhook/event.ts';
import { rowOf } from '../../support/rows-of-kinds.ts';

type What = Occurrence['what'];

const AT = '2026-11-20T10:00:00.000Z';
const payment = (receipt_id: string, cedis: number, fields: object = {}) => ({
  ...{ receipt_id, network: 'MTN', transaction_id: receipt_id, amount_pesewas: cedis * 100, received_at: AT },
  ...{ matched_by: 'reference', ...fields },
});
const disputed = { at: AT, why: 'conflict' };
const LATER = '2026-11-20T11:00:00.000Z';
const [ten, twenty] = [payment('ten', 10), payment('twenty', 20)];
const [sixty, seventy] = [payment('sixty', 60), payment('seventy', 70)];
const proven = payment('sixty', 60, { proof: { state: 'proven' } });
const paid = { state: 'success', payment: sixty, paid_at: AT };
const refund = { refund_id: 'r', amount_pesewas: 5_00, state: 'noted', noted_at: AT };
const tap = { kind: 'take', state: 'given', shift_id: 's', by: 'user', at: AT };
const told = { ...tap, told_at: AT };
const sent = { ...refund, state: 'sent' };
const subscription = { endpoint: '', p256dh: '', auth: '' };
const stock = { codes_stocked: 9, codes_drawn: 0 };
const coded = (state: string) => ({ ...paid, goods: { kind: 'code', state } });
const PAID: What[] = ['charge.paid', 'charge.success', 'charge.payments_changed', 'charge.goods_changed'];
const NEW_PAID: What[] = ['charge.created', 'charge.paid', 'payment.counted'];
const MONEY: What[] = ['charge.payments_changed', 'charge.goods_changed'];

/** What a change of a row means: `before` is unset where it is new. */
const changes: [what: string, sk: string, before: Item | undefined, after: Item, occurrences: What[]][] = [
  ['a charge is created', 'TRANSACTION', undefined, {}, ['charge.created']],
  ['a charge is changed', 'TRANSACTION', {}, { checking_until: AT }, []],
  ['a charge is paid', 'TRANSACTION', {}, paid, [...PAID, 'payment.counted']],
  [
    'too much arrives',
    'TRANSACTION',
    {},
    { ...paid, payment: seventy },
    [...PAID, 'payment.counted', 'charge.overpaid'],
  ],
  [
    'too much is reversed',
    'TRANSACTION',
    { ...paid, payment: seventy },
    { state: 'reversed', payment: seventy },
    ['charge.reversed', 'charge.unsettled', ...MONEY, 'payment.reversed', 'charge.overpaid'],
  ],
  ['a part arrives', 'TRANSACTION', {}, { parts: [ten] }, [...MONEY, 'payment.counted', 'charge.partly_paid']],
  [
    'a part and the rest arrive at once, with ten too much',
    'TRANSACTION',
    {},
    { ...paid, parts: [ten] },
    [...PAID, 'payment.counted', 'payment.counted', 'charge.overpaid'],
  ],
  ['a part is reversed', 'TRANSACTION', { parts: [ten] }, {}, [...MONEY, 'payment.reversed']],
  [
    'a charge expires with a part',
    'TRANSACTION',
    { parts: [ten] },
    { state: 'expired', parts: [ten] },
    ['charge.expired', ...MONEY, 'payment.released'],
  ],
  ['a charge is cancelled', 'TRANSACTION', {}, { state: 'cancelled' }, ['charge.cancelled', ...MONEY]],
  ['its payment is proven', 'TRANSACTION', paid, { ...paid, payment: proven }, ['charge.proven', ...MONEY]],
  [
    'it is disputed',
    'TRANSACTION',
    paid,
    { ...paid, disputed: { at: AT, why: 'conflict' } },
    ['charge.disputed', 'charge.goods_changed'],
  ],
  [
    'both at once',
    'TRANSACTION',
    paid,
    { ...paid, state: 'reversed', disputed: { at: AT, why: 'reversal' } },
    ['charge.disputed', 'charge.reversed', 'charge.unsettled', ...MONEY, 'payment.reversed'],
  ],
  ['a refund is noted', 'TRANSACTION', paid, { ...paid, refunds: [refund] }, []],
  [
    'it has left',
    'TRANSACTION',
    { ...paid, refunds: [refund] },
    { ...paid, refunds: [{ ...refund, state: 'sent' }] },
    ['charge.refunded'],
  ],
  [
    'a cashier takes a payment',
    'TRANSACTION',
    undefined,
    { ...paid, goods: tap },
    ['charge.created', 'charge.taken', 'charge.paid', 'payment.counted'],
  ],
  [
    'it can be undone no more',
    'TRANSACTION',
    { ...paid, goods: tap },
    { ...paid, goods: { ...tap, told_at: AT } },
    ['charge.success'],
  ],
  [
    'it is undone',
    'TRANSACTION',
    { ...paid, goods: tap },
    { ...paid, state: 'cancelled', goods: { ...tap, state: 'taken_back', undone_at: AT } },
    ['charge.cancelled', 'charge.unsettled', ...MONEY, 'payment.released'],
  ],
  ['a tap takes what it was to be paid with', 'TRANSACTION', {}, { paid_as: 'MK-1' }, []],
  ['the tap is undone', 'TRANSACTION', { paid_as: 'MK-1' }, {}, ['charge.unsettled']],
  [
    'its code is to be let go',
    'TRANSACTION',
    coded('unpaid'),
    coded('to_release'),
    ['charge.goods_changed', 'charge.code_waiting'],
  ],
  [
    'its code waits for a stock',
    'TRANSACTION',
    coded('to_release'),
    coded('waiting'),
    ['charge.goods_changed', 'charge.code_waiting'],
  ],
  ['its code is given', 'TRANSACTION', coded('waiting'), coded('given'), ['charge.goods_changed']],

  ['a link is made', 'LINK', undefined, stock, []],
  ['codes run low', 'LINK', stock, { ...stock, codes_drawn: 7 }, ['link.stock_low']],
  ['they are fewer', 'LINK', { ...stock, codes_drawn: 7 }, { ...stock, codes_drawn: 8 }, []],
  ['the last one goes', 'LINK', { ...stock, codes_drawn: 8 }, { ...stock, codes_drawn: 9 }, ['link.stock_low']],
  ['codes come for those who wait', 'LINK', { codes_waiting: 1 }, { ...stock, codes_waiting: 1 }, ['link.stocked']],

  ['a request is made', 'REQUEST', undefined, {}, []],
  ['its sum is there', 'REQUEST', {}, { state: 'paid' }, ['request.paid']],
  ['it was taken back', 'REQUEST', { state: 'paid' }, {}, ['request.reopened']],
  ['a request is cancelled', 'REQUEST', {}, { state: 'cancelled' }, []],
  ['a part of it comes', 'REQUEST', {}, { version: 2 }, []],

  ['a payment is matched', 'RECEIPT', undefined, { state: 'matched' }, ['receipt.matched']],
  ['a payment is checked', 'RECEIPT', undefined, { reason: 'checking' }, []],
  ['a payment is held', 'RECEIPT', { reason: 'checking' }, { reason: 'no_charge' }, ['receipt.held']],
  [
    'two texts contradict each other',
    'RECEIPT',
    { state: 'matched' },
    { reason: 'conflict' },
    ['receipt.contradicted', 'receipt.held'],
  ],
  ['a text is not understood', 'RECEIPT', undefined, { state: 'unread' }, ['receipt.unread']],

  ['texts are accepted', 'SEND', undefined, {}, ['send.accepted']],
  ['they are looked at again', 'SEND', {}, { next_check_at: AT }, []],
  ['a text is sent', 'MESSAGE#00', { state: 'sending' }, { state: 'sent' }, ['sms.left']],
  ['a text is delivered', 'MESSAGE#00', { state: 'sent' }, { state: 'delivered' }, ['sms.delivered']],
  [
    'that report comes first',
    'MESSAGE#00',
    { state: 'sending' },
    { state: 'delivered' },
    ['sms.left', 'sms.delivered'],
  ],
  ['a text fails', 'MESSAGE#00', { state: 'sent' }, { state: 'failed' }, ['sms.failed']],
  ['a text is too late', 'MESSAGE#00', {}, { state: 'expired' }, ['sms.expired']],
  ['a text is cancelled', 'MESSAGE#00', undefined, { state: 'cancelled' }, ['sms.cancelled']],
  ['a text is changed', 'MESSAGE#00', { state: 'sent' }, { state: 'sent', from: '+233551112223' }, []],
  ['an answer comes', 'ANSWER#1', undefined, {}, ['sms.received']],
  ['a keyword comes', 'HEARD#stop', undefined, {}, ['keyword.heard']],
  ['it is confirmed', 'HEARD#stop', {}, { send_id: 's' }, []],
  ['one comes that nobody confirms', 'HEARD#stop', undefined, { at: undefined }, []],
  ['an owner’s answer is acted on', 'QUESTION#shop', {}, { outcome: 'taken' }, ['question.decided']],
  ['its owner is told', 'QUESTION#shop', { outcome: 'taken' }, { outcome: 'taken', reply_id: 's' }, []],
  ['credits run low', 'LOW#5', undefined, {}, ['credits.low']],

  ['a wallet refuses a payment', 'NOTICE#payment_refused#1', undefined, {}, ['wallet.payment_refused']],
  ['its payer is erased', 'NOTICE#payment_refused#1', {}, { payer_name: '' }, []],
  ['a wallet is nearly full', 'NOTICE#near_limit#1', undefined, {}, ['wallet.near_limit']],
  ['it is so again', 'NOTICE#near_limit#1', {}, { received_at: AT }, ['wallet.near_limit']],
  ['its owner is asked', 'NOTICE#balance_unclear#1', undefined, {}, ['wallet.balance_unclear']],
  ['a text is missed', 'NOTICE#payment_missed#1', undefined, {}, ['wallet.payment_missed']],
  ['money left without one', 'NOTICE#reversal_suspected#1', undefined, {}, ['wallet.reversal_suspected']],

  ['a phone is silent', 'SILENT#1', undefined, {}, ['phone.silent']],
  [
    'a browser is added',
    'DEVICE#1',
    undefined,
    { subscription: { endpoint: '', p256dh: '', auth: '' } },
    ['device.asked'],
  ],
  ['a number is added', 'DEVICE#1', undefined, { to: '+233551112222' }, []],
  [
    'it is to answer',
    'DEVICE#1',
    { to: '+233551112222' },
    { to: '+233551112222', answers_asked_at: AT },
    ['device.asked'],
  ],
  ['a stranger texts', 'PHONE_EVENT', undefined, { stranger: { looks_like_payment: false } }, ['stranger.texted']],
  ['a wallet texts', 'PHONE_EVENT', undefined, {}, []],
  ['claims are wrong', 'CLAIM_HOUR#1', { wrong: 1 }, { wrong: 2 }, []],
  ['they are too many', 'CLAIM_HOUR#1', { wrong: 1 }, { wrong: 1000 }, ['claims.limit_reached']],
  ['nobody can send a code', 'CODE', undefined, { no_sender_at: AT }, ['code.without_sender']],
  ['a webhook is given up', 'EVENT', { state: 'pending' }, { state: 'gave_up' }, ['webhook.given_up']],
  ['a webhook is delivered', 'EVENT', { state: 'pending' }, { state: 'delivered' }, []],
  ['a charge is made with a code that waits', 'TRANSACTION', undefined, coded('waiting'), [...NEW_PAID]],
  [
    'a tap is stored that was told already',
    'TRANSACTION',
    undefined,
    { ...paid, goods: told },
    [...NEW_PAID.toSpliced(1, 0, 'charge.taken')],
  ],
  ['a code is promised', 'TRANSACTION', paid, coded('unpaid'), ['charge.goods_changed']],
  [
    'a code that waits is noted with more',
    'TRANSACTION',
    coded('waiting'),
    { ...paid, goods: { kind: 'code', state: 'waiting', at: AT } },
    ['charge.goods_changed'],
  ],
  ['a part is proven', 'TRANSACTION', { parts: [ten] }, { parts: [{ ...ten, proof: { state: 'proven' } }] }, MONEY],
  [
    'a second part arrives',
    'TRANSACTION',
    { parts: [ten] },
    { parts: [ten, twenty] },
    [...MONEY, 'payment.counted', 'charge.partly_paid'],
  ],
  [
    'a second refund has left',
    'TRANSACTION',
    { ...paid, refunds: [sent] },
    { ...paid, refunds: [sent, { ...sent, refund_id: 's' }] },
    ['charge.refunded'],
  ],
  ['nobody’s codes are left for those who wait', 'LINK', { codes_waiting: 1 }, { codes_waiting: 2 }, []],
  [
    'a matched payment gets a reason',
    'RECEIPT',
    { state: 'matched' },
    { state: 'matched', reason: 'already_paid' },
    [],
  ],
  [
    'a text contradicts one that is held',
    'RECEIPT',
    { reason: 'no_charge' },
    { reason: 'conflict' },
    ['receipt.contradicted', 'receipt.held'],
  ],
  [
    'a payment is contradicted as it comes',
    'RECEIPT',
    undefined,
    { reason: 'conflict' },
    ['receipt.contradicted', 'receipt.held'],
  ],
  [
    'a contradicted payment is given',
    'RECEIPT',
    { reason: 'conflict' },
    { state: 'matched', reason: 'conflict' },
    ['receipt.matched'],
  ],
  ['a keyword comes that nobody pays for', 'HEARD#stop', undefined, { merchant_id: undefined }, []],
  ['a keyword comes again, confirmed', 'HEARD#stop', {}, { at: LATER, send_id: 's' }, []],
  ['a question is asked', 'QUESTION#shop', undefined, {}, []],
  ['a question is tried', 'QUESTION#shop', {}, { tries: 1 }, []],
  ['a browser is changed', 'DEVICE#1', { subscription }, { subscription, kinds: ['paid'] }, []],
  ['a browser without an address is added', 'DEVICE#1', undefined, {}, []],
  [
    'a number is added and asked',
    'DEVICE#1',
    undefined,
    { to: '+233551112222', answers_asked_at: AT },
    ['device.asked'],
  ],
  [
    'a number that was asked is changed',
    'DEVICE#1',
    { to: '+233551112222', answers_asked_at: AT },
    { to: '+233551112222', answers_asked_at: AT, kinds: ['paid'] },
    [],
  ],
  [
    'a number that answers is asked again',
    'DEVICE#1',
    { to: '+233551112222' },
    { to: '+233551112222', answers_asked_at: AT, answers_since: AT },
    [],
  ],
  ['a claim is wrong for the first time', 'CLAIM_HOUR#1', undefined, { wrong: 1 }, []],
  [
    'the last claim that is allowed is wrong',
    'CLAIM_HOUR#1',
    { wrong: MAX_WRONG_PER_HOUR - 1 },
    { wrong: MAX_WRONG_PER_HOUR },
    ['claims.limit_reached'],
  ],
  ['one more is', 'CLAIM_HOUR#1', { wrong: MAX_WRONG_PER_HOUR }, { wrong: MAX_WRONG_PER_HOUR + 1 }, []],
  ['a webhook event is stored', 'EVENT', undefined, { state: 'pending' }, []],
  ['an event that was given up is noted with more', 'EVENT', { state: 'gave_up' }, { state: 'gave_up', tries: 2 }, []],
  ['a row of another kind is written', 'KEY_USE', undefined, {}, []],

  [
    'a charge is in doubt from the start',
    'TRANSACTION',
    undefined,
    { disputed },
    ['charge.created', 'charge.disputed'],
  ],
  [
    'a tap that was told is refunded',
    'TRANSACTION',
    { ...paid, goods: told },
    { ...paid, goods: told, refunds: [refund] },
    [],
  ],
  ['a paid charge is a tap that was told', 'TRANSACTION', paid, { ...paid, goods: told }, ['charge.success']],
  [
    'a tap that was undone is told',
    'TRANSACTION',
    { ...paid, state: 'cancelled', goods: tap },
    { ...paid, state: 'cancelled', goods: told },
    [],
  ],
  [
    'a paid charge gets a code that waits',
    'TRANSACTION',
    paid,
    coded('waiting'),
    ['charge.goods_changed', 'charge.code_waiting'],
  ],
  [
    'a charge with a part alone is reversed',
    'TRANSACTION',
    { parts: [ten] },
    { state: 'reversed', parts: [ten] },
    ['charge.reversed', ...MONEY, 'payment.released'],
  ],
  ['a held payment is looked at', 'RECEIPT', { reason: 'no_charge' }, { reason: 'no_charge', name: 'AMA' }, []],
  ['an answer is changed', 'ANSWER#1', {}, { message: 'erased' }, []],
  ['credits that ran low are noted with more', 'LOW#5', {}, { expires_at_epoch_seconds: 1 }, []],
  ['a phone’s silence is noted with more', 'SILENT#1', {}, { expires_at_epoch_seconds: 1 }, []],
  [
    'a code that nobody could send is noted with more',
    'CODE',
    { no_sender_at: AT },
    { no_sender_at: AT, tries: 1 },
    [],
  ],
  ['an event is given up as it is stored', 'EVENT', undefined, { state: 'gave_up' }, ['webhook.given_up']],
  [
    'a number is to answer no more',
    'DEVICE#1',
    { to: '+233551112222', answers_asked_at: AT },
    { to: '+233551112222' },
    [],
  ],
];

test.each(changes)('%s', (_, sk, before, after, expected) => {
  const event = before ? 'MODIFY' : 'INSERT';
  const happened = occurrencesOf({ event, sk, before: before && rowOf(sk, before), after: rowOf(sk, after) });
  expect(happened).toHaveLength(expected.length);
  expect(happened.map(({ what }) => what)).toEqual(expected);
  const { only } = manifest['work/follow-up'];
  const isRead = only.some((one) => one.event === event && one.sortKeyPrefixes.some((start) => sk.startsWith(start)));
  expect(isRead || expected.length === 0, 'the stream filters it out').toBe(true);
});

test('a held payment says whether it was held before, and which charge it paid', () => {
  const heldAfter = (before: Item) => {
    const rows = { before: rowOf('RECEIPT', before), after: rowOf('RECEIPT', { reason: 'reversed' }) };
    return occurrencesOf({ event: 'MODIFY', sk: 'RECEIPT', ...rows })[0];
  };
  expect(heldAfter({ state: 'matched', reference: 'MK-1' })).toMatchObject({ isNew: true, paid: 'MK-1' });
  expect(heldAfter({ reason: 'no_charge' })).toMatchObject({ isNew: false });
  expect(heldAfter({ reason: 'no_charge' })).not.toHaveProperty('paid');
});

test('what tells of a row by its key has it', () => {
  const [low] = occurrencesOf({ event: 'INSERT', sk: 'LOW#5', before: undefined, after: rowOf('LOW#5', {}) });
  expect(low).toMatchObject({ key: { pk: 'PK', sk: 'LOW#5' } });
});

test('what tells of a keyword says whose it was and when it came', () => {
  const after = rowOf('HEARD#stop', {});
  const [heard] = occurrencesOf({ event: 'INSERT', sk: 'HEARD#stop', before: undefined, after });
  expect(heard).toMatchObject({ heard: { merchant_id: after.merchant_id, at: after.at, number: after.number } });
});

test('what tells of wrong claims says whose number is paid', () => {
  const row = (wrong: number) => ({ ...rowOf('CLAIM_HOUR#1', { wrong }), pk: 'CLAIMS#+233241112222' });
  const [many] = occurrencesOf({ event: 'MODIFY', sk: 'CLAIM_HOUR#1', before: row(1), after: row(1_000) });
  expect(many).toEqual({ what: 'claims.limit_reached', momo_number: '+233241112222' });
});

test('what is removed is no occurrence', () => {
  expect(occurrencesOf({ event: 'REMOVE', sk: 'SEND', before: rowOf('SEND', {}), after: undefined })).toEqual([]);
});

test('each type of event is caused by some change of some row', () => {
  const caused = new Set<string>(changes.flatMap(([, , , , occurrences]) => occurrences));
  const types = WebhookEventType.options.filter((type) => type !== 'webhook.test');
  expect(types.filter((type) => !caused.has(type))).toEqual([]);
});
