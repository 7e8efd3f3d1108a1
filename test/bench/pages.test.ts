import { expect, test } from 'vitest';
import texts from '../../shared/pages/dashboard/assets.json' with { type: 'json' };
import { isMissed } from './figure.ts';
import { assetBytes, countPages } from './pages.ts';

test('each dashboard page is small, reads little, and is at most 40 KB with assets (P13, P14)', async () => {
  const figures = await countPages({ isWanted: () => true });
  expect(figures.filter(isMissed)).toEqual([]);
  expect(figures.map(({ pages = {} }) => Object.keys(pages).length > 50)).toEqual([true, true]);
  const assets = Object.keys(texts).map(assetBytes);
  expect(assets.every((bytes) => bytes > 100)).toBe(true);
  expect(assets.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(10_000);
});
