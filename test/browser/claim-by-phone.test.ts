import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { launchBrowser, serve } from '../support/browser.ts';
import { createCharge, fromTelecel, newPayerNumber, pay, rows } from '../support/receipts.ts';
import { createMerchant, createSender, createWorld } from '../support/world.ts';

/** A customer who paid from another network, at the page that confirms by a code to their number. */
const world = await createWorld();
const merchant = await createMerchant(world);
await createSender(world, '+233240009999');
const server = await serve(world, [
  'checkout/page',
  'checkout/status',
  'checkout/ask-for-code',
  'checkout/confirm-code',
]);
const browser = await launchBrowser();
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const SAID =
  'If the network has told Ama Stores of a payment of GHS 36.00 from this number, we have texted it a code. If none comes, ask Ama Stores.';
const complaints: string[] = [];

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  server.stop();
});

test.each([true, false])(
  'asks for a code, is told what a wrong one is, and confirms; with a script: %s',
  async (javaScriptEnabled) => {
    const payer = newPayerNumber();
    await pay(world, { number: '+233241234567' }, fromTelecel({ phone: payer }));
    const page = await openClaim({ javaScriptEnabled });
    expect(await page.getByLabel('Code from the text').isVisible()).toBe(false);

    await page.getByLabel('Number that paid').fill('kofi');
    await page.getByRole('button', { name: 'Text a code' }).click();
    await page.getByRole('alert').getByText('Type the number that paid as your phone has it').waitFor();

    await page.getByLabel('Number that paid').fill(payer.replace('233', '0'));
    await page.getByRole('button', { name: 'Text a code' }).click();
    await page.getByText(SAID).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);

    const code = await codeTo(`+${payer}`);
    await page.getByLabel('Code from the text').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').getByText('This code is wrong or no longer valid').waitFor();
    expect(await page.getByLabel('Code from the text').getAttribute('aria-invalid')).toBe('true');
    const { violations } = javaScriptEnabled ? await new AxeBuilder({ page }).analyze() : { violations: [] };
    expect(violations).toEqual([]);

    await page.getByLabel('Code from the text').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('status').getByText('Payment received').waitFor();
  },
);

test.each([true, false])(
  'a number that paid nothing is told the same words; with a script: %s',
  async (javaScriptEnabled) => {
    const page = await openClaim({ javaScriptEnabled });
    await page.getByLabel('Number that paid').fill('0209999999');
    await page.getByRole('button', { name: 'Text a code' }).click();
    await page.getByText(SAID).waitFor();
    await page.getByLabel('Code from the text').fill('123456');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').getByText('This code is wrong or no longer valid').waitFor();
  },
);

async function openClaim(options: BrowserContextOptions): Promise<Page> {
  const { access_code } = await createCharge(world, merchant);
  const context = await browser.newContext({ ...PHONE, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refused claim is a 4xx, which the browser notes.
    if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
  });
  await page.goto(`${world.outside.baseUrl}/checkout/${access_code}?claim`);
  return page;
}

async function codeTo(phone: string): Promise<string> {
  const text = (await rows(world, 'SEND')).find(({ to }) => Array.isArray(to) && to.includes(phone));
  return String(text?.message).slice(0, 6);
}
