import { expect, test } from 'vitest';
import { NoCode } from '../../../shared/runtime/table/one-time-code.ts';
import { createVerification, TriedAgain, useCode } from '../../../shared/texts/verification/verification.table.ts';

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
