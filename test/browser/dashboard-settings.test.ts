import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listWaiting } from '../../shared/chain/chain.table.ts';
import { requireMerchant } from '../../shared/merchant/manage-merchant.ts';
import { askOwner } from '../../shared/wallet/ask-owner.ts';
import { launchBrowser, serve } from '../support/browser.ts';
import { type Person, signIn } from '../support/dashboard.ts';
import { DASHBOARD_PHONE, openDashboard } from '../support/dashboard-page.ts';
import { at, ESTABLISHED_MINUTE, establish, known, link, run, WALLET } from '../support/wallet-chains.ts';
import { createMerchant, createSender, createWorld, type TestMerchant, type World } from '../support/world.ts';

let browser: Browser;
let world: World;
let merchant: TestMerchant;
let owner: Person;
let stop: () => void;

beforeAll(async () => {
  browser = await launchBrowser();
  world = await createWorld({ inMemory: true });
  at(world, 0);
  merchant = await createMerchant(world, { credits: 100 });
  await establish(world);
  await link(world, ...run(ESTABLISHED_MINUTE + 1, 1_036_00, 5_00, 6_00));
  at(world, ESTABLISHED_MINUTE + 15);
  const { chain } = await known(world);
  await askOwner(world.outside, chain, await listWaiting(world.outside, WALLET), []);
  await createSender(world, '+233241234567');
  owner = await signIn(world, 'owner', merchant.id);
  ({ stop } = await serve(world, []));
});

afterAll(async () => {
  stop();
  await browser.close();
});

function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  return openDashboard({ browser, world, by: owner }, path, options);
}

test('a number is added by keyboard alone, and put first', async () => {
  const page = await open('settings');
  await page.getByRole('link', { name: /^MoMo numbers/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Add a number' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Number').focus();
  await page.keyboard.type('0204000002');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Telecel');
  await page.keyboard.press('Tab');
  await page.keyboard.type('AMA MENSAH');
  await page.keyboard.press('Enter');
  await page.getByText('020 400 0002 was added.').waitFor();
  await page.getByRole('link', { name: '020 400 0002' }).click();
  await page.getByRole('button', { name: 'Show this one first' }).click();
  await page.getByText('Customers are shown 020 400 0002 first now.').waitFor();
  const [first] = (await requireMerchant(world.outside, merchant.id)).momo_accounts;
  expect(first).toEqual({ number: '+233204000002', network: 'TELECEL', account_name: 'AMA MENSAH' });
});

test.each(['light', 'dark'] as const)(
  'a number, a wallet with a question, and a form that was refused are whole, and open to everybody: %s',
  async (colorScheme) => {
    const page = await open('settings/numbers/0241234567', { colorScheme });
    expect(await faultsOf(page)).toEqual([]);
    for (const path of ['settings/wallets/0241234567', 'today/balance/MTN/233241234567']) {
      await page.goto(`${world.outside.baseUrl}/dashboard/${path}`);
      expect(await faultsOf(page)).toEqual([]);
    }
    await page.goto(`${world.outside.baseUrl}/dashboard/settings/matching`);
    await page.getByLabel('Match by name up to').fill('all');
    await page.getByRole('button', { name: 'Set these' }).click();
    await page.getByText('must be from 0 to 100000 cedis').waitFor();
    expect(await page.getByLabel('Match by name up to').inputValue()).toBe('all');
    expect(await faultsOf(page)).toEqual([]);
  },
);

test('without a script an owner answers in two taps what the wallet holds', async () => {
  const page = await open('settings/wallets', { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Answer' }).click();
  await page.getByText('Do not go by the texts').waitFor();
  await page.getByRole('button', { name: 'Yes, it held GHS 1,047.00' }).click();
  await page.getByText('The wallet holds GHS 1,047.00: 2 texts proven by it.').waitFor();
  expect((await known(world)).balance).toBe(1_047_00);
  await page.goto(`${world.outside.baseUrl}/dashboard/settings/wallets`);
  expect(await page.getByText('Did 024').count()).toBe(0);
});

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const width = await page.evaluate('document.documentElement.scrollWidth');
  return [
    ...(width === DASHBOARD_PHONE.viewport.width ? [] : [`${width} wide`]),
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
  ];
}
