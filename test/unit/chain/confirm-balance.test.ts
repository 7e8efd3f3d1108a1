import { describe, expect, test } from 'vitest';
import { differenceOf, type Gap } from '../../../shared/wallets/chain/branches.ts';
import { type Chain, headOf, type Movement } from '../../../shared/wallets/chain/chain.ts';
import { confirmBalance, denyBalance } from '../../../shared/wallets/chain/confirm-balance.ts';
import { NEW_CLOCK, sameMoment } from '../../../shared/wallets/chain/network-clock.ts';
import { at, chainAt, IDS_A_MINUTE, idOf, text } from './texts.ts';

const CHAIN = chainAt(0, 100);
/** Number of ids by which two payments of the same moment may be out of order. */
const SLACK = sameMoment(CHAIN.clock, CHAIN.network);
/** 36 pesewas arrived without a text before this branch. */
const BRANCH = [text(1, 136, 150), text(2, 150, 160), text(3, 160, 190)];
const FORGED = [text(4, 5000, 9000), text(5, 9000, 9500)];

describe('confirming a balance', () => {
  test('makes the end of the branch the head', () => {
    const { chain, linked, gaps } = confirmBalance({ chain: CHAIN, waiting: [...FORGED, ...BRANCH], gaps: [] }, 190);
    expect({ linked, gaps: gaps.map(differenceOf) }).toEqual({ linked: BRANCH, gaps: [36] });
    expect(headOf(chain)).toMatchObject({ id: idOf(3), balance: 190 });
    expect(chain).toMatchObject({ links: 103, unbroken_since_ms: at(1) });
  });

  test('does not verify later texts of the branch', () => {
    const { chain, linked } = confirmBalance({ chain: CHAIN, waiting: BRANCH, gaps: [] }, 150);
    expect(linked).toEqual(BRANCH.slice(0, 1));
    expect(headOf(chain).balance).toBe(150);
  });

  test('splits the gap that contains the branch', () => {
    const head = chainAt(20, 500);
    const placeAt = (minute: number, balance: number) => ({ id: idOf(minute), balance, at_ms: at(minute) });
    const gap: Gap = { from: placeAt(0, 100), to: placeAt(10, 400) };
    const { chain, linked, gaps, filled } = confirmBalance({ chain: head, waiting: BRANCH, gaps: [gap] }, 190);
    expect({ chain, linked, filled }).toEqual({ chain: head, linked: BRANCH, filled: gap });
    expect(gaps.map(differenceOf)).toEqual([36, 210]);
  });

  test('leaves a gap on each side of an older branch', () => {
    const recent = [headOf(CHAIN), { id: idOf(10), balance: 170, at_ms: at(10) }];
    const { linked, gaps, filled } = confirmBalance({ chain: { ...CHAIN, recent }, waiting: BRANCH, gaps: [] }, 190);
    expect({ linked, filled }).toEqual({ linked: BRANCH, filled: undefined });
    expect(gaps.map(differenceOf)).toEqual([36, -90]);
  });

  test('leaves no gap if the branch is older than all known positions', () => {
    const { linked, gaps } = confirmBalance({ chain: chainAt(600, 100), waiting: BRANCH, gaps: [] }, 190);
    expect({ linked, gaps }).toEqual({ linked: BRANCH, gaps: [] });
  });

  test('resets the network’s clock if the ids were unexpected', () => {
    const id = idOf(0) + 1_000_000 * IDS_A_MINUTE;
    const branch = [text(1, 136, 150, { id }), text(2, 150, 160, { id: id + IDS_A_MINUTE })];
    const { chain } = confirmBalance({ chain: CHAIN, waiting: branch, gaps: [] }, 160);
    expect(chain.clock.anchors).toEqual([{ id, at_ms: at(1) }]);
  });
});

describe('confirming a branch older than the chain’s head', () => {
  const anchors = [{ id: 1, at_ms: 1 }];
  const HEAD = chainAt(20, 500, { clock: { ...NEW_CLOCK, anchors } });
  const enforcing = { ...HEAD, established_ms: 0 };
  const passing = [text(5, 136, 150), text(20, 150, 190, { id: idOf(20) + 1 })];
  const headAfter = (chain: Chain, waiting: Movement[], isNow: boolean) =>
    headOf(confirmBalance({ chain, waiting, gaps: [] }, 190, { isNow }).chain);

  test.each<[string, number, Chain, Movement[], boolean]>([
    ['keeps the head if the wallet had the balance in the past', 500, HEAD, BRANCH, false],
    ['moves the head if the balance is current', 190, HEAD, BRANCH, true],
    ['keeps the head of an established chain', 500, enforcing, BRANCH, true],
    ['moves the head if the branch ends after the head', 190, HEAD, passing, false],
    ['moves the head of an established chain if the branch ends after it', 190, enforcing, passing, false],
    ['keeps the head if the branch ends with the head’s id', 500, HEAD, [text(5, 136, 150), text(20, 150, 190)], false],
  ])('%s', (_, balance, chain, waiting, isNow) => {
    expect(headAfter(chain, waiting, isNow).balance).toBe(balance);
  });

  test('removes all later positions', () => {
    const { chain, linked, gaps } = confirmBalance({ chain: HEAD, waiting: BRANCH, gaps: [] }, 190, { isNow: true });
    expect({ linked, gaps, clock: chain.clock }).toEqual({ linked: BRANCH, gaps: [], clock: NEW_CLOCK });
    expect(chain.recent.map(({ balance }) => balance)).toEqual([150, 160, 190]);
    expect(chain).toMatchObject({ links: 103, outgoing_links: 20, unbroken_since_ms: at(1) });
  });

  test('leaves a gap after the last earlier position', () => {
    const { chain, gaps } = confirmBalance(
      { chain: HEAD, waiting: [text(18.5, 136, 150), ...passing.slice(1)], gaps: [] },
      190,
    );
    expect(gaps).toEqual([{ from: HEAD.recent.at(-3), to: { id: idOf(18.5), balance: 136, at_ms: at(18.5) } }]);
    expect(chain.recent.slice(-3).map(({ balance }) => balance)).toEqual([-1, 150, 190]);
    expect(chain.clock).toEqual(HEAD.clock);
  });

  test('leaves a gap after the head if no earlier position is known', () => {
    const { gaps } = confirmBalance({ chain: HEAD, waiting: passing, gaps: [] }, 190);
    expect(gaps.map(({ from }) => from)).toEqual([headOf(HEAD)]);
  });

  test('counts outgoing texts', () => {
    const out = [text(21, 700, 650, { sender: 'momo' }), text(22, 650, 650, { sender: 'momo' })];
    const { chain } = confirmBalance({ chain: HEAD, waiting: out, gaps: [] }, 650);
    expect(chain).toMatchObject({ links: 102, outgoing_links: 21, sender: 'momo' });
  });

  test('moves the head only if the branch starts close to the head', () => {
    const begun = (ids: number) => [text(20, 136, 190, { id: idOf(20) - ids })];
    expect(headAfter(enforcing, begun(SLACK - 1), false).balance).toBe(190);
    expect(headAfter(enforcing, begun(SLACK), false).balance).toBe(500);
  });
});

test.each([
  ['a balance that no text reports', 77_700],
  ['the balance of the head', 100],
])('nothing changes if the owner confirms %s', (_, balance) => {
  const same = { chain: CHAIN, linked: [], gaps: [] };
  expect(confirmBalance({ chain: CHAIN, waiting: [...FORGED, ...BRANCH], gaps: [] }, balance)).toEqual(same);
});

test('nothing changes if the confirmed balance is the chain’s current balance', () => {
  const same = { chain: CHAIN, linked: [], gaps: [] };
  expect(confirmBalance({ chain: CHAIN, waiting: [text(1, 136, 100)], gaps: [] }, 100)).toEqual(same);
});

test('denying a balance marks only its own branch as false', () => {
  expect(denyBalance(CHAIN, [...BRANCH, ...FORGED], 150)).toEqual(BRANCH);
  expect(denyBalance(CHAIN, [...BRANCH, ...FORGED], 9500)).toEqual(FORGED);
  expect(denyBalance(CHAIN, [...BRANCH, ...FORGED], 5)).toEqual([]);
});

test('denying a balance keeps earlier texts that follow the chain’s head', () => {
  const genuine = [text(1, 100, 120), text(2, 120, 150)];
  const forged = [text(3, 150, 9000), text(4, 9000, 9500)];
  expect(denyBalance(CHAIN, [...genuine, ...forged], 9000)).toEqual(forged);
});

describe('confirming a branch that starts before the chain’s head', () => {
  const [forkId, headId] = [idOf(0), idOf(1)];
  const headAt = (balance: number) => ({
    ...CHAIN,
    recent: [...CHAIN.recent, { id: headId, balance, at_ms: at(1) }],
  });
  const genuine = [text(2, 100, 120), text(3, 120, 140)];

  test('contradicts the later links', () => {
    const { chain, contradicted, gaps } = confirmBalance({ chain: headAt(900), waiting: genuine, gaps: [] }, 140);
    expect({ id: contradicted?.id, gaps }).toEqual({ id: forkId, gaps: [] });
    expect(headOf(chain).balance).toBe(140);
    expect(chain.recent.map(({ balance }) => balance)).not.toContain(900);
  });

  test('leaves a gap if the balance has only fallen since', () => {
    const { contradicted, gaps } = confirmBalance({ chain: headAt(40), waiting: genuine, gaps: [] }, 140);
    expect({ contradicted, gaps: gaps.map(differenceOf) }).toEqual({ contradicted: undefined, gaps: [60] });
  });
});

describe('confirming a balance with possibly forged texts', () => {
  const HEAD = chainAt(0, 100, { established_ms: 0 });
  const PATH = [text(1, 100, 130), text(2, 130, 190)];
  const unsureOf = (waiting: Movement[], balance: number, { chain = HEAD, isGuessed = true } = {}) => {
    const { linked, unsure } = confirmBalance({ chain, waiting, gaps: [] }, balance, { isGuessed });
    return { linked, unsure };
  };

  const sure = { isGuessed: false };
  const last = text(3, 5000, 190);
  const beside = text(2.5, 5000, 190);
  const road = [text(1, 7000, 7100), text(2, 7100, 100), text(3, 100, 160)];
  const later = { chain: chainAt(10, 900, { established_ms: 0 }), ...sure };
  const old = [text(4, 5000, 5190)];
  const past = [...old, text(12, 5190, 5200)];
  const loop = [text(1, 0, 4900), text(2, 4900, 0), text(3, 0, 60)];
  const empty = { chain: chainAt(0, 0, { established_ms: 0 }), ...sure };

  test.each<[string, Movement[], number, Parameters<typeof unsureOf>[2], linked: Movement[], unsure: Movement[]]>([
    ['every text from the head to the balance', [...PATH, text(1.5, 7000, 8000)], 190, {}, PATH, []],
    ['nothing if a text is missing', [last], 190, {}, [last], [last]],
    ['the last text if nobody is guessing', [last], 190, sure, [last], []],
    ['no text that another path may bypass', [...PATH, beside], 190, sure, PATH, PATH],
    ['only the path from the head if a longer path leads to the balance', road, 160, sure, road, road.slice(0, 2)],
    // Failures inside a known gap do not count as guesses.
    ['no text that is older than the head', old, 5190, later, old, old],
    ['no text of an older branch that ends after the head', past, 5200, later, past, past],
    // Anybody can guess a balance of 0.
    ['no text before the balance was last 0', loop, 60, empty, loop, loop.slice(0, 2)],
    ['every text in observe mode', [...PATH, beside], 190, { chain: CHAIN, ...sure }, [beside], []],
  ])('verifies %s', (_, waiting, balance, given, linked, unsure) => {
    expect(unsureOf(waiting, balance, given)).toEqual({ linked, unsure });
  });

  test('verifies the last text by default', () => {
    expect(confirmBalance({ chain: HEAD, waiting: [last], gaps: [] }, 190).unsure).toEqual([]);
  });

  test('verifies only the path from the head if there are many branches', () => {
    const wrong = Array.from({ length: 6 }, (_, n) => text(4 + n, 7000 + 10 * n, 9000 + n));
    expect(unsureOf([last, ...wrong.slice(1)], 190, sure).unsure).toEqual([]);
    expect(unsureOf([last, ...wrong], 190, sure).unsure).toEqual([last]);
  });
});
