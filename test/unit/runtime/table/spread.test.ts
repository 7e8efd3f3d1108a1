import { expect, test } from 'vitest';
import { spread } from '../../../../shared/runtime/table/spread.ts';

const { partitions, of } = spread('DUE', 4);

test('a list is divided among the given number of partitions', () => {
  expect(partitions).toEqual(['DUE#0', 'DUE#1', 'DUE#2', 'DUE#3']);
});

test('rows are spread evenly over partitions', () => {
  const ids = Array.from({ length: 4_000 }, (_, n) => `MK-${1_000_000_000 + n * 7_919}`);
  const counts = Map.groupBy(ids, of);
  expect([...counts.keys()].sort()).toEqual(partitions);
  for (const found of counts.values()) expect(found.length).toBeGreaterThan(900);
  expect(ids.map(of)).toEqual(ids.map(of));
});
