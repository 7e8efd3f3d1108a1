import { expect, test } from 'vitest';
import { countRequests } from './counts.ts';
import { isMissed } from './figure.ts';

test('each API request makes one DynamoDB request', async () => {
  const figures = await countRequests({ isWanted: () => true });
  expect(figures.filter(isMissed)).toEqual([]);
  expect(Object.fromEntries(figures.map(({ what, value }) => [what, value]))).toEqual({
    'DynamoDB requests per initialize': 1,
    'DynamoDB requests per send to 1': 1,
    'DynamoDB requests per send to 50': 1,
    'DynamoDB requests per verify': 1,
    'write units per initialize': 3,
    'write units per send to 1': 6,
    'write units per send to 50': 8,
  });
});
