import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  addGap,
  addWaiting,
  ChainChanged,
  chainRows,
  createChain,
  getTexts,
} from '../../../shared/wallets/chain/chain.table.ts';
import type { Chain, Movement } from '../../../shared/wallets/chain/chain.ts';
import { requireChain } from '../../../shared/wallets/chain/change-chain.ts';
import { endWaiting } from '../../../shared/wallets/chain/end-waiting.ts';
import { linkTexts, notePush, retryIfChainChanged } from '../../../shared/wallets/chain/link-texts.ts';
import { createWorld } from '../../support/world.ts';
import { at, chainAt, idOf, text, WALLET } from './texts.ts';

const HEAD = { id: idOf(0), at_ms: at(0) };
const positionAt = (minute: number, balance: number) => ({ id: idOf(minute), balance, at_ms: at(minute) });
const NAMED = { anchor: { balance: 100, at_ms: at(-3) } };
const GAP = { from: positionAt(-20, 10), to: positionAt(-10, 70) };

/** Stores a chain with its head at minute 0 and one waiting text. */
async function worldWith(waiting: Movement, changed: Partial<Chain> = {}) {
  const world = await createWorld();
  const chain = chainAt(0, 100, { waiting: 1, ...changed });
  await world.outside.table.write([createChain(chain), addWaiting(world.outside, WALLET, waiting)]);
  if (changed.gaps) await world.outside.table.write([addGap(WALLET, GAP)]);
  return world;
}

/** Returns the state of a waiting text after this time. */
async function stateAfter(waitedMs: number, waiting: Movement, changed?: Partial<Chain>): Promise<string | undefined> {
  const world = await worldWith(waiting, changed);
  world.clock.nowMs = waiting.arrived_ms + waitedMs;
  await endWaiting(world.outside, WALLET);
  return (await getTexts(world.outside, WALLET, [waiting]))[0]?.state;
}

describe('a text that cannot be linked', () => {
  const before = text(-5, 500, 400);

  test.each<[what: string, Partial<Movement>, state: string]>([
    ['becomes false if it is before the head', {}, 'false'],
    ['becomes false if it has the head’s time and a lower id', { at_ms: HEAD.at_ms }, 'false'],
    ['keeps waiting if it has the head’s id', { id: HEAD.id }, 'waiting'],
    ['keeps waiting if it is newer than the head despite a lower id', { at_ms: HEAD.at_ms + 1 }, 'waiting'],
    ['keeps waiting if it is newer than the head', { id: HEAD.id + 1, at_ms: HEAD.at_ms + 1 }, 'waiting'],
  ])('%s', async (_, changed, state) => {
    expect(await stateAfter(DAY_MS, { ...before, ...changed })).toBe(state);
  });

  test.each<[what: string, id: number, state: string]>([
    ['becomes false after a day at the start of a known gap', GAP.from.id, 'false'],
    ['keeps waiting inside a known gap', GAP.from.id + 1, 'waiting'],
    ['keeps waiting at the end of a known gap', GAP.to.id, 'waiting'],
    ['becomes false after a day past a known gap', GAP.to.id + 1, 'false'],
  ])('%s', async (_, id, state) => {
    expect(await stateAfter(DAY_MS, { ...before, id }, { gaps: 1 })).toBe(state);
  });

  test('becomes unsure after three days inside a known gap', async () => {
    expect(await stateAfter(3 * DAY_MS - 1, { ...before, id: GAP.to.id }, { gaps: 1 })).toBe('waiting');
    expect(await stateAfter(3 * DAY_MS, { ...before, id: GAP.to.id }, { gaps: 1 })).toBe('unsure');
  });

  test.each([
    ['false', before, 1],
    ['unsure', { ...before, id: GAP.to.id }, 0],
  ] as const)('counts as a guess only if it becomes %s', async (state, waiting, failures) => {
    const world = await worldWith(waiting, { gaps: 1 });
    world.clock.nowMs = waiting.arrived_ms + 3 * DAY_MS;
    await endWaiting(world.outside, WALLET);
    expect((await getTexts(world.outside, WALLET, [waiting]))[0]?.state).toBe(state);
    const chain = await requireChain(world.outside, WALLET);
    expect([chain.waiting, chain.failed_ms?.length ?? 0]).toEqual([0, failures]);
  });

  test.each<[what: string, Partial<Movement>, changed: Partial<Chain>, state: string]>([
    ['comes from before the anchor after a day, if its phone received it before', {}, NAMED, 'before'],
    ['comes from before the anchor although its id is newer', { id: idOf(9) }, NAMED, 'before'],
    ['keeps waiting while fewer than eight texts are linked', {}, { links: 7 }, 'waiting'],
  ])('%s', async (_, changed, chain, state) => {
    const world = await worldWith({ ...before, ...changed }, chain);
    world.clock.nowMs = before.arrived_ms + DAY_MS;
    await endWaiting(world.outside, WALLET);
    expect(await getTexts(world.outside, WALLET, [{ ...before, ...changed }])).toMatchObject([{ state }]);
    expect((await requireChain(world.outside, WALLET)).failed_ms).toBeUndefined();
  });

  test.each([
    ['keeps waiting if it arrived when the head was sent', 0, 'waiting'],
    ['becomes false if it arrived before the head was sent', -1, 'false'],
  ])('with an id from the future %s', async (_, ms, state) => {
    const ahead = { ...before, id: 99_999_999_999_999, at_ms: HEAD.at_ms + ms, arrived_ms: HEAD.at_ms + ms };
    expect(await stateAfter(2 * DAY_MS, ahead)).toBe(state);
  });

  test('causes no write until it has waited too long', async () => {
    const world = await worldWith(before);
    world.clock.nowMs = before.arrived_ms;
    const { version } = await requireChain(world.outside, WALLET);
    await endWaiting(world.outside, WALLET);
    expect((await requireChain(world.outside, WALLET)).version).toBe(version);
  });
});

describe('a transfer to the bank', () => {
  const push = { id: idOf(1), at_ms: at(1), arrived_ms: at(1), balance: 40 };

  test('is recorded once in the wallet’s chain', async () => {
    const world = await createWorld();
    const chain = chainAt(0, 100);
    await world.outside.table.write([createChain(chain)]);
    await notePush(world.outside, WALLET, push);
    await notePush(world.outside, WALLET, push);
    const { version, ...stored } = await requireChain(world.outside, WALLET);
    const { version: before, ...others } = chain;
    expect(stored).toEqual({ ...others, pushes: [push] });
    expect(Number(version)).toBe(Number(before) + 1);
  });

  test('is ignored if nobody has named the balance', async () => {
    const world = await createWorld();
    await notePush(world.outside, WALLET, push);
    expect(await chainRows.find(world.outside, WALLET)).toBeUndefined();
  });
});

test('a run without new texts links nothing if more texts are waiting than its limit', async () => {
  const waiting = text(2, 100, 150);
  for (const [most, balance] of [
    [0, 100],
    [1, 150],
  ] as const) {
    const world = await worldWith(waiting);
    world.clock.nowMs = waiting.arrived_ms + DAY_MS;
    await linkTexts(world.outside, WALLET, [], most);
    expect((await requireChain(world.outside, WALLET)).recent.at(-1)?.balance).toBe(balance);
  }
});

test('a new text is linked despite a waiting text', async () => {
  const waiting = text(5, 700, 650);
  const world = await worldWith(waiting);
  await linkTexts(world.outside, WALLET, [waiting, text(1, 100, 150)]);
  expect((await requireChain(world.outside, WALLET)).recent.at(-1)?.balance).toBe(150);
});

test('a run without texts changes nothing in a wallet without an anchor', async () => {
  const world = await createWorld();
  await linkTexts(world.outside, WALLET, []);
  expect(await chainRows.find(world.outside, WALLET)).toBeUndefined();
});

test('a conflicting chain update is retried with increasing delays', async () => {
  const world = await createWorld();
  const pausesMs: number[] = [];
  const outside = {
    ...world.outside,
    randomBytes: () => Buffer.from([200]),
    sleep: async (ms: number) => void pausesMs.push(ms),
  };
  let tries = 0;
  const result = await retryIfChainChanged(outside, async () => {
    tries += 1;
    if (tries < 4) throw new ChainChanged();
    return tries;
  });
  expect([result, pausesMs]).toEqual([4, [100, 200, 300]]);
});
