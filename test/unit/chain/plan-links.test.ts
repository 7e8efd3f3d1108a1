import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import type { Gap } from '../../../shared/wallets/chain/branches.ts';
import { type Chain, headOf, type Movement } from '../../../shared/wallets/chain/chain.ts';
import { needsWaiting, planLinks, planStart, withContested } from '../../../shared/wallets/chain/plan-links.ts';
import { at, chainAt, idOf, text, WALLET } from './texts.ts';

/** A chain with 100 links that ends at a balance of 100 at minute 0. */
const NEW = chainAt(0, 100);
const ESTABLISHED = chainAt(0, 100, { established_ms: 0 });
const GUESSED = { ...ESTABLISHED, failed_ms: [at(1), at(1), at(1)] };
/** A chain whose balance rose from 50 at minute -5 to 100 at minute 0. */
const RISEN: Chain = { ...ESTABLISHED, recent: [placeAt(-9, 20), placeAt(-5, 50), placeAt(0, 100)] };

const GAP: Gap = { from: placeAt(-20, 10), to: placeAt(-10, 70) };

interface Case {
  readonly chain: Chain;
  readonly texts?: readonly Movement[];
  readonly waiting?: readonly Movement[];
  readonly gaps?: readonly Gap[];
  readonly minute?: number;
  readonly isPatient?: boolean;
}

/** An expected plan, in which texts are identified by the balance after them. */
interface Planned {
  readonly action: string;
  readonly reason: string;
  readonly next: string;
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
    { chain: NEW, texts: [text(1, 100, 150)] },
    { action: 'link', reason: 'continues', next: 'done', linked: [150], head: 150 },
  ],
  'links a text and the text that waited for it': [
    { chain: NEW, texts: [text(1, 100, 150)], waiting: [text(2, 150, 90), text(3, 777, 800)] },
    { action: 'link', reason: 'continues', next: 'more', linked: [150, 90], released: [90], head: 90, waiting: 1 },
  ],
  'links the text that follows the head before it looks again': [
    { chain: NEW, texts: [text(1, 100, 150), text(3, 170, 180)], isPatient: true },
    { action: 'link', reason: 'continues', next: 'more', linked: [150], head: 150 },
  ],
  'looks again before it stores a text whose previous text may arrive': [
    { chain: NEW, texts: [text(2, 150, 170)], isPatient: true },
    { action: 'nothing', reason: 'fits nowhere', next: 'look again', head: 100 },
  ],
  'stores a text whose previous text is missing': [
    { chain: NEW, texts: [text(2, 150, 170)] },
    { action: 'record', reason: 'fits nowhere', next: 'done', waits: [170], head: 100, waiting: 1 },
  ],
  'stores a text immediately if the chain is established': [
    { chain: ESTABLISHED, texts: [text(2, 150, 170)], isPatient: true },
    { action: 'record', reason: 'fits nowhere', next: 'done', waits: [170], head: 100, waiting: 1 },
  ],
  'stores a text immediately if more than thirty are waiting': [
    { chain: NEW, texts: [text(2, 150, 170)], waiting: forged(31), isPatient: true },
    { action: 'record', reason: 'fits nowhere', next: 'done', waits: [170], head: 100, waiting: 32 },
  ],
  'stores a text immediately if it returns to the head’s balance': [
    { chain: NEW, texts: [text(2, 150, 100)], isPatient: true },
    { action: 'record', reason: 'fits nowhere', next: 'done', waits: [100], head: 100, waiting: 1 },
  ],
  'does nothing if the waiting texts fit nowhere': [
    { chain: NEW, waiting: [text(2, 150, 170)], minute: 60 },
    { action: 'nothing', reason: 'fits nowhere', next: 'done', head: 100, waiting: 1 },
  ],
  'links waiting texts once no older text can arrive': [
    { chain: NEW, waiting: [text(2, 150, 100), text(3, 100, 170)], minute: 6 },
    { action: 'link', reason: 'continues', next: 'more', linked: [170], released: [170], head: 170, waiting: 1 },
  ],
  'leaves waiting texts of a new chain to the worker that released them': [
    { chain: NEW, texts: [text(3, 500, 510)], waiting: [text(1, 100, 130)], minute: 4 },
    { action: 'record', reason: "another's", next: 'done', waits: [510], head: 100, waiting: 2 },
  ],
  'links waiting texts of an established chain when any text arrives': [
    { chain: ESTABLISHED, texts: [text(3, 500, 510)], waiting: [text(1, 100, 130)], minute: 4 },
    { action: 'link', reason: 'continues', next: 'more', linked: [130], released: [130], waits: [510], waiting: 1 },
  ],
  'links texts that arrived after a later one': [
    { chain: { ...NEW, recent: [placeAt(0, 100), placeAt(3, 170)] }, texts: [text(1, 100, 150), text(2, 150, 100)] },
    { action: 'link', reason: 'overtaken', next: 'done', linked: [150, 100], head: 170 },
  ],
  'fills a gap with the texts that bridge it': [
    { chain: ESTABLISHED, texts: [text(-12, 10, 70)], gaps: [GAP], minute: -11 },
    { action: 'link', reason: 'fills a gap', next: 'done', linked: [70], head: 100 },
  ],
  'links nothing after guessed balances': [
    { chain: GUESSED, texts: [text(4, 100, 150)] },
    { action: 'record', reason: 'guessed', next: 'done', waits: [150], head: 100, waiting: 1 },
  ],
  'does nothing without new texts after guessed balances': [
    { chain: GUESSED },
    { action: 'nothing', reason: 'guessed', next: 'done' },
  ],
  'counts three unlinked texts as guesses': [
    { chain: ESTABLISHED, texts: [text(4, 100, 150)], waiting: forged(3), minute: 5 },
    { action: 'record', reason: 'guessed', next: 'done', waits: [150], head: 100, waiting: 4 },
  ],
  'waits if three unlinked texts have just arrived': [
    { chain: ESTABLISHED, texts: [text(4, 100, 150)], waiting: forged(3, 4), minute: 4 },
    { action: 'record', reason: 'unclear', next: 'done', waits: [150], head: 100, waiting: 4 },
  ],
  'links nothing to a balance that no text confirms': [
    { chain: { ...ESTABLISHED, tapped_ms: at(-1) }, texts: [text(1, 100, 150)] },
    { action: 'record', reason: 'not borne out', next: 'done', waits: [150], head: 100, waiting: 1 },
  ],
  'goes back to the position where another text starts': [
    { chain: RISEN, waiting: [text(-4, 50, 60)], minute: 5 },
    { action: 'go back', reason: 'fork', next: 'done', head: 50, waiting: 1 },
  ],
};

describe('planLinks', () => {
  test.each(Object.entries(plans))('%s', (_, [given, planned]) => {
    const plan = planOf(given);
    const { action, reason, next, chain } = plan;
    const balances = (texts: readonly Movement[]) => texts.map(({ after }) => after);
    const { linked, released, waits } = plan;
    expect({ linked: balances(linked), released: balances(released), waits: balances(waits) }).toEqual({
      linked: planned.linked ?? [],
      released: planned.released ?? [],
      waits: planned.waits ?? [],
    });
    expect([action, reason, next]).toEqual([planned.action, planned.reason, planned.next]);
    if (planned.head !== undefined) expect(headOf(chain).balance).toBe(planned.head);
    expect(chain.waiting).toBe(planned.waiting ?? 0);
    expect(chain.links).toBe(given.chain.links + linked.length);
  });

  test('counts three unlinked texts as failed', () => {
    const { chain } = planOf({ chain: ESTABLISHED, texts: [text(4, 100, 150)], waiting: forged(3), minute: 5 });
    expect(chain.failed_ms).toEqual([at(5), at(5), at(5)]);
  });

  test('returns the remainder of a partly filled gap', () => {
    const { chain, filled } = planOf({ chain: NEW, texts: [text(-12, 50, 70)], gaps: [GAP], minute: -11 });
    expect(filled).toEqual({ gap: GAP, rest: { from: GAP.from, to: { ...placeAt(-12, 50) } } });
    expect(chain.gaps).toBe(1);
  });

  test('closes a completely filled gap', () => {
    const { chain, filled } = planOf({ chain: ESTABLISHED, texts: [text(-12, 10, 70)], gaps: [GAP], minute: -11 });
    expect(filled).toEqual({ gap: GAP, rest: undefined });
    expect(chain.gaps).toBe(0);
  });

  test('links thirty of a hundred texts at a time', () => {
    const texts = Array.from({ length: 100 }, (_, n) => text(1 + n, 100 + n, 101 + n));
    expect(planOf({ chain: NEW, waiting: texts, minute: 200 })).toMatchObject({ next: 'more', chain: { waiting: 70 } });
  });

  test('stores at most 4,000 waiting texts', () => {
    const chain = { ...ESTABLISHED, waiting: 3999 };
    const texts = [text(4, 7000, 8000), text(5, 7000, 8000)];
    const plan = planLinks(chain, texts, { waiting: [], gaps: [] }, { nowMs: at(5), isPatient: false });
    expect(plan.waits).toHaveLength(1);
    expect(plan.chain).toMatchObject({ waiting: 4000, failed_ms: [at(5), at(5), at(5)] });
  });

  test('counts contested texts as waiting', () => {
    const { goBackTo, chain } = planOf({ chain: RISEN, waiting: [text(-4, 50, 60)], minute: 5 });
    expect(goBackTo).toEqual(placeAt(-5, 50));
    expect(withContested(chain, [text(0, 50, 100)])).toMatchObject({ links: 99, waiting: 2 });
  });

  test('establishes a chain with enough links after a week', () => {
    const chain = { ...NEW, begun_ms: at(0) - 7 * DAY_MS };
    expect(planOf({ chain, texts: [text(1, 100, 150)] }).chain.established_ms).toBe(at(1));
    const young = { ...chain, begun_ms: chain.begun_ms + HOUR_MS };
    expect(planOf({ chain: young, texts: [text(1, 100, 150)] }).chain.established_ms).toBeUndefined();
  });
});

describe('planStart', () => {
  test('starts the chain with the first text', () => {
    const [first, second] = [text(1, 0, 100), text(2, 100, 150)];
    expect(planStart(WALLET, [first, second])).toMatchObject({ action: 'start', linked: [first], next: 'more' });
    expect(planStart(WALLET, [first])).toMatchObject({ chain: { links: 0, recent: [{ balance: 100 }] }, next: 'done' });
  });

  test('returns undefined without texts', () => {
    expect(planStart(WALLET, [])).toBeUndefined();
  });
});

describe('needsWaiting', () => {
  const many = { ...NEW, waiting: 31 };

  test.each([
    [false, 'no texts are waiting', NEW, [text(1, 100, 150)]],
    [true, 'few texts are waiting', { ...NEW, waiting: 30 }, [text(1, 777, 800)]],
    [false, 'the new text fits nowhere among many', many, [text(1, 777, 800)]],
    [true, 'the new text follows the head', many, [text(1, 100, 150)]],
    [true, 'the new text lies between recent positions', many, [text(-2, 777, 800)]],
    [false, 'the new text is older than all positions', many, [text(-9, 777, 800)]],
    [true, 'the new text may fill a gap', { ...many, gaps: 1 }, [text(-9, 777, 800)]],
    [true, 'there is no new text', many, []],
    [false, 'somebody guesses balances', { ...GUESSED, waiting: 1 }, [text(1, 100, 150)]],
    [
      false,
      'the established wallet’s balance is 0',
      { ...chainAt(0, 0, { established_ms: 0 }), waiting: 31 },
      [text(1, 0, 150)],
    ],
  ])('returns %s if %s', (isRead, _, chain, texts) => {
    expect(needsWaiting(chain, texts, at(2))).toBe(isRead);
  });
});

/** Plans links at a given minute for a chain whose counts match the waiting texts and gaps. */
function planOf({ chain, texts = [], waiting = [], gaps = [], minute = 1, isPatient = false }: Case) {
  const counted = { ...chain, waiting: waiting.length, gaps: gaps.length };
  return planLinks(counted, texts, { waiting, gaps }, { nowMs: at(minute), isPatient });
}

function placeAt(minute: number, balance: number) {
  return { id: idOf(minute), balance, at_ms: at(minute) };
}
