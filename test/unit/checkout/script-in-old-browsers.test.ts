import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import assets from '../../../shared/pages/checkout/assets.json' with { type: 'json' };

const source = readFileSync('shared/pages/checkout/checkout.js', 'utf8');

test.each([
  ['as source', source],
  ['as served', assets['checkout.js']],
])('the checkout script %s uses only syntax from before 2019', (_, script) => {
  // esbuild rewrites unsupported syntax, so unchanged output means that all syntax is supported.
  const target = ['es2017', 'chrome65'];
  expect(transformSync(script, { target }).code).toBe(transformSync(script, { target: 'esnext' }).code);
});

test('syntax newer than 2018 is detected', () => {
  for (const newer of ['a?.b', 'try { a() } catch { b() }', 'a ?? b', 'a = { ...b }']) {
    const target = ['es2017', 'chrome65'];
    expect(transformSync(newer, { target }).code).not.toBe(transformSync(newer, { target: 'esnext' }).code);
  }
});
