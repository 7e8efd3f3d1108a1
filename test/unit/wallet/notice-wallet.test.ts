import { expect, test } from 'vitest';
import { networkTexts } from '../../../shared/ghana/network.ts';

test('every wording of a refused payment has the network’s id, by which it is told once', () => {
  const refusals = Object.values(networkTexts)
    .flatMap(({ shapes }) => Object.values(shapes))
    .filter(({ text }) => text.includes('{refused}'));
  expect(refusals.length).toBeGreaterThan(0);
  // An id in brackets may be missing.
  for (const { text } of refusals) expect(text.replace(/\[[^\]]*\]/g, '')).toContain('{id}');
});
