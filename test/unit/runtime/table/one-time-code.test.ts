import { beforeEach, expect, test } from 'vitest';
import { countTry, isCode, keepCode, NoCode, useUp } from '../../../../shared/runtime/table/one-time-code.ts';
import { changeItem } from '../../../../shared/runtime/table/table.ts';
import { createWorld, type World } from '../../../support/world.ts';

const KEY = { pk: 'SECRET#1', sk: 'SECRET' };

let world: World;
let code: ReturnType<typeof keepCode>;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  code = await make('123456');
});

test('simultaneous attempts stop exactly at the limit', async () => {
  const tries = await Promise.all(Array.from({ length: 10 }, () => isWritten(tryAt(code))));
  expect(tries.filter(Boolean)).toHaveLength(5);
  expect(await world.outside.table.get(KEY)).toMatchObject({ tries: 5 });
});

test('a code can be used only once', async () => {
  const uses = await Promise.all(Array.from({ length: 4 }, () => isWritten(useUp(KEY, code))));
  expect(uses.filter(Boolean)).toHaveLength(1);
  expect(await isWritten(tryAt(code))).toBe(false);
  const row = await world.outside.table.get(KEY);
  expect(isCode({ ...row }, '123456')).toBe(false);
});

test('a replaced code is invalid', async () => {
  await isWritten(tryAt(code));
  const other = await make('654321');
  expect(await isWritten(tryAt(code))).toBe(false);
  expect(await isWritten(useUp(KEY, code))).toBe(false);
  expect(await world.outside.table.get(KEY)).toMatchObject({ tries: 0 });
  expect(isCode(other, '654321')).toBe(true);
});

test('a code can be attempted until it expires', async () => {
  expect(await isWritten(tryAt(code, code.valid_until))).toBe(false);
  expect(await isWritten(tryAt(code, world.iso(59_999)))).toBe(true);
});

test('a row without a code allows no attempts', async () => {
  expect(await isWritten(tryAt({ code_hash: undefined }))).toBe(false);
});

async function make(digits: string) {
  const kept = keepCode(world.outside, digits, world.iso(60_000));
  await world.outside.table.update(changeItem(KEY, kept));
  return kept;
}

function tryAt(one: Parameters<typeof countTry>[1], validAt = world.iso()) {
  return countTry(KEY, one, { most: 5, validAt });
}

function isWritten(write: ReturnType<typeof countTry>): Promise<boolean> {
  return world.outside.table.write([write]).then(
    () => true,
    (error) => {
      expect(error).toBeInstanceOf(NoCode);
      return false;
    },
  );
}
