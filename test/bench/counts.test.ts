import { expect, test } from 'vitest';
import { countRequests } from './counts.ts';
import { isMissed } from './figure.ts';

test('each API request makes one DynamoDB request', async () => {
  const figures = await countRequests({ isWanted: () => true });
  expect(figures.filter(isMissed)).toEqual([]);
  expect(Object.fromEntries(figures.map(({ what, value }) => [what, value]))).toEqual({
    'requests of initialize': 1,
    'requests of send to 1': 1,
    'requests of send to 50': 1,
    'requests of verify': 1,
    'write units of initialize': 3,
    'write units of send to 1': 6,
    'write units of send to 50': 8,
  });
});
