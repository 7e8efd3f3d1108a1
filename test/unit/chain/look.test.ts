import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { type Chain, headOf, type Movement } from '../../../shared/wallets/chain/chain.ts';
import { withFailed } from '../../../shared/wallets/chain/guesses.ts';
import { firstChain, lookAt, withLook, withPath } from '../../../shared/wallets/chain/look.ts';
import { sameMoment } from '../../../shared/wallets/chain/network-clock.ts';
import { checkEach } from '../../support/check-each.ts';
import { at, chainAt, IDS_A_MINUTE, idOf, newChain, text, WALLET } from './texts.ts';

const CHAIN = chainAt(0, 5037);
/** Number of ids by which two payments of the same moment may be out of order. */
const SLACK = sameMoment(CHAIN.clock, CHAIN.network);
/** A text for GHS 1 was lost before this branch. */
const BRANCH = [text(1, 5137, 5250), text(2, 5250, 5160), text(3, 5160, 5290)];

function look(
  balance: number,
  { chain = CHAIN, waiting = [], lately = [], minute = 5 }: Partial<Given> & { minute?: number } = {},
) {
  return lookAt({ chain, waiting, lately }, balance, at(minute));
}
type Given = Parameters<typeof lookAt>[0];

describe('the head after the first look', () => {
  const path = (...balances: readonly number[]) =>
    balances.slice(1).map((after, n) => text(4 + n / 10, balances[n] ?? 0, after));
  const late = { arrived_ms: at(-5) };

  test('moves to the end of the texts of the last ten minutes if all of them lie on one path', () =>
    checkEach<[what: string, head: number, before: Movement[]]>(
      [
        ['no texts', 5037, []],
        ['a path that begins with the balance', 5090, path(5037, 5060, 5090)],
        ['a path that ends with the balance', 5037, path(5000, 5010, 5037)],
        ['a path through the balance, in any order', 5090, path(5000, 5037, 5090).toReversed()],
        ['five texts', 5042, path(5037, 5038, 5039, 5040, 5041, 5042)],
        ['six texts', 5037, path(5037, 5038, 5039, 5040, 5041, 5042, 5043)],
        ['a path without the balance', 5037, path(5000, 5010, 5020)],
        ['a text beside the path', 5037, [...path(5037, 5060), text(4.5, 777, 800)]],
        ['two paths from the balance', 5037, [...path(5037, 5060), text(4.5, 5037, 5070)]],
        ['texts more than ten minutes old', 5037, [text(-5, 5037, 5060, late)]],
        ['an older text beside the path', 5060, [...path(5037, 5060), text(-5, 777, 800, late)]],
      ],
      ([_, head, before]) => {
        const chain = firstChain(WALLET, before, 5037, at(5));
        expect(headOf(chain)).toEqual({ id: 0, balance: head, at_ms: at(5) });
        expect(chain).toMatchObject({ links: 0, anchor: { balance: 5037, at_ms: at(5) } });
      },
    ));
});

describe('a look', () => {
  const fork = [text(6, 5037, 5100), text(7, 5100, 5130)];
  const risen: Chain = { ...CHAIN, recent: [...CHAIN.recent, { id: idOf(5), balance: 9000, at_ms: at(5) }] };
  const push = { id: idOf(1), balance: 4444, at_ms: at(1), arrived_ms: at(1) };
  const moved = { chain: { ...CHAIN, pushes: [{ ...push, balance: 5000 }] } };

  test('agrees or finds the way to the balance', () =>
    checkEach<[outcome: string, what: string, number, Parameters<typeof look>[1]?]>(
      [
        ['agrees', 'the head', 5037],
        ['agrees', 'a balance of the last ten minutes', 5000, { lately: [text(0, 5000, 5037)] }],
        ['leads there', 'texts from the head', 5090, { waiting: [text(1, 5037, 5090)] }],
        ['leads there', 'texts after a lost text', 5290, { waiting: BRANCH }],
        ['leads there', 'a balance in the middle of these texts', 5250, { waiting: BRANCH }],
        ['leads there', 'a transfer to the bank', 4444, { chain: { ...CHAIN, pushes: [push] } }],
        ['leads there', 'a transfer of what the last text brought', 5000, { ...moved, lately: [text(0, 5000, 5037)] }],
        ['look again', 'an older transfer', 4444, { chain: { ...CHAIN, pushes: [{ ...push, id: idOf(0) }] } }],
        ['look again', 'a balance that nothing explains', 7777, { waiting: BRANCH }],
        ['look again', 'texts older than the head', 5190, { waiting: [text(-4, 5000, 5190)] }],
      ],
      ([outcome, _, balance, given]) => expect(look(balance, given).outcome).toBe(outcome),
    ));

  test('across lost texts leaves a gap and keeps the anchor’s age', () => {
    const { chain, path, gap, unsure } = look(5250, { waiting: BRANCH });
    expect({ path, unsure }).toEqual({ path: BRANCH.slice(0, 1), unsure: [] });
    expect(gap).toEqual({ from: headOf(CHAIN), to: { id: idOf(1), balance: 5137, at_ms: at(1) } });
    expect(chain).toMatchObject({ anchor: CHAIN.anchor, looked_ms: at(5), unbroken_since_ms: at(1) });
  });

  test('across lost texts is no second look', () => {
    const hours = 13 * 60;
    const young = newChain(-hours, 5037, { links: 8 });
    expect(look(5290, { chain: young, waiting: BRANCH }).chain.anchor).toEqual(young.anchor);
    expect(look(5037, { chain: young }).chain.anchor.agreed_ms).toBe(at(5));
  });

  test('disproves the texts linked since the position that its path continues from', () => {
    const { disprovedAfter, gap, chain } = look(5130, { chain: risen, waiting: fork, minute: 9 });
    expect({ disprovedAfter, gap }).toEqual({ disprovedAfter: headOf(CHAIN), gap: undefined });
    expect(headOf(chain)).toEqual(headOf(CHAIN));
    const fallen = { ...risen, recent: risen.recent.with(-1, { id: idOf(5), balance: 40, at_ms: at(5) }) };
    expect(look(5130, { chain: fallen, waiting: fork, minute: 9 }).disprovedAfter).toBeUndefined();
  });

  test('leaves texts unverified that another path or many branches make doubtful', () => {
    const straight = [text(1, 5037, 5090), text(2, 5090, 5120)];
    const beside = text(1.5, 777, 5120);
    expect(look(5120, { waiting: [...straight, beside] })).toMatchObject({ path: straight, unsure: straight });
    const returns = [text(1, 4937, 5037), text(2, 5037, 5090)];
    expect(look(5090, { waiting: returns })).toMatchObject({ path: returns, unsure: returns.slice(0, 1) });
    const wrong = Array.from({ length: 6 }, (_, n) => text(4 + n / 10, 7001 + 10 * n, 9001 + n));
    expect(look(5290, { waiting: [...BRANCH, ...wrong.slice(1)] }).unsure).toEqual([]);
    expect(look(5290, { waiting: [...BRANCH, ...wrong] }).unsure).toEqual(BRANCH);
  });

  test('finds only branches that begin close to the head', () => {
    const begun = (ids: number) => [text(0, 5137, 5290, { id: idOf(0) - ids })];
    expect(look(5290, { waiting: begun(SLACK - 1) }).outcome).toBe('leads there');
    expect(look(5290, { waiting: begun(SLACK) }).outcome).toBe('look again');
  });
});

describe('a look that does not agree', () => {
  const again = (chain: Chain, balance: number, ms: number) =>
    lookAt({ chain, waiting: BRANCH, lately: [] }, balance, at(5) + ms);
  const first = look(7777, { waiting: BRANCH }).chain;

  test('changes nothing but is remembered', () => {
    expect(first).toEqual({ ...CHAIN, look: { balance: 7777, difference: 2740, at_ms: at(5) } });
  });

  test('counts if the owner names the same difference two minutes later', () => {
    const moved = { ...first, recent: [...first.recent, { id: idOf(6), balance: 5137, at_ms: at(6) }] };
    const outcomes = [
      again(first, 7777, 2 * MINUTE_MS - 1),
      again(first, 7777, 2 * MINUTE_MS),
      again(first, 7778, 2 * MINUTE_MS),
      again(moved, 7877, 2 * MINUTE_MS),
      again(moved, 7777, 2 * MINUTE_MS),
    ].map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['look again', 'new anchor', 'look again', 'new anchor', 'look again']);
  });

  test('then begins a young chain at the balance, after a gap', () => {
    const { chain, gap, path } = again(first, 7777, 3 * MINUTE_MS);
    expect(chain.anchor).toEqual({ balance: 7777, at_ms: at(8), proves_since_ms: at(8) });
    expect(headOf(chain)).toEqual({ id: idOf(0), balance: 7777, at_ms: at(8) });
    expect(gap).toEqual({ from: headOf(CHAIN), to: headOf(chain) });
    expect({ path, look: chain.look }).toEqual({ path: [], look: undefined });
  });

  test('agrees if a text that links within ten minutes reaches the balance', () => {
    const young = { ...newChain(-12 * 60, 5037), look: { balance: 5090, difference: 53, at_ms: at(0) } };
    const reached = (ms: number, after = 5090) => withLook(young, [text(1, 5037, after)], at(0) + ms);
    expect(reached(10 * MINUTE_MS)).toMatchObject({ anchor: { agreed_ms: at(0) }, looked_ms: at(0) });
    expect(reached(10 * MINUTE_MS).look).toBeUndefined();
    expect(reached(10 * MINUTE_MS + 1)).toBe(young);
    expect(reached(0, 5091)).toBe(young);
  });
});

describe('a look that ends a pause', () => {
  const paused = withFailed(CHAIN, 3, at(4));
  const fresh = (balance: number) => ({ balance, at_ms: at(5) });

  test.each<[outcome: string, balance: number, waiting: Movement[]]>([
    ['agrees', 5037, []],
    ['leads there', 5090, [text(1, 5037, 5090)]],
    ['leads there', 5290, BRANCH],
  ])('begins an anchor that verifies nothing yet: %s, %i', (outcome, balance, waiting) => {
    const looked = look(balance, { chain: paused, waiting });
    expect(looked.outcome).toBe(outcome);
    expect(looked.chain.anchor).toEqual(fresh(balance));
    expect(looked.chain.failed_ms).toEqual(paused.failed_ms);
  });

  test('does not end it if the balance does not agree, before it is named again', () => {
    const first = look(7777, { chain: paused }).chain;
    expect(first.anchor).toEqual(paused.anchor);
    expect(look(7777, { chain: first, minute: 7 }).chain.anchor).toEqual({ balance: 7777, at_ms: at(7) });
  });

  test('leaves the count of a chain without a pause as it is', () => {
    const counted = withFailed(CHAIN, 2, at(4));
    expect(look(5037, { chain: counted }).chain).toMatchObject({ anchor: CHAIN.anchor, failed_ms: counted.failed_ms });
  });
});

test('a second look counts twelve hours after the anchor, not before', () => {
  const young = newChain(0, 5037);
  const agreedAfter = (ms: number) =>
    lookAt({ chain: young, waiting: [], lately: [] }, 5037, at(0) + ms).chain.anchor.agreed_ms;
  expect([12 * HOUR_MS - 1, 12 * HOUR_MS].map(agreedAfter)).toEqual([undefined, at(0) + 12 * HOUR_MS]);
});

describe('the chain after a path', () => {
  test('ends with the last text and takes its sender', () => {
    const path = BRANCH.map((one) => ({ ...one, sender: 'momo' }));
    const chain = withPath(CHAIN, path);
    expect(headOf(chain)).toEqual({ id: idOf(3), balance: 5290, at_ms: at(3) });
    expect(chain).toMatchObject({ links: 103, sender: 'momo', anchor: CHAIN.anchor });
  });

  test('proves nothing if the wallet was empty at its end', () => {
    expect(withPath(CHAIN, [text(1, 5037, 0)]).anchor.proves_since_ms).toBeUndefined();
  });

  test('learns the network’s ids anew if they jumped', () => {
    const id = idOf(0) + 1_000_000 * IDS_A_MINUTE;
    expect(withPath(CHAIN, [text(1, 5137, 5250, { id })]).clock.anchors).toEqual([{ id, at_ms: at(1) }]);
  });
});
