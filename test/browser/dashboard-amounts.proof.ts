import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserForTests, serveToTests } from '../support/browser.ts';
import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { openDashboard } from '../support/dashboard-page.ts';

// An amount that wraps can be misread, so amounts must not wrap on the narrowest screen.

const { world, people, examples } = await openBusyDashboard();
const at = browserForTests();
serveToTests(world, []);

const addresses = ['/dashboard/till/{till}', '/dashboard/requests/{slug}'].flatMap(
  (pattern) => examples[pattern] ?? [],
);

test.each(addresses)('the %s page shows each amount on one line', async (address) => {
  for (const width of [240, 360, 1280]) {
    const screen = { viewport: { width, height: 740 } };
    const page = await openDashboard({ ...at, world, by: people.owner }, address, screen);
    expect({ width, onTwoLines: await amountsOnTwoLines(page) }).toEqual({ width, onTwoLines: [] });
  }
});

async function amountsOnTwoLines(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.getElementById('main'), NodeFilter.SHOW_TEXT);
    const broken = [];
    let found = 0;
    while (texts.nextNode()) {
      const { data } = texts.currentNode;
      for (const { index, 0: amount } of data.matchAll(/GHS [\\d,]+\\.\\d\\d/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + amount.length);
        const tops = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
        found++;
        if (tops.size > 1) broken.push(data.trim());
      }
    }
    return found > 2 ? broken : ['no amounts on this page'];
  })()`);
}
