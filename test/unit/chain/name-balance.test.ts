import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { branchInQuestion } from '../../../shared/wallets/chain/branches.ts';
import { beforeRows, chainRows, getTexts, listWaiting } from '../../../shared/wallets/chain/chain.table.ts';
import { type Movement, SEVERAL_TEXTS } from '../../../shared/wallets/chain/chain.ts';
import { findWallet } from '../../../shared/wallets/chain/change-chain.ts';
import { checkText } from '../../../shared/wallets/chain/check-text.ts';
import { endWaiting } from '../../../shared/wallets/chain/end-waiting.ts';
import { isPaused } from '../../../shared/wallets/chain/guesses.ts';
import { linkTexts } from '../../../shared/wallets/chain/link-texts.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { nameMature } from '../../support/name-mature.ts';
import { rightBefore } from '../../support/receipts.ts';
import { at, BEGUN_MINUTE, begin, idsOf, known, link, run, text, WALLET } from '../../support/wallet-chains.ts';
import { createWorld, type World } from '../../support/world.ts';

/** Amount in a lost text, and the balance after it. */
const LOST = 36_00;
const AFTER_LOST = 1_036_00;
const FIRST = BEGUN_MINUTE + 1;
const DAY_MINUTES = 24 * 60;

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  at(world, 0);
});

describe('the first look', () => {
  test('begins the chain at the balance without any text', async () => {
    expect(await name(1_000_37)).toEqual({
      outcome: 'first look',
      linked: 0,
      disproved: 0,
      doubted: 0,
      isUnproven: false,
      isYoung: true,
    });
    const first = text(1, 1_000_37, 5_00);
    await link(world, first);
    expect(await known(world)).toMatchObject({ balance: 1_005_37, linked: [first.id] });
    expect(await proofOf(first)).toEqual({ state: 'proven' });
  });

  test('never verifies or links a text that arrived before it, however often it is sent', async () => {
    const sprayed = Array.from({ length: 60 }, (_, n) => text(n, 900_37 + n * 1_00, 100_00 - n * 1_00));
    await linkTexts(world.outside, WALLET, sprayed);
    at(world, 70);
    await name(1_000_37);
    const forged = text(71, 1_000_37, 700_00, { arrived_ms: world.clock.nowMs - 1 });
    await linkTexts(world.outside, WALLET, [...sprayed, forged]);
    const now = await known(world);
    expect(now).toMatchObject({ balance: 1_000_37, waiting: [], linked: [] });
    expect(now.before).toEqual(idsOf([...sprayed, forged]));
    expect(now.chain.failed_ms).toBeUndefined();
    for (const one of [...sprayed.slice(-1), forged])
      expect(await proofOf(one)).toEqual({ state: 'unproven', why: 'not_anchored' });
  });

  test('continues from the last of the texts that arrived shortly before it', async () => {
    const before = run(1, 1_000_37, 5_00, 6_00);
    await link(world, ...before);
    at(world, 3);
    await name(1_000_37);
    const next = text(4, 1_011_37, 7_00);
    await link(world, next);
    expect(await known(world)).toMatchObject({ balance: 1_018_37, before: idsOf(before), linked: [next.id] });
    expect(await beforeRows.find(world.outside, WALLET)).toBeUndefined();
  });

  test('is not misled by texts of one path that are older than ten minutes', async () => {
    await link(world, ...run(1, 1_000_37, 900_00));
    at(world, 11);
    await name(1_000_37);
    expect(await known(world)).toMatchObject({ balance: 1_000_37 });
  });

  test('is not misled by a path of six texts', async () => {
    await link(world, ...run(1, 1_000_37, 1_00, 1_00, 1_00, 1_00, 1_00, 1_00));
    at(world, 7);
    await name(1_000_37);
    expect(await known(world)).toMatchObject({ balance: 1_000_37 });
  });

  test('includes late texts that lead to its balance, which are never false or guesses', async () => {
    at(world, 30);
    await name(1_000_37);
    const late = run(5, 900_37, 60_00, 40_00).map((one) => ({ ...one, arrived_ms: world.clock.nowMs + MINUTE_MS }));
    await link(world, ...late.toReversed());
    at(world, 3 * DAY_MINUTES);
    await endWaiting(world.outside, WALLET);
    const now = await known(world);
    expect(now).toMatchObject({ before: idsOf(late), false: [], waiting: [] });
    expect(now.chain.failed_ms).toBeUndefined();
  });

  test('links a text that was on its way and continues from its balance', async () => {
    at(world, 30);
    await name(1_000_37);
    const onItsWay = text(29.9, 1_000_37, 5_00, { arrived_ms: world.clock.nowMs + 1000 });
    await link(world, onItsWay);
    expect(await proofOf(onItsWay)).toEqual({ state: 'proven' });
  });

  test('accepts swapped first texts in either order', async () => {
    await name(1_000_37);
    const [one, two] = run(1, 1_000_37, 5_00, 6_00);
    await link(world, ...[two, one].flatMap((text) => text ?? []));
    expect(await known(world)).toMatchObject({ balance: 1_011_37, waiting: [], false: [] });
  });

  test('counts from the first text on each text that does not fit', async () => {
    await name(1_000_37);
    await link(world, ...[0, 1, 2].map((n) => text(1 + n / 10, 500_37 + n, 90_00)), text(4, 1_000_37, 5_00));
    expect(await known(world)).toMatchObject({ balance: 1_000_37, linked: [] });
    expect(isPaused((await known(world)).chain, world.clock.nowMs)).toBe(true);
  });

  test('is refused on a network whose texts state no balance', async () => {
    const wallet = { network: 'AT', momo_number: '+233261234567' } as const;
    await expect(nameBalance(world.outside, wallet, 1_000_37)).rejects.toThrow('texts state no balance');
    expect(await chainRows.find(world.outside, wallet)).toBeUndefined();
  });
});

describe('a balance that anybody would try', () => {
  test('verifies nothing until the owner names another kind of balance on the path', async () => {
    expect(await name(1_000_00)).toMatchObject({ isUnproven: true });
    const texts = run(1, 1_000_00, 5_37, 6_00, 7_00);
    await link(world, ...texts);
    at(world, 4);
    expect(await name(1_018_37)).toMatchObject({ outcome: 'agrees', isUnproven: false });
    const next = text(5, 1_018_37, 8_00);
    await link(world, next);
    expect(await known(world)).toMatchObject({ balance: 1_026_37 });
    for (const one of texts) expect(await proofOf(one)).toEqual({ state: 'unproven', why: 'balance_unsure' });
    expect(await proofOf(next)).toEqual({ state: 'proven' });
  });
});

describe('a young chain', () => {
  const paid = (minute: number, before: number, pesewas: number) => text(minute, before, pesewas);

  test('leaves payments above GHS 1,000 to the second look, which verifies them', async () => {
    await name(1_000_37);
    const [within, above] = [paid(1, 1_000_37, 900_00), paid(2, 1_900_37, 100_01)];
    await link(world, within, above);
    expect(await proofOf(within)).toEqual({ state: 'proven' });
    expect(await proofOf(above)).toEqual({ state: 'unproven', why: 'anchor_young' });
    world.clock.nowMs += 11 * HOUR_MS;
    expect(await name(2_000_38)).toMatchObject({ outcome: 'agrees', isYoung: true });
    expect(await proofOf(above)).toEqual({ state: 'unproven', why: 'anchor_young' });
    world.clock.nowMs += HOUR_MS;
    expect(await name(2_000_38)).toMatchObject({ outcome: 'agrees', isYoung: false });
    expect(await proofOf(above)).toEqual({ state: 'proven' });
    expect((await known(world)).chain.beyond_since_id).toBeUndefined();
  });

  test('stays young if a text reaches the second balance only after ten minutes', async () => {
    await name(1_000_37);
    at(world, 12 * 60);
    expect(await name(1_005_37)).toMatchObject({ outcome: 'look again', isYoung: true });
    await link(world, text(12 * 60 + 11, 1_000_37, 5_00));
    expect((await known(world)).chain.anchor.agreed_ms).toBeUndefined();
  });

  test('is no longer young if a text reaches the second balance within ten minutes', async () => {
    await name(1_000_37);
    at(world, 12 * 60);
    const { nowMs } = world.clock;
    expect(await name(1_011_37)).toMatchObject({ outcome: 'look again' });
    await link(world, ...run(12 * 60 + 9, 1_000_37, 5_00, 6_00));
    expect((await known(world)).chain).toMatchObject({ anchor: { agreed_ms: nowMs }, looked_ms: nowMs });
  });
});

describe('a look at a broken chain', () => {
  beforeEach(() => begin(world));

  test('links the texts after a lost one, up to the balance and beyond', async () => {
    const texts = run(FIRST, AFTER_LOST, 5_00, -1_00, 7_20);
    const forged = text(FIRST + 1.5, 500_00, 250_00);
    await link(world, ...texts, forged);
    expect(await name(1_041_00)).toMatchObject({ outcome: 'leads there', linked: 1 });
    const now = await known(world);
    expect(now).toMatchObject({ balance: 1_047_20, waiting: [forged.id], false: [], gaps: [LOST] });
    expect(now.chain.unbroken_since_ms).toBe(texts[0]?.at_ms);
    for (const one of texts) expect(await proofOf(one)).toEqual({ state: 'proven' });
    expect(await name(1_047_20)).toMatchObject({ outcome: 'agrees', linked: 0 });
  });

  test('changes nothing if no text explains the balance', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, 7_00));
    const before = await known(world);
    expect(await name(777_00)).toMatchObject({ outcome: 'look again', linked: 0 });
    const { look: _, ...chain } = (await known(world)).chain;
    expect({ ...chain, version: 0 }).toEqual({ ...before.chain, version: 0 });
  });

  test('disproves an insider’s forged text that the genuine ones contradict', async () => {
    const [insider, genuine] = [text(FIRST, 1_000_00, 400_00), run(FIRST + 1, 1_000_00, 5_00, 6_20)];
    await link(world, insider, ...genuine);
    expect(await name(1_011_20)).toMatchObject({ outcome: 'leads there', linked: 2, disproved: 1 });
    expect(await known(world)).toMatchObject({ balance: 1_011_20, false: [insider.id], gaps: [] });
  });

  test('counts a text that it rules out as a guess', async () => {
    const [insider, genuine] = [text(FIRST, 1_000_00, 400_00), run(FIRST + 1, 1_000_00, 5_00, 6_20)];
    await link(world, insider, ...genuine);
    const before = (await known(world)).chain.failed_ms?.length ?? 0;
    await name(1_011_20);
    expect((await known(world)).chain.failed_ms).toHaveLength(before + 1);
  });

  test('links the texts before and after a return to the head’s balance, and verifies those after it', async () => {
    const moved = [...Array.from({ length: 14 }, () => 1_00), -50_00, ...Array.from({ length: 5 }, () => 2_02)];
    // Another sender’s texts do not link on their own.
    const texts = run(FIRST + 1, AFTER_LOST + 2_00, ...moved).map((one) => ({ ...one, sender: 'momo' }));
    await link(world, text(FIRST, 1_000_00, 2_00), ...texts);
    expect(texts[14]?.after).toBe(1_002_00);
    expect(await name(1_012_10)).toMatchObject({ linked: 20 });
    const unsure = idsOf(texts.slice(0, 15));
    expect(await known(world)).toMatchObject({ balance: 1_012_10, waiting: [], false: [], unsure, gaps: [LOST] });
  });

  test('replaces a forged balance that the owner named before, if it is named twice', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 10_00, 20_00), ...run(FIRST + 4, 7_000_00, 3_00, 4_10));
    await name(7_007_10);
    const after = run(FIRST + 21, 1_066_00, 5_00, 7_20);
    await link(world, ...after);
    const waiting = await listWaiting(world.outside, WALLET);
    const laterMs = world.clock.nowMs + HOUR_MS;
    expect(branchInQuestion((await known(world)).chain, waiting, laterMs)?.texts).toEqual(after);
    expect(await again(1_078_20)).toMatchObject({ outcome: 'new anchor' });
    await link(world, text(FIRST + 30, 1_078_20, 2_00));
    expect(await known(world)).toMatchObject({ balance: 1_080_20, waiting: [], false: [] });
  });
});

describe('a look that nothing explains, repeated', () => {
  beforeEach(() => begin(world));

  test('sets aside the texts that waited, which can then never link', async () => {
    const waiting = run(FIRST, 1_100_20, 5_00, 6_00);
    await link(world, ...waiting);
    expect(await again(1_100_20)).toMatchObject({ outcome: 'new anchor', isYoung: true, doubted: 0 });
    expect(await known(world)).toMatchObject({ balance: 1_100_20, waiting: [], before: idsOf(waiting), false: [] });
    await link(world, text(FIRST + 10, 1_100_20, 1_00));
    expect(await known(world)).toMatchObject({ balance: 1_101_20, gaps: [100_20] });
  });

  test('withdraws the proof of the payments since the last look if money is missing', async () => {
    const [earlier, later, out] = [text(FIRST, 1_000_00, 9_20), text(FIRST + 2, 1_009_20, 8_00), -3_00];
    await link(world, earlier);
    at(world, FIRST + 1);
    await name(1_009_20);
    await link(world, later, text(FIRST + 3, 1_017_20, out));
    expect(await again(1_006_20)).toMatchObject({ outcome: 'new anchor', doubted: 1 });
    expect(await proofOf(earlier)).toEqual({ state: 'proven' });
    expect(await proofOf(later)).toEqual({ state: 'unproven', why: 'balance_unsure' });
  });

  test('withdraws that proof even if it crashed in between', async () => {
    const payment = text(FIRST, 1_000_00, 9_20);
    await link(world, payment);
    at(world, FIRST + 1);
    await name(950_20);
    at(world, FIRST + 3);
    await crashAtWrite(2, () => name(950_20));
    const later = text(FIRST + 4, 950_20, 8_00);
    await link(world, later);
    expect(await name(958_20)).toMatchObject({ doubted: 1 });
    expect(await proofOf(payment)).toEqual({ state: 'unproven', why: 'balance_unsure' });
    expect(await proofOf(later)).toEqual({ state: 'proven' });
  });
});

describe('a look during a pause', () => {
  const guesses = (minute: number, count: number) =>
    Array.from({ length: count }, (_, n) => text(minute + n / 100, 3_000_37 + n * 1_00, 400_00));
  /** Simulates guesses that the chain has passed. */
  const guess = async (minute: number, balance: number, count = 3) => {
    await link(world, ...guesses(minute, count));
    const next = text(minute + 3, balance, 1_00);
    await link(world, next);
    return next;
  };
  beforeEach(async () => {
    at(world, 0);
    await nameMature(world.outside, WALLET, 1_000_37);
  });

  test('ends it, decides the texts before it and allows three more guesses', async () => {
    const next = await guess(1, 1_000_37);
    expect(isPaused((await known(world)).chain, world.clock.nowMs)).toBe(true);
    expect(await name(1_001_37)).toMatchObject({ outcome: 'leads there', isUnproven: true, isYoung: true });
    const now = await known(world);
    expect(now).toMatchObject({ balance: 1_001_37, waiting: [], linked: [next.id] });
    expect(now.before).toEqual(idsOf(guesses(1, 3)));
    await link(world, text(6, 1_001_37, 2_00));
    expect(await known(world)).toMatchObject({ balance: 1_003_37, waiting: [] });
    expect(isPaused((await known(world)).chain, world.clock.nowMs)).toBe(false);
    await link(world, ...guesses(7, 2), text(10, 1_003_37, 1_00));
    expect(await known(world)).toMatchObject({ balance: 1_004_37 });
    await guess(11, 1_004_37);
    expect(isPaused((await known(world)).chain, world.clock.nowMs)).toBe(true);
  });

  test('verifies later texts only after one more look, and all amounts after a second one', async () => {
    await guess(1, 1_000_37);
    await name(1_001_37);
    const [first, second] = run(6, 1_001_37, 2_00, 3_00);
    await link(world, ...[first].flatMap((one) => one ?? []));
    at(world, 6.5);
    expect(await name(1_003_37)).toMatchObject({ outcome: 'agrees', isUnproven: false, isYoung: true });
    await link(world, ...[second].flatMap((one) => one ?? []));
    expect(await proofOf(first)).toEqual({ state: 'unproven', why: 'balance_unsure' });
    expect(await proofOf(second)).toEqual({ state: 'proven' });
    world.clock.nowMs += 12 * HOUR_MS;
    expect(await name(1_006_37)).toMatchObject({ isYoung: false });
  });
});

describe('a path that exceeds one transaction', () => {
  /** 150 texts, in which every second text spends most of what the text before it added. */
  const moved = Array.from({ length: 150 }, (_, n) => (n % 2 ? -2_00 : 3_00));
  const path = run(FIRST, AFTER_LOST, ...moved, 20).map((one) => ({ ...one, facts_hash: 'one' }));
  const END = AFTER_LOST + 75_20;
  beforeEach(async () => {
    await begin(world);
    await link(world, ...path);
  });

  test('is linked completely', async () => {
    expect(await name(END)).toMatchObject({ outcome: 'leads there', linked: 151, disproved: 0 });
    const now = await known(world);
    expect(now).toMatchObject({ balance: END, waiting: [], false: [], gaps: [LOST] });
    expect(now.linked).toEqual(idsOf(path));
  });

  test.each([1, 2, 3])('is completed by another look after a crash before write %i', async (crash) => {
    await crashAtWrite(crash, () => name(END));
    const { balance, linked, waiting, gaps } = await known(world);
    expect([1_000_00, ...path.map(({ after }) => after)]).toContain(balance);
    expect({ all: linked.length + waiting.length, gaps }).toEqual({ all: 151, gaps: crash === 1 ? [] : [LOST] });
    await name(END);
    expect(await known(world)).toMatchObject({ balance: END, waiting: [], false: [], gaps: [LOST] });
  });

  test.each([2, 3])('is completed by housekeeping after a crash before write %i', async (crash) => {
    await crashAtWrite(crash, () => name(END));
    await link(world, text(FIRST + 152, END, 9_00));
    await linkTexts(world.outside, WALLET, []);
    expect(await known(world)).toMatchObject({ balance: END + 9_00, waiting: [], gaps: [LOST] });
  });

  test('is linked completely although another worker links a text in between', async () => {
    rightBefore(world, 'TransactWriteItems', () => linkTexts(world.outside, WALLET, [text(FIRST + 152, END, 9_00)]));
    await name(END);
    expect(await known(world)).toMatchObject({ balance: END + 9_00, waiting: [], gaps: [LOST] });
  });

  test('keeps a second version of a text that arrives in between', async () => {
    const last = path.slice(-1);
    const others = last.map((one) => ({ ...one, facts_hash: 'another' }));
    rightBefore(world, 'TransactWriteItems', () => linkTexts(world.outside, WALLET, others), String(last[0]?.id));
    await name(END);
    const stored = await getTexts(world.outside, WALLET, last);
    expect(stored).toMatchObject([{ state: 'linked', facts_hash: SEVERAL_TEXTS }]);
  });
});

describe('a look at the same moment', () => {
  const first = text(0, 1_000_37, 5_00);

  test('as a text, which is stored before it: the text moves the head unverified', async () => {
    rightBefore(world, 'TransactWriteItems', () => linkTexts(world.outside, WALLET, [{ ...first, arrived_ms: -1 }]));
    await name(1_000_37);
    expect(await known(world)).toMatchObject({ before: [first.id], waiting: [] });
  });

  test('as a text, which is stored after it: the text is judged by the new chain', async () => {
    rightBefore(world, 'TransactWriteItems', () => name(1_000_37));
    await linkTexts(world.outside, WALLET, [first]);
    expect(await known(world)).toMatchObject({ balance: 1_005_37, linked: [first.id], before: [] });
  });

  test('as the same look: both are one', async () => {
    const outcomes = await Promise.all([name(1_000_37), name(1_000_37)]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['agrees', 'first look']);
    expect(await known(world)).toMatchObject({ balance: 1_000_37, gaps: [] });
  });

  test('as a different first look: the later one must be named again', async () => {
    const outcomes = await Promise.all([name(1_000_37), name(900_37)]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['first look', 'look again']);
  });
});

test('findWallet requires a network if two wallets share the number', async () => {
  await begin(world);
  expect((await findWallet(world.outside, WALLET.momo_number, undefined)).network).toBe('MTN');
  const unknown = findWallet(world.outside, '+233240000000', undefined);
  await expect(unknown).rejects.toThrow('Nobody has named the balance of the wallet');
  await nameBalance(world.outside, { ...WALLET, network: 'TELECEL' }, 1_00);
  await expect(findWallet(world.outside, WALLET.momo_number, undefined)).rejects.toThrow(
    /MTN and TELECEL\. Specify the/,
  );
  expect((await findWallet(world.outside, WALLET.momo_number, 'TELECEL')).network).toBe('TELECEL');
});

function name(pesewas: number) {
  return nameBalance(world.outside, WALLET, pesewas);
}

/** Names a balance twice, two minutes apart. */
async function again(pesewas: number) {
  await name(pesewas);
  world.clock.nowMs += 2 * MINUTE_MS;
  return name(pesewas);
}

async function proofOf(one: Movement | undefined) {
  return (await checkText(world.outside, WALLET, one)).proof;
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
