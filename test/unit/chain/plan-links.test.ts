import { describe, expect, test } from 'vitest';
import type { Gap } from '../../../shared/wallets/chain/branches.ts';
import { type Chain, headOf, type Movement } from '../../../shared/wallets/chain/chain.ts';
import { needsWaiting, planLinks, withContested } from '../../../shared/wallets/chain/plan-links.ts';
import { at, chainAt, idOf, newChain, text } from './texts.ts';

/** A chain with 100 links that ends at a balance of 100 at minute 0. */
const CHAIN = chainAt(0, 100);
const GUESSED = { ...CHAIN, failed_ms: [at(1), at(1), at(1)] };
/** A chain whose balance rose from 50 at minute -5 to 100 at minute 0. */
const RISEN: Chain = { ...CHAIN, recent: [placeAt(-9, 20), placeAt(-5, 50), placeAt(0, 100)] };

const GAP: Gap = { from: placeAt(-20, 10), to: placeAt(-10, 70) };

interface Case {
  readonly chain: Chain;
  readonly texts?: readonly Movement[];
  readonly waiting?: readonly Movement[];
  readonly gaps?: readonly Gap[];
  readonly minute?: number;
}

/** An expected plan, in which texts are identified by the balance after them. */
interface Planned {
  readonly action: string;
  readonly reason: string;
  /** True unless more texts may link. */
  readonly isDone: boolean;
  readonly linked?: readonly number[];
  readonly released?: readonly number[];
  readonly waits?: readonly number[];
  /** The head's balance, and the number of waiting texts. */
  readonly head?: number;
  readonly waiting?: number;
}

/** Creates texts that fit nowhere and arrived at `minute`. */
const forged = (count: number, minute = 0.1): Movement[] =>
  Array.from({ length: count }, (_, n) =>
    text(0.1 + n / 1000, 7000 + 13 * n, 9000 + n, { arrived_ms: at(minute + n / 1000) }),
  );

const plans: Readonly<Record<string, readonly [Case, Planned]>> = {
  'links a text that follows the head': [
    { chain: CHAIN, texts: [text(1, 100, 150)] },
    { action: 'link', reason: 'continues', isDone: true, linked: [150], head: 150 },
  ],
  'links a text and the text that waited for it': [
    { chain: CHAIN, texts: [text(1, 100, 150)], waiting: [text(2, 150, 90), text(3, 777, 800)] },
    { action: 'link', reason: 'continues', isDone: false, linked: [150, 90], released: [90], head: 90, waiting: 1 },
  ],
  'stores a text whose previous text is missing': [
    { chain: CHAIN, texts: [text(2, 150, 170)] },
    { action: 'record', reason: 'fits nowhere', isDone: true, waits: [170], head: 100, waiting: 1 },
  ],
  'does nothing if the waiting texts fit nowhere': [
    { chain: CHAIN, waiting: [text(2, 150, 170)], minute: 60 },
    { action: 'nothing', reason: 'fits nowhere', isDone: true, head: 100, waiting: 1 },
  ],
  'links waiting texts once no older text can arrive': [
    { chain: CHAIN, waiting: [text(2, 150, 100), text(3, 100, 170)], minute: 6 },
    { action: 'link', reason: 'continues', isDone: false, linked: [170], released: [170], head: 170, waiting: 1 },
  ],
  'links waiting texts when any text arrives': [
    { chain: CHAIN, texts: [text(3, 500, 510)], waiting: [text(1, 100, 130)], minute: 4 },
    { action: 'link', reason: 'continues', isDone: false, linked: [130], released: [130], waits: [510], waiting: 1 },
  ],
  'links texts that arrived after a later one': [
    { chain: { ...CHAIN, recent: [placeAt(0, 100), placeAt(3, 170)] }, texts: [text(1, 100, 150), text(2, 150, 100)] },
    { action: 'link', reason: 'overtaken', isDone: true, linked: [150, 100], head: 170 },
  ],
  'fills a gap with the texts that bridge it': [
    { chain: CHAIN, texts: [text(-12, 10, 70)], gaps: [GAP], minute: -11 },
    { action: 'link', reason: 'fills a gap', isDone: true, linked: [70], head: 100 },
  ],
  'links nothing after guessed balances': [
    { chain: GUESSED, texts: [text(4, 100, 150)] },
    { action: 'record', reason: 'guessed', isDone: true, waits: [150], head: 100, waiting: 1 },
  ],
  'does nothing without new texts after guessed balances': [
    { chain: GUESSED },
    { action: 'nothing', reason: 'guessed', isDone: true },
  ],
  'counts three unlinked texts as guesses': [
    { chain: CHAIN, texts: [text(4, 100, 150)], waiting: forged(3), minute: 5 },
    { action: 'record', reason: 'guessed', isDone: true, waits: [150], head: 100, waiting: 4 },
  ],
  'waits if three unlinked texts have just arrived': [
    { chain: CHAIN, texts: [text(4, 100, 150)], waiting: forged(3, 4), minute: 4 },
    { action: 'record', reason: 'unclear', isDone: true, waits: [150], head: 100, waiting: 4 },
  ],
  'goes back to the position where another text starts': [
    { chain: RISEN, waiting: [text(-4, 50, 60)], minute: 5 },
    { action: 'go back', reason: 'fork', isDone: true, head: 50, waiting: 1 },
  ],
};

describe('planLinks', () => {
  test.each(Object.entries(plans))('%s', (_, [given, planned]) => {
    const plan = planOf(given);
    const { action, reason, isDone, chain } = plan;
    const balances = (texts: readonly Movement[]) => texts.map(({ after }) => after);
    const { linked, released, waits } = plan;
    expect({ linked: balances(linked), released: balances(released), waits: balances(waits) }).toEqual({
      linked: planned.linked ?? [],
      released: planned.released ?? [],
      waits: planned.waits ?? [],
    });
    expect([action, reason, isDone]).toEqual([planned.action, planned.reason, planned.isDone]);
    if (planned.head !== undefined) expect(headOf(chain).balance).toBe(planned.head);
    expect(chain.waiting).toBe(planned.waiting ?? 0);
    expect(chain.links).toBe(given.chain.links + linked.length);
  });

  test('counts three unlinked texts as failed', () => {
    const { chain } = planOf({ chain: CHAIN, texts: [text(4, 100, 150)], waiting: forged(3), minute: 5 });
    expect(chain.failed_ms).toEqual([at(5), at(5), at(5)]);
  });

  test('closes a completely filled gap', () => {
    const { chain, filled } = planOf({ chain: CHAIN, texts: [text(-12, 10, 70)], gaps: [GAP], minute: -11 });
    expect(filled).toEqual(GAP);
    expect(chain.gaps).toBe(0);
  });

  test('links thirty of a hundred texts at a time', () => {
    const texts = Array.from({ length: 100 }, (_, n) => text(1 + n, 100 + n, 101 + n));
    expect(planOf({ chain: CHAIN, waiting: texts, minute: 200 })).toMatchObject({
      isDone: false,
      chain: { waiting: 70 },
    });
  });

  test('stores at most 4,000 waiting texts', () => {
    const chain = { ...CHAIN, waiting: 3999 };
    const texts = [text(4, 7000, 8000), text(5, 7000, 8000)];
    const plan = planLinks(chain, texts, { waiting: [], gaps: [] }, at(5));
    expect(plan.waits).toHaveLength(1);
    expect(plan.chain).toMatchObject({ waiting: 4000, failed_ms: [at(5), at(5), at(5)] });
  });

  test('counts contested texts as waiting', () => {
    const { goBackTo, chain } = planOf({ chain: RISEN, waiting: [text(-4, 50, 60)], minute: 5 });
    expect(goBackTo).toEqual(placeAt(-5, 50));
    expect(withContested(chain, [text(0, 50, 100)])).toMatchObject({ links: 99, waiting: 2 });
  });
});

describe('a text from before the anchor', () => {
  /** A chain whose owner named 100 at minute 5. */
  const NAMED = newChain(5, 100);
  const before = { at_ms: at(4), arrived_ms: at(6) };

  test.each<[what: string, Movement, early: boolean]>([
    ['stays unverified if it arrived before the anchor', text(4, 100, 150), true],
    ['stays unverified if it leads to the named balance', text(4, 60, 100, before), true],
    ['is judged like any other if it leads elsewhere', text(4, 60, 90, before), false],
    ['is judged like any other if the phone received it later', text(5, 60, 100, { arrived_ms: at(6) }), false],
  ])('%s', (_, one, isEarly) => {
    const { early, waits, linked, chain } = planOf({ chain: NAMED, texts: [one], minute: 7 });
    expect({ early, waits, linked }).toEqual({ early: isEarly ? [one] : [], waits: isEarly ? [] : [one], linked: [] });
    expect(chain.failed_ms).toBeUndefined();
  });

  test('stays unverified together with a waiting text that it completes', () => {
    const [first, last] = [text(3, 50, 70, before), text(4, 70, 100, before)];
    const { early, released, chain } = planOf({ chain: NAMED, texts: [last], waiting: [first], minute: 7 });
    expect({ early, released, waiting: chain.waiting }).toEqual({
      early: [last, first],
      released: [first],
      waiting: 0,
    });
  });

  test('is settled beside others and a batch of ten new texts in one transaction', () => {
    const arrived = { arrived_ms: at(6) };
    const early = Array.from({ length: 60 }, (_, n) => text(4 + n / 100, 40 + n, 41 + n, { ...before, ...arrived }));
    const later = Array.from({ length: 70 }, (_, n) => text(6 + n / 100, 100 + n, 101 + n, arrived));
    const fresh = later.splice(60);
    const plan = planOf({ chain: NAMED, texts: fresh, waiting: [...early, ...later], minute: 20 });
    const { linked, early: settled, released, waits } = plan;
    expect([linked.length, settled.length, waits.length]).toEqual([30, 12, 10]);
    const chainAndGap = 2;
    const writes = linked.length + settled.length + released.length + waits.length + chainAndGap;
    expect(writes).toBeLessThanOrEqual(100);
  });

  test('never links, however many arrive at once', () => {
    const texts = Array.from({ length: 100 }, (_, n) => text(4 + n / 1000, 100 + n, 101 + n));
    expect(planOf({ chain: NAMED, texts, minute: 7 })).toMatchObject({ linked: [], waits: [] });
  });
});

describe('needsWaiting', () => {
  const many = { ...CHAIN, waiting: 31 };

  test.each([
    [false, 'no texts are waiting', CHAIN, [text(1, 100, 150)]],
    [true, 'few texts are waiting', { ...CHAIN, waiting: 30 }, [text(1, 777, 800)]],
    [false, 'the new text fits nowhere among many', many, [text(1, 777, 800)]],
    [true, 'the new text follows the head', many, [text(1, 100, 150)]],
    [true, 'the new text lies between recent positions', many, [text(-2, 777, 800)]],
    [false, 'the new text is older than all positions', many, [text(-9, 777, 800)]],
    [true, 'the new text may fill a gap', { ...many, gaps: 1 }, [text(-9, 777, 800)]],
    [true, 'there is no new text', many, []],
    [false, 'somebody guesses balances', { ...GUESSED, waiting: 1 }, [text(1, 100, 150)]],
  ])('returns %s if %s', (isRead, _, chain, texts) => {
    expect(needsWaiting(chain, texts, at(2))).toBe(isRead);
  });
});

/** Plans links at a given minute for a chain whose counts match the waiting texts and gaps. */
function planOf({ chain, texts = [], waiting = [], gaps = [], minute = 1 }: Case) {
  const counted = { ...chain, waiting: waiting.length, gaps: gaps.length };
  return planLinks(counted, texts, { waiting, gaps }, at(minute));
}

function placeAt(minute: number, balance: number) {
  return { id: idOf(minute), balance, at_ms: at(minute) };
}
