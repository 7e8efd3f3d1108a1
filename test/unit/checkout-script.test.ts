import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { script } from '../../shared/checkout/script.ts';

test('the page’s script is written in words that browsers of 2018 know', () => {
  // esbuild writes anew whatever a target does not know; what comes out the same needed nothing.
  const { code } = transformSync(script, { target: 'chrome66' });
  expect(code).toBe(transformSync(script, { target: 'esnext' }).code);
  expect(transformSync('a?.b', { target: 'chrome66' }).code).not.toContain('?.');
});
