import { expect, test } from 'vitest';
import { addUp, allHappened, moneyInPesewas, type PesewasByDay } from '../../../shared/money/booking/totals.ts';

test.each([
  [500, {}],
  [300, { reversed_pesewas: 200 }],
  [400, { released_pesewas: 100 }],
  [-200, { reversed_pesewas: 400, released_pesewas: 300 }],
])('the money received is %i pesewas after payments of 500 and %j', (pesewas, left) => {
  expect(moneyInPesewas(addUp([{ payments_pesewas: 500 }, left]))).toBe(pesewas);
});

test('a day whose unverified money is all verified is left out', () => {
  const earlier: PesewasByDay[] = [{ '2026-11-20': -500, '2026-11-21': -300 }, { '2026-11-20': 500 }];
  const each = earlier.map((unverified_earlier) => ({ totals: {}, disputed: [], unverified_earlier }));
  expect(allHappened(each).unverified_earlier).toEqual({ '2026-11-21': -300 });
});
