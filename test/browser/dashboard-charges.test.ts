import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser, serve } from '../support/browser.ts';
import { signIn } from '../support/dashboard.ts';
import { charge, createShop, mtn, pay, paymentId, rows, type Shop, verified } from '../support/receipts.ts';
import { relayChanges } from '../support/webhooks.ts';
import { createWorld } from '../support/world.ts';

// A shop's day at 360 px: each story by keyboard, and every page that it comes by as axe judges it.

const world = await createWorld({ inMemory: true });
const server = await serve(world, []);
const browser = await launchBrowser();
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const CHARGES = '/dashboard/charges';

/** What the browser complained about: errors, and what the page's policy forbids. */
const complaints: string[] = [];
let shop: Shop;

beforeAll(async () => {
  shop = await createShop(world);
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  server.stop();
});

test('a charge is made, looked at, noted on and cancelled, by keyboard alone', async () => {
  const page = await open(CHARGES);
  await isGood(page);
  await page.getByRole('link', { name: 'New charge' }).press('Enter');
  await page.getByLabel('Amount in GHS').fill('36');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Two yards of kente');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Kofi Mensah');
  await isGood(page);
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('is ready').waitFor();
  // The customer stands there: the code is in sight, above the bar.
  const code = await page.getByRole('img', { name: 'QR code of the link' }).boundingBox();
  const bar = await page.getByRole('navigation', { name: 'Main pages' }).boundingBox();
  expect((code?.y ?? Infinity) + (code?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  await page.getByLabel('Your note').fill('She comes on Monday');
  await page.getByRole('button', { name: 'Add the note' }).press('Enter');
  await page.getByText('Note: She comes on Monday').waitFor();
  await page.getByText('Cancel this charge').press('Enter');
  await isGood(page);
  await page.getByRole('button', { name: 'Cancel the charge' }).press('Enter');
  await page.getByRole('status').getByText('is cancelled').waitFor();
  await isGood(page);
});

test('an open charge shows by itself that it was paid', async () => {
  const reference = await charge(world, shop, { amount: 12, customer_name: 'Esi Arthur' });
  const page = await open(`${CHARGES}/${reference}`);
  await page.evaluate('window.stays = true');
  await pay(world, shop, mtn({ reference, amount: '12.00', from: 'ESI ARTHUR' }));
  await page.clock.runFor(5_000);
  await page.getByText('GHS 12.00 arrived from ESI ARTHUR').waitFor();
  expect(await page.getByText('Payment link').count()).toBe(0);
  expect(await page.evaluate('window.stays')).toBe(true);
});

test('a held payment is given to its charge in two taps, without JavaScript', async () => {
  const reference = await charge(world, shop, { amount: 50, customer_name: 'Ama Serwaa' });
  for (const after of await rows(world, 'TRANSACTION')) await relayChanges(world, { after });
  const receipt = mtn({ amount: '50.00', from: 'KOJO ANTWI', reference: '<b>kente</b>' });
  await pay(world, shop, receipt);
  const page = await open(`${CHARGES}/held`, { javaScriptEnabled: false });
  // A thumb hits the card, not the words of its link.
  await page.getByText('There were charges for this amount').click({ force: true });
  await page.getByRole('link', { name: `Choose the charge ${reference}` }).click();
  await page.getByRole('button', { name: 'Yes, give GHS 50.00' }).click();
  await page.getByText('The payment was given to this charge').waitFor();
  expect(await verified(world, shop, reference)).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });
});

test('a held payment is set aside with a reason and put back', async () => {
  const receipt = mtn({ amount: '17.35', from: 'KOJO ANTWI' });
  await pay(world, shop, receipt);
  const page = await open(`${CHARGES}/held`, { colorScheme: 'dark' });
  await isGood(page);
  await page.getByRole('link', { name: /GHS 17.35 from KOJO/ }).press('Enter');
  await page.locator('summary', { hasText: 'Set it aside' }).press('Enter');
  await page.getByLabel('Why').fill('A friend paid me back');
  await isGood(page);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Set aside' }).press('Enter');
  await page.getByText('A friend paid me back').waitFor();
  await isGood(page);
  await page.goto(`${world.outside.baseUrl}${CHARGES}/held/${paymentId(shop, receipt)}`);
  await page.getByRole('button', { name: 'Put it back on the list' }).press('Enter');
  await page.getByRole('status').getByText('waits again').waitFor();
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...PHONE, ...options });
  const { baseUrl } = world.outside;
  // A session of its own: the world's clock stands still, and a session's requests are counted by the second.
  const { token } = await signIn(world, 'owner', shop.id);
  await context.addCookies([{ name: 'session', value: token, url: baseUrl }]);
  const page = await context.newPage();
  await page.clock.install();
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${baseUrl}${path}`);
  return page;
}

/** Nothing is cut off, and axe finds nothing. */
async function isGood(page: Page): Promise<void> {
  await page.waitForLoadState();
  const [wide, screen] = [await page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width];
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect([page.url(), wide, found]).toEqual([page.url(), screen, []]);
}
