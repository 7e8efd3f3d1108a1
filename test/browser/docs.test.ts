import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { launchBrowser, serve } from '../support/browser.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld({ inMemory: true });
const server = await serve(world, ['docs/page', 'docs/file', 'docs/openapi']);
const browser = await launchBrowser();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };

/** What the browser complained about: errors, and what the page's policy forbids. */
const complaints: string[] = [];

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  server.stop();
});

test('the page loads from this host alone, within its policy', async () => {
  const { page, asked } = await open('/docs', DESKTOP);
  expect(asked.map((url) => url.replace(world.outside.baseUrl, '').replace(/\?[\d.]+$/, ''))).toEqual([
    '/docs',
    '/docs/swagger-ui.css',
    '/docs/swagger-ui-bundle.js',
    '/openapi.json',
  ]);
  expect(await page.locator('.opblock').count()).toBeGreaterThan(25);
  expect(await page.locator('.info table tbody tr').count()).toBeGreaterThan(15);
  expect(await page.locator('.try-out').count()).toBe(0);
});

describe.each([
  ['a phone', PHONE],
  ['a desk', DESKTOP],
])('on %s', (_, device) => {
  test.each(['light', 'dark'] as const)(
    'in %s, nothing is cut off, and what is there can be read',
    async (colorScheme) => {
      const { page } = await open('/docs#/Texts/smsSend', { ...device, colorScheme });
      await page.locator('#operations-Texts-smsSend.is-open .responses-table').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(device.viewport.width);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(colorScheme === 'dark' ? 'rgb(28, 32, 34)' : 'rgb(255, 255, 255)');
      const { violations } = await new AxeBuilder({ page })
        // The page has no frames: one pass in the page itself is all of it, and takes half the time.
        .setLegacyMode()
        .disableRules(SWAGGER_UI_FAULTS)
        .analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    },
  );
});

test('an operation has an address of its own, and shows example and schema', async () => {
  const { page } = await open('/docs', DESKTOP);
  await page.locator('#operations-Charges-transactionInitialize .opblock-summary-control').click();
  const operation = page.locator('#operations-Charges-transactionInitialize.is-open');
  await operation.locator('.responses-table').waitFor();
  expect(page.url()).toBe(`${world.outside.baseUrl}/docs#/Charges/transactionInitialize`);
  expect(await operation.locator('.microlight').first().textContent()).toContain('"amount": 36');
  expect(await operation.locator('.opblock-description').textContent()).toContain(
    'Requires a key that starts with sk_live_.',
  );
  await operation.getByRole('tab', { name: 'Schema' }).first().click();
  expect(
    await operation.getByText('The name under which the customer is registered with MoMo', { exact: false }).count(),
  ).toBe(1);
});

/**
 * What Swagger UI itself gets wrong: the button that opens an operation has the operation's link in it, and what is said
 * above the operations is in no landmark.
 */
const SWAGGER_UI_FAULTS = ['nested-interactive', 'region'];

async function open(path: string, options: BrowserContextOptions) {
  const page = await (await browser.newContext(options)).newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${world.outside.baseUrl}${path}`);
  await page.locator('.opblock').first().waitFor();
  return { page, asked };
}
