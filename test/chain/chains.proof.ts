import { expect } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { rotatingTest } from '../support/rotating-test.ts';
import {
  type Score,
  scoreBank,
  scoreFirstTexts,
  scoreFlood,
  scoreForgers,
  scoreInsiders,
  scoreLost,
  scorePatient,
  scorePress,
  scoreReversals,
  scoreShops,
} from './score.ts';

const test = rotatingTest(3);

// Runs a slice of `npm run prove -- chains`.

test('honest payments are verified even if texts arrive late or twice', async () => {
  expectRight(await scoreShops({ firstSeed: 1, runs: 3 }, 2000, 0));
});

test('few honest payments have to wait if texts are lost', async () => {
  expectRight(await scoreShops({ firstSeed: 7, runs: 3 }, 2000, 0.002));
});

test('a forged text with a wrong balance is never linked', async () => {
  expectRight(await scoreForgers({ firstSeed: 1, runs: 20 }, 25));
  expectRight(await scoreForgers({ firstSeed: 1, runs: 2 }, 300));
});

test('the gap left by a lost text closes once the text is delivered', async () => {
  expectRight(await scoreLost({ firstSeed: 15, runs: 25 }));
});

test('a forged text with the correct balance is exposed by later texts', async () => {
  expectRight(await scoreInsiders({ firstSeed: 15, runs: 12 }));
});

test('a forger who guesses for a month gets no payment above the limit verified', async () => {
  expectRight(await scorePatient({ firstSeed: 1, runs: 5 }, { days: 30, texts: 1500, paymentsADay: 30 }));
});

test('honest payments are verified from the first hour after the owner names the balance', async () => {
  const shops = { firstSeed: 1, runs: 2 };
  expectRight(await scorePress(shops, { paymentsADay: 30, pressed: 'right', answersAfterMs: 1_800_000 }));
  expectRight(await scorePress(shops, { paymentsADay: 30, pressed: 'misread', answersAfterMs: 1_800_000 }));
});

test('first texts in the wrong order are verified without doubt', async () => {
  expectRight(await scoreFirstTexts({ firstSeed: 1, runs: 200 }));
});

test('missing reversal texts do not help a forger', async () => {
  const month = { reversalsAMonth: 10, answersAfterMs: 1_800_000 } as const;
  expectRight(await scoreReversals({ firstSeed: 1, runs: 3 }, { ...month, forgedAfterEach: 0 }));
  expectRight(await scoreReversals({ firstSeed: 1, runs: 1 }, { ...month, forgedAfterEach: 6 }));
});

test('honest payments wait only briefly while a forger guesses', async () => {
  expectRight(await scoreFlood({ firstSeed: 1, runs: 1 }, { forgedADay: 20, answersAfterMs: 1_800_000 }));
});

test('an emptied wallet needs one look of its owner', async () => {
  expectRight(
    await scoreFlood({ firstSeed: 1, runs: 1 }, { forgedADay: 0, answersAfterMs: 1_800_000, isEmptied: true }),
  );
});

test('a bank transfer does not help a forger', async () => {
  const settings = { payments: 1000, answersAfterMs: 1_800_000 };
  expectRight(await scoreBank({ firstSeed: 1, runs: 1 }, { ...settings, isForged: false }, undefined));
  expectRight(await scoreBank({ firstSeed: 1, runs: 1 }, { ...settings, isForged: true }, undefined));
});

function expectRight({ said, wrong }: Score): void {
  reportFigure(`chains: ${said}`);
  expect(wrong).toEqual([]);
}
