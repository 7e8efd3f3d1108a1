import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { appearancesOf } from './appearances.ts';
import { browserForTests, serveToTests } from './browser.ts';
import type { BusyDashboard } from './busy-dashboard.ts';
import { openDashboard } from './dashboard-page.ts';
import type { PageAt } from './dashboard-pages.ts';
import { keyboardFaults, looksWrong, outsideAt } from './page-faults.ts';
import { isInSlice, isWhole } from './slice.ts';

/** The screen of the smallest phones that have a browser. */
const NARROWEST = 240;

/**
 * Looks at pages as a person would, and with the keyboard. `npm test` looks at a fifth of them in one of the four appearances, over twenty
 * days at each in each, and with everything open; `npm run prove -- browser` at all in all, and with everything folded too.
 */
export function looksOf({ world, people }: Pick<BusyDashboard, 'world' | 'people'>, pages: readonly PageAt[]): void {
  const at = browserForTests();
  serveToTests(world, []);

  for (const [n, { address, who }] of pages.entries()) {
    describe.runIf(isInSlice(n, 5))(address, () => {
      test.each(appearancesOf(n))('$name: whole, open to everybody, and usable by keyboard', async (appearance) => {
        const page = await openDashboard({ ...at, world, by: who && people[who] }, address, appearance);
        // Where a page begins in a field, that has scrolled nothing away that is to be read before.
        expect(await page.evaluate('scrollY')).toBe(0);
        expect([...(await faultsOf(page)), ...(await outsideAt(page, NARROWEST))]).toEqual([]);
      });
    });
  }
}

async function faultsOf(page: Page): Promise<string[]> {
  const hasFolded = (await page.locator('details:not([open])').count()) > 0;
  const folded = isWhole && hasFolded ? await looksWrong(page) : [];
  // Not by a click, after which the Tab key would begin there.
  if (hasFolded)
    await page.evaluate('document.querySelectorAll("details").forEach((folded) => folded.setAttribute("open", ""))');
  return [...folded, ...(await looksWrong(page)), ...(await keyboardFaults(page))];
}
