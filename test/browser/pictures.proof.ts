import { writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createCharge } from '../../infra/local/story/steps.ts';
import { shopOf } from '../journeys/story.ts';
import { launchBrowser } from '../support/browser.ts';
import { PATIENCE } from '../support/http.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { isInSlice } from '../support/slice.ts';

/**
 * `PICTURES=write npm test -- test/browser/pictures` retakes the README's screenshots. By default, the test only checks
 * their size.
 */
const isWriting = process.env.PICTURES === 'write';
const SCREEN = { viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
/** Colour schemes with GitHub's background colours. */
const SCHEMES = [
  { colorScheme: 'light', background: '#fff', text: '#1f2328', line: '#d1d9e0' },
  { colorScheme: 'dark', background: '#0d1117', text: '#f0f6fc', line: '#3d444d' },
] as const;
const CAPTIONS = [
  'Checkout: the customer’s page',
  'Phone: simulated, to try it out',
  'Till: a payment has just arrived',
];

test.runIf(isWriting || isInSlice(0, 4))('each screenshot in the README is at most 75 KB', async () => {
  const browser = await launchBrowser();
  const stack = await startLocalStack().catch(async (error) => {
    await browser.close();
    throw error;
  });
  try {
    const pages = await openPages(browser, stack);
    for (const scheme of SCHEMES) {
      const picture = await sideBySide(browser, pages, scheme);
      expect(picture.length).toBeLessThan(75_000);
      if (isWriting) writeFileSync(`.github/pictures/checkout-phone-till-${scheme.colorScheme}.webp`, picture);
    }
  } finally {
    await browser.close();
    await stack.stop();
  }
});

/** Opens the three pages with a pending charge, and a payment at the till. */
async function openPages(browser: Browser, { facts }: LocalStack): Promise<readonly Page[]> {
  const context = await browser.newContext(SCREEN);
  context.setDefaultTimeout(PATIENCE.timeout);
  const [checkout, phone, till] = [await context.newPage(), await context.newPage(), await context.newPage()];

  await till.goto(facts.dashboard_url);
  await till.goto(`${facts.base_url}/dashboard/till`);
  await till.getByLabel('Name').fill('Counter 1');
  await till.getByRole('button', { name: 'Add the till' }).click();
  await till.getByRole('button', { name: 'Start your shift at Counter 1' }).click();
  await till.locator('#amount').fill('12');
  await till.getByRole('button', { name: 'Ask for this amount' }).click();
  await till.locator('.till-due').waitFor();

  await phone.goto(facts.phone_url);
  await phone.getByLabel('Amount, GHS').fill('12');
  await phone.getByLabel('Payer’s name').fill('Akosua Boateng');
  await phone.getByRole('button', { name: 'Pay', exact: true }).click();
  await till.getByRole('button', { name: 'GHS 12.00' }).getByText('Verified', { exact: true }).waitFor();

  const { authorization_url, reference } = await createCharge(shopOf(facts), {
    amount: 36,
    customer_name: 'Kofi Mensah',
    description: 'Two yards of kente',
  });
  await checkout.goto(authorization_url);
  await checkout.getByText('Waiting for payment').waitFor();
  await phone.reload();
  await phone.getByRole('radio', { name: reference }).check();
  return [checkout, phone, till];
}

/** Returns a WebP image of the pages side by side, each with a caption. */
async function sideBySide(browser: Browser, pages: readonly Page[], scheme: (typeof SCHEMES)[number]): Promise<Buffer> {
  const { colorScheme, background, text, line } = scheme;
  const screens: string[] = [];
  for (const page of pages) {
    await page.emulateMedia({ colorScheme });
    const screen = await page.screenshot({ animations: 'disabled' });
    screens.push(`data:image/png;base64,${screen.toString('base64')}`);
  }
  const context = await browser.newContext({ viewport: { width: 1200, height: 858 }, deviceScaleFactor: 1.5 });
  const page = await context.newPage();
  const figures = screens.map(
    (screen, n) => `<figure><figcaption>${CAPTIONS[n]}</figcaption><img src="${screen}"></figure>`,
  );
  await page.setContent(`<style>
    body { margin: 0; padding: 8px 20px; display: flex; gap: 40px; background: ${background}; color: ${text}; font: 22px/1.3 'Open Sans', sans-serif }
    figure { margin: 0; width: 360px } figcaption { height: 42px; padding: 0 8px }
    img { display: block; width: 358px; border: 1px solid ${line}; border-radius: 24px }
  </style>${figures.join('')}`);
  const { data } = await (await context.newCDPSession(page)).send('Page.captureScreenshot', {
    format: 'webp',
    quality: 60,
  });
  await context.close();
  return Buffer.from(data, 'base64');
}
