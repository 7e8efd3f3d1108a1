import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { recipes } from '../../infra/reference/recipes/recipes.ts';
import { appearancesOf } from '../support/appearances.ts';
import { browserForTests, serveToTests } from '../support/browser.ts';
import { isWhole, sliceOf } from '../support/slice.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld({ inMemory: true });
serveToTests(world, ['docs/page', 'docs/openapi']);
const at = browserForTests();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESK = { viewport: { width: 1280, height: 800 } };

test('the API reference loads at most 150 KB on the first visit', async () => {
  const { page, asked } = await open('/docs', DESK);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([`${world.outside.baseUrl}/docs`]);
  const bytes = await page.evaluate('performance.getEntriesByType("navigation")[0].transferSize');
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(150_000);
});

// `npm run prove -- quick` checks only one appearance, because the page is long.
describe.each(appearancesOf(0))('the layout of the API reference at $name', (appearance) => {
  test('fits the screen and has no accessibility violations', async () => {
    const { page } = await open('/docs', appearance);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(appearance.viewport.width);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(appearance.colorScheme === 'dark' ? 'rgb(20, 22, 26)' : 'rgb(244, 242, 238)');
    // Checks the colours of one part of each kind, because all colours would take half a minute.
    const parts = ['header', 'nav', '#webhooks', '#coming-from', '#smsSend', '#onSmsFailed', '#error-queue_full'];
    expect(await violationsOf(page, parts)).toEqual([]);
  });
});

test.each([240, 320, 360])('the API reference fits a width of %i pixels', async (width) => {
  const { page } = await open('/docs#smsSend', { ...PHONE, viewport: { width, height: 800 } });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  const header = await page.locator('header').boundingBox();
  const title = await page.locator('#smsSend h3').boundingBox();
  expect(title?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
});

test.each([
  { width: 360, height: 800 },
  { width: 1280, height: 800 },
])('each recipe in the API reference fits a screen of $width by $height', async (viewport) => {
  const { page } = await open('/docs', { ...PHONE, viewport });
  const header = (await page.locator('header').boundingBox())?.height ?? 0;
  const heights = new Map<string, number>();
  for (const { id } of recipes)
    heights.set(id, header + ((await page.locator(`section#${id}`).boundingBox())?.height ?? 0));
  expect([...heights].filter(([, height]) => height > viewport.height)).toEqual([]);
});

const devices = [
  { name: 'a phone', device: PHONE },
  { name: 'a desktop', device: DESK },
];

describe.each(sliceOf(devices, 2))('the API reference on $name', ({ device }) => {
  test('opens at the operation, field or error in the URL', async () => {
    for (const id of ['smsSend', 'Charge.payment', 'error-queue_full']) {
      const { page } = await open(`/docs#${id}`, device);
      const { y = 0 } = (await page.locator(`[id="${id}"]`).boundingBox()) ?? {};
      expect(y).toBeGreaterThan(50);
      expect(y).toBeLessThan(400);
    }
  });

  test.each([true, false])('shows all samples in the selected language (JavaScript: %s)', async (javaScriptEnabled) => {
    const { page } = await open('/docs#webhookSet', { ...device, javaScriptEnabled });
    const section = page.locator('#webhookSet');
    const shown = async () => (await section.locator('.sample:visible pre').allTextContents()).join('');
    expect(await shown()).toMatch(/^curl /);
    const before = await section.boundingBox();
    await page.getByText('Python', { exact: true }).first().click();
    expect(await shown()).toMatch(/^import json, os, urllib/);
    const after = await section.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  });
});

test.runIf(isWhole)('the API reference has no accessibility violations', async () => {
  const { page } = await open('/docs', PHONE);
  expect(await violationsOf(page, ['html'], ['color-contrast'])).toEqual([]);
});

test('the API reference remembers the selected language', async () => {
  const { page } = await open('/docs', DESK);
  await page.getByText('PHP', { exact: true }).first().click();
  await page.reload();
  expect(await page.getByRole('radio', { name: 'PHP' }).isChecked()).toBe(true);
});

test('the table of contents works without JavaScript', async () => {
  const { page } = await open('/docs', { ...PHONE, javaScriptEnabled: false });
  const contents = page.getByRole('navigation', { name: 'Contents' });
  expect(await contents.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Contents', exact: true }).click();
  await contents.locator('a[href="#smsSend"]').click();
  expect(await contents.isVisible()).toBe(false);
  expect(page.url()).toBe(`${world.outside.baseUrl}/docs#smsSend`);
  expect(await page.getByRole('searchbox').count()).toBe(0);
});

test('closing the table of contents restores the scroll position', async () => {
  const { page } = await open('/docs#smsShow', PHONE);
  const before = await page.locator('#smsShow').boundingBox();
  await page.getByRole('link', { name: 'Contents', exact: true }).click();
  expect(await violationsOf(page, ['nav'])).toEqual([]);
  await page.getByRole('link', { name: 'Close', exact: true }).click();
  await page.waitForURL('**/docs#smsShow');
  expect((await page.locator('#smsShow').boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
});

test('the search finds operations, fields and errors', async () => {
  const { page } = await open('/docs', DESK);
  const found = page.locator('#found a');
  await page.getByRole('searchbox').fill('insuff');
  expect(await found.first().textContent()).toBe('insufficient_credits402');
  await page.getByRole('searchbox').fill('callback_url');
  expect(await found.first().textContent()).toBe('callback_urlCreate a charge');
  // Operations are listed before fields.
  await page.getByRole('searchbox').fill('reference');
  const hits = await found.allTextContents();
  expect(hits[0]).toBe('Verify a chargeGET /api/v1/transaction/verify/{reference}');
  expect(hits).toContain('referenceCharge');
  expect(await violationsOf(page, ['nav'])).toEqual([]);
  await page.getByRole('searchbox').fill('zebra');
  expect(await page.getByRole('status').textContent()).toBe('Nothing found');
  await page.getByRole('searchbox').fill('post /api/v1/sms/send');
  await page.keyboard.press('Enter');
  expect(page.url()).toBe(`${world.outside.baseUrl}/docs#smsSend`);
});

test('a copied sample is identical to the displayed one', async () => {
  const { page } = await open('/docs#smsSend', DESK);
  // The test cannot read the clipboard.
  await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text; }');
  const sample = page.locator('#smsSend .sample.curl');
  await sample.getByRole('button', { name: 'Copy' }).click();
  await sample.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('window.copied')).toBe(await sample.locator('pre').textContent());
});

type Page = Awaited<ReturnType<typeof open>>['page'];

async function violationsOf(page: Page, parts: readonly string[], without: string[] = []): Promise<string[]> {
  // Legacy mode is faster, and is enough for a page without frames.
  const axe = new AxeBuilder({ page }).setLegacyMode().disableRules(without);
  for (const part of parts) axe.include(part);
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 5)
        .map(({ html }) => html)
        .join(' ')}`,
  );
}

async function open(path: string, options: BrowserContextOptions) {
  const page = await at.newPage(options);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${world.outside.baseUrl}${path}`);
  return { page, asked };
}
