import { expect, test } from 'vitest';
import { chainRows } from '../../shared/wallets/chain/chain.table.ts';
import { linkTexts } from '../../shared/wallets/chain/link-texts.ts';
import { chanceFrom } from '../simulation/random.ts';
import { reportFigure } from '../support/figures.ts';
import { nameMature } from '../support/name-mature.ts';
import { createWorld } from '../support/world.ts';
import { type LoggedChain, loggedMovements, playForgedLog, playLog, reordered } from './logged-wallet.ts';
import { WALLET } from './play.ts';
import { beginningOf } from './shop.ts';

/** Amounts in pesewas that moved without a text in eight months. */
const DIFFERENCES = [5000, -1500, 25_000, 3000, -20_250, -1020, -2500, -25_350];
let inOrder: LoggedChain;

test('texts from a real wallet are linked except at eight gaps', async () => {
  inOrder = await playLog(loggedMovements);
  expect(inOrder).toMatchObject({ differences: DIFFERENCES, waiting: 0 });
  expect(inOrder.linked).toHaveLength(1646);
});

test('the balance chain is the same for any order of arrival', async () => {
  const seeds = [1, 2, 3];
  for (const seed of seeds) expect(await playLog(reordered(chanceFrom(seed), loggedMovements))).toEqual(inOrder);
  expect(await playLog(loggedMovements.flatMap((one) => [one, one]))).toEqual(inOrder);
  reportFigure(
    `chains: a real wallet, ${seeds.length} other orders: ${inOrder.linked.length} texts, the same ${DIFFERENCES.length} breaks`,
  );
});

test('no forged text is linked to a real wallet’s chain from its first day on', async () => {
  const { forged, linked } = await playForgedLog(1, 200);
  reportFigure(`chains: a real wallet with ${forged} forged texts from its first day on: ${linked} of them linked`);
  expect(linked).toBe(0);
});

test('the balance chain is the same with two concurrent workers', async () => {
  const texts = loggedMovements.slice(0, 60);
  const nowMs = Math.max(...texts.map(({ arrived_ms }) => arrived_ms));
  const { before, at_ms: startMs } = beginningOf({ movements: texts });
  const chains = await Promise.all(
    [await createWorld(), await createWorld()].map(async (world, n) => {
      const outside = { ...world.outside, now: () => nowMs };
      await nameMature({ ...outside, now: () => startMs }, WALLET, before);
      // Two workers process each text.
      for (let first = 0; first < texts.length; first += 2) {
        const [one, other] = [texts.slice(first, first + 2), texts.slice(first, first + 2).reverse()];
        const work = n === 0 ? [one] : [one, other];
        await Promise.all(work.map((some) => linkTexts(outside, WALLET, some)));
      }
      return { ...(await chainRows.find(world.outside, WALLET)), version: 0 };
    }),
  );
  expect(chains[1]).toEqual(chains[0]);
  expect(chains[0]).toMatchObject({ links: 60, waiting: 0 });
});
