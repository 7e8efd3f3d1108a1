import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { appearancesOf } from './appearances.ts';
import { browserForTests, serveToTests } from './browser.ts';
import type { BusyDashboard } from './busy-dashboard.ts';
import { openDashboard } from './dashboard-page.ts';
import type { PageAt } from './dashboard-pages.ts';
import { keyboardFaults, looksWrong, outsideAt } from './page-faults.ts';
import { isInSlice, isWhole } from './slice.ts';

/** Width in pixels of the narrowest supported phones. */
const NARROWEST = 240;
/** Width in pixels of a 1,280-pixel screen at 200 % zoom. */
const ZOOMED = 640;

/**
 * Checks the layout and keyboard use of pages. `npm run prove -- quick` checks a fifth of the pages in one of four
 * appearances. `npm run prove -- browser` checks all pages in all appearances.
 */
export function looksOf({ world, people }: Pick<BusyDashboard, 'world' | 'people'>, pages: readonly PageAt[]): void {
  const at = browserForTests();
  serveToTests(world, []);

  for (const [n, { address, who }] of pages.entries()) {
    describe.runIf(isInSlice(n, 5))(address, () => {
      test.each(appearancesOf(n))('has no layout or keyboard faults at $name', async (appearance) => {
        const page = await openDashboard({ ...at, world, by: who && people[who] }, address, appearance);
        // Autofocus must not scroll the page.
        expect(await page.evaluate('scrollY')).toBe(0);
        const faults = await faultsOf(page);
        for (const width of [ZOOMED, NARROWEST]) faults.push(...(await outsideAt(page, width)));
        expect(faults).toEqual([]);
      });
    });
  }
}

async function faultsOf(page: Page): Promise<string[]> {
  const hasFolded = (await page.locator('details:not([open])').count()) > 0;
  const folded = isWhole && hasFolded ? await looksWrong(page) : [];
  // After a click, the Tab key would start from the clicked element.
  if (hasFolded)
    await page.evaluate('document.querySelectorAll("details").forEach((folded) => folded.setAttribute("open", ""))');
  return [...folded, ...(await looksWrong(page)), ...(await keyboardFaults(page))];
}
