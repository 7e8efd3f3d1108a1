import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goOnWith, StoredRows, storeRows } from './stored-rows.ts';

test('this release goes on with the rows of each earlier one', async () => {
  const wrong: Record<string, string[]> = {};
  for (const file of globSync('test/fixtures/rows-*.json')) {
    const stored = StoredRows.parse(JSON.parse(readFileSync(file, 'utf8').replaceAll('$_', '_')));
    wrong[file] = await goOnWith(stored);
  }
  expect(Object.values(wrong).flat(), JSON.stringify(wrong, null, 2)).toEqual([]);
});

test('a row that this release cannot read is reported', async () => {
  const stored = await storeRows({ steps: 60 });
  expect(await goOnWith(stored)).toEqual([]);
  const rows = stored.rows.map((row) => (row.sk === 'MERCHANT' ? { ...row, merchant_id: undefined } : row));
  expect(await goOnWith({ ...stored, rows })).not.toEqual([]);
});
