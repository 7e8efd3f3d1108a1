import { globSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { rights } from '../../../functions/rights.ts';
import { TEST_NUMBER_PREFIX } from '../../../shared/ghana/phone-number.ts';

/** Excludes the simulated phone, which represents a third-party program. */
const sources = globSync('{functions,infra,shared}/**/*.ts', { exclude: ['infra/clients/**', 'infra/phone/**'] });

test.each([
  ['formatting a time', /\.toISOString\(\)/, 'shared/runtime/outside/outside.ts'],
  ['counting seconds', /(?<!Date\.)\bnow\(\) \/ 1000/, 'shared/runtime/outside/outside.ts'],
  [
    'the length of a minute, an hour or a day',
    /\b(?:MINUTE|HOUR|DAY|WEEK)_(?:MS|SECONDS) = |\b60 \* (?:60|1_?000)\b|(?<!_DAY = )\b60_000\b|\b3_?600_000\b|[/*<] 3_?600\b|\b86_?400/,
    'shared/runtime/values/calendar.ts',
  ],
  ['describing a time in words', /\.toUTCString\(\)/, 'shared/runtime/values/calendar.ts'],
  ['hashing', /createHash\('sha256'\)|hash\('sha256'/, 'shared/runtime/values/sha256.ts'],
])('only one file implements %s', (_, written, place) => {
  expect(sources.filter((file) => written.test(readFileSync(file, 'utf8')))).toEqual([place]);
});

/** Terms allowed only in the country pack. */
const COUNTRY = /\bGHS\b|(?<!\d)233|Africa\/Accra/;
/** Files that contain examples. */
const EXAMPLES = /\/documentation\.ts$|^infra\/(?:local|openapi|reference)\//;
const NETWORKS = /\b(?:MTN|TELECEL|AT)\b["']|["'](?:MTN|TELECEL|AT)\b|\b(?:Telecel|AT Money|MoMo App)\b/;

test('the currency, country code and time zone are defined once', () => {
  const others = saying(COUNTRY).filter((file) => !file.startsWith('shared/ghana/'));
  // Rights contain only data, so they cannot import the prefix of test numbers.
  expect(others).toEqual(['functions/rights.ts']);
  expect(rights['test/simulate'].table.Query).toContain(`MOMO#${TEST_NUMBER_PREFIX}*`);
  expect(saying(COUNTRY)).toContain('shared/ghana/country.ts');
});

test('a network’s name appears only in its own file and the network list', () => {
  expect(saying(NETWORKS)).toEqual([
    ...['shared/ghana/at.ts', 'shared/ghana/mtn.ts', 'shared/ghana/network.ts', 'shared/ghana/telecel.ts'],
    // Simulated senders for tests.
    'shared/phones/sender/test-senders.ts',
  ]);
});

const COUNTS = 'counts through `limits.ts` or its own condition, so its rows are never read whole';

/** Table files without `rows()`, with the reason for each. */
const WITHOUT_ROWS: Readonly<Record<string, string>> = {
  'shared/merchants/merchant/test-limit.table.ts': COUNTS,
  'shared/merchants/user/challenge.table.ts': 'has no fields, because only the existence of the row matters',
  'shared/money/booking/booking.table.ts': 'stores sums under names that `totals.ts` reads',
  'shared/money/claims/claim.table.ts': COUNTS,
  'shared/money/claims/phone-code.table.ts':
    'a row without a code represents a used code and is read with its remaining fields',
  'shared/money/charge/change-charge.table.ts': 'changes the rows of `charge.table.ts`',
  'shared/money/charge/pay-text.table.ts': COUNTS,
  'shared/phones/sender/pace.table.ts': 'stores clocks and queue positions, numbers that their keys explain',
  'shared/push/notice-text.table.ts': COUNTS,
  'shared/webhook/lane.table.ts': 'stores a clock of `due-clock.ts`',
};

test('rows with fields are accessed only through rows()', () => {
  const files = globSync('shared/**/*.table.ts').map((file) => file.replaceAll('\\', '/'));
  const without = files.filter((file) => !/\brows\(/.test(readFileSync(file, 'utf8')));
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT_ROWS).toSorted());
  expect(without.length).toBeLessThanOrEqual(11);
});

/** Returns the files that match outside of comments. */
function saying(words: RegExp): string[] {
  const sources = globSync('{functions,infra,shared}/**/*.{ts,js}', { exclude: ['infra/clients/**'] }).toSorted();
  return sources.filter((file) => {
    if (EXAMPLES.test(file)) return false;
    const text = readFileSync(file, 'utf8');
    return words.test(text) && words.test(withoutComments(text));
  });
}

function withoutComments(text: string): string {
  const options = { loader: 'ts', charset: 'utf8', legalComments: 'none', minifyWhitespace: true } as const;
  return transformSync(text, { ...options, tsconfigRaw: {} }).code;
}
