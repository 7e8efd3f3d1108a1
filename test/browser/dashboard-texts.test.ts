import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handler as send } from '../../functions/sms/send.ts';
import { sizeOf } from '../../shared/sms/segments.ts';
import { launchBrowser, serve } from '../support/browser.ts';
import { type Person, signIn } from '../support/dashboard.ts';
import { openDashboard } from '../support/dashboard-page.ts';
import { sendsOf } from '../support/rows.ts';
import { newEvent, setWebhook } from '../support/webhooks.ts';
import { call, createMerchant, createSender, createWorld, type TestMerchant, type World } from '../support/world.ts';

let browser: Browser;
let world: World;
let merchant: TestMerchant;
let owner: Person;
let stop: () => void;

beforeAll(async () => {
  browser = await launchBrowser();
  world = await createWorld({ inMemory: true });
  merchant = await createMerchant(world, { credits: 100 });
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

test('a text is written and sent by keyboard alone, and counted as one types', async () => {
  const page = await open('texts/send');
  await page.locator('#to').focus();
  await page.keyboard.type('Kofi 055 111 2223, 0201112223');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Your order is ready');
  const line = page.locator('#size');
  expect(await line.textContent()).toBe('2 numbers · 19 characters, 1 SMS (GSM-7) · costs 2 of 100 credits.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('2 texts are on the way from 024 123 4567, for 2 credits.').waitFor();
  await page.getByRole('heading', { name: 'Text to 2 numbers' }).waitFor();
});

test('the script counts as the server does', async () => {
  const page = await open('texts/send');
  const samples = [
    'a'.repeat(160),
    'a'.repeat(161),
    `${'a'.repeat(152)}€${'b'.repeat(20)}`,
    '€'.repeat(81),
    'Ɛyɛ '.repeat(18),
    '🎉'.repeat(35),
    '🎉'.repeat(36),
    `${'ɔ'.repeat(66)}👩‍👩‍👧‍👦${'ɔ'.repeat(80)}`,
    'line\nbreak ^{}\\[~]|€',
  ];
  for (const sample of samples) {
    await page.locator('#message').fill(sample);
    const { segments, encoding } = sizeOf(sample);
    const said = `${[...sample].length} characters, ${segments} SMS (${encoding})`;
    expect(await page.locator('#size').textContent()).toContain(said);
  }
});

test('without a script a text is counted first, and then sent', async () => {
  const page = await open('texts/send', { javaScriptEnabled: false });
  await page.locator('#to').fill('0551112223');
  await page.locator('#message').fill('Hello');
  await page.getByRole('button', { name: 'Count first' }).click();
  await page.getByText('1 number · 5 characters, 1 SMS (GSM-7) · costs 1 of 98 credits.').waitFor();
  const before = (await sendsOf(world, merchant)).length;
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Your text is on the way').waitFor();
  expect(await sendsOf(world, merchant)).toHaveLength(before + 1);
});

test('test mode is entered from the menu, seen on every page, and left', async () => {
  const page = await open('texts#menu');
  await page.getByRole('button', { name: 'Test mode' }).click();
  await page.getByText('TEST MODE').waitFor();
  await page.goto(`${world.outside.baseUrl}/dashboard/texts/send`);
  await page.locator('#message').fill('Hello');
  expect(await page.locator('#size').textContent()).toContain('costs nothing, as a test');
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  expect(await page.locator('.band').count()).toBe(0);
});

test('a key is made with a scope, and its page shows it', async () => {
  const page = await open('developers/keys/new/sms');
  await page.getByLabel('Send texts').check();
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = (await page.locator('.copyable code').textContent()) ?? '';
  expect(key).toMatch(/^sk_sms_/);
  expect(await faultsOf(page)).toEqual([]);
  await page.goto(`${world.outside.baseUrl}/dashboard/developers/keys/${key.slice(-4)}`);
  await page.getByText('texts:send').waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

test.each(['light', 'dark'] as const)(
  'what is behind each list is whole, and open to everybody: %s',
  async (colorScheme) => {
    const body = { to: ['0551112223', '0201112223'], message: 'Your order is ready. '.repeat(20) };
    const { json } = await call(world, send, { key: merchant.smsKey, body });
    await setWebhook(world, merchant);
    const event = await newEvent(world, merchant);
    const page = await open('texts', { colorScheme });
    for (const path of [
      `texts/${json.data.id}`,
      `texts/${json.data.id}/2`,
      `developers/events/${event}`,
      'developers/webhooks/live',
    ]) {
      await page.goto(`${world.outside.baseUrl}/dashboard/${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(await faultsOf(page)).toEqual([]);
    }
  },
);

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
