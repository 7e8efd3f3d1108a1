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
/** Five days later. */
const LATER = chainAt(5 * 24 * 60, 900, { established_ms: 0 });
const placeAt = (minute: number, balance: number) => ({ id: idOf(minute), balance, at_ms: at(minute) });
const GAP: Gap = { from: placeAt(0, 100), to: placeAt(10, 180) };

describe('branches', () => {
  test('are the texts that continue each other, in the order of their ids', () => {
    const [one, two, other] = [text(1, 500, 600), text(3, 600, 550), text(2, 70, 80)];
    const branches = branchesOf(CHAIN, [two, other, one]);
    expect(branches.map(({ texts }) => texts)).toEqual([[one, two], [other]]);
    expect(branches[0]).toMatchObject({ from: { balance: 500 }, to: { id: two.id, balance: 550 } });
  });

  test('meet when the text between them comes', () => {
    const texts = [text(1, 500, 600), text(3, 650, 700)];
    expect(branchesOf(CHAIN, texts)).toHaveLength(2);
    expect(branchesOf(CHAIN, [...texts, text(2, 600, 650)])).toHaveLength(1);
  });
});

describe('open breaks', () => {
  test('tell what came or went without a text, before each branch of two texts or more', () => {
    const waiting = [text(1, 136, 150), text(2, 150, 160), text(3, 120, 130), text(4, 130, 140), text(5, 7, 8)];
    expect(openGaps(CHAIN, branchesOf(CHAIN, waiting)).map(differenceOf)).toEqual([36, -40]);
  });

  test('are none before texts that are older than the head', () => {
    const waiting = [text(-3, 136, 150), text(-2, 150, 160)];
    expect(openGaps(CHAIN, branchesOf(CHAIN, waiting))).toEqual([]);
  });
});

describe('a break is filled', () => {
  test('by the text that is missing, though its phone posts it days later', () => {
    const missing = text(5, 100, 180, { arrived_ms: at(5 * 24 * 60) });
    expect(fillGap(LATER, GAP, [missing])).toEqual({ gap: undefined, linked: [missing] });
  });

  test('from both ends, as far as the texts go', () => {
    const [first, last] = [text(2, 100, 120), text(8, 150, 180)];
    const { gap, linked } = fillGap(CHAIN, GAP, [last, first]);
    expect(linked).toHaveLength(2);
    expect(gap).toMatchObject({ from: { id: first.id, balance: 120 }, to: { id: last.id, balance: 150 } });
  });

  test.each([
    ['with an id from outside of it', text(11, 100, 180)],
    ['that fits neither end', text(5, 110, 170)],
    ['from another sender', text(5, 100, 180, { sender: 'momo' })],
    ['that its phone got days later', text(5, 100, 180, { at_ms: at(5 * 24 * 60) })],
  ])('by no text %s', (_, one) => {
    expect(fillGap(LATER, GAP, [one])).toEqual({ gap: GAP, linked: [] });
  });

  test('whatever else is said to lie in it: a forger cannot crowd the missing text out', () => {
    const forged = Array.from({ length: 50 }, (_, n) => text(1 + n / 50, 7000 + n, 8000));
    const missing = text(5, 100, 180);
    expect(fillGap(CHAIN, GAP, [...forged, missing], 30).linked).toEqual([missing]);
  });
});

describe('a break of a chain that decides is filled', () => {
  const [first, last] = [text(4, 100, 130), text(6, 130, 180)];

  test('only whole: one balance can be guessed', () => {
    expect(fillGap(LATER, GAP, [first])).toEqual({ gap: GAP, linked: [] });
    expect(fillGap(LATER, GAP, [last, first])).toEqual({ gap: undefined, linked: [first, last] });
  });

  test('only if nothing else claims a place in it', () => {
    expect(fillGap(LATER, GAP, [first, last, text(5, 7000, 8000)])).toEqual({ gap: GAP, linked: [] });
  });
});

describe('the path to a balance', () => {
  const from = { id: idOf(0), balance: 100 };
  const [one, two, three] = [text(1, 100, 150), text(2, 150, 90), text(3, 90, 120)];

  const forged = [text(0.5, 100, 590), text(1.5, 150, 640), text(2.5, 7000, 8000)];
  const loop = [one, text(2, 150, 100), text(3, 100, 150)];

  test.each([
    ['leaves out what leads nowhere, wherever it begins', [...forged, three, two, one], 120, [one, two, three]],
    ['goes as far as any text ends at the balance', loop, 150, loop],
    ['is none where a text is missing', [one, three], 120, undefined],
    ['is none where one is older than the one before it', [one, text(-3, 150, 90), three], 120, undefined],
  ])('%s', (_, texts, balance, path) => {
    expect(pathTo(CHAIN, texts, from, balance)).toEqual(path);
  });
});

test('what leads on from a place is found, to the end of each way', () => {
  const [one, two, other] = [text(1, 100, 150), text(2, 150, 90), text(3, 100, 70)];
  const texts = [two, text(4, 71, 80), other, one, text(-5, 90, 10)];
  const found = continuing(CHAIN, texts, [{ id: idOf(0), balance: 100 }]);
  expect([...found]).toEqual([other, one, two]);
});

describe('a word about the end of a path leaves in doubt', () => {
  const from = { id: idOf(0), balance: 100 };
  const path = [text(1, 100, 150), text(2, 150, 190), text(3, 190, 260)];
  const [one, two, three] = path;

  test.each([
    ['nothing of it, where no other text touches it', [text(2, 7000, 8000)], []],
    ['what another way leads past', [text(1.2, 150, 4000), text(1.4, 4000, 190)], path],
    ['what comes before the end of another text, as the one before that may be lost', [text(1.9, 77, 190)], [one, two]],
    ['what comes after the beginning of another, as the one after that may be lost', [text(2.5, 190, 777)], [three]],
    ['nothing of it for texts from before the head', [text(-9, 190, 777), text(-9, 77, 190)], []],
  ])('%s', (_, others, doubtful) => {
    expect(doubtfulIn(CHAIN, [...path, ...others], from, path)).toEqual(doubtful);
  });

  test('what came in and went out again', () => {
    const loop = [text(1, 100, 5000), text(2, 5000, 100), text(3, 100, 130)];
    expect(doubtfulIn(CHAIN, loop, from, loop)).toEqual(loop.slice(0, 2));
  });
});

describe('texts that lead back to where they began', () => {
  const [out, back] = [text(1, 100, 150), text(2, 150, 100)];
  // A text of minute 3 that begins at 100 has linked without them.
  const recent = [...CHAIN.recent.slice(-2), { id: idOf(3), balance: 170, at_ms: at(3) }];
  const chain = { ...CHAIN, recent };
  const arrived = (minute: number) => [out, back].map((one) => ({ ...one, arrived_ms: at(minute) }));

  test('join behind the text that overtook them', () => {
    expect(overtakenLoop(chain, arrived(4))).toEqual(arrived(4));
  });

  test.each([
    ['come later than texts are overtaken', arrived(5)],
    ['are not whole', arrived(4).slice(0, 1)],
    ['begin at another balance', [text(1, 99, 150), text(2, 150, 99)]],
    ['come from another sender', arrived(4).map((one) => ({ ...one, sender: 'momo' }))],
  ])('do not if they %s', (_, texts) => {
    expect(overtakenLoop(chain, texts)).toEqual([]);
  });
});
