import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { parse } from 'csv-parse/sync';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { book } from '../../shared/booking/booking.table.ts';
import { dayAfter, dayOf } from '../../shared/booking/day.ts';
import { putTotals } from '../../shared/booking/totals.table.ts';
import { launchBrowser, serve } from '../support/browser.ts';
import { type Person, signIn } from '../support/dashboard.ts';
import { createShop, mtn, pay, type Shop } from '../support/receipts.ts';
import { createWorld, type World } from '../support/world.ts';

let browser: Browser;
let world: World;
let shop: Shop;
let owner: Person;
let stop: () => void;

beforeAll(async () => {
  browser = await launchBrowser();
  world = await createWorld({ inMemory: true });
  shop = await createShop(world);
  owner = await signIn(world, 'owner', shop.id);
  ({ stop } = await serve(world, []));
  const today = dayOf(world.clock.nowMs);
  for (const days of [3, 4, 10, 40]) {
    const totals = { charges_paid: days, payments: days, payments_pesewas: days * 1234_50, texts_accepted: 1_234 };
    await world.outside.table.write([
      putTotals(world.outside, shop.id, dayAfter(today, -days), { totals, disputed: [] }),
    ]);
  }
  const at = new Date(world.clock.nowMs).toISOString();
  const booked = { totals: { payments: 1, payments_pesewas: 36_00, texts_failed: 1 }, disputed: ['MK-0123456789'] };
  await world.outside.table.write([book({ merchant_id: shop.id, at, sequence: '1', ...booked })]);
  await pay(world, shop, mtn({ amount: '12.00', reference: 'shoes' }));
});

afterAll(async () => {
  stop();
  await browser.close();
});

async function open(path: string, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, javaScriptEnabled });
  await context.addCookies([{ name: 'session', value: owner.token, url: world.outside.baseUrl }]);
  const page = await context.newPage();
  world.clock.nowMs += 1_000;
  await page.goto(`${world.outside.baseUrl}${path}`);
  return page;
}

/** Moves to a link by its name and follows it, as somebody without a mouse does. */
async function follow(page: Page, name: string): Promise<void> {
  world.clock.nowMs += 1_000;
  await page.getByRole('main').getByRole('link', { name }).focus();
  await page.keyboard.press('Enter');
}

async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
}

test('today, with much to do, fits a small phone, and axe finds no fault', async () => {
  const page = await open('/dashboard/today');
  await page.getByText('Disputed charge').waitFor();
  await page.getByText('As a table').click();
  await expectSound(page);
  await page.context().close();
});

test('by keyboard and without JavaScript: from today to the report of a year, of a month, and its file', async () => {
  const page = await open('/dashboard/today', false);
  await follow(page, 'Reports and files');
  await page.getByRole('heading', { name: 'Reports' }).waitFor();
  await follow(page, '12 months');
  await page.getByText('Month by month').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('From').fill(dayAfter(dayOf(world.clock.nowMs), -4));
  await page.keyboard.press('Enter');
  await page.getByText('Day by day').waitFor();
  world.clock.nowMs += 1_000;
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Days', exact: true }).press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^days-[\d-]+-to-[\d-]+\.csv$/);
  const rows: Record<string, string>[] = parse(await readFile(await download.path()), { bom: true, columns: true });
  expect(rows.map(({ money_in_ghs }) => money_in_ghs)).toEqual(['4938', '3703.5', '0', '0', '36']);
  await page.context().close();
});

test('a report and the list of its files fit a small phone, and axe finds no fault', async () => {
  const page = await open('/dashboard/today/reports');
  await page.getByText('Day by day').click();
  await expectSound(page);
  await follow(page, 'Payments');
  await page.getByRole('heading', { name: 'Files of payments' }).waitFor();
  await expectSound(page);
  await page.context().close();
});
