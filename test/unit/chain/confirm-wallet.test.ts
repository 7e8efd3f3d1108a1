import { beforeEach, describe, expect, test } from 'vitest';
import { branchInQuestion, newerBranches, unclearBalance } from '../../../shared/wallets/chain/branches.ts';
import {
  addWaiting,
  chainRows,
  createChain,
  getTexts,
  listWaiting,
} from '../../../shared/wallets/chain/chain.table.ts';
import { type ProveMode, SEVERAL_TEXTS, startChain } from '../../../shared/wallets/chain/chain.ts';
import { changeChain, findWallet } from '../../../shared/wallets/chain/change-chain.ts';
import { confirmWallet, denyWallet } from '../../../shared/wallets/chain/confirm-wallet.ts';
import { endWaiting } from '../../../shared/wallets/chain/end-waiting.ts';
import { linkTexts } from '../../../shared/wallets/chain/link-texts.ts';
import { setProve } from '../../support/actions.ts';
import { rightBefore } from '../../support/receipts.ts';
import {
  at,
  beginAnew,
  ESTABLISHED_MINUTE,
  establish,
  idsOf,
  known,
  link,
  run,
  text,
  WALLET,
} from '../../support/wallet-chains.ts';
import { createWorld, type World } from '../../support/world.ts';

/** Amount in a lost text, and the texts after it. */
const LOST = 36_00;
const AFTER_LOST = 1_036_00;
const FIRST = ESTABLISHED_MINUTE + 1;
const DAY_MINUTES = 24 * 60;

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  await establish(world);
});

test('confirming a balance resets a new wallet’s failures', async () => {
  await beginAnew(world);
  const failed_ms = [world.clock.nowMs, world.clock.nowMs, world.clock.nowMs];
  await changeChain(world.outside, WALLET, () => ({ failed_ms, begun_ms: 0 }));
  await link(world, text(FIRST, 1_000_00, 5_00));
  await confirmWallet(world.outside, WALLET, 1_005_00, false);
  await link(world, text(FIRST + 1, 1_005_00, 5_00));
  expect((await known(world)).chain.established_ms).toBeUndefined();
  await confirmWallet(world.outside, WALLET, 1_010_00);
  await link(world, text(FIRST + 2, 1_010_00, 5_00));
  expect((await known(world)).chain.established_ms).toBe(world.clock.nowMs);
});

describe('a new wallet whose first texts were forged with future ids', () => {
  const AHEAD = 50_000_000_000;
  let balance: number;
  beforeEach(async () => {
    world = await createWorld({ inMemory: true });
    at(world, 0);
    balance = 50_00;
  });
  const forged = (minute: number, before: number, moved: number) => {
    const one = text(minute, before, moved);
    return link(world, { ...one, id: one.id + AHEAD });
  };
  const genuine = async (minute: number, moved: number) => {
    await link(world, text(minute, balance, moved));
    balance += moved;
  };

  test('continues from the balance that the owner entered', async () => {
    await forged(0, 777_00, 1_00);
    for (let day = 1; day <= 8; day++) {
      for (const [n, moved] of [5_00, -1_00, 2_00].entries()) await genuine(day * DAY_MINUTES + n, moved);
      if (day === 1) await confirmWallet(world.outside, WALLET, balance);
    }
    expect(await known(world)).toMatchObject({ balance, waiting: [], chain: { established_ms: expect.any(Number) } });
  });

  test('is never established by the forged texts', async () => {
    let theirs = 777_00;
    const forge = async (minute: number, moved: number) => {
      await forged(minute, theirs, moved);
      theirs += moved;
    };
    for (let n = 0; n < 26; n++) await forge(n, n % 5 === 4 ? -4_00 : 1_00);
    for (let day = 1; day <= 8; day++) {
      for (let n = 0; n < 3; n++) await genuine(day * DAY_MINUTES + n, 2_00);
      await confirmWallet(world.outside, WALLET, balance, false);
      await forge(day * DAY_MINUTES + 10, 1_00);
    }
    const now = await known(world);
    expect({ balance: now.balance, waiting: now.waiting }).toEqual({ balance: theirs, waiting: [] });
    expect(now.chain.established_ms).toBeUndefined();
  });
});

describe('confirmWallet', () => {
  test('makes the end of the branch the head', async () => {
    const branch = run(FIRST, AFTER_LOST, 5_00, -1_00, 7_00);
    await link(world, ...branch);
    const outcome = await confirmWallet(world.outside, WALLET, 1_047_00);
    expect(outcome).toEqual({ linked: 3, contradicted: 0 });
    const now = await known(world);
    expect(now).toMatchObject({ balance: 1_047_00, waiting: [], false: [], gaps: [LOST] });
    expect(now.chain.unbroken_since_ms).toBe(branch[0]?.at_ms);
  });

  test('links the later texts of the branch', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, -1_00, 7_00));
    await confirmWallet(world.outside, WALLET, 1_041_00);
    expect(await known(world)).toMatchObject({ balance: 1_047_00, waiting: [], gaps: [LOST] });
  });

  test('leaves other branches waiting', async () => {
    const forged = text(FIRST + 1, 500_00, 250_00);
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, 7_00), forged);
    await confirmWallet(world.outside, WALLET, 1_048_00);
    expect(await known(world)).toMatchObject({ balance: 1_048_00, waiting: [forged.id], false: [] });
  });

  test('is idempotent', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, 7_00));
    await confirmWallet(world.outside, WALLET, 1_048_00);
    const before = await known(world);
    expect(await confirmWallet(world.outside, WALLET, 1_048_00)).toEqual({ linked: 0, contradicted: 0 });
    expect(await known(world)).toEqual(before);
  });

  test('rejects a balance that the chain has moved past', async () => {
    const branch = run(FIRST, AFTER_LOST, 5_00, 7_00);
    await link(world, ...branch, text(ESTABLISHED_MINUTE, 1_000_00, LOST), text(FIRST + 3, 1_048_00, 2_00));
    const before = await known(world);
    expect(before).toMatchObject({ balance: 1_050_00, waiting: [], gaps: [] });
    await expect(confirmWallet(world.outside, WALLET, 1_048_00)).rejects.toThrow(
      /has changed since.*next payment or withdrawal/,
    );
    expect(await known(world)).toEqual(before);
  });
});

describe('confirming a branch that exceeds one transaction', () => {
  /** 150 texts, in which every second text spends most of what the text before it added. */
  const moved = Array.from({ length: 150 }, (_, n) => (n % 2 ? -2_00 : 3_00));
  const branch = run(FIRST, AFTER_LOST, ...moved).map((one) => ({ ...one, facts_hash: 'one' }));
  const END = AFTER_LOST + 75_00;
  beforeEach(() => link(world, ...branch));

  test('links every text', async () => {
    expect(await confirmWallet(world.outside, WALLET, END)).toEqual({ linked: 150, contradicted: 0 });
    const now = await known(world);
    expect(now).toMatchObject({ balance: END, waiting: [], false: [], gaps: [LOST] });
    expect(now.linked).toEqual(expect.arrayContaining(idsOf(branch)));
  });

  test.each([1, 2, 3])('marks no text as false after a crash before write %i', async (crash) => {
    await crashAtWrite(crash, () => confirmWallet(world.outside, WALLET, END));
    const now = await known(world);
    expect([1_000_00, ...branch.map(({ after }) => after)]).toContain(now.balance);
    expect(now.gaps).toEqual(crash === 1 ? [] : [LOST]);
    expect(now.linked.filter((id) => idsOf(branch).includes(id)).length + now.waiting.length).toBe(150);
  });

  test.each([1, 2, 3])(
    'confirms every text if the owner confirms again after a crash before write %i',
    async (crash) => {
      await crashAtWrite(crash, () => confirmWallet(world.outside, WALLET, END));
      await confirmWallet(world.outside, WALLET, END);
      expect(await known(world)).toMatchObject({ balance: END, waiting: [], false: [], gaps: [LOST] });
    },
  );

  test.each([2, 3])('is completed by a later run after a crash before write %i', async (crash) => {
    await crashAtWrite(crash, () => confirmWallet(world.outside, WALLET, END));
    await link(world, text(FIRST + 151, END, 9_00));
    await linkTexts(world.outside, WALLET, []);
    expect(await known(world)).toMatchObject({ balance: END + 9_00, waiting: [], gaps: [LOST] });
  });

  test('links every text if a second worker links one in the meantime', async () => {
    rightBefore(world, 'TransactWriteItems', () => linkTexts(world.outside, WALLET, [text(FIRST + 151, END, 9_00)]));
    await confirmWallet(world.outside, WALLET, END);
    expect(await known(world)).toMatchObject({ balance: END + 9_00, waiting: [], gaps: [LOST] });
  });

  test.each([
    ['confirmed', 'linked', confirmWallet],
    ['denied', 'false', denyWallet],
  ] as const)(
    'stores a second version of a text that arrives while the balance is being %s',
    async (_, state, answer) => {
      const last = branch.slice(-1);
      const others = last.map((one) => ({ ...one, facts_hash: 'another' }));
      const arrive = () => linkTexts(world.outside, WALLET, others);
      rightBefore(world, 'TransactWriteItems', arrive, String(last[0]?.id));
      await answer(world.outside, WALLET, END);
      expect(await getTexts(world.outside, WALLET, last)).toMatchObject([{ state, facts_hash: SEVERAL_TEXTS }]);
    },
  );

  test('marks every text as false if the owner denies the balance', async () => {
    expect(await denyWallet(world.outside, WALLET, END)).toBe(150);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [], false: idsOf(branch), gaps: [] });
  });

  test.each([1, 2, 3])(
    'marks every text as false if the owner denies again after a crash before write %i',
    async (crash) => {
      await crashAtWrite(crash, () => denyWallet(world.outside, WALLET, END));
      await denyWallet(world.outside, WALLET, END);
      expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [], false: idsOf(branch) });
    },
  );
});

test('a branch that passes through the current balance is linked', async () => {
  const moved = [...Array.from({ length: 39 }, () => 1_00), -75_00, ...Array.from({ length: 10 }, () => 2_00)];
  // The sender is spelled differently, so the texts do not link on their own.
  const branch = run(FIRST, AFTER_LOST, ...moved).map((one) => ({ ...one, sender: 'momo' }));
  expect(branch[39]?.after).toBe(1_000_00);
  await link(world, ...branch);
  expect(await confirmWallet(world.outside, WALLET, 1_020_00)).toMatchObject({ linked: 50 });
  expect(await known(world)).toMatchObject({ balance: 1_020_00, waiting: [], false: [], gaps: [LOST] });
});

describe('confirming the chain’s current balance', () => {
  test('does not link waiting texts', async () => {
    const waits = text(FIRST, 500_00, 250_00);
    await link(world, waits);
    at(world, FIRST + 3);
    expect(await confirmWallet(world.outside, WALLET, 1_000_00)).toEqual({ linked: 0, contradicted: 0 });
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [waits.id], false: [] });
  });

  test('is rejected if waiting texts lead to the same balance', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, -41_00));
    at(world, FIRST + 30);
    const before = await known(world);
    await expect(confirmWallet(world.outside, WALLET, 1_000_00)).rejects.toThrow(
      /The verified texts and the waiting texts both lead to a balance of GHS 1,000\.00/,
    );
    expect(await known(world)).toEqual(before);
  });
});

test('a balance that no text reports is rejected', async () => {
  await link(world, ...run(FIRST, AFTER_LOST, 5_00, 7_00));
  const before = await known(world);
  await expect(confirmWallet(world.outside, WALLET, 777_00)).rejects.toThrow(/No waiting text ends at GHS 777\.00/);
  expect(await known(world)).toEqual(before);
});

describe('a forged balance that the owner confirmed', () => {
  const after = run(FIRST + 21, 1_066_00, 5_00, 7_00);
  beforeEach(async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 10_00, 20_00), ...run(FIRST + 4, 7_000_00, 3_00, 4_00));
    await confirmWallet(world.outside, WALLET, 7_007_00);
    await link(world, ...after);
  });

  test('does not prevent a question about later texts', async () => {
    const { chain } = await known(world);
    expect(newerBranches(chain, await listWaiting(world.outside, WALLET)).map(({ texts }) => texts)).toEqual([after]);
    expect(await questionIn(60)).toBe(1_078_00);
  });

  test('is replaced when the owner confirms the genuine balance', async () => {
    expect(await confirmWallet(world.outside, WALLET, 1_078_00)).toEqual({ linked: 4, contradicted: 0 });
    expect(await known(world)).toMatchObject({ balance: 1_078_00, waiting: [], gaps: [LOST] });
    await link(world, text(FIRST + 30, 1_078_00, 2_00));
    expect(await known(world)).toMatchObject({ balance: 1_080_00, waiting: [] });
  });
});

test('a confirmed balance contradicts an insider’s forged text', async () => {
  const insider = text(FIRST, 1_000_00, 400_00);
  await link(world, insider);
  expect(await known(world)).toMatchObject({ balance: 1_400_00 });
  const genuine = run(FIRST + 1, 1_000_00, 5_00, 6_00);
  await link(world, ...genuine);
  const outcome = await confirmWallet(world.outside, WALLET, 1_011_00);
  expect(outcome).toEqual({ linked: 2, contradicted: 1 });
  expect(await known(world)).toMatchObject({ balance: 1_011_00, waiting: [], false: [insider.id], gaps: [] });
});

describe('a text about a silently reversed payment', () => {
  const taken = text(FIRST, 1_000_00, 36_00);
  const next = run(FIRST + 5, 1_000_00, 5_00, 6_00);
  beforeEach(async () => {
    await link(world, taken);
    await link(world, ...next);
    at(world, FIRST + 20);
    await linkTexts(world.outside, WALLET, []);
    expect((await known(world)).waiting).toEqual(idsOf([taken, ...next]));
  });

  test('becomes false after the owner enters the balance', async () => {
    await confirmWallet(world.outside, WALLET, 1_011_00);
    await link(world, text(FIRST + 21, 1_011_00, 7_00));
    const now = await known(world);
    expect(now).toMatchObject({ balance: 1_018_00, waiting: [], false: [taken.id] });
    expect(now.chain.failed_ms).toBeUndefined();
  });

  test('keeps its state after the owner taps "yes"', async () => {
    await expect(confirmWallet(world.outside, WALLET, 1_011_00, false)).rejects.toThrow(/A yes is not enough/);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, false: [] });
  });
});

test('a forged text that arrives between confirmed texts counts as a guess', async () => {
  const wrong = text(FIRST + 0.5, 7_000_00, 400_00);
  await link(world, ...run(FIRST, AFTER_LOST, 5_00, 6_00), wrong);
  await confirmWallet(world.outside, WALLET, 1_047_00);
  expect(await known(world)).toMatchObject({ balance: 1_047_00, waiting: [wrong.id], false: [] });
  at(world, FIRST + 2 * DAY_MINUTES);
  await endWaiting(world.outside, WALLET);
  expect((await known(world)).chain.failed_ms).toHaveLength(1);
});

test('a genuine branch from the head contradicts nothing', async () => {
  await link(world, ...run(FIRST, 1_000_00, 5_00, -5_00));
  const other = run(FIRST + 2, 1_000_00, 8_00, 9_00).map((one) => ({ ...one, sender: 'momo' }));
  await link(world, ...other);
  const { unbroken_since_ms } = (await known(world)).chain;
  await confirmWallet(world.outside, WALLET, 1_017_00);
  const now = await known(world);
  expect(now).toMatchObject({ balance: 1_017_00, waiting: [], false: [], gaps: [] });
  expect(now.chain.unbroken_since_ms).toBe(unbroken_since_ms);
});

describe('denyWallet', () => {
  test('marks texts with the balance and later texts as false', async () => {
    const forged = run(FIRST, 2_000_00, 5_00, 6_00);
    const other = text(FIRST + 5, 3_000_00, 7_00);
    await link(world, ...forged, other);
    expect(await denyWallet(world.outside, WALLET, 2_005_00)).toBe(2);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [other.id], false: idsOf(forged) });
    expect(await denyWallet(world.outside, WALLET, 2_005_00)).toBe(0);
  });

  test('completes when it is repeated after a crash', async () => {
    const forged = run(FIRST, 2_000_00, ...Array.from({ length: 100 }, () => 1_00));
    await link(world, ...forged);
    await crashAtWrite(2, () => denyWallet(world.outside, WALLET, 2_100_00));
    expect((await known(world)).false).toHaveLength(40);
    expect(await denyWallet(world.outside, WALLET, 2_100_00)).toBe(60);
    expect(await known(world)).toMatchObject({ waiting: [], false: idsOf(forged), balance: 1_000_00 });
  });
});

describe('the balance in a question to the owner', () => {
  /** Two branches, each after a lost text. */
  const EARLIER = run(FIRST, AFTER_LOST, 5_00, 6_00);
  const NEWER = run(FIRST + 5, 2_000_00, 1_00);

  test('is the end of the newest branch', async () => {
    await link(world, ...EARLIER, ...NEWER);
    expect(await askable()).toBe(2_001_00);
  });

  test('stays the same while its branch exists', async () => {
    await link(world, ...EARLIER, ...NEWER);
    for (const text of EARLIER.slice(0, 1))
      await world.outside.table.write([addWaiting(world.outside, WALLET, { ...text, asked_ms: world.clock.nowMs })]);
    expect(await askable()).toBe(1_047_00);
  });

  test('is never the verified balance', async () => {
    await link(world, ...run(FIRST, 990_00, 10_00));
    expect(await askable()).toBeUndefined();
    await link(world, ...run(FIRST + 5, 2_000_00, 1_00), ...run(FIRST + 9, 980_00, 20_00));
    expect(await askable()).toBe(2_001_00);
  });

  test('is the end of a branch whose previous text arrived late', async () => {
    const later = (ms: number) => ({ at_ms: ms + 90_000, arrived_ms: ms + 90_000 });
    const head = run(FIRST, 1_000_00, 2_00).map((one) => ({ ...one, ...later(one.at_ms) }));
    const branch = run(FIRST + 1, 1_036_00, 5_00).map((one) => ({ ...one, at_ms: one.at_ms - 30_000 }));
    await link(world, ...branch, ...head);
    expect(await questionIn(15)).toBe(1_041_00);
  });

  test('is preferably the end of a branch from the head', async () => {
    const failed_ms = [1, 2, 3].map(() => world.clock.nowMs);
    await changeChain(world.outside, WALLET, () => ({ established_ms: 0, failed_ms }));
    await link(world, ...run(FIRST, 1_000_00, 7_00), ...run(FIRST + 2, 5_000_00, 1_00, 2_00, 3_00));
    expect(await questionIn(15)).toBe(1_007_00);
  });
});

describe('a text that has waited for a day', () => {
  test('becomes false if the chain has passed it', async () => {
    const forged = text(ESTABLISHED_MINUTE, 500_00, 250_00);
    await link(world, forged, text(FIRST, 1_000_00, 2_00));
    at(world, ESTABLISHED_MINUTE + DAY_MINUTES - 1);
    expect(await endWaiting(world.outside, WALLET)).toBe(0);
    at(world, ESTABLISHED_MINUTE + DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(1);
    expect(await known(world)).toMatchObject({ waiting: [], false: [forged.id], balance: 1_002_00 });
  });

  test('keeps waiting if it is newer than the chain', async () => {
    const newer = text(FIRST, 1_036_00, 5_00);
    await link(world, newer);
    at(world, FIRST + 3 * DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(0);
    expect(await known(world)).toMatchObject({ waiting: [newer.id], false: [] });
  });

  describe('with an id from the future', () => {
    const ahead = text(FIRST, 500_00, 250_00, { id: 99_999_999_999_999 });
    beforeEach(() => setProve(world.outside, WALLET, 'enforce'));

    test('becomes false if a later text was linked', async () => {
      await link(world, ahead, text(FIRST + 1, 1_000_00, 2_00));
      at(world, FIRST + DAY_MINUTES);
      expect(await endWaiting(world.outside, WALLET)).toBe(1);
      expect(await known(world)).toMatchObject({ waiting: [], false: [ahead.id] });
    });

    test('keeps waiting if no later text was linked', async () => {
      await link(world, ahead);
      at(world, FIRST + 3 * DAY_MINUTES);
      expect(await endWaiting(world.outside, WALLET)).toBe(0);
    });
  });

  test('keeps waiting if the head has an id from the future', async () => {
    await beginAnew(world);
    await link(world, text(FIRST, 1_000_00, 1_00, { id: 99_999_999_999_999 }));
    const honest = [text(FIRST + 1, 1_000_00, 36_00), text(FIRST + 2, 1_036_00, 5_00)];
    await link(world, ...honest);
    at(world, FIRST + 2 * DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(0);
    expect(await known(world)).toMatchObject({ waiting: honest.map(({ id }) => id), false: [] });
  });

  test('does not count as a guess if it arrived before enforce mode', async () => {
    const forged = Array.from({ length: 4 }, (_, n) => text(ESTABLISHED_MINUTE - n / 10, 500_00 + n, 250_00));
    await link(world, ...forged);
    at(world, FIRST);
    await setProve(world.outside, WALLET, 'enforce');
    await link(world, text(FIRST + 1, 1_000_00, 2_00));
    at(world, FIRST + DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(4);
    expect((await known(world)).chain.failed_ms).toBeUndefined();
  });

  test.each(['observe', 'enforce'] as const)(
    'within a gap becomes unverified after three days in %s mode',
    async (mode) => {
      const within = text(FIRST, 1_036_00, 5_00);
      await link(world, within, ...run(FIRST + 2, 1_099_00, 1_00));
      at(world, FIRST + 3);
      await confirmWallet(world.outside, WALLET, 1_100_00);
      await link(world, text(FIRST + 5, 1_100_00, 1_00));
      await setProve(world.outside, WALLET, mode);
      at(world, FIRST + 3 * DAY_MINUTES - 1);
      expect(await endWaiting(world.outside, WALLET)).toBe(0);
      at(world, FIRST + 3 * DAY_MINUTES);
      expect(await endWaiting(world.outside, WALLET)).toBe(1);
      expect(await known(world)).toMatchObject({ waiting: [], unsure: [within.id], false: [] });
    },
  );

  test('becomes false among many forged texts', async () => {
    await beginAnew(world);
    const forged = Array.from({ length: 95 }, (_, n) =>
      text(ESTABLISHED_MINUTE + n / 100, 5_000_00 + n * 1_00, 250_00),
    );
    await link(world, ...forged, ...run(FIRST, 1_000_00, 2_00));
    at(world, FIRST + DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(95);
    expect(await known(world)).toMatchObject({ waiting: [], false: idsOf(forged) });
  });

  test('is recorded as false only once, even if two workers run simultaneously', async () => {
    await link(world, text(ESTABLISHED_MINUTE, 500_00, 250_00), text(FIRST, 1_000_00, 2_00));
    at(world, FIRST + DAY_MINUTES);
    const ended = await Promise.all([1, 2].map(() => endWaiting(world.outside, WALLET)));
    expect(ended.toSorted()).toEqual([0, 1]);
  });
});

describe('a balance chain’s mode', () => {
  const prove = (mode: ProveMode) => setProve(world.outside, WALLET, mode);

  test('can be switched between enforce and observe', async () => {
    await prove('enforce');
    expect((await known(world)).chain.mode).toBe('enforce');
    await prove('observe');
    expect((await known(world)).chain.mode).toBe('observe');
  });

  test('resets the failures when it returns to enforce', async () => {
    await prove('enforce');
    const since = world.clock.nowMs;
    expect((await known(world)).chain.established_ms).toBe(since);
    await changeChain(world.outside, WALLET, () => ({ failed_ms: [since, since, since] }));
    await prove('enforce');
    expect((await known(world)).chain.failed_ms).toHaveLength(3);
    await prove('observe');
    world.clock.nowMs += 60_000;
    await prove('enforce');
    const { chain } = await known(world);
    expect({ failed_ms: chain.failed_ms, established_ms: chain.established_ms }).toEqual({
      failed_ms: undefined,
      established_ms: since + 60_000,
    });
  });

  test('cannot be enforce if the chain has too few links', async () => {
    world = await createWorld({ inMemory: true });
    await link(world, ...run(0, 100_00, 1_00, 2_00, -1_00));
    const missing = 'not established yet: it has 2 of the 20 links it needs, and 1 of the 5 links for money sent out';
    await expect(prove('enforce')).rejects.toThrow(missing);
    expect((await known(world)).chain.mode).toBe('observe');
  });

  test('cannot be enforce on an unsupported network', async () => {
    const telecel = { network: 'TELECEL', momo_number: '+233201234567' } as const;
    const chain = { ...startChain(telecel, text(0, 0, 1_00)), links: 400, outgoing_links: 100 };
    await world.outside.table.write([createChain(chain)]);
    await expect(setProve(world.outside, telecel, 'enforce')).rejects.toThrow(/Only chains on MTN/);
    expect((await chainRows.find(world.outside, telecel))?.mode).toBe('observe');
  });

  test('can change while a worker links a text', async () => {
    rightBefore(world, 'PutItem', () => link(world, text(ESTABLISHED_MINUTE, 1_000_00, 5_00)));
    await prove('enforce');
    expect(await known(world)).toMatchObject({ chain: { mode: 'enforce' }, balance: 1_005_00 });
  });
});

test('findWallet requires a network if two wallets share the number', async () => {
  expect((await findWallet(world.outside, WALLET.momo_number, undefined)).network).toBe('MTN');
  const unknown = findWallet(world.outside, '+233240000000', undefined);
  await expect(unknown).rejects.toThrow(/No text has reported a balance for the wallet/);
  const other = { ...WALLET, network: 'TELECEL' } as const;
  await world.outside.table.write([createChain(startChain(other, text(0, 0, 1_00)))]);
  await expect(findWallet(world.outside, WALLET.momo_number, undefined)).rejects.toThrow(
    /MTN and TELECEL\. Specify the/,
  );
  expect((await findWallet(world.outside, WALLET.momo_number, 'TELECEL')).network).toBe('TELECEL');
});

test('confirmWallet throws for a wallet without a balance chain', async () => {
  const nobody = { network: 'MTN', momo_number: '+233240000000' } as const;
  expect(await endWaiting(world.outside, nobody)).toBe(0);
  await expect(confirmWallet(world.outside, nobody, 1_00)).rejects.toThrow(/has reported a balance/);
});

/** Returns the balance that the owner is asked to confirm after this many minutes. */
async function questionIn(minutes: number): Promise<number | undefined> {
  const waiting = await listWaiting(world.outside, WALLET);
  return branchInQuestion((await known(world)).chain, waiting, world.clock.nowMs + minutes * 60_000)?.to.balance;
}

/** Returns the balance that the owner can be asked to confirm now. */
async function askable(): Promise<number | undefined> {
  return unclearBalance((await known(world)).chain, await listWaiting(world.outside, WALLET))?.balance;
}

/** Simulates a crash before the nth write. */
async function crashAtWrite(nth: number, work: () => Promise<unknown>): Promise<void> {
  const usual = world.dynamoDb;
  let writes = 0;
  world.dynamoDb = async ({ command }, send) => {
    if (command === 'TransactWriteItems') writes++;
    if (writes >= nth) throw new Error('crashed');
    await send();
  };
  await expect(work()).rejects.toThrow('crashed');
  world.dynamoDb = usual;
}
