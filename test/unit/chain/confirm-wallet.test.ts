import { beforeEach, describe, expect, test } from 'vitest';
import { branchInQuestion, newerBranches, unclearBalance } from '../../../shared/wallets/chain/branches.ts';
import { addWaiting, chainRows, createChain, listWaiting } from '../../../shared/wallets/chain/chain.table.ts';
import { type ProveMode, startChain } from '../../../shared/wallets/chain/chain.ts';
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

/** A text that was lost, and those after it. */
const LOST = 36_00;
const AFTER_LOST = 1_036_00;
const FIRST = ESTABLISHED_MINUTE + 1;
const DAY_MINUTES = 24 * 60;

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  await establish(world);
});

test('the balance of a new wallet ends what texts that failed meant: it is established by the next that links', async () => {
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

describe('on a new wallet whose first texts were a forger’s, with ids from a time that has not come', () => {
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

  test('the chain goes on from the balance that its owner names, and is established by what follows', async () => {
    await forged(0, 777_00, 1_00);
    for (let day = 1; day <= 8; day++) {
      for (const [n, moved] of [5_00, -1_00, 2_00].entries()) await genuine(day * DAY_MINUTES + n, moved);
      if (day === 1) await confirmWallet(world.outside, WALLET, balance);
    }
    expect(await known(world)).toMatchObject({ balance, waiting: [], chain: { established_ms: expect.any(Number) } });
  });

  test('an owner who only says yes to what is genuine establishes nothing of theirs', async () => {
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

describe('the balance at the end of a branch', () => {
  test('makes the branch the head, and the break before it known', async () => {
    const branch = run(FIRST, AFTER_LOST, 5_00, -1_00, 7_00);
    await link(world, ...branch);
    const outcome = await confirmWallet(world.outside, WALLET, 1_047_00);
    expect(outcome).toEqual({ linked: 3, contradicted: 0 });
    const now = await known(world);
    expect(now).toMatchObject({ balance: 1_047_00, waiting: [], false: [], gaps: [LOST] });
    expect(now.chain.unbroken_since_ms).toBe(branch[0]?.at_ms);
  });

  test('in the middle of it confirms the texts after it too: they continue it', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, -1_00, 7_00));
    await confirmWallet(world.outside, WALLET, 1_041_00);
    expect(await known(world)).toMatchObject({ balance: 1_047_00, waiting: [], gaps: [LOST] });
  });

  test('leaves other branches waiting, because only one of them is the head', async () => {
    const forged = text(FIRST + 1, 500_00, 250_00);
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, 7_00), forged);
    await confirmWallet(world.outside, WALLET, 1_048_00);
    expect(await known(world)).toMatchObject({ balance: 1_048_00, waiting: [forged.id], false: [] });
  });

  test('is said again, and changes nothing', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, 7_00));
    await confirmWallet(world.outside, WALLET, 1_048_00);
    const before = await known(world);
    expect(await confirmWallet(world.outside, WALLET, 1_048_00)).toEqual({ linked: 0, contradicted: 0 });
    expect(await known(world)).toEqual(before);
  });

  test('is said after the missing text came and the chain went past it: nothing is changed', async () => {
    const branch = run(FIRST, AFTER_LOST, 5_00, 7_00);
    await link(world, ...branch, text(ESTABLISHED_MINUTE, 1_000_00, LOST), text(FIRST + 3, 1_048_00, 2_00));
    const before = await known(world);
    expect(before).toMatchObject({ balance: 1_050_00, waiting: [], gaps: [] });
    await expect(confirmWallet(world.outside, WALLET, 1_048_00)).rejects.toThrow(/past it.*next payment or withdrawal/);
    expect(await known(world)).toEqual(before);
  });
});

describe('a branch of more texts than one transaction may settle', () => {
  /** 150 texts, of which every second takes back what the one before it brought. */
  const branch = run(FIRST, AFTER_LOST, ...Array.from({ length: 150 }, (_, n) => (n % 2 ? -2_00 : 3_00)));
  const END = AFTER_LOST + 75_00;
  beforeEach(() => link(world, ...branch));

  test('is confirmed whole', async () => {
    expect(await confirmWallet(world.outside, WALLET, END)).toEqual({ linked: 150, contradicted: 0 });
    const now = await known(world);
    expect(now).toMatchObject({ balance: END, waiting: [], false: [], gaps: [LOST] });
    expect(now.linked).toEqual(expect.arrayContaining(idsOf(branch)));
  });

  test.each([1, 2, 3])('is true though less of it is confirmed after a crash before write %i', async (crash) => {
    await crashAtWrite(crash, () => confirmWallet(world.outside, WALLET, END));
    const now = await known(world);
    expect([1_000_00, ...branch.map(({ after }) => after)]).toContain(now.balance);
    expect(now.gaps).toEqual(crash === 1 ? [] : [LOST]);
    expect(now.linked.filter((id) => idsOf(branch).includes(id)).length + now.waiting.length).toBe(150);
  });

  test.each([1, 2, 3])('is confirmed whole by the same word again, after a crash before write %i', async (crash) => {
    await crashAtWrite(crash, () => confirmWallet(world.outside, WALLET, END));
    await confirmWallet(world.outside, WALLET, END);
    expect(await known(world)).toMatchObject({ balance: END, waiting: [], false: [], gaps: [LOST] });
  });

  test.each([2, 3])(
    'goes on by itself after a crash before write %i, at the latest when housekeeping looks',
    async (crash) => {
      await crashAtWrite(crash, () => confirmWallet(world.outside, WALLET, END));
      await link(world, text(FIRST + 151, END, 9_00));
      await linkTexts(world.outside, WALLET, []);
      expect(await known(world)).toMatchObject({ balance: END + 9_00, waiting: [], gaps: [LOST] });
    },
  );

  test('goes on though another worker links a text in between', async () => {
    rightBefore(world, 'TransactWriteItems', () => linkTexts(world.outside, WALLET, [text(FIRST + 151, END, 9_00)]));
    await confirmWallet(world.outside, WALLET, END);
    expect(await known(world)).toMatchObject({ balance: END + 9_00, waiting: [], gaps: [LOST] });
  });

  test('is false as a whole if the owner never held it', async () => {
    expect(await denyWallet(world.outside, WALLET, END)).toBe(150);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [], false: idsOf(branch), gaps: [] });
  });

  test.each([1, 2, 3])('is false as a whole by the same word again, after a crash before write %i', async (crash) => {
    await crashAtWrite(crash, () => denyWallet(world.outside, WALLET, END));
    await denyWallet(world.outside, WALLET, END);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [], false: idsOf(branch) });
  });
});

test('a branch whose fortieth text leads back to the balance of the head is confirmed whole, too', async () => {
  const moved = [...Array.from({ length: 39 }, () => 1_00), -75_00, ...Array.from({ length: 10 }, () => 2_00)];
  // Of another sender's spelling: else what follows that text would link by itself.
  const branch = run(FIRST, AFTER_LOST, ...moved).map((one) => ({ ...one, sender: 'momo' }));
  expect(branch[39]?.after).toBe(1_000_00);
  await link(world, ...branch);
  expect(await confirmWallet(world.outside, WALLET, 1_020_00)).toMatchObject({ linked: 50 });
  expect(await known(world)).toMatchObject({ balance: 1_020_00, waiting: [], false: [], gaps: [LOST] });
});

describe('the balance of the head', () => {
  test('says nothing about texts that wait: they may be newer than the word', async () => {
    const waits = text(FIRST, 500_00, 250_00);
    await link(world, waits);
    at(world, FIRST + 3);
    expect(await confirmWallet(world.outside, WALLET, 1_000_00)).toEqual({ linked: 0, contradicted: 0 });
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [waits.id], false: [] });
  });

  test('to which waiting texts lead too says nothing, and nothing is changed', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, -41_00));
    at(world, FIRST + 30);
    const before = await known(world);
    await expect(confirmWallet(world.outside, WALLET, 1_000_00)).rejects.toThrow(
      /texts that wait lead to GHS 1,000\.00/,
    );
    expect(await known(world)).toEqual(before);
  });
});

test('a balance to which no text leads is refused: what leads there may be on its way, and would no longer fit', async () => {
  await link(world, ...run(FIRST, AFTER_LOST, 5_00, 7_00));
  const before = await known(world);
  await expect(confirmWallet(world.outside, WALLET, 777_00)).rejects.toThrow(/No text that waits leads to GHS 777\.00/);
  expect(await known(world)).toEqual(before);
});

describe('a forged balance to which an owner said yes', () => {
  const after = run(FIRST + 21, 1_066_00, 5_00, 7_00);
  beforeEach(async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 10_00, 20_00), ...run(FIRST + 4, 7_000_00, 3_00, 4_00));
    await confirmWallet(world.outside, WALLET, 7_007_00);
    await link(world, ...after);
  });

  test('does not hide the texts that come after it: the owner is asked about them', async () => {
    const { chain } = await known(world);
    expect(newerBranches(chain, await listWaiting(world.outside, WALLET)).map(({ texts }) => texts)).toEqual([after]);
    expect(await questionIn(60)).toBe(1_078_00);
  });

  test('is replaced by the right one: what went past it is genuine', async () => {
    expect(await confirmWallet(world.outside, WALLET, 1_078_00)).toEqual({ linked: 4, contradicted: 0 });
    expect(await known(world)).toMatchObject({ balance: 1_078_00, waiting: [], gaps: [LOST] });
    await link(world, text(FIRST + 30, 1_078_00, 2_00));
    expect(await known(world)).toMatchObject({ balance: 1_080_00, waiting: [] });
  });
});

test('a text of somebody who knew the balance is found when what follows does not go on from it', async () => {
  const insider = text(FIRST, 1_000_00, 400_00);
  await link(world, insider);
  expect(await known(world)).toMatchObject({ balance: 1_400_00 });
  const genuine = run(FIRST + 1, 1_000_00, 5_00, 6_00);
  await link(world, ...genuine);
  const outcome = await confirmWallet(world.outside, WALLET, 1_011_00);
  expect(outcome).toEqual({ linked: 2, contradicted: 1 });
  expect(await known(world)).toMatchObject({ balance: 1_011_00, waiting: [], false: [insider.id], gaps: [] });
});

describe('a payment that was taken back in silence', () => {
  const taken = text(FIRST, 1_000_00, 36_00);
  const next = run(FIRST + 5, 1_000_00, 5_00, 6_00);
  beforeEach(async () => {
    await link(world, taken);
    await link(world, ...next);
    at(world, FIRST + 20);
    await linkTexts(world.outside, WALLET, []);
    expect((await known(world)).waiting).toEqual(idsOf([taken, ...next]));
  });

  test('is false once the owner names the balance, leads nowhere back and counts as no guess', async () => {
    await confirmWallet(world.outside, WALLET, 1_011_00);
    await link(world, text(FIRST + 21, 1_011_00, 7_00));
    const now = await known(world);
    expect(now).toMatchObject({ balance: 1_018_00, waiting: [], false: [taken.id] });
    expect(now.chain.failed_ms).toBeUndefined();
  });

  test('takes more than a yes, which could be to a forged text that begins at the same balance', async () => {
    await expect(confirmWallet(world.outside, WALLET, 1_011_00, false)).rejects.toThrow(/A yes is not enough/);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, false: [] });
  });
});

test('a forged text that names no balance of the confirmed path waits on, and counts when it ends', async () => {
  const wrong = text(FIRST + 0.5, 7_000_00, 400_00);
  await link(world, ...run(FIRST, AFTER_LOST, 5_00, 6_00), wrong);
  await confirmWallet(world.outside, WALLET, 1_047_00);
  expect(await known(world)).toMatchObject({ balance: 1_047_00, waiting: [wrong.id], false: [] });
  at(world, FIRST + 2 * DAY_MINUTES);
  await endWaiting(world.outside, WALLET);
  expect((await known(world)).chain.failed_ms).toHaveLength(1);
});

test('a genuine branch that begins at the head contradicts nothing, though the wallet held as much before', async () => {
  await link(world, ...run(FIRST, 1_000_00, 5_00, -5_00));
  const other = run(FIRST + 2, 1_000_00, 8_00, 9_00).map((one) => ({ ...one, sender: 'momo' }));
  await link(world, ...other);
  const { unbroken_since_ms } = (await known(world)).chain;
  await confirmWallet(world.outside, WALLET, 1_017_00);
  const now = await known(world);
  expect(now).toMatchObject({ balance: 1_017_00, waiting: [], false: [], gaps: [] });
  expect(now.chain.unbroken_since_ms).toBe(unbroken_since_ms);
});

describe('the word that a balance was never held', () => {
  test('ends the texts that say so and those that continue them, and no others', async () => {
    const forged = run(FIRST, 2_000_00, 5_00, 6_00);
    const other = text(FIRST + 5, 3_000_00, 7_00);
    await link(world, ...forged, other);
    expect(await denyWallet(world.outside, WALLET, 2_005_00)).toBe(2);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [other.id], false: idsOf(forged) });
    expect(await denyWallet(world.outside, WALLET, 2_005_00)).toBe(0);
  });

  test('ends more texts than one transaction may settle, and what a crash left over by the same word again', async () => {
    const forged = run(FIRST, 2_000_00, ...Array.from({ length: 100 }, () => 1_00));
    await link(world, ...forged);
    await crashAtWrite(2, () => denyWallet(world.outside, WALLET, 2_100_00));
    expect((await known(world)).false).toHaveLength(40);
    expect(await denyWallet(world.outside, WALLET, 2_100_00)).toBe(60);
    expect(await known(world)).toMatchObject({ waiting: [], false: idsOf(forged), balance: 1_000_00 });
  });
});

describe('what the owner is asked about', () => {
  /** Two branches, before each of which one text is lost. */
  const EARLIER = run(FIRST, AFTER_LOST, 5_00, 6_00);
  const NEWER = run(FIRST + 5, 2_000_00, 1_00);

  test('is the newest branch', async () => {
    await link(world, ...EARLIER, ...NEWER);
    expect(await askable()).toBe(2_001_00);
  });

  test('is first the branch that they were asked about before', async () => {
    await link(world, ...EARLIER, ...NEWER);
    for (const text of EARLIER.slice(0, 1))
      await world.outside.table.write([addWaiting(world.outside, WALLET, { ...text, asked_ms: world.clock.nowMs })]);
    expect(await askable()).toBe(1_047_00);
  });

  test('is never the balance that is proven, whatever else leads to it', async () => {
    await link(world, ...run(FIRST, 990_00, 10_00));
    expect(await askable()).toBeUndefined();
    await link(world, ...run(FIRST + 5, 2_000_00, 1_00), ...run(FIRST + 9, 980_00, 20_00));
    expect(await askable()).toBe(2_001_00);
  });

  test('is a branch though the text before came late, too, as where several customers pay at once', async () => {
    const later = (ms: number) => ({ at_ms: ms + 90_000, arrived_ms: ms + 90_000 });
    const head = run(FIRST, 1_000_00, 2_00).map((one) => ({ ...one, ...later(one.at_ms) }));
    const branch = run(FIRST + 1, 1_036_00, 5_00).map((one) => ({ ...one, at_ms: one.at_ms - 30_000 }));
    await link(world, ...branch, ...head);
    expect(await questionIn(15)).toBe(1_041_00);
  });

  test('is of several branches the one that begins at the head, which few can write', async () => {
    const failed_ms = [1, 2, 3].map(() => world.clock.nowMs);
    await changeChain(world.outside, WALLET, () => ({ established_ms: 0, failed_ms }));
    await link(world, ...run(FIRST, 1_000_00, 7_00), ...run(FIRST + 2, 5_000_00, 1_00, 2_00, 3_00));
    expect(await questionIn(15)).toBe(1_007_00);
  });
});

describe('what has waited long enough', () => {
  test('a text that the chain went past is false once it has waited for a day, and not before', async () => {
    const forged = text(ESTABLISHED_MINUTE, 500_00, 250_00);
    await link(world, forged, text(FIRST, 1_000_00, 2_00));
    at(world, ESTABLISHED_MINUTE + DAY_MINUTES - 1);
    expect(await endWaiting(world.outside, WALLET)).toBe(0);
    at(world, ESTABLISHED_MINUTE + DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(1);
    expect(await known(world)).toMatchObject({ waiting: [], false: [forged.id], balance: 1_002_00 });
  });

  test('a text that is newer than the chain waits on, however long: what is missing is before it', async () => {
    const newer = text(FIRST, 1_036_00, 5_00);
    await link(world, newer);
    at(world, FIRST + 3 * DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(0);
    expect(await known(world)).toMatchObject({ waiting: [newer.id], false: [] });
  });

  describe('a text with an id from a time that has not come', () => {
    const ahead = text(FIRST, 500_00, 250_00, { id: 99_999_999_999_999 });
    beforeEach(() => setProve(world.outside, WALLET, 'enforce'));

    test('is false after a day, where one that came later has linked', async () => {
      await link(world, ahead, text(FIRST + 1, 1_000_00, 2_00));
      at(world, FIRST + DAY_MINUTES);
      expect(await endWaiting(world.outside, WALLET)).toBe(1);
      expect(await known(world)).toMatchObject({ waiting: [], false: [ahead.id] });
    });

    test('waits on where none has: the network may have begun to count anew', async () => {
      await link(world, ahead);
      at(world, FIRST + 3 * DAY_MINUTES);
      expect(await endWaiting(world.outside, WALLET)).toBe(0);
    });
  });

  test('texts that come after one whose id is from a time that has not come wait on, where it became the head', async () => {
    await beginAnew(world);
    await link(world, text(FIRST, 1_000_00, 1_00, { id: 99_999_999_999_999 }));
    const honest = [text(FIRST + 1, 1_000_00, 36_00), text(FIRST + 2, 1_036_00, 5_00)];
    await link(world, ...honest);
    at(world, FIRST + 2 * DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(0);
    expect(await known(world)).toMatchObject({ waiting: honest.map(({ id }) => id), false: [] });
  });

  test('texts from before the chain decided are false, and count as no guesses', async () => {
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
    'where the chain would %s, a text within a known break was never proven once it has waited for three days: those on both of its sides may be missing',
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

  test('a flood of forged texts ends, though one transaction may not write them all', async () => {
    await beginAnew(world);
    const forged = Array.from({ length: 95 }, (_, n) =>
      text(ESTABLISHED_MINUTE + n / 100, 5_000_00 + n * 1_00, 250_00),
    );
    await link(world, ...forged, ...run(FIRST, 1_000_00, 2_00));
    at(world, FIRST + DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(95);
    expect(await known(world)).toMatchObject({ waiting: [], false: idsOf(forged) });
  });

  test('two workers at once end it once', async () => {
    await link(world, text(ESTABLISHED_MINUTE, 500_00, 250_00), text(FIRST, 1_000_00, 2_00));
    at(world, FIRST + DAY_MINUTES);
    const ended = await Promise.all([1, 2].map(() => endWaiting(world.outside, WALLET)));
    expect(ended.toSorted()).toEqual([0, 1]);
  });
});

describe('the mode of a chain', () => {
  const prove = (mode: ProveMode) => setProve(world.outside, WALLET, mode);

  test('payments that an established chain does not prove are held, and no more', async () => {
    await prove('enforce');
    expect((await known(world)).chain.mode).toBe('enforce');
    await prove('observe');
    expect((await known(world)).chain.mode).toBe('observe');
  });

  test('what failed to link before is forgotten with it, and what came before counts against no text', async () => {
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

  test('a chain of too few links does not decide, and says how many are missing', async () => {
    world = await createWorld({ inMemory: true });
    await link(world, ...run(0, 100_00, 1_00, 2_00, -1_00));
    const missing = 'not established yet: 2 of 20 links, 1 of 5 of money that went out';
    await expect(prove('enforce')).rejects.toThrow(missing);
    expect((await known(world)).chain.mode).toBe('observe');
  });

  test("another network's chain does not decide, however long it is", async () => {
    const telecel = { network: 'TELECEL', momo_number: '+233201234567' } as const;
    const chain = { ...startChain(telecel, text(0, 0, 1_00)), links: 400, outgoing_links: 100 };
    await world.outside.table.write([createChain(chain)]);
    await expect(setProve(world.outside, telecel, 'enforce')).rejects.toThrow(/can only observe: enforce is for MTN/);
    expect((await chainRows.find(world.outside, telecel))?.mode).toBe('observe');
  });

  test('a text that links at the same moment is not lost', async () => {
    rightBefore(world, 'PutItem', () => link(world, text(ESTABLISHED_MINUTE, 1_000_00, 5_00)));
    await prove('enforce');
    expect(await known(world)).toMatchObject({ chain: { mode: 'enforce' }, balance: 1_005_00 });
  });
});

test('a wallet is found by its number; of two with one number, the network must be named', async () => {
  expect((await findWallet(world.outside, WALLET.momo_number, undefined)).network).toBe('MTN');
  const unknown = findWallet(world.outside, '+233240000000', undefined);
  await expect(unknown).rejects.toThrow(/No text has reported the balance of a wallet/);
  const other = { ...WALLET, network: 'TELECEL' } as const;
  await world.outside.table.write([createChain(startChain(other, text(0, 0, 1_00)))]);
  await expect(findWallet(world.outside, WALLET.momo_number, undefined)).rejects.toThrow(/MTN and TELECEL: name the/);
  expect((await findWallet(world.outside, WALLET.momo_number, 'TELECEL')).network).toBe('TELECEL');
});

test('a wallet without a chain has nothing to confirm or to end', async () => {
  const nobody = { network: 'MTN', momo_number: '+233240000000' } as const;
  expect(await endWaiting(world.outside, nobody)).toBe(0);
  await expect(confirmWallet(world.outside, nobody, 1_00)).rejects.toThrow(/has reported the balance/);
});

/** The balance that the owner is asked about in so many minutes. */
async function questionIn(minutes: number): Promise<number | undefined> {
  const waiting = await listWaiting(world.outside, WALLET);
  return branchInQuestion((await known(world)).chain, waiting, world.clock.nowMs + minutes * 60_000)?.to.balance;
}

/** The balance that the owner can be asked about now. */
async function askable(): Promise<number | undefined> {
  return unclearBalance((await known(world)).chain, await listWaiting(world.outside, WALLET))?.balance;
}

/** The process dies before its nth write. */
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
