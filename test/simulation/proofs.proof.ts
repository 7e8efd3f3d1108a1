import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { isWhole, seedsOf } from '../support/slice.ts';
import { runProofSeed } from './proofs.ts';

const SEEDS = seedsOf(16, 8);
const OPERATIONS = 80;

test('a wallet with a named balance confirms no forged payment above a small amount', async () => {
  const violations: string[] = [];
  const tried = { honest: 0, forged: 0, guessedRight: 0 };
  for (const seed of SEEDS) {
    try {
      const { honest, forged, guessedRight } = await runProofSeed(seed, OPERATIONS);
      tried.honest += honest.length;
      tried.forged += forged.length;
      tried.guessedRight += guessedRight;
    } catch (error) {
      violations.push(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  reportFigure(
    `proofs: ${SEEDS.length} seeds × ${OPERATIONS} operations, ${tried.honest} honest and ${tried.forged} forged payments (patient: ${tried.guessedRight} right guesses), violations ${violations.length}`,
  );
  expect(violations).toEqual([]);
  // A slice may contain few of either kind.
  expect(tried.honest).toBeGreaterThan((isWhole ? 7.5 : 2.5) * SEEDS.length);
  expect(tried.forged).toBeGreaterThan((isWhole ? 7.5 : 2.5) * SEEDS.length);
  // Most seeds contain no correct guess.
  if (isWhole) expect(tried.guessedRight).toBeGreaterThan(0);
});
