import { describe, expect, test } from 'vitest';
import {
  branchesOf,
  continuing,
  differenceOf,
  doubtfulIn,
  fillGap,
  type Gap,
  openGaps,
  overtakenLoop,
  pathTo,
} from '../../../shared/wallets/chain/branches.ts';
import { at, chainAt, idOf, text } from './texts.ts';

const CHAIN = chainAt(0, 100);
/** The same chain five days later. */
const LATER = chainAt(5 * 24 * 60, 900, { established_ms: 0 });
const placeAt = (minute: number, balance: number) => ({ id: idOf(minute), balance, at_ms: at(minute) });
const GAP: Gap = { from: placeAt(0, 100), to: placeAt(10, 180) };

describe('branches', () => {
  test('a branch contains consecutive texts in the order of their ids', () => {
    const [one, two, other] = [text(1, 500, 600), text(3, 600, 550), text(2, 70, 80)];
    const branches = branchesOf(CHAIN, [two, other, one]);
    expect(branches.map(({ texts }) => texts)).toEqual([[one, two], [other]]);
    expect(branches[0]).toMatchObject({ from: { balance: 500 }, to: { id: two.id, balance: 550 } });
  });

  test('two branches become one when the text between them arrives', () => {
    const texts = [text(1, 500, 600), text(3, 650, 700)];
    expect(branchesOf(CHAIN, texts)).toHaveLength(2);
    expect(branchesOf(CHAIN, [...texts, text(2, 600, 650)])).toHaveLength(1);
  });
});

describe('gaps in the chain that are still open', () => {
  test('each branch of at least two texts has a gap with the amount that moved without a text', () => {
    const waiting = [text(1, 136, 150), text(2, 150, 160), text(3, 120, 130), text(4, 130, 140), text(5, 7, 8)];
    expect(openGaps(CHAIN, branchesOf(CHAIN, waiting)).map(differenceOf)).toEqual([36, -40]);
  });

  test('a branch of texts that are older than the head has no gap', () => {
    const waiting = [text(-3, 136, 150), text(-2, 150, 160)];
    expect(openGaps(CHAIN, branchesOf(CHAIN, waiting))).toEqual([]);
  });
});

describe('filling a gap in the chain', () => {
  test('the missing text fills the gap even if its phone forwards it days later', () => {
    const missing = text(5, 100, 180, { arrived_ms: at(5 * 24 * 60) });
    expect(fillGap(LATER, GAP, [missing])).toEqual({ gap: undefined, linked: [missing] });
  });

  test('texts at either end make the gap smaller', () => {
    const [first, last] = [text(2, 100, 120), text(8, 150, 180)];
    const { gap, linked } = fillGap(CHAIN, GAP, [last, first]);
    expect(linked).toHaveLength(2);
    expect(gap).toMatchObject({ from: { id: first.id, balance: 120 }, to: { id: last.id, balance: 150 } });
  });

  test.each([
    ['has an id outside the gap', text(11, 100, 180)],
    ['fits neither end', text(5, 110, 170)],
    ['comes from another sender', text(5, 100, 180, { sender: 'momo' })],
    ['reached its phone days later', text(5, 100, 180, { at_ms: at(5 * 24 * 60) })],
  ])('a text does not fill the gap if it %s', (_, one) => {
    expect(fillGap(LATER, GAP, [one])).toEqual({ gap: GAP, linked: [] });
  });

  test('the missing text fills the gap even if 50 forged texts compete for it', () => {
    const forged = Array.from({ length: 50 }, (_, n) => text(1 + n / 50, 7000 + n, 8000));
    const missing = text(5, 100, 180);
    expect(fillGap(CHAIN, GAP, [...forged, missing], 30).linked).toEqual([missing]);
  });
});

describe('filling a gap in the chain in enforce mode', () => {
  const [first, last] = [text(4, 100, 130), text(6, 130, 180)];

  test('the gap stays open until it is filled completely, because a single balance can be guessed', () => {
    expect(fillGap(LATER, GAP, [first])).toEqual({ gap: GAP, linked: [] });
    expect(fillGap(LATER, GAP, [last, first])).toEqual({ gap: undefined, linked: [first, last] });
  });

  test('the gap stays open while a second text also fits into it', () => {
    expect(fillGap(LATER, GAP, [first, last, text(5, 7000, 8000)])).toEqual({ gap: GAP, linked: [] });
  });
});

describe('the path of texts to a balance', () => {
  const from = { id: idOf(0), balance: 100 };
  const [one, two, three] = [text(1, 100, 150), text(2, 150, 90), text(3, 90, 120)];

  const forged = [text(0.5, 100, 590), text(1.5, 150, 640), text(2.5, 7000, 8000)];
  const loop = [one, text(2, 150, 100), text(3, 100, 150)];

  test.each([
    [
      'excludes texts that do not lead to the balance, wherever they start',
      [...forged, three, two, one],
      120,
      [one, two, three],
    ],
    ['extends to the last text that ends at the balance', loop, 150, loop],
    ['does not exist when a text is missing', [one, three], 120, undefined],
    ['does not exist when a text is older than its predecessor', [one, text(-3, 150, 90), three], 120, undefined],
  ])('%s', (_, texts, balance, path) => {
    expect(pathTo(CHAIN, texts, from, balance)).toEqual(path);
  });
});

test('all texts that continue from a position are found, on every path', () => {
  const [one, two, other] = [text(1, 100, 150), text(2, 150, 90), text(3, 100, 70)];
  const texts = [two, text(4, 71, 80), other, one, text(-5, 90, 10)];
  const found = continuing(CHAIN, texts, [{ id: idOf(0), balance: 100 }]);
  expect([...found]).toEqual([other, one, two]);
});

describe('texts in doubt after the owner confirmed the balance at the end of a path', () => {
  const from = { id: idOf(0), balance: 100 };
  const path = [text(1, 100, 150), text(2, 150, 190), text(3, 190, 260)];
  const [one, two, three] = path;

  test.each([
    ['none of the path when no other text touches the path', [text(2, 7000, 8000)], []],
    ['the whole path when a second path leads around it', [text(1.2, 150, 4000), text(1.4, 4000, 190)], path],
    [
      'everything before the end of another text, because the text before that one may be lost',
      [text(1.9, 77, 190)],
      [one, two],
    ],
    [
      'everything after the start of another text, because the text after that one may be lost',
      [text(2.5, 190, 777)],
      [three],
    ],
    ['none of the path when the other texts are older than the head', [text(-9, 190, 777), text(-9, 77, 190)], []],
  ])('%s', (_, others, doubtful) => {
    expect(doubtfulIn(CHAIN, [...path, ...others], from, path)).toEqual(doubtful);
  });

  test('incoming money is in doubt if the same amount was sent out again', () => {
    const loop = [text(1, 100, 5000), text(2, 5000, 100), text(3, 100, 130)];
    expect(doubtfulIn(CHAIN, loop, from, loop)).toEqual(loop.slice(0, 2));
  });
});

describe('texts that lead back to the balance at which they started', () => {
  const [out, back] = [text(1, 100, 150), text(2, 150, 100)];
  // A text from minute 3 that starts at 100 has already been linked.
  const recent = [...CHAIN.recent.slice(-2), { id: idOf(3), balance: 170, at_ms: at(3) }];
  const chain = { ...CHAIN, recent };
  const arrived = (minute: number) => [out, back].map((one) => ({ ...one, arrived_ms: at(minute) }));

  test('the texts are added to the chain after the text that overtook them', () => {
    expect(overtakenLoop(chain, arrived(4))).toEqual(arrived(4));
  });

  test.each([
    ['arrive later than the limit for overtaken texts', arrived(5)],
    ['are incomplete', arrived(4).slice(0, 1)],
    ['start at another balance', [text(1, 99, 150), text(2, 150, 99)]],
    ['come from another sender', arrived(4).map((one) => ({ ...one, sender: 'momo' }))],
  ])('the texts are not added to the chain if they %s', (_, texts) => {
    expect(overtakenLoop(chain, texts)).toEqual([]);
  });
});
