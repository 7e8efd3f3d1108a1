import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { appearancesOf } from './appearances.ts';
import { launchBrowser, serve } from './browser.ts';
import type { BusyDashboard } from './busy-dashboard.ts';
import { openDashboard } from './dashboard-page.ts';
import type { PageAt } from './dashboard-pages.ts';
import { keyboardFaults, looksWrong } from './page-faults.ts';

/**
 * Looks at pages as a person would: with everything folded, with everything open, and with the keyboard. `npm test` does so in as
 * many of the four appearances as it says here, `npm run browser` in all.
 */
export function looksOf(
  { world, people }: Pick<BusyDashboard, 'world' | 'people'>,
  pages: readonly PageAt[],
  usual: 1 | 2,
): void {
  let browser: Browser;
  let stop: () => void;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    ({ stop } = await serve(world, []));
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    stop();
    await browser.close();
  });

  describe.each(pages.map(({ address, who }, n) => ({ address, who, n })))('$address', ({ address, who, n }) => {
    test.each(appearancesOf(n, usual))(
      '$name: whole, open to everybody, and usable by keyboard',
      async (appearance) => {
        const page = await openDashboard({ browser, world, by: who && people[who] }, address, appearance, complaints);
        expect(await faultsOf(page)).toEqual([]);
      },
    );
  });
}

async function faultsOf(page: Page): Promise<string[]> {
  const faults = await looksWrong(page);
  if ((await page.locator('details:not([open])').count()) > 0) {
    // Not by a click, after which the Tab key would begin there.
    await page.evaluate('document.querySelectorAll("details").forEach((folded) => folded.setAttribute("open", ""))');
    faults.push(...(await looksWrong(page)));
  }
  return [...faults, ...(await keyboardFaults(page))];
}
