import { expect, test } from 'vitest';
import { unverifiedByDay } from '../../../shared/money/booking/days.ts';
import { addUp } from '../../../shared/money/booking/totals.ts';

test.each<[string, number[], number[]]>([
  ['stays on its day', [0, 500, 0], [0, 500, 0]],
  ['verified on a later day leaves its own', [500, 300, -300], [500, 0, 0]],
  ['verified later leaves the newest days first', [500, 300, -400], [400, 0, 0]],
  ['from before the first day is not counted', [-200, 300], [0, 300]],
  ['verified before newer money came leaves that', [300, -300, 200], [0, 0, 200]],
])('unverified money %s', (_, booked, left) => {
  const days = booked.map((unverified_pesewas) => ({ totals: addUp([{ unverified_pesewas }]) }));
  expect(unverifiedByDay(days)).toEqual(left);
});
