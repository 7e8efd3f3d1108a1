import { expect, test } from 'vitest';
import texts from '../../shared/pages/dashboard/assets.json' with { type: 'json' };
import { isMissed } from './figure.ts';
import { assetBytes, countPages } from './pages.ts';

test('dashboard pages are at most 40 KB', async () => {
  const figures = await countPages({ isWanted: () => true });
  expect(figures.filter(isMissed)).toEqual([]);
  expect(figures.map(({ pages = {} }) => Object.keys(pages).length > 50)).toEqual([true, true]);
  const { 'dashboard.css': style, 'dashboard.js': script, ...ownScripts } = bytesOfAssets();
  expect([style, script, ...Object.values(ownScripts)].every((bytes = 0) => bytes > 100)).toBe(true);
  // A page loads the styles, the common script and at most one script of its own.
  expect((style ?? 0) + (script ?? 0) + Math.max(...Object.values(ownScripts))).toBeLessThan(11_000);
});

function bytesOfAssets(): Record<string, number> {
  return Object.fromEntries(Object.keys(texts).map((name) => [name, assetBytes(name)]));
}
