import { describe, expect, test } from 'vitest';
import type { WalletMovement } from '../../../shared/ghana/wallet-text/reading.ts';
import {
  advance,
  afterReversal,
  asRepeated,
  headOf,
  type Movement,
  movementOf,
  oddityOf,
  roseAfter,
  SEVERAL_TEXTS,
} from '../../../shared/wallets/chain/chain.ts';
import { sameMoment as slackOf } from '../../../shared/wallets/chain/network-clock.ts';
import { at, chainAt, IDS_A_MINUTE, idOf, newChain, text } from './texts.ts';

const CHAIN = chainAt(0, 100);
/** Number of ids by which two payments of the same moment may be out of order. */
const SLACK = slackOf(CHAIN.clock, CHAIN.network);

describe('advance', () => {
  test('links all consecutive texts after the head', () => {
    const texts = [text(3, 90, 120), text(1, 100, 150), text(2, 150, 90)];
    const { chain, linked } = advance(CHAIN, texts, at(3));
    expect(linked.map(({ after }) => after)).toEqual([150, 90, 120]);
    expect(headOf(chain)).toEqual({ id: idOf(3), balance: 120, at_ms: at(3) });
    expect(chain).toMatchObject({ links: 103 });
    expect(chain.recent).toHaveLength(8);
  });

  const three = [text(1, 100, 110), text(2, 110, 120), text(3, 120, 130)];
  const [first, back, second] = [text(1, 100, 150), text(2, 150, 100), text(3, 100, 170)];
  const older = text(-5, 100, 150, { arrived_ms: at(1) });
  const sameMoment = text(0, 100, 150, { id: idOf(0) - 1000 });

  test.each<[what: string, texts: Movement[], linked: Movement[], most?: number]>([
    ['ignores texts that start at another balance', [text(1, 99, 150), text(2, 150, 100)], []],
    ['links at most the given number of texts', three, three.slice(0, 2), 2],
    ['links texts in id order', [second, back, first], [first, back, second]],
    ['ignores an older text from the head’s balance', [older], []],
    ['links a text sent within a minute of the head', [sameMoment], [sameMoment]],
    ['ignores a text sent a minute before the head', [{ ...sameMoment, id: idOf(0) - SLACK }], []],
  ])('%s', (_, texts, linked, most) => {
    expect(advance(CHAIN, texts, at(3), most).linked).toEqual(linked);
  });

  test('learns how fast the network’s ids increase', () => {
    const day = 24 * 60;
    const anchors = [-7 * day, -day].map((minute) => ({ id: idOf(minute), at_ms: at(minute) }));
    const chain = chainAt(0, 100, { clock: { ...CHAIN.clock, anchors, fastest: 1.5 } });
    expect(advance(chain, [text(60, 100, 150, { id: idOf(120) })], at(90)).chain.clock.fastest).toBeCloseTo(2);
  });

  const strays = [0, 5, 10].map((minute) => ({
    id: idOf(minute - 60 * 24 * 60),
    at_ms: at(minute),
    receipt_id: `receipt-${minute}`,
    payer: `payer-${minute}`,
  }));

  test('accepts a lower id if the network restarted its counter', () => {
    const restarted = text(11, 100, 150, { id: idOf(11 - 60 * 24 * 60) });
    const { chain } = advance({ ...CHAIN, strays }, [restarted], at(15));
    expect(headOf(chain)).toEqual({ id: restarted.id, balance: 150, at_ms: at(11) });
    expect(chain.strays).toBeUndefined();
  });

  test('keeps the head’s id if a text with a slightly lower id is linked', () => {
    const { chain } = advance({ ...CHAIN, strays }, [sameMoment], at(15));
    expect({ id: headOf(chain).id, strays: chain.strays }).toEqual({ id: idOf(0), strays: undefined });
  });

  test('ignores a text with a different sender name', () => {
    const text1 = text(1, 100, 150, { sender: 'momo' });
    expect(advance(CHAIN, [text1], at(1)).linked).toEqual([]);
    expect(oddityOf(CHAIN, text1)).toBe('sender_differs');
  });

  test('links to a balance of 0, and texts then prove nothing', () => {
    const { chain, linked } = advance(CHAIN, [text(1, 100, 0), text(2, 0, 50)], at(3));
    expect(linked).toHaveLength(2);
    expect(chain.anchor).toEqual({ balance: CHAIN.anchor.balance, at_ms: CHAIN.anchor.at_ms });
    expect(advance(CHAIN, [text(1, 100, 150)], at(3)).chain.anchor).toEqual(CHAIN.anchor);
  });

  test('ignores an id from the future once eight texts are linked', () => {
    const future = text(1, 100, 150, { id: idOf(60) });
    const linkedAfter = (links: number) => advance({ ...CHAIN, links }, [future], at(1)).linked;
    expect([7, 8].map(linkedAfter)).toEqual([[future], []]);
    expect(oddityOf({ ...CHAIN, links: 7 }, future)).toBeUndefined();
    expect(oddityOf(CHAIN, future)).toBe('clock_odd');
    expect(oddityOf(CHAIN, text(1, 100, 150))).toBe(undefined);
    expect(oddityOf(CHAIN, text(1, 100, 150, { id: idOf(-10 * 24 * 60) }))).toBe('clock_odd');
  });
});

describe('a text that follows the chain’s head', () => {
  // The text from 100 to 150 is still on its way, while the text from 150 to 100 has arrived.
  const [back, next] = [text(2, 150, 100), text(3, 100, 170)];

  const late = { arrived_ms: at(400) };
  const [jump, between] = [text(300, 100, 170, late), text(20, 40, 90, late)];
  const noSilence = { ...jump, id: idOf(0) + 30 * SLACK };
  const [payment, forged] = [text(10, 100, 170), text(9, 40, 90)];

  test.each<[what: string, texts: Movement[], minute: number, linked: Movement[]]>([
    ['waits while an older text also ends at this balance', [next, back], 3, []],
    ['is linked after two minutes', [next, back], 4, [next]],
    ['waits while a phone forwards its backlog in any order', [jump, between], 401, []],
    ['is linked two minutes after the backlog began', [jump, between], 402, [jump]],
    ['is linked immediately if the silence lasted only half an hour', [noSilence, between], 401, [noSilence]],
    [
      'is linked immediately if the other text is older than the head',
      [next, text(-1, 150, 100, { arrived_ms: at(3) })],
      3,
      [next],
    ],
    [
      'is linked immediately if the other text has the head’s id',
      [next, text(0, 150, 100, { arrived_ms: at(3) })],
      3,
      [next],
    ],
    // Otherwise a forger could delay every payment.
    ['is linked despite an unrelated text', [payment, forged], 10, [payment]],
  ])('%s', (_, texts, minute, linked) => {
    expect(advance(CHAIN, texts, at(minute)).linked).toEqual(linked);
  });
});

describe('roseAfter', () => {
  const recent = [100, 70, 70, 90, 80].map((balance, n) => ({ id: n, balance, at_ms: n }));

  test.each([
    [true, 'if incoming money follows the position', recent, 2],
    [false, 'if only outgoing money follows the position', recent, 3],
    [false, 'if the balance stayed the same', recent.slice(0, 3), 0],
    [false, 'after the last position', recent, 4],
  ])('returns %s %s', (rose, _, positions, n) => {
    expect(roseAfter({ recent: positions }, n)).toBe(rose);
  });
});

test('a reversal moves the chain’s head to the reported balance', () => {
  const head = { id: idOf(0), balance: 40, at_ms: at(5), is_reversal: true };
  expect(headOf(afterReversal(CHAIN, 40, at(5)))).toEqual(head);
  expect(headOf(afterReversal(CHAIN, 40, at(-5)))).toEqual({ ...head, at_ms: at(0) });
});

describe('asRepeated', () => {
  const one = text(1, 100, 40, { facts_hash: 'one' });

  test('marks an outgoing text with the same balances but different details', () => {
    expect(asRepeated(one, [{ ...one, facts_hash: 'other' }])).toEqual({ ...one, facts_hash: SEVERAL_TEXTS });
    expect(SEVERAL_TEXTS).toBe('several');
  });

  test.each<[what: string, repeated: Movement, other: Partial<Movement>]>([
    ['has the same details', one, {}],
    ['has another id', one, { id: idOf(2), facts_hash: 'other' }],
    ['starts at another balance', one, { before: 99, facts_hash: 'other' }],
    ['ends at another balance', one, { after: 41, facts_hash: 'other' }],
    ['is about incoming money', { ...one, facts_hash: undefined }, { facts_hash: 'other' }],
    ['is already marked', { ...one, facts_hash: SEVERAL_TEXTS }, { facts_hash: 'other' }],
  ])('does not mark a text that %s', (_, repeated, other) => {
    expect(asRepeated(repeated, [{ ...one, ...other }])).toBeUndefined();
  });
});

test('texts that do not follow the chain’s head never become the head', () => {
  const forged = Array.from({ length: 200 }, (_, n) => text(1 + n, 5000 + n * 100, 5100 + n * 100));
  const { chain, linked } = advance(CHAIN, forged, at(10_000));
  expect({ linked, head: headOf(chain) }).toEqual({ linked: [], head: headOf(CHAIN) });
});

test('a second text is linked if the first arrived 75 minutes late', () => {
  const late = text(0, 50, 100, { at_ms: at(75), arrived_ms: at(75) });
  const { chain } = advance(newChain(-1, 50), [late], at(75));
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

test('the balance before an outgoing payment includes its fees', () => {
  const moved = { id: 95_000_000_001, before: 25_075, after: 20_000 };
  expect(movementOf(OUT, ORIGIN)).toEqual({ ...ORIGIN, sender: 'mobilemoney', ...moved });
});

test('the balance before an incoming payment excludes its fees', () => {
  expect(movementOf({ ...OUT, kind: 'money_in' }, ORIGIN)).toMatchObject({ before: 15_075, after: 20_000 });
});

test.each([
  ['is not about money', { kind: 'no_money' as const }],
  ['reports no balance', { balancePesewas: null }],
  ['reports no amount', { amountPesewas: null }],
  ['has no id', { transactionId: null }],
])('movementOf returns undefined for a text that %s', (_, changed) => {
  expect(movementOf({ ...OUT, ...changed }, ORIGIN)).toBe(undefined);
});

test('movementOf limits a long id to the largest safe integer', () => {
  expect(movementOf({ ...OUT, transactionId: '9'.repeat(30) }, ORIGIN)?.id).toBe(Number.MAX_SAFE_INTEGER);
});
