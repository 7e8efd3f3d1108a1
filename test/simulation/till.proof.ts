import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { seedsOf } from '../support/slice.ts';
import { playQueue, type QueueFigures } from './till-queues.ts';
import { playThieves, type ThievesScore } from './till-thieves.ts';

const QUEUES = 1_000;
const ONE_IN = 100;

test('a wallet shared by tills and a web shop never accepts a payment twice', async () => {
  const played: QueueFigures[] = [];
  const faults: string[] = [];
  for (const seed of seedsOf(QUEUES, ONE_IN)) {
    const { figures, faults: found } = await playQueue(seed);
    played.push(figures);
    faults.push(...found.map((fault) => `${seed}: ${fault}`));
  }
  const sum = (of: (one: QueueFigures) => number) => played.reduce((total, one) => total + of(one), 0);
  const [customers, web, greens, undone] = [
    sum((one) => one.customers),
    sum((one) => one.webCustomers),
    sum((one) => one.greens),
    sum((one) => one.undone),
  ];
  const [races, left] = [sum((one) => one.races), sum((one) => one.left)];
  reportFigure(
    `tills: ${played.length} queues, ${customers} customers at counters, ${web} of the web shop, ${greens} taken, ${undone} undone, ${races} taps at once, ${left} left for a manager; wrong: ${faults.length}`,
  );
  expect(faults).toEqual([]);
  // All of these actions must have occurred.
  expect(undone).toBeGreaterThan(0);
  expect(races).toBeGreaterThan(0);
  expect(web).toBeGreaterThan(0);
  // Every honest customer is served.
  expect(left).toBe(0);
});

const DAYS = 20;
const TRICKS = 30;

test('thieves at a till get no free goods', async () => {
  const scores: ThievesScore[] = [];
  for (const seed of seedsOf(DAYS, DAYS / 2)) scores.push(await playThieves(seed, TRICKS));
  const sum = (of: (one: ThievesScore) => number) => scores.reduce((total, one) => total + of(one), 0);
  const tried = sum(({ tried: each }) => Object.values(each).reduce((total, one) => total + one, 0));
  const free = scores.flatMap((one) => one.free);
  const [back, backShown] = [sum((one) => one.takenBack), sum((one) => one.takenBackShown)];
  const [colluded, shown] = [sum((one) => one.colluded), sum((one) => one.colludedShown)];
  reportFigure(
    `thieves at the counter: ${sum((one) => one.customers)} honest customers, ${sum((one) => one.waited)} waited for the owner; ${tried} tricks, ${free.length} got goods for nothing; taken back after the goods: ${back}, in the closing ${backShown}; by a cashier’s own collusion: ${colluded}, in the closing ${shown}`,
  );
  expect(free).toEqual([]);
  expect({ backShown, shown }).toEqual({ backShown: back, shown: colluded });
  expect(Math.min(tried, back, colluded)).toBeGreaterThan(0);
});
