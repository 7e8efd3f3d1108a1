import { expect, test } from 'vitest';
import { newestFixture } from './fixture.ts';
import { movedFunctions, partsNow } from './moved-functions.ts';

test('no function moves to another stack between releases, because its name would still be taken', () => {
  expect(movedFunctions(newestFixture().parts ?? {})).toEqual([]);
});

test('functions that moved are reported, but not functions that were added or removed', () => {
  const { 'sms/send': _, ...others } = partsNow();
  expect(movedFunctions({ ...others, 'pay/open': 'api', gone: 'api' })).toEqual(['pay/open']);
});
