import { describe, expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { countOccurrences } from '../../../shared/events/metrics.ts';
import { occurrencesOf } from '../../../shared/events/occurrences-of.ts';
import { forMerchant } from '../../../shared/merchants/merchant/test-account.ts';
import { MAX_WRONG_PER_HOUR } from '../../../shared/money/claims/claim.table.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import type { RowChange as Change } from '../../../shared/runtime/triggers/stream.ts';
import { checkEach } from '../../support/check-each.ts';
import { rowOf } from '../../support/rows-of-kinds.ts';
import { type Counted, createWorld, metricsInto } from '../../support/world.ts';

const { outside } = await createWorld();

const send = {
  send_id: '0199f0d4-0000-7000-8000-000000000000',
  merchant_id: '01HZY',
  from: '+233241234567',
  to: ['+233551112222', '+233551112223', '+233551112224'],
  message: 'Your order is ready',
  created_at: '2026-11-20T08:00:00.000Z',
};

const AT = '2026-11-20T08:00:00.000Z';
const near = { kind: 'near_limit' };
const LATER = { received_at: '2026-11-21T08:00:00Z' };
const textIs = (state: string) => ({ merchant_id: '01HZY', state });

const byKey: Readonly<Record<string, [what: string, before: Item | undefined, after: Item, counted: object][]>> = {
  SEND: [
    ['a send to three numbers', undefined, send, { texts_accepted: 3 }],
    ['a send checked by housekeeping', send, { ...send, next_check_at: 'later' }, {}],
    [
      'a verification code for a payer',
      undefined,
      { ...send, merchant_id: undefined, to: ['+233201112222'] },
      { codes_accepted: 1 },
    ],
    ['a reception test', undefined, { ...send, merchant_id: undefined, purpose: 'hearing_test' }, {}],
  ],
  'MESSAGE#00': [
    ['a text taken by a worker', undefined, textIs('sending'), {}],
    ['a sent text', textIs('sending'), textIs('sent'), { texts_sent: 1 }],
    ['a delivered text', textIs('sent'), textIs('delivered'), { texts_delivered: 1 }],
    [
      'a text reported as delivered before it is reported as sent',
      textIs('sending'),
      textIs('delivered'),
      { texts_sent: 1, texts_delivered: 1 },
    ],
    ['a failed text', textIs('sent'), textIs('failed'), { texts_failed: 1, credits_refunded: 1 }],
    ['an expired text', textIs('sending'), textIs('expired'), { texts_failed: 1, credits_refunded: 1 }],
    ['an expired code', { state: 'sending' }, { state: 'expired' }, { codes_failed: 1 }],
    ['a cancelled text', textIs('sending'), textIs('cancelled'), { credits_refunded: 1 }],
    ['a cancelled code', { state: 'sending' }, { state: 'cancelled' }, {}],
    ['a failed text that is written again', textIs('failed'), textIs('failed'), {}],
    ['a sent code', { state: 'sending' }, { state: 'sent' }, {}],
    ['a delivered code', { state: 'sent' }, { state: 'delivered' }, { codes_delivered: 1 }],
    ['a failed code', { state: 'sending' }, { state: 'failed' }, { codes_failed: 1 }],
    ['a delivered reception test', { state: 'sent' }, { state: 'delivered', purpose: 'hearing_test' }, {}],
    ['a failed reception test', { state: 'sending' }, { state: 'failed', purpose: 'hearing_test' }, {}],
  ],
  CODE: [
    ['a new code', undefined, { codes: 1 }, {}],
    ['an attempt at a code', { no_sender_at: '1', tries: 0 }, { no_sender_at: '1', tries: 1 }, {}],
    ['a code that no sender could send', undefined, { no_sender_at: '1' }, { codes_without_sender: 1 }],
    [
      'a code that no sender could send, for the second time',
      { no_sender_at: '1' },
      { no_sender_at: '2' },
      { codes_without_sender: 1 },
    ],
  ],
  TRANSACTION: [
    ['a charge', undefined, { state: 'pending' }, { charges_created: 1 }],
    ['a paid charge', { state: 'pending' }, { state: 'success' }, { charges_paid: 1 }],
    ['a reversed charge', { state: 'success' }, { state: 'reversed' }, { charges_reversed: 1 }],
    ['a disputed charge', {}, { disputed: { at: AT, why: 'conflict' } }, { payments_disputed: 1 }],
  ],
  RECEIPT: [
    ['a receipt that paid a charge', undefined, { state: 'matched' }, { receipts_matched: 1 }],
    ['a held receipt', undefined, { state: 'held' }, { receipts_held: 1 }],
    ['a receipt held for a different reason', { state: 'held' }, { state: 'held', reason: 'reversed' }, {}],
    ['an assigned receipt', { state: 'held' }, { state: 'matched' }, { receipts_matched: 1 }],
    [
      'a contradictory payment',
      { state: 'held', reason: 'several_fit' },
      { state: 'held', reason: 'conflict' },
      { payments_disputed: 1 },
    ],
    ['a text that could not be parsed', undefined, { state: 'unread' }, { receipts_unread: 1 }],
  ],
  'NOTICE#payment_refused#31574300924': [
    ['a payment refused by a wallet', undefined, { kind: 'payment_refused' }, { payments_refused: 1 }],
  ],
  'NOTICE#near_limit#500000': [
    ['a nearly full wallet', undefined, near, { wallets_near_limit: 1 }],
    ['a nearly full wallet, the second time', near, { ...near, ...LATER }, { wallets_near_limit: 1 }],
  ],
  'NOTICE#balance_unclear#2026': [['a question to a wallet’s owner', undefined, { kind: 'balance_unclear' }, {}]],
  EVENT: [
    ['an abandoned webhook event', { state: 'pending' }, { state: 'gave_up' }, { webhooks_given_up: 1 }],
    ['a delivered webhook event', { state: 'pending' }, { state: 'delivered' }, {}],
  ],
};

const counts = Object.entries(byKey).flatMap(([sk, rows]) =>
  rows.map(([what, before, after, counted]) => ({ what, sk, before, after, counted })),
);

describe('a counted change', () => {
  const changes = counts.map(({ what, sk, before, after, counted }) => {
    const change: Change = {
      event: before ? 'MODIFY' : 'INSERT',
      ...{ sk, before: before && rowOf(sk, before), after: rowOf(sk, after) },
    };
    return { name: what, change, counted };
  });

  test('adds the expected counts', () =>
    checkEach(changes, ({ change, counted }) => {
      expect(countsOf(change)).toEqual(counted);
    }));

  test('adds nothing for a test account', () =>
    checkEach(changes, ({ change }) => {
      const ofTest = { ...change, after: { ...change.after, merchant_id: '01HZY_test' } };
      expect(countsOf(ofTest)).toEqual({});
    }));

  test('is included in the worker’s stream filter', () =>
    checkEach(changes, ({ change, counted }) => {
      const reaches = manifest['work/follow-up'].only.some(
        ({ event, sortKeyPrefixes }) =>
          event === change.event && sortKeyPrefixes.some((start) => change.sk.startsWith(start)),
      );
      expect(reaches || Object.keys(counted).length === 0).toBe(true);
    }));
});

test('wrong claims are not counted for a test wallet', () => {
  const [before, after] = [{ wrong: MAX_WRONG_PER_HOUR - 1 }, { wrong: MAX_WRONG_PER_HOUR }];
  const hour = (number: string) => ({ pk: `CLAIM#${number}#2026-11-20T08`, sk: 'CLAIM_HOUR#0123' });
  const counted = (number: string) =>
    countsOf({ event: 'MODIFY', sk: 'CLAIM_HOUR#0123', before, after: { ...after, ...hour(number) } });
  expect(counted('+233241234567')).toEqual({ claim_limits_reached: 1 });
  expect(counted('+233001234560')).toEqual({});
});

test.each([
  [false, { texts_of_strangers: 1 }],
  [true, { texts_of_strangers: 1, receipts_forged: 1 }],
])('a text from an unknown sender is counted (looks like a payment: %s)', (looks_like_payment, expected) => {
  const after = { pk: 'PHONE_EVENT#phone', sk: 'PHONE_EVENT', stranger: { looks_like_payment } };
  expect(countsOf({ event: 'INSERT', sk: 'PHONE_EVENT', before: undefined, after })).toEqual(expected);
});

test('a removed row is not counted', () => {
  expect(countsOf({ event: 'REMOVE', sk: 'SEND', before: send, after: undefined })).toEqual({});
});

function countsOf(change: Change): object {
  const counted: Counted = {};
  const ofMerchant = forMerchant({ ...outside, metrics: metricsInto(counted) }, change.after ?? {});
  countOccurrences(ofMerchant, occurrencesOf(change));
  return counted;
}
