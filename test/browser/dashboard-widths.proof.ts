import { expect, test } from 'vitest';
import { browserForTests, serveToTests } from '../support/browser.ts';
import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { openDashboard } from '../support/dashboard-page.ts';
import { everyPage } from '../support/dashboard-pages.ts';

// Tables ran out of the page between 700 and 1,080 pixels, where they are neither cards nor have a wide screen.

const { world, people, examples } = await openBusyDashboard();
const at = browserForTests();
serveToTests(world, []);

const WIDTHS = [700, 768, 840, 960, 1100];

// A page without an id in its address is a list, a form or a menu.
const pages = (await everyPage(examples)).filter(({ pattern, address }) => pattern === address);

test.each(pages)('the $address page fits between a phone and a wide screen', async ({ address, who }) => {
  const screen = { viewport: { width: 1280, height: 740 } };
  const page = await openDashboard({ ...at, world, by: who && people[who] }, address, screen);
  const tooWide: object[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    const needs = await page.evaluate('document.documentElement.scrollWidth');
    if (needs !== width) tooWide.push({ width, needs });
  }
  expect(tooWide).toEqual([]);
});
