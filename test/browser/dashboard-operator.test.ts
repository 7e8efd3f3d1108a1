import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getMerchant } from '../../shared/merchant/merchant.table.ts';
import { listSenders } from '../../shared/sender/sender.table.ts';
import { launchBrowser, serve } from '../support/browser.ts';
import { type Person, signIn } from '../support/dashboard.ts';
import { openDashboard } from '../support/dashboard-page.ts';
import { createShop, type Shop } from '../support/receipts.ts';
import { at, ESTABLISHED_MINUTE, establish, known, link, run } from '../support/wallet-chains.ts';
import { createSender, createWorld, type World } from '../support/world.ts';

const NUMBER = '+233241234567';
let browser: Browser;
let world: World;
let shop: Shop;
let operator: Person;
let stop: () => void;

beforeAll(async () => {
  browser = await launchBrowser();
  world = await createWorld({ inMemory: true });
  at(world, 0);
  shop = await createShop(world, { number: NUMBER });
  await createSender(world, NUMBER);
  await establish(world);
  await link(world, ...run(ESTABLISHED_MINUTE + 1, 1_036_00, 5_00, 6_00));
  operator = await signIn(world, 'operator');
  ({ stop } = await serve(world, []));
});

afterAll(async () => {
  stop();
  await browser.close();
});

function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  return openDashboard({ browser, world, by: operator }, `operator/${path}`, options);
}

test.each(['light', 'dark'] as const)(
  'what is behind each list fits a phone, and is open to everybody: %s',
  async (colorScheme) => {
    const page = await open('phones', { colorScheme });
    for (const path of [
      'phones/233241234567',
      'phones/wallets/MTN/233241234567',
      `merchants/${shop.id}`,
      `merchants/${shop.id}/settings`,
      `merchants/${shop.id}/invite`,
      `merchants/${shop.id}/keys/${shop.liveKey.slice(-4)}`,
    ]) {
      await page.goto(`${world.outside.baseUrl}/dashboard/operator/${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(await faultsOf(page)).toEqual([]);
    }
  },
);

test('by keyboard alone and without JavaScript: a number is added, and what was typed wrongly stays to be corrected', async () => {
  const page = await open('phones', { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Add a number' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Number').focus();
  await page.keyboard.type('020 123');
  await page.getByLabel('Gateway account').fill('phone');
  await page.getByLabel('Device id').fill('device-2');
  await page.keyboard.press('Enter');
  await page.getByText('is not a Ghanaian number').waitFor();
  expect(await page.getByLabel('Device id').inputValue()).toBe('device-2');
  await page.getByLabel('Number').fill('020 123 4567');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '020 123 4567' }).waitFor();
  expect((await listSenders(world.outside)).map(({ number }) => number)).toContain('+233201234567');
});

test('the owner’s word is taken by one tap, and the balance is the new one', async () => {
  const page = await open('phones/wallets');
  await page.getByRole('link', { name: '024 123 4567' }).click();
  await page.getByRole('button', { name: 'Yes, it held GHS 1,047.00' }).click();
  await page.getByText('The wallet holds GHS 1,047.00: 2 texts proven by it.').waitFor();
  expect((await known(world)).balance).toBe(1_047_00);
});

test('an owner is invited by a link that is shown and leaves as a text, and both fit a phone', async () => {
  const page = await open(`merchants/${shop.id}`);
  await page.getByRole('link', { name: 'Invite an owner' }).click();
  await page.getByLabel('Name').fill('Ama Mensah');
  await page.getByLabel('Phone number').fill('055 111 2223');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByText('as a text to 055 111 2223').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Back to Ama Stores' }).click();
  await page.getByText('Ama Mensah').waitFor();
});

test('a merchant is suspended and taken back', async () => {
  const page = await open(`merchants/${shop.id}`);
  await page.getByRole('button', { name: 'Suspend Ama Stores' }).click();
  await page.getByText('Ama Stores is suspended.').waitFor();
  expect((await getMerchant(world.outside, shop.id))?.suspended_at).toBeDefined();
  await page.getByRole('button', { name: 'Lift the suspension' }).click();
  await page.getByText('Ama Stores is not suspended any more.').waitFor();
  expect((await getMerchant(world.outside, shop.id))?.suspended_at).toBeUndefined();
});

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
