import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { runProofSeed } from './proofs.ts';

const SEEDS = 8;
const OPERATIONS = 80;

test('on a wallet that enforces its chain nothing forged confirms more than small sums, and every honest payment confirms', async () => {
  const violations: string[] = [];
  const tried = { honest: 0, forged: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const { honest, forged } = await runProofSeed(seed, OPERATIONS);
      tried.honest += honest.length;
      tried.forged += forged.length;
    } catch (error) {
      violations.push(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  reportFigure(
    `proofs: ${SEEDS} seeds × ${OPERATIONS} operations, ${tried.honest} honest and ${tried.forged} forged payments, violations ${violations.length}`,
  );
  expect(violations).toEqual([]);
  expect(tried.honest).toBeGreaterThan(50);
  expect(tried.forged).toBeGreaterThan(50);
}, 120_000);
