import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { newProduct, notesOf, orderOf, shopUrl } from './shop.mjs';

/**
 * A customer buys at both checkouts on a phone. CHROMIUM_PATH is the path to Chromium. CLASSIC_CHECKOUT is the page
 * that contains [woocommerce_checkout] (default classic-checkout).
 */
const width = 360;
let browser;
let product;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  product = await newProduct(`Kente for a phone ${randomUUID().slice(0, 8)}`, '36.50', 100);
});
after(() => browser?.close());

const details = { first: 'Kofi', last: 'Mensah', street: '1 High Street', town: 'Accra', phone: '0241234567' };

test('a customer pays at the checkout block', async () => {
  const page = await withInTheCart();
  await page.goto(`${shopUrl}/checkout/`);
  await page.getByLabel('Email address').fill('kofi@example.com');
  await page.getByLabel('First name').fill(details.first);
  await page.getByLabel('Last name').fill(details.last);
  await page.getByLabel('Address', { exact: true }).fill(details.street);
  await page.getByLabel('City').fill(details.town);
  await page.getByLabel(/^Phone/).fill(details.phone);
  const choice = page.getByRole('radio', { name: /Mobile money/ });
  if (await choice.count()) await choice.first().check();
  await page.getByText('TEST MODE: no money is paid.').waitFor();
  await fits(page);
  await page.getByRole('button', { name: 'Place Order' }).click();
  await payAndComeBack(page);
});

test('a customer pays at the classic checkout', async () => {
  const page = await withInTheCart();
  await page.goto(`${shopUrl}/${process.env.CLASSIC_CHECKOUT ?? 'classic-checkout'}/`);
  await page.locator('#billing_first_name').fill(details.first);
  await page.locator('#billing_last_name').fill(details.last);
  await page.locator('#billing_address_1').fill(details.street);
  await page.locator('#billing_city').fill(details.town);
  await page.locator('#billing_phone').fill(details.phone);
  await page.locator('#billing_email').fill('kofi@example.com');
  await page.locator('.blockOverlay').first().waitFor({ state: 'detached' });
  await page.locator('label[for=payment_method_momo_kiosk]').click();
  await page.getByText('TEST MODE: no money is paid.').waitFor();
  await fits(page);
  await page.locator('#place_order').click();
  await payAndComeBack(page);
});

test('a repeated order opens the same payment page', async () => {
  const page = await withInTheCart();
  const order = async () => {
    await page.goto(`${shopUrl}/${process.env.CLASSIC_CHECKOUT ?? 'classic-checkout'}/`);
    for (const [id, value] of [
      ['first_name', details.first],
      ['last_name', details.last],
      ['address_1', details.street],
      ['city', details.town],
      ['phone', details.phone],
      ['email', 'kofi@example.com'],
    ]) {
      await page.locator(`#billing_${id}`).fill(value);
    }
    await page.locator('.blockOverlay').first().waitFor({ state: 'detached' });
    await page.locator('label[for=payment_method_momo_kiosk]').click();
    await page.locator('#place_order').click();
    await page.waitForURL(/\/checkout\/\w{20,}$/);
    return page.url();
  };
  assert.equal(await order(), await order());
});

async function withInTheCart() {
  const context = await browser.newContext({ viewport: { width, height: 740 }, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await page.goto(product.permalink);
  await page.getByRole('button', { name: 'Add to cart' }).first().click();
  await page
    .getByText(/added to your cart|in cart|View cart/i)
    .first()
    .waitFor();
  return page;
}

async function fits(page) {
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
}

async function payAndComeBack(page) {
  await page.waitForURL(/\/checkout\/\w{20,}$/);
  await page.getByRole('button', { name: 'Paid', exact: true }).click();
  await page.waitForURL(/order-received/);
  const id = /order-received\/(\d+)/.exec(page.url())?.[1];
  await page
    .getByText(/Thank you|Order received|Your order has been received/i)
    .first()
    .waitFor();
  await fits(page);
  const order = await orderOf(id);
  assert.equal(order.status, 'processing');
  assert.match(order.transaction_id, /^TEST/);
  assert.equal(order.payment_method_title, 'Mobile money (MoMo)');
  assert.equal((await notesOf(id)).filter((note) => note.includes('arrived from')).length, 1);
}
