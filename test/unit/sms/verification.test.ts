import { beforeEach, describe, expect, test } from 'vitest';
import { countTry, isCode, keepCode, NoCode, useUp } from '../../../shared/runtime/table/one-time-code.ts';
import { putItem } from '../../../shared/runtime/table/table.ts';
import {
  countTries,
  createVerification,
  getWrong,
  TriedAgain,
  useCode,
} from '../../../shared/texts/verification/verification.table.ts';
import { type Scene, scene } from '../../support/scene.ts';

const OF = { send_id: 'new', merchant_id: 'shop', to: '+233551112223' };
const TIMES = { created_at: '2026-06-15T12:00:00.000Z', valid_until: '2026-06-15T12:10:00.000Z' };
const outside = { now: () => Date.parse(TIMES.created_at), randomBytes: (count: number) => Buffer.alloc(count) };

test('a correct code is accepted once in two simultaneous attempts', () => {
  const used = useCode({ ...OF, ...TIMES, tries: 1, code_salt: 'salt', code_hash: 'hash' }).at(-1);
  const again = used?.refused?.({ code_hash: 'hash', tries: 3 });
  expect(again).toBeInstanceOf(TriedAgain);
  expect(again).toMatchObject({ tries: 3, code: 'busy', message: expect.stringContaining('Nothing was done') });
  for (const row of [{ tries: 3 }, undefined]) expect(used?.refused?.(row)).toBeInstanceOf(NoCode);
});

test('creating a code fails with `busy` after a concurrent creation', () => {
  const known = { ...OF, newest: 'known', sent_ms: [], wrong: 10, wrong_since_ms: outside.now() };
  const refused = createVerification(outside, { ...OF, ...TIMES }, '123456', { known, wrong: undefined })[1]?.refused;
  for (const row of [{ newest: 'another' }, undefined])
    expect(refused?.(row)).toMatchObject({ code: 'busy', message: expect.stringContaining('Nothing was done') });
  expect(refused?.({ newest: 'known' })).toMatchObject({ code: 'too_many_tries' });
});

describe('the count of a merchant’s wrong codes', () => {
  let world: Scene;
  beforeEach(async () => {
    world = await scene({ inMemory: true });
    world.clock.nowMs = outside.now();
  });

  const code = { ...OF, ...TIMES, tries: 0, code_salt: 'salt', code_hash: 'hash' };
  const created = (wrong: Record<string, number> | undefined) =>
    createVerification(outside, { ...OF, ...TIMES }, '123456', { known: undefined, wrong })[2];

  test('drops the hours that ended over a day ago when a code is created', async () => {
    const times = ['2026-06-14T08:00:00.000Z', '2026-06-14T10:59:59.999Z', '2026-06-14T11:00:00.000Z'];
    for (const [n, created_at] of times.entries())
      for (let tries = 0; tries <= n; tries++)
        await world.outside.table.write(countTries(world.outside, { ...code, created_at }).slice(0, 1));
    const read = await getWrong(world.outside, OF);
    expect(read).toMatchObject({ wrong: 6, wrong_2026061408: 1, wrong_2026061410: 2, wrong_2026061411: 3 });
    const write = created({ ...JSON.parse(JSON.stringify(read)) });
    await world.outside.table.write(write ? [write] : []);
    const left = await getWrong(world.outside, OF);
    expect(left).toMatchObject({ wrong: 3, wrong_2026061411: 3 });
    expect(Object.keys(left ?? {}).filter((name) => name.startsWith('wrong_'))).toEqual(['wrong_2026061411']);
  });

  test('drops the attempts for a correctly entered code from the hour of that code', async () => {
    for (let tries = 0; tries < 3; tries++)
      await world.outside.table.write(countTries(world.outside, code).slice(0, 1));
    await world.outside.table.write(useCode({ ...code, tries: 2 }).slice(0, 1));
    expect(await getWrong(world.outside, OF)).toMatchObject({ wrong: 1, wrong_2026061512: 1 });
  });

  const old = { wrong_2026061408: 3, wrong_2026061409: 4 };
  test.each([
    ['busy', { wrong: 106 }],
    ['too_many_tries', { wrong: 107 }],
    ['too_many_tries', undefined],
  ])('refuses a code as %s with %j', (error, row) => {
    expect(created(old)?.refused?.(row)).toMatchObject({ code: error, message: expect.stringContaining('was done') });
  });

  test.each([
    ['its first hour', { wrong_2026061509: 1, wrong_2026061508: 2, wrong_2026061507: 0 }, 22],
    ['now', undefined, 26],
    ['now, without an hour', { wrong: 100, not_wrong_2026061508: 1, wrong_2026061508_too: 1 }, 26],
  ])('is lower 26 hours after %s', (_, row, hours) => {
    expect(countTries(world.outside, code)[0]?.refused?.(row)).toMatchObject({
      code: 'too_many_tries',
      headers: { 'retry-after': String(hours * 60 * 60) },
    });
  });
});

describe('a one-time code', () => {
  const kept = keepCode(outside, '123456', TIMES.valid_until);

  test('matches only itself, and nothing once it is used', () => {
    expect([isCode(kept, '123456'), isCode(kept, '123457')]).toEqual([true, false]);
    for (const field of ['code_salt', 'code_hash'])
      expect(isCode({ ...kept, [field]: undefined }, '123456')).toBe(false);
  });

  test('can be tried until it expires, and used once', async () => {
    const { table } = (await scene({ inMemory: true })).outside;
    const key = { pk: 'CODE', sk: 'CODE' };
    await table.write([putItem({ ...key, ...kept })]);
    const attempt = countTry(key, kept, { most: 5, validAt: TIMES.created_at });
    await table.write([attempt]);
    expect(await table.get(key)).toMatchObject({ tries: 1 });
    await table.write([useUp(key, kept)]);
    expect(await table.get(key)).not.toHaveProperty('code_hash');
    for (const write of [useUp(key, kept), attempt]) await expect(table.write([write])).rejects.toBeInstanceOf(NoCode);
  });
});
