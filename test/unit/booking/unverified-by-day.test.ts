import { expect, test } from 'vitest';
import { unverifiedByDay } from '../../../shared/money/booking/days.ts';
import { addUp } from '../../../shared/money/booking/totals.ts';

test('verified money is subtracted from the day on which it arrived', () => {
  const verified = { ...dayOf(2, -400), unverified_earlier: { '2026-11-01': -300, '2026-10-31': -100 } };
  expect(unverifiedByDay([dayOf(0, 500), dayOf(1, 300), verified])).toEqual([200, 300, 0]);
  const arrivedToo = { ...dayOf(1, -200), unverified_earlier: { '2026-11-01': -500 } };
  expect(unverifiedByDay([arrivedToo])).toEqual([300]);
});

function dayOf(n: number, unverified_pesewas: number) {
  return { day: `2026-11-0${n + 1}`, totals: addUp([{ unverified_pesewas }]), disputed: [] };
}
