import { expect, test } from 'vitest';
import { newestFixture } from './fixture.ts';
import { movedFunctions, partsNow } from './moved-functions.ts';

test('no function moves to another stack between releases', () => {
  expect(movedFunctions(newestFixture().parts ?? {})).toEqual([]);
});

test('only moved functions are reported', () => {
  const { 'sms/send': _, ...others } = partsNow();
  expect(movedFunctions({ ...others, 'pay/open': 'api', gone: 'api' })).toEqual(['pay/open']);
});
