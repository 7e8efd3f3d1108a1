import { globSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';

/** What only the country's pack may say. Names end in units, such as `MAX_AMOUNT_GHS`, and are none of it. */
const COUNTRY = /\bGHS\b|(?<!\d)233|Africa\/Accra/;
/** The reference, the stories and the data of the local stack give examples. */
const EXAMPLES = /\/documentation\.ts$|^infra\/(?:local|openapi|reference)\//;
const NETWORKS = /\b(?:MTN|TELECEL|AT)\b["']|["'](?:MTN|TELECEL|AT)\b|\b(?:Telecel|AT Money|MoMo App)\b/;

const sources = globSync('{functions,infra,shared}/**/*.{ts,js}', { exclude: ['infra/clients/**'] })
  .filter((file) => !EXAMPLES.test(file))
  .toSorted();

test('currency, country code and time zone are the country’s pack’s', () => {
  expect(saying(COUNTRY).filter((file) => !file.startsWith('shared/ghana/'))).toEqual([]);
  expect(saying(COUNTRY)).toContain('shared/ghana/country.ts');
});

test('a network is named in its own file and in the list of networks', () => {
  expect(saying(NETWORKS)).toEqual([
    ...['shared/ghana/at.ts', 'shared/ghana/mtn.ts', 'shared/ghana/network.ts', 'shared/ghana/telecel.ts'],
    // The SIMs that tests seem to leave from.
    'shared/phones/sender/test-senders.ts',
  ]);
});

/** The files that say so outside their comments. */
function saying(words: RegExp): string[] {
  return sources.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return words.test(text) && words.test(withoutComments(text));
  });
}

function withoutComments(text: string): string {
  const options = { loader: 'ts', charset: 'utf8', legalComments: 'none', minifyWhitespace: true } as const;
  return transformSync(text, { ...options, tsconfigRaw: {} }).code;
}
