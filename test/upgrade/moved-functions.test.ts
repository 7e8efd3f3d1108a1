import { expect, test } from 'vitest';
import { newestFixture } from './fixture.ts';
import { movedFunctions, partsNow } from './moved-functions.ts';

test('no function changes its stack from one release to the next: its name would be taken', () => {
  expect(movedFunctions(newestFixture().parts ?? {})).toEqual([]);
});

test('one that did is named, and one that is new or gone is not', () => {
  const { 'sms/send': _, ...others } = partsNow();
  expect(movedFunctions({ ...others, 'pay/open': 'api', gone: 'api' })).toEqual(['pay/open']);
});
