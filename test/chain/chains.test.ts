import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { type Score, scoreForgers, scoreInsiders, scoreLost, scoreShops } from './score.ts';

// A slice of what `npm run chains` plays.

test('honest payments are proven in time where texts are late, in any order or doubled', async () => {
  expectRight(await scoreShops({ firstSeed: 1, runs: 3 }, 2000, 0));
});

test('few honest payments wait where texts are lost and the owner answers', async () => {
  expectRight(await scoreShops({ firstSeed: 4, runs: 3 }, 2000, 0.002));
});

test('what is forged without the balance does not link, and disturbs nobody', async () => {
  expectRight(await scoreForgers({ firstSeed: 1, runs: 20 }, 25));
  expectRight(await scoreForgers({ firstSeed: 1, runs: 2 }, 300));
});

test('a lost text is noticed, and heals when it is told again', async () => {
  expectRight(await scoreLost({ firstSeed: 1, runs: 25 }));
});

test('a text of somebody who knows the balance is found after the next genuine ones', async () => {
  expectRight(await scoreInsiders({ firstSeed: 1, runs: 25 }));
});

function expectRight({ said, wrong }: Score): void {
  reportFigure(`chains: ${said}`);
  expect(wrong).toEqual([]);
}
