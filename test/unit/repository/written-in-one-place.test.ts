import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The simulated phone stands in for a program that is not ours. */
const sources = globSync('{functions,infra,shared}/**/*.ts', { exclude: ['infra/clients/**', 'infra/phone/**'] });

test.each([
  ['a moment is written', /\.toISOString\(\)/, 'shared/runtime/outside/outside.ts'],
  ['seconds are counted', /(?<!Date\.)\bnow\(\) \/ 1000/, 'shared/runtime/outside/outside.ts'],
  ['a day has its length', /\b(?:MINUTE|HOUR|DAY|WEEK)_(?:MS|SECONDS) = /, 'shared/runtime/values/calendar.ts'],
  ['a moment is put into words', /\.toUTCString\(\)/, 'shared/runtime/values/calendar.ts'],
  ['a hash is made', /createHash\('sha256'\)|hash\('sha256'/, 'shared/runtime/values/sha256.ts'],
])('%s in one place', (_, written, place) => {
  expect(sources.filter((file) => written.test(readFileSync(file, 'utf8')))).toEqual([place]);
});
