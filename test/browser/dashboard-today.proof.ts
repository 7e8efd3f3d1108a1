import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { book, putTotals } from '../../shared/money/booking/booking.table.ts';
import { disputeCharge } from '../../shared/money/charge/change-charge.table.ts';
import { addDays, dayOf } from '../../shared/runtime/values/calendar.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { followChanges } from '../support/pushed.ts';
import { charge, mtn, pay } from '../support/receipts.ts';

// Tests the Today page and the daily reports.

const story = storiesOf(async () => {
  const { world, shop, by } = await atShop();
  await topUp(world.outside, shop.id, 10);
  const today = dayOf(world.clock.nowMs);
  for (const days of [3, 4, 10, 40]) {
    const totals = { charges_paid: days, payments: days, payments_pesewas: days * 1234_50, texts_accepted: 1_234 };
    await world.outside.table.write([putTotals(shop.id, addDays(today, -days), { totals, disputed: [] })]);
  }
  const at = world.iso();
  const disputed = await charge(world, shop, { amount: 36 });
  await world.outside.table.write([disputeCharge(world.outside, disputed, 'conflict')]);
  const booked = { totals: { payments: 1, payments_pesewas: 36_00, texts_failed: 1 }, disputed: [disputed] };
  await world.outside.table.write([book({ merchant_id: shop.id, at, sequence: '1', ...booked })]);
  await pay(world, shop, mtn({ amount: '12.00', reference: 'shoes' }));
  return { world, shop, by };
});

story('Today lists open tasks and also shows its chart as a table', { usual: 'by hand' }, async ({ open, isGood }) => {
  const { page, hand } = await open('today');
  await hand.press(page.locator('.waits summary'));
  await page.getByText('Bill in doubt', { exact: true }).waitFor();
  await hand.press(page.getByText('As a table'));
  await isGood(page);
});

story(
  'Today links to reports for longer periods and to their files',
  { usual: 'by keyboard alone' },
  async ({ open, world, isGood }) => {
    const { page, hand } = await open('today');
    await hand.press(page.getByRole('main').getByRole('link', { name: 'Reports and files' }));
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    await hand.press(page.getByRole('link', { name: '12 months' }));
    await hand.press(page.getByText('Month by month'));
    await isGood(page);
    await hand.press(page.getByText('Other days'));
    await hand.typeDay(page.getByLabel('From'), addDays(dayOf(world.clock.nowMs), -4));
    await hand.send(page.getByRole('button', { name: 'Show' }));
    await page.getByText('Day by day').waitFor();
    const downloading = page.waitForEvent('download');
    await hand.press(page.getByRole('link', { name: 'Totals by day (spreadsheet)' }));
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^days-[\d-]+-to-[\d-]+\.csv$/);
    const rows: Record<string, string>[] = parse(await readFile(await download.path()), { bom: true, columns: true });
    expect(rows.map(({ money_in_ghs }) => money_in_ghs)).toEqual(['4938', '3703.5', '0', '0', '36']);
  },
);

story('payments can be downloaded as a file', { usual: 'without JavaScript' }, async ({ open, isGood }) => {
  const { page, hand } = await open('today/reports');
  await hand.press(page.getByText('Day by day'));
  await hand.press(page.getByRole('main').getByRole('link', { name: 'Payments (spreadsheet)' }));
  await isGood(page, page.getByRole('heading', { name: 'Files of payments' }));
});

story(
  'an open page shows changes without a reload',
  { usual: 'by hand', told: ['by hand'] },
  async ({ open, world, shop }) => {
    const { page } = await open('sign-in/account');
    await page.clock.install();
    await page.goto(`${world.outside.baseUrl}/dashboard/today`);
    const credits = page.getByText('Credits for texts', { exact: true });
    await credits.waitFor({ state: 'attached' });
    await topUp(world.outside, shop.id, 1_000);
    world.clock.nowMs += 30_000;
    await page.clock.runFor(31_000);
    await credits.waitFor({ state: 'detached' });
  },
);

story('a page framed by another site stays empty', { usual: 'by hand', told: ['by hand'] }, async ({ open, world }) => {
  const page = await (await open('today')).page.context().newPage();
  await page.setContent(`<iframe src="${world.outside.baseUrl}/dashboard/today"></iframe>`);
  const frame = page.frames()[1];
  await page.waitForTimeout(500);
  // Chromium's own error page also has a heading, but no main element.
  expect(await frame?.locator('main').count()).toBe(0);
});

const newShop = storiesOf(() => atShop());

/** Returns the number of completed first steps. */
const done = (page: Page) => page.locator('.steps .done').count();
const linkToToday = (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name: 'Today' }).filter({ visible: true });

newShop(
  'the first steps are completed one by one and disappear after the first payment',
  { usual: 'without JavaScript' },
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('today');
    await isGood(page, page.getByRole('heading', { name: 'First steps' }));
    await hand.press(page.getByRole('link', { name: 'Set how customers can reach you' }));
    await hand.type(page.getByLabel('Number, e-mail or WhatsApp link'), '0551112222');
    await hand.send(page.getByRole('button', { name: 'Set the contact' }));
    await page.getByRole('status').getByText('055 111 2222').waitFor();
    // Settings are cached for two seconds.
    world.clock.nowMs += 3_000;
    await hand.press(linkToToday(page));
    await page.getByText('Customers can reach you at').waitFor();
    await hand.press(page.getByRole('link', { name: 'New bill' }));
    await hand.type(page.getByLabel('Amount', { exact: true }), '1');
    await hand.send(page.getByRole('button', { name: 'Create bill' }));
    await page.getByRole('status').getByText('is ready').waitFor();
    const reference = page.url().split('/').at(-1) ?? '';
    await hand.press(linkToToday(page));
    // A charge is not a payment, so this step is still open.
    await page.getByText('Open its link on a phone and pay it').waitFor();
    expect(await done(page)).toBe(3);
    await pay(world, shop, mtn({ amount: '1.00', reference }));
    await followChanges(world);
    await hand.press(linkToToday(page));
    await page.getByText('Money in today').waitFor();
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
    await isGood(page, page.getByRole('link', { name: 'New bill' }));
  },
);

newShop(
  'the link to waiting payments shows their number',
  { usual: 'by keyboard alone' },
  async ({ open, world, shop, isGood }) => {
    for (let n = 0; n < 2; n++) await pay(world, shop, mtn({ amount: '12.00', reference: 'shoes' }));
    const { page, hand } = await open('texts');
    const entry = page.getByRole('link', { name: 'Payments 2 waiting' }).filter({ visible: true });
    await isGood(page, entry);
    await hand.press(entry);
    await hand.press(page.getByRole('link', { name: 'To check 2 waiting' }));
    await isGood(page, page.getByRole('link', { name: /^To check/ }));
  },
);

newShop(
  'an open page updates the number of waiting payments',
  { usual: 'by hand', told: ['by hand'] },
  async ({ open, world, shop }) => {
    const { page } = await open('sign-in/account');
    await page.clock.install();
    await page.goto(`${world.outside.baseUrl}/dashboard/today`);
    const count = page.locator('[data-count]').filter({ visible: true });
    expect(await count.count()).toBe(0);
    await pay(world, shop, mtn({ amount: '12.00', reference: 'shoes' }));
    world.clock.nowMs += 30_000;
    await page.clock.runFor(31_000);
    await page.getByRole('link', { name: 'Payments 1 waiting' }).filter({ visible: true }).waitFor();
    expect(await count.innerText()).toMatch(/^1/);
  },
);
