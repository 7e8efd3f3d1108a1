import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, serve } from '../support/browser.ts';
import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { openDashboard } from '../support/dashboard-page.ts';

// An amount that breaks after its currency is read as another one. Where money changes hands none does, on the narrowest screen either.

const { world, people, examples } = await openBusyDashboard();
let browser: Browser;
let stop: () => void;
beforeAll(async () => {
  browser = await launchBrowser();
  ({ stop } = await serve(world, []));
});
afterAll(async () => {
  stop();
  await browser.close();
});

const addresses = ['/dashboard/till/{till}', '/dashboard/requests/{slug}'].flatMap(
  (pattern) => examples[pattern] ?? [],
);

test.each(addresses)('%s breaks no amount', async (address) => {
  for (const width of [240, 360, 1280]) {
    const page = await openDashboard(
      { browser, world, by: people.owner },
      address,
      { viewport: { width, height: 740 } },
      [],
    );
    expect([width, await amountsOnTwoLines(page)]).toEqual([width, []]);
    await page.context().close();
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
