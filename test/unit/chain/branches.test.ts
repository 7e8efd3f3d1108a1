import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  branchesOf,
  branchInQuestion,
  continuing,
  differenceOf,
  doubtfulIn,
  fillGap,
  type Gap,
  leadingInto,
  newerBranches,
  openGaps,
  openQuestion,
  overtakenLoop,
  pathTo,
  paymentsOf,
} from '../../../shared/wallets/chain/branches.ts';
import { type Movement, OVERTAKEN_MS } from '../../../shared/wallets/chain/chain.ts';
import { sameMoment } from '../../../shared/wallets/chain/network-clock.ts';
import { at, chainAt, idOf, newChain, text } from './texts.ts';

const CHAIN = chainAt(0, 100);
/** The same chain five days later. */
const LATER = chainAt(5 * 24 * 60, 900);
const placeAt = (minute: number, balance: number) => ({ id: idOf(minute), balance, at_ms: at(minute) });
/** Number of ids by which two payments of the same moment may be out of order. */
const SLACK = sameMoment(CHAIN.clock, CHAIN.network);
const GAP: Gap = { from: placeAt(0, 100), to: placeAt(10, 180) };

describe('branchesOf', () => {
  test('groups consecutive texts in id order', () => {
    const [one, two, other] = [text(1, 500, 600), text(3, 600, 550), text(2, 70, 80)];
    const branches = branchesOf(CHAIN, [two, other, one]);
    expect(branches.map(({ texts }) => texts)).toEqual([[one, two], [other]]);
    expect(branches[0]).toMatchObject({ from: { balance: 500 }, to: { id: two.id, balance: 550 } });
  });

  test('joins two branches when the text between them arrives', () => {
    const texts = [text(1, 500, 600), text(3, 650, 700)];
    expect(branchesOf(CHAIN, texts)).toHaveLength(2);
    expect(branchesOf(CHAIN, [...texts, text(2, 600, 650)])).toHaveLength(1);
  });
});

describe('openGaps', () => {
  test('returns a gap before each branch of two or more texts', () => {
    const waiting = [text(1, 136, 150), text(2, 150, 160), text(3, 120, 130), text(4, 130, 140), text(5, 7, 8)];
    expect(openGaps(CHAIN, branchesOf(CHAIN, waiting)).map(differenceOf)).toEqual([36, -40]);
  });

  test('returns a gap before a branch that starts with the head’s id', () => {
    const waiting = [text(0, 136, 150), text(1, 150, 160)];
    expect(openGaps(CHAIN, branchesOf(CHAIN, waiting)).map(differenceOf)).toEqual([36]);
  });

  test('returns no gap before a branch older than the head', () => {
    const waiting = [text(-3, 136, 150), text(-2, 150, 160)];
    expect(openGaps(CHAIN, branchesOf(CHAIN, waiting))).toEqual([]);
  });
});

describe('fillGap', () => {
  const [first, last] = [text(4, 100, 130), text(6, 130, 180)];
  const missing = text(5, 100, 180, { arrived_ms: at(5 * 24 * 60) });
  const late = { at_ms: at(5 * 24 * 60) };

  test.each([
    ['a missing text that is forwarded days later', [missing], [missing]],
    ['several texts in any order', [last, first], [first, last]],
    ['nothing before the gap can be filled completely', [first], []],
    ['nothing if a different text lies within the gap', [first, last, text(5, 7000, 8000)], []],
    ['a text despite a later one outside the gap', [missing, text(11, 180, 190)], [missing]],
    ['nothing if a text reached its phone days late', [first, { ...last, ...late }], []],
    ['no text with an id outside the gap', [text(11, 100, 180)], []],
    ['no text with the id of the text before the gap', [text(0, 100, 180)], []],
    ['no text with the id of the text after the gap', [text(10, 100, 180)], []],
    ['no text that fits neither end', [text(5, 110, 170)], []],
    ['no text from another sender', [text(5, 100, 180, { sender: 'momo' })], []],
  ])('links %s', (_, texts, linked) => {
    expect(fillGap(LATER, GAP, texts)).toEqual(linked);
  });

  test('links nothing if filling the gap needs more texts than the given number', () => {
    expect(fillGap(LATER, GAP, [first, last], 2)).toEqual([first, last]);
    expect(fillGap(LATER, GAP, [first, last], 1)).toEqual([]);
  });
});

describe('pathTo', () => {
  const from = { id: idOf(0), balance: 100 };
  const [one, two, three] = [text(1, 100, 150), text(2, 150, 90), text(3, 90, 120)];

  const forged = [text(0.5, 100, 590), text(1.5, 150, 640), text(2.5, 7000, 8000)];
  const loop = [one, text(2, 150, 100), text(3, 100, 150)];
  const [out, back, away] = [text(1, 100, 90), text(3, 90, 150), text(2.5, 150, 90)];

  test.each([
    ['omits texts that do not lead to the balance', [...forged, three, two, one], 120, [one, two, three]],
    ['continues to the last text that ends at the balance', loop, 150, loop],
    ['returns undefined if a text is missing', [one, three], 120, undefined],
    ['returns undefined if a text is older than the previous text', [one, text(-3, 150, 90), three], 120, undefined],
    ['returns undefined if the first text is older than the start', [text(-3, 100, 120)], 120, undefined],
    ['returns undefined if the first text’s id is too low', [{ ...one, id: from.id - SLACK }], 150, undefined],
    [
      'accepts a first text with a slightly lower id',
      [{ ...one, id: from.id - SLACK + 1 }],
      150,
      [{ ...one, id: from.id - SLACK + 1 }],
    ],
    ['stops at the balance if no text leads back to it', [out, back, away], 150, [out, back]],
  ])('%s', (_, texts, balance, path) => {
    expect(pathTo(CHAIN, texts, from, balance)).toEqual(path);
  });
});

test('`continuing` finds every text on each path from a position', () => {
  const [one, two, other] = [text(1, 100, 150), text(2, 150, 90), text(3, 100, 70)];
  const texts = [two, text(4, 71, 80), other, one, text(-5, 90, 10)];
  const found = continuing(CHAIN, texts, [{ id: idOf(0), balance: 100 }]);
  expect([...found]).toEqual([other, one, two]);
});

test('`continuing` finds no text older than the position', () => {
  const older = (ids: number) => text(0, 100, 150, { id: idOf(0) - ids });
  const found = continuing(CHAIN, [older(SLACK), older(SLACK - 1)], [{ id: idOf(0), balance: 100 }]);
  expect([...found]).toEqual([older(SLACK - 1)]);
});

describe('leadingInto', () => {
  const next = { id: idOf(2), before: 150 };
  const [early, late] = [text(0.5, 70, 100), text(1, 100, 150)];

  test('finds all texts that lead to the given text', () => {
    expect([...leadingInto(CHAIN, [early, late], [next])]).toEqual([late, early]);
  });

  test.each([
    ['is newer than the given text', [text(4, 100, 150)], []],
    ['has too high an id for the given text', [{ ...late, id: next.id + SLACK }], []],
    ['is newer than the next text', [{ ...early, id: idOf(2.9) }, late], [late]],
    ['has too high an id for the next text', [{ ...early, id: late.id + SLACK }, late], [late]],
  ])('ignores a text that %s', (_, texts, found) => {
    expect([...leadingInto(CHAIN, texts, [next])]).toEqual(found);
  });
});

describe('doubtfulIn', () => {
  const from = { id: idOf(0), balance: 100 };
  const path = [text(1, 100, 150), text(2, 150, 190), text(3, 190, 260)];
  const [one, two, three] = path;
  const moved = (one: Movement, ids: number) => ({ ...one, id: one.id + ids });

  test.each([
    ['returns nothing if no other text touches the path', [text(2, 7000, 8000)], []],
    ['returns the whole path if a second path leads around it', [text(1.2, 150, 4000), text(1.4, 4000, 190)], path],
    ['returns the texts up to the balance at which another text ends', [text(1.9, 77, 190)], [one, two]],
    ['returns the texts after the balance at which another text starts', [text(2.5, 190, 777)], [three]],
    ['returns nothing if the other texts are older than the head', [text(-9, 190, 777), text(-9, 77, 190)], []],
    ['returns nothing if the other text’s id is too low for the head', [moved(text(0, 77, 190), -SLACK)], []],
    [
      'returns the texts up to the end of a text sent at the same time as the head',
      [moved(text(0, 77, 190), 1 - SLACK)],
      [one, two],
    ],
    ['returns the whole path if another text starts at the head', [text(0.5, 100, 777)], path],
    ['returns nothing if the other text is older than its starting balance', [text(0.5, 190, 777)], []],
    [
      'returns nothing if the other text’s id is too low for its starting balance',
      [moved(text(2, 190, 777), -SLACK)],
      [],
    ],
    [
      'returns the texts after the newer of two texts from the same balance',
      [text(0.5, 190, 777), text(2.5, 190, 778)],
      [three],
    ],
    ['returns nothing if the other text is much newer than the path’s next text', [text(4.5, 77, 190)], []],
    [
      'returns nothing if the other text’s id is too high for the path’s next text',
      [moved(text(3, 77, 190), SLACK)],
      [],
    ],
    ['returns the texts up to the end of a text older than the path’s next text', [text(2.5, 77, 190)], [one, two]],
    [
      'returns the texts up to the end of the older of two texts to the same balance',
      [text(1.9, 77, 190), text(4.5, 78, 190)],
      [one, two],
    ],
  ])('%s', (_, others, doubtful) => {
    expect(doubtfulIn(CHAIN, [...path, ...others], from, path)).toEqual(doubtful);
  });

  test('returns texts that lead back to an earlier balance', () => {
    const loop = [text(1, 100, 5000), text(2, 5000, 100), text(3, 100, 130)];
    expect(doubtfulIn(CHAIN, loop, from, loop)).toEqual(loop.slice(0, 2));
  });
});

describe('overtakenLoop', () => {
  const [out, back] = [text(1, 100, 150), text(2, 150, 100)];
  // A text from minute 3 that starts at 100 has already been linked.
  const recent = [...CHAIN.recent.slice(-2), { id: idOf(3), balance: 170, at_ms: at(3) }];
  const chain = { ...CHAIN, recent };
  const arrived = (minute: number) => [out, back].map((one) => ({ ...one, arrived_ms: at(minute) }));

  test('returns late texts that leave the balance unchanged', () => {
    expect(overtakenLoop(chain, arrived(4))).toEqual(arrived(4));
  });

  test.each([
    ['arrive too late', arrived(5)],
    ['are incomplete', arrived(4).slice(0, 1)],
    ['start at another balance', [text(1, 99, 150), text(2, 150, 99)]],
    ['are older than the text before them', [text(-2, 100, 150), text(-1, 150, 100)]],
    ['have the id of the text before them', [text(0, 100, 150), text(1, 150, 100)]],
    ['are newer than the linked text', [text(3.5, 100, 150), text(3.6, 150, 100)]],
    ['have the id of the linked text', [text(2, 100, 150), text(3, 150, 100)]],
    ['come from another sender', arrived(4).map((one) => ({ ...one, sender: 'momo' }))],
  ])('ignores texts that %s', (_, texts) => {
    expect(overtakenLoop(chain, texts)).toEqual([]);
  });
});

describe('branchInQuestion', () => {
  const [first, second] = [text(5, 500, 600), text(6, 600, 650)];
  const branch = [first, second];
  const late = (minute: number, arrivedMinute: number) => text(minute, 9000, 9100, { arrived_ms: at(arrivedMinute) });
  const asked = (waiting: readonly Movement[], minute = 30, chain = CHAIN) =>
    branchInQuestion(chain, waiting, at(minute))?.to.balance;

  test('returns a branch ten minutes after its first text arrived', () => {
    expect(asked(branch, 15)).toBe(650);
    expect(asked(branch, 14.99)).toBeUndefined();
    expect(asked([{ ...first, arrived_ms: at(12) }, second], 16)).toBe(650);
  });

  test.each([
    ['no branch while a phone forwards a backlog', late(17, 28), undefined],
    ['a branch three minutes after a late text arrived', late(16, 27), 650],
    ['a branch if the late text was only ten minutes late', late(18, 28), 650],
  ])('returns %s', (_, other, balance) => {
    expect(asked([...branch, other])).toBe(balance);
  });

  test.each([
    ['skips a branch more than two minutes older than the head', at(0) - OVERTAKEN_MS - 1, undefined],
    ['returns a branch two minutes older than the head', at(0) - OVERTAKEN_MS, 600],
  ])('%s', (_, at_ms, balance) => {
    expect(asked([text(5, 500, 600, { at_ms })])).toBe(balance);
  });

  test('never returns a branch that the owner was already asked about', () => {
    expect(asked(branch.map((one) => ({ ...one, asked_ms: at(20) })))).toBeUndefined();
  });

  test('returns at once a branch of two texts that does not continue a new anchor', () => {
    const [lone, misread] = [newChain(4, 100), text(5, 500, 600)];
    expect(asked([misread, second], 6, lone)).toBe(650);
    expect(asked([misread], 6, lone)).toBeUndefined();
    expect(asked([misread, second], 6, { ...lone, links: 1 })).toBeUndefined();
  });

  test('never returns a branch that ends at the head’s balance', () => {
    expect(asked([text(5, 500, 600), text(6, 600, 100)])).toBeUndefined();
  });

  test('prefers a branch from the head', () => {
    expect(asked([...branch, text(7, 100, 130)])).toBe(130);
    expect(asked([text(4, 100, 130), ...branch])).toBe(130);
    expect(asked([text(4, 700, 750), ...branch])).toBe(650);
    expect(asked([...branch, text(7, 700, 750)])).toBe(650);
  });
});

test('openQuestion returns the branch that the owner was asked about last', () => {
  const branchAsked = (...minutes: readonly (number | undefined)[]) => {
    const waiting = minutes.map((minute, n) =>
      text(5 + n, 500 * n, 600, minute === undefined ? {} : { asked_ms: at(minute) }),
    );
    return openQuestion(CHAIN, waiting)?.branch.from.balance;
  };
  expect(branchAsked(25, 20, undefined)).toBe(0);
  expect(branchAsked(19, 20, undefined)).toBe(500);
  expect(branchAsked(undefined, undefined)).toBeUndefined();
});

test('newerBranches omits texts older than the head', () => {
  const newer = text(5, 600, 650);
  const older = (ids: number) => ({ ...text(0, 500, 600), id: idOf(0) - ids });
  const textsOf = (waiting: readonly Movement[]) => newerBranches(CHAIN, waiting).map(({ texts }) => texts);
  expect(textsOf([older(SLACK), newer])).toEqual([[newer]]);
  expect(textsOf([older(SLACK - 1), newer])).toEqual([[older(SLACK - 1), newer]]);
});

describe('paymentsOf', () => {
  const paid = { ...text(5, 100, 150, { receipt_id: 'MTN#1' }), state: 'linked' };

  test.each([
    ['includes a linked payment of the amount', paid, true],
    ['includes a payment without a state', { ...paid, state: undefined }, true],
    ['excludes a payment of another amount', { ...paid, before: 99 }, false],
    ['excludes outgoing money', { ...paid, before: 150, after: 100 }, false],
    ['excludes a text without a payment', { ...paid, receipt_id: undefined }, false],
    ['excludes a payment that was never linked', { ...paid, state: 'waiting' }, false],
    ['excludes a payment after the reversal', { ...paid, id: idOf(11) }, false],
    ['excludes a payment with the id of the reversal', { ...paid, id: idOf(10) }, false],
    ['excludes a payment from 30 days earlier', { ...paid, at_ms: at(10) - 30 * DAY_MS }, false],
    ['includes a payment from just under 30 days earlier', { ...paid, at_ms: at(10) - 30 * DAY_MS + 1 }, true],
  ])('%s', (_, one, isPossible) => {
    expect(paymentsOf(50, GAP, [one])).toEqual(isPossible ? [one] : []);
  });
});
