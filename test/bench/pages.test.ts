import { expect, test } from 'vitest';
import styles from '../../shared/pages/dashboard/assets.json' with { type: 'json' };
import scripts from '../../shared/pages/dashboard/scripts.json' with { type: 'json' };
import { isMissed } from './figure.ts';
import { assetBytes, countPages } from './pages.ts';

test('P13 and P14: each page of the dashboard is small and reads little; with style and scripts it is at most 40 KB', async () => {
  const figures = await countPages({ isWanted: () => true });
  expect(figures.filter(isMissed)).toEqual([]);
  expect(figures.map(({ pages = {} }) => Object.keys(pages).length > 50)).toEqual([true, true]);
  const assets = Object.keys({ ...styles, ...scripts }).map(assetBytes);
  expect(assets.every((bytes) => bytes > 100)).toBe(true);
  expect(assets.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(10_000);
});
