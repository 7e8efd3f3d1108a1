import { expect, test } from 'vitest';
import { newestFixture } from './fixture.ts';
import { movedFunctions, partsNow } from './moved-functions.ts';

test('no function changes its stack between releases, because its name would be taken', () => {
  expect(movedFunctions(newestFixture().parts ?? {})).toEqual([]);
});

test('only a function that moved is reported, not a new or removed function', () => {
  const { 'sms/send': _, ...others } = partsNow();
  expect(movedFunctions({ ...others, 'pay/open': 'api', gone: 'api' })).toEqual(['pay/open']);
});
