import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Appearance, appearances, appearancesOf, isWhole } from '../support/appearances.ts';
import { launchBrowser, serve } from '../support/browser.ts';
import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { signIn } from '../support/dashboard.ts';
import { openDashboard } from '../support/dashboard-page.ts';
import { everyPage, type PageAt, pagePatterns } from '../support/dashboard-pages.ts';
import { keyboardFaults, looksWrong } from '../support/page-faults.ts';
import { createMerchant, createWorld } from '../support/world.ts';

// Every page, as the areas' own tables have them: of a shop where something of everything has happened, and of one that is new.

const busy = await openBusyDashboard();
const busyPages = await everyPage(busy.examples);
const fresh = await openNewDashboard();
const freshPages = (await pagePatterns())
  .filter(({ pattern }) => !pattern.includes('{'))
  .map(({ pattern, who }) => ({ pattern, who, address: pattern }));

let browser: Browser;
const stops: (() => void)[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  for (const { world } of [busy, fresh]) stops.push((await serve(world, [])).stop);
});

afterAll(async () => {
  for (const stop of stops) stop();
  await browser.close();
});

async function openNewDashboard() {
  const world = await createWorld({ inMemory: true });
  const { id } = await createMerchant(world);
  return { world, people: { owner: await signIn(world, 'owner', id), operator: await signIn(world, 'operator') } };
}

function open({ world, people }: typeof fresh, { who, address }: PageAt, appearance: Appearance): Promise<Page> {
  return openDashboard({ browser, world, by: who && people[who] }, address, appearance);
}

/** What is wrong with a page: for the eye, for a thumb, and for somebody who has only the keyboard. */
async function faultsOf(page: Page): Promise<string[]> {
  return [...(await looksWrong(page)), ...(await keyboardFaults(page))];
}

describe.each(busyPages.map((one, n) => ({ ...one, n })))('$address', ({ n, ...one }) => {
  test.each(appearancesOf(n))('$name: whole, open to everybody, and usable by keyboard', async (appearance) => {
    const page = await open(busy, one, appearance);
    expect(await faultsOf(page)).toEqual([]);
    await page.context().close();
  });
});

describe.each(freshPages.map((one, n) => ({ ...one, n })))('of a new shop: $address', ({ n, ...one }) => {
  test.each(isWhole ? appearances : appearancesOf(n).slice(0, 1))(
    '$name: whole, open to everybody, and usable by keyboard',
    async (appearance) => {
      const page = await open(fresh, one, appearance);
      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    },
  );
});
