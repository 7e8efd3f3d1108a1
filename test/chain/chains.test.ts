import { expect } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { rotatingTest } from '../support/rotating-test.ts';
import {
  type Score,
  scoreBank,
  scoreFlood,
  scoreForgers,
  scoreInsiders,
  scoreLost,
  scorePatient,
  scoreReversals,
  scoreShops,
} from './score.ts';

const test = rotatingTest(3);

// Plays a slice of `npm run prove -- chains`.

test('proves honest payments in time when texts arrive late, out of order or twice', async () => {
  expectRight(await scoreShops({ firstSeed: 1, runs: 3 }, 2000, 0));
});

test('lets few honest payments wait when texts are lost and the owner answers', async () => {
  expectRight(await scoreShops({ firstSeed: 7, runs: 3 }, 2000, 0.002));
});

test('never links a text forged without knowledge of the balance', async () => {
  expectRight(await scoreForgers({ firstSeed: 1, runs: 20 }, 25));
  expectRight(await scoreForgers({ firstSeed: 1, runs: 2 }, 300));
});

test('notices a lost text and heals when the text is delivered again', async () => {
  expectRight(await scoreLost({ firstSeed: 15, runs: 25 }));
});

test('finds a text from somebody who knew the balance after the next genuine texts', async () => {
  expectRight(await scoreInsiders({ firstSeed: 15, runs: 25 }));
});

test('proves no payment above the limit for a forger who guesses for months, sometimes correctly', async () => {
  expectRight(await scorePatient({ firstSeed: 1, runs: 5 }, { days: 30, texts: 1500, paymentsADay: 30 }));
});

test('reversals without a text do not count as guesses or help a forger', async () => {
  const month = { reversalsAMonth: 10, owner: 'names the balance', answersAfterMs: 1_800_000 } as const;
  expectRight(await scoreReversals({ firstSeed: 1, runs: 3 }, { ...month, forgedAfterEach: 0 }));
  expectRight(await scoreReversals({ firstSeed: 1, runs: 3 }, { ...month, forgedAfterEach: 6 }));
});

test('bounds the wait of honest payments while somebody guesses', async () => {
  expectRight(await scoreFlood({ firstSeed: 1, runs: 1 }, { forgedADay: 20, answersAfterMs: 1_800_000 }));
});

test('needs one confirmation from the owner each time a wallet is emptied, even several times a day', async () => {
  expectRight(
    await scoreFlood({ firstSeed: 1, runs: 1 }, { forgedADay: 0, answersAfterMs: 1_800_000, isEmptied: true }),
  );
});

test('a confirmed bank transfer does not help a forger above the limits', async () => {
  const settings = { payments: 1000, answersAfterMs: 1_800_000 };
  expectRight(await scoreBank({ firstSeed: 1, runs: 1 }, { ...settings, isForged: false }, undefined));
  expectRight(await scoreBank({ firstSeed: 1, runs: 1 }, { ...settings, isForged: true }, undefined));
});

function expectRight({ said, wrong }: Score): void {
  reportFigure(`chains: ${said}`);
  expect(wrong).toEqual([]);
}
