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

// A slice of what `npm run prove -- chains` plays.

test('honest payments are proven in time where texts are late, in any order or doubled', async () => {
  expectRight(await scoreShops({ firstSeed: 1, runs: 3 }, 2000, 0));
});

test('few honest payments wait where texts are lost and the owner answers', async () => {
  expectRight(await scoreShops({ firstSeed: 7, runs: 3 }, 2000, 0.002));
});

test('what is forged without the balance does not link', async () => {
  expectRight(await scoreForgers({ firstSeed: 1, runs: 20 }, 25));
  expectRight(await scoreForgers({ firstSeed: 1, runs: 2 }, 300));
});

test('a lost text is noticed, and heals when it is told again', async () => {
  expectRight(await scoreLost({ firstSeed: 15, runs: 25 }));
});

test('a text of somebody who knows the balance is found after the next genuine ones', async () => {
  expectRight(await scoreInsiders({ firstSeed: 15, runs: 25 }));
});

test('a forger who has months, and is right at times, has no payment above the limit proven', async () => {
  expectRight(await scorePatient({ firstSeed: 1, runs: 5 }, { days: 30, texts: 1500, paymentsADay: 30 }));
});

test('payments taken back in silence count as no guess, and gain a forger nothing', async () => {
  const month = { reversalsAMonth: 10, owner: 'names the balance', answersAfterMs: 1_800_000 } as const;
  expectRight(await scoreReversals({ firstSeed: 1, runs: 3 }, { ...month, forgedAfterEach: 0 }));
  expectRight(await scoreReversals({ firstSeed: 1, runs: 3 }, { ...month, forgedAfterEach: 6 }));
});

test('what honest payments wait for while somebody guesses', async () => {
  expectRight(await scoreFlood({ firstSeed: 1, runs: 1 }, { forgedADay: 20, answersAfterMs: 1_800_000 }));
});

test('a wallet that is emptied several times a day waits for one word of its owner each time', async () => {
  expectRight(
    await scoreFlood({ firstSeed: 1, runs: 1 }, { forgedADay: 0, answersAfterMs: 1_800_000, isEmptied: true }),
  );
});

test('a yes about money sent to the bank gives a forger nothing above the limits', async () => {
  const settings = { payments: 1000, answersAfterMs: 1_800_000 };
  expectRight(await scoreBank({ firstSeed: 1, runs: 1 }, { ...settings, isForged: false }, undefined));
  expectRight(await scoreBank({ firstSeed: 1, runs: 1 }, { ...settings, isForged: true }, undefined));
});

function expectRight({ said, wrong }: Score): void {
  reportFigure(`chains: ${said}`);
  expect(wrong).toEqual([]);
}
