import { describe, expect, test } from 'vitest';
import type { WalletMovement } from '../../../shared/ghana/wallet-text/reading.ts';
import {
  advance,
  type Chain,
  headOf,
  isEstablished,
  type Movement,
  movementOf,
  oddityOf,
  startChain,
} from '../../../shared/wallets/chain/chain.ts';
import { establishedIfDue } from '../../../shared/wallets/chain/guesses.ts';
import { at, chainAt, IDS_A_MINUTE, idOf, text, WALLET } from './texts.ts';

const CHAIN = chainAt(0, 100);

describe('extending a chain', () => {
  test('links the text that starts at the head and the texts that were waiting for it', () => {
    const texts = [text(3, 90, 120), text(1, 100, 150), text(2, 150, 90)];
    const { chain, linked } = advance(CHAIN, texts, at(3));
    expect(linked.map(({ after }) => after)).toEqual([150, 90, 120]);
    expect(headOf(chain)).toEqual({ id: idOf(3), balance: 120, at_ms: at(3) });
    expect(chain).toMatchObject({ links: 103, outgoing_links: 21 });
    expect(chain.recent).toHaveLength(8);
  });

  const three = [text(1, 100, 110), text(2, 110, 120), text(3, 120, 130)];
  const [first, back, second] = [text(1, 100, 150), text(2, 150, 100), text(3, 100, 170)];
  const older = text(-5, 100, 150, { arrived_ms: at(1) });
  const sameMoment = text(0, 100, 150, { id: idOf(0) - 1000 });

  test.each<[what: string, texts: Movement[], linked: Movement[], most?: number]>([
    ['ignores texts that start at another balance', [text(1, 99, 150), text(2, 150, 100)], []],
    ['links at most the given number of texts at once', three, three.slice(0, 2), 2],
    ['links in the order of the ids, whatever the order of arrival', [second, back, first], [first, back, second]],
    ['ignores an older text that starts at the head’s balance', [older], []],
    ['links a text from the same moment as the head', [sameMoment], [sameMoment]],
  ])('%s', (_, texts, linked, most) => {
    expect(advance(CHAIN, texts, at(3), most).linked).toEqual(linked);
  });

  test('ignores a text from a sender name other than the chain’s', () => {
    const text1 = text(1, 100, 150, { sender: 'momo' });
    expect(advance(CHAIN, [text1], at(1)).linked).toEqual([]);
    expect(oddityOf(CHAIN, text1)).toBe('sender_differs');
  });

  test('ignores an id from the future in enforce mode, because every later id would look old', () => {
    const future = text(1, 100, 150, { id: idOf(60) });
    expect(advance({ ...CHAIN, established_ms: 0 }, [future], at(1)).linked).toEqual([]);
    // In observe mode, a phone may deliver months of texts within an hour.
    expect(advance(CHAIN, [future], at(1)).linked).toEqual([future]);
    expect(oddityOf(CHAIN, future)).toBe('clock_odd');
    expect(oddityOf(CHAIN, text(1, 100, 150))).toBe(undefined);
    expect(oddityOf(CHAIN, text(1, 100, 150, { id: idOf(-10 * 24 * 60) }))).toBe('clock_odd');
  });
});

describe('a text that starts at the head’s balance', () => {
  // The text from 100 to 150 is still on its way, while the text from 150 to 100 has arrived.
  const [back, next] = [text(2, 150, 100), text(3, 100, 170)];

  const late = { arrived_ms: at(400) };
  const [jump, between] = [text(300, 100, 170, late), text(200, 40, 90, late)];
  const [payment, forged] = [text(10, 100, 170), text(9, 40, 90)];

  test.each<[what: string, texts: Movement[], minute: number, linked: Movement[]]>([
    ['waits while an older text also ends there, because the text between may be on its way', [next, back], 3, []],
    ['links after two minutes of waiting', [next, back], 4, [next]],
    ['waits while a phone that was silent delivers its stored texts in any order', [jump, between], 401, []],
    ['links after two minutes of such a delivery', [jump, between], 402, [jump]],
    // Otherwise a forger could delay every payment.
    ['links at once past an unrelated text while the phone forwards without delay', [payment, forged], 10, [payment]],
  ])('%s', (_, texts, minute, linked) => {
    expect(advance(CHAIN, texts, at(minute)).linked).toEqual(linked);
  });
});

test('a run of texts that does not start at the head never becomes the head, however long it is', () => {
  const forged = Array.from({ length: 200 }, (_, n) => text(1 + n, 5000 + n * 100, 5100 + n * 100));
  const { chain, linked } = advance(CHAIN, forged, at(10_000));
  expect({ linked, head: headOf(chain) }).toEqual({ linked: [], head: headOf(CHAIN) });
});

describe('establishing a chain', () => {
  const DUE = chainAt(0, 100, { links: 20, outgoing_links: 5, begun_ms: at(0) });
  const later = at(7 * 24 * 60);
  const failed = (...ago: number[]) => ({ failed_ms: ago.map((ms) => later - ms) });

  test.each<[is: boolean, what: string, changes: Partial<Chain>, nowMs?: number]>([
    [true, 'after 7 days with 20 links, 5 of them outgoing', {}],
    [false, 'after 19 links', { links: 19 }],
    [false, 'after 4 outgoing links', { outgoing_links: 4 }],
    [false, 'after less than 7 days', {}, later - 1],
    // Waiting texts may be genuine and contradict the chain.
    [true, 'while 2 texts wait', { waiting: 2 }],
    [false, 'while 3 texts wait', { waiting: 3 }],
    [true, 'when 2 texts failed in the last month', failed(2, 1)],
    [false, 'when 3 texts failed in the last month', failed(3, 2, 1)],
    [true, 'when 3 texts failed more than a month ago', { failed_ms: [at(0), at(0), at(0)] }, at(31 * 24 * 60)],
  ])('is possible (%s) %s', (is, _, changes, nowMs = later) => {
    expect(isEstablished(establishedIfDue({ ...DUE, ...changes }, nowMs))).toBe(is);
  });

  test('an established chain stays established, and its earlier failures are cleared', () => {
    const chain = establishedIfDue({ ...DUE, failed_ms: [at(0)] }, later);
    expect({ established_ms: chain.established_ms, failed_ms: chain.failed_ms }).toEqual({
      established_ms: later,
      failed_ms: undefined,
    });
    expect(establishedIfDue({ ...chain, links: 3, waiting: 9 }, later + 1).established_ms).toBe(later);
  });
});

test('the second text is linked even if the wallet’s first text arrived 75 minutes late', () => {
  const chain = startChain(WALLET, text(0, 0, 100, { at_ms: at(75), arrived_ms: at(75) }));
  const next = text(76, 100, 150);
  expect(next.id - idOf(0)).toBeGreaterThan(70 * IDS_A_MINUTE);
  expect(advance(chain, [next], at(76)).linked).toEqual([next]);
});

const ORIGIN = { at_ms: 1000, arrived_ms: 2000, sender: 'MobileMoney' };
const OUT: WalletMovement = {
  kind: 'money_out',
  network: 'MTN',
  amountPesewas: 5000,
  chargesPesewas: 75,
  balancePesewas: 20_000,
  transactionId: '95000000001',
  counterparty: null,
};

test('the balance before an outgoing payment is the later balance plus its amount and fees', () => {
  const moved = { id: 95_000_000_001, before: 25_075, after: 20_000 };
  expect(movementOf(OUT, ORIGIN)).toEqual({ ...ORIGIN, sender: 'mobilemoney', ...moved });
});

test('the balance before an incoming payment does not depend on its fees', () => {
  expect(movementOf({ ...OUT, kind: 'money_in' }, ORIGIN)).toMatchObject({ before: 15_075, after: 20_000 });
});

test.each([
  ['moves nothing', { kind: 'no_money' as const }],
  ['reports no balance', { balancePesewas: null }],
  ['reports no amount', { amountPesewas: null }],
  ['has no id', { transactionId: null }],
])('a text is not read as a movement of money if it %s', (_, changed) => {
  expect(movementOf({ ...OUT, ...changed }, ORIGIN)).toBe(undefined);
});

test('an id with too many digits is read as the largest safe integer', () => {
  expect(movementOf({ ...OUT, transactionId: '9'.repeat(30) }, ORIGIN)?.id).toBe(Number.MAX_SAFE_INTEGER);
});
