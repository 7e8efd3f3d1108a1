import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test, vi } from 'vitest';
import { createCharge, findReceipt, refund, showCharge } from '../../infra/local/story/steps.ts';
import { shopOf } from '../journeys/story.ts';
import { launchBrowser } from '../support/browser.ts';
import { PATIENCE } from '../support/http.ts';
import { startLocalStack } from '../support/local-stack.ts';

/** Plays the main story with the complete stack and a real browser. */
const browser = await launchBrowser();
const stack = await startLocalStack().catch(async (error) => {
  await browser.close();
  throw error;
});
const shop = shopOf(stack.facts);
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const METADATA = {
  cart: 7,
  items: [{ sku: 'kente-2yd', price: 18.5 }],
  note: 'Akwaaba, Ɛsi! <b>',
  gift: false,
  none: null,
};

/** The browser's logged errors and warnings. */
const complaints: string[] = [];

afterAll(async () => {
  // Open pages would log errors about a stopped stack.
  await browser.close().finally(() => stack.stop());
  expect(complaints).toEqual([]);
});

/** Status after a verified payment. */
const RECEIVED = 'Payment received';

test.concurrent('a customer is redirected to the shop after paying', async ({ annotate }) => {
  const charge = await newCharge(36);
  // The phone's page preselects the newest charge.
  await newCharge(99);
  const page = await openCheckout(charge);
  expect(await statusOf(page)).toBe('Waiting for payment…');
  const phone = await openPhone(page);
  await choose(phone, charge);

  const pressedAtMs = Date.now();
  const transactionId = await pay(phone);
  await page.getByRole('status').getByText(RECEIVED).waitFor();
  await annotate(`From pressing pay to the page’s answer: ${Date.now() - pressedAtMs} ms`);
  await page.waitForURL(charge.callback);

  expect(await verify(charge)).toMatchObject({
    status: 'success',
    amount: 36,
    payment: {
      network: 'MTN',
      transaction_id: transactionId,
      amount: 36,
      payer_name: 'KOFI MENSAH',
      matched_by: 'reference',
    },
  });
  // The phone no longer offers a paid charge.
  await phone.getByRole('radio', { name: charge.reference }).waitFor({ state: 'detached' });
});

test.concurrent('the simulated phone shows whether a charge was paid in full', async () => {
  const [charge, newest] = [await newCharge(41), await newCharge(42)];
  const phone = await openPhone();
  await choose(phone, newest);
  const payByHand = async (amount: string) => {
    // A payer may type the reference without its prefix.
    await phone.getByLabel('Reference').fill(charge.reference.replace('MK-', ''));
    await phone.getByLabel('Amount, GHS').fill(amount);
    await pay(phone);
  };
  await payByHand('30');
  await phone.getByText(`It counts towards ${charge.reference}: GHS 11.00 is still due.`).waitFor();
  await payByHand('15');
  await phone.getByText(`${charge.reference} is paid.`).waitFor();
  expect(await phone.getByText('it is held').count()).toBe(0);
  await payByHand('41');
  await phone.getByText('so it is held. The bill for this payment was already paid').waitFor();
  expect(await phone.getByText('Claim it').count()).toBe(0);
});

test.concurrent('a refund text does not close the refund while the named balance is young', async () => {
  const charge = await newCharge(43);
  const phone = await openPhone();
  await choose(phone, charge);
  const transactionId = await pay(phone);
  await phone.getByText(`${charge.reference} is paid.`).waitFor();
  await refund(shop, charge.reference, { amount: '5.05' });
  phone.once('dialog', (dialog) => void dialog.accept('5.05'));
  const receipt = phone.getByRole('listitem').filter({ hasText: transactionId });
  await receipt.getByRole('button', { name: 'Send money back' }).click();
  await phone.getByText('Payment made for GHS 5.05 to KOFI MENSAH').waitFor();
  // Texts are settled in order, so the earlier one has been settled too.
  const next = await newCharge(44);
  await choose(phone, next);
  await pay(phone);
  await phone.getByText(`${next.reference} is paid.`).waitFor();
  expect(await verify(charge)).toMatchObject({ refunds: [{ status: 'noted', closed_by: null }] });
});

test.concurrent('the checkout page shows a payment without JavaScript', async () => {
  const charge = await newCharge(37);
  const page = await openCheckout(charge, { javaScriptEnabled: false });
  expect(await statusOf(page)).toBe('Waiting for payment…');
  // Reload instead of waiting 20 seconds.
  expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('20');
  const phone = await openPhone();
  await choose(phone, charge);
  await pay(phone);
  await vi.waitFor(async () => expect(await verify(charge)).toMatchObject({ status: 'success' }), PATIENCE);

  await page.reload();
  expect(await statusOf(page)).toBe(RECEIVED);
  expect(await page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(charge.callback);
  await page.waitForURL(charge.callback);
});

test.concurrent('a payment in a different name is held until the customer claims it', async () => {
  const charge = await newCharge(38);
  const page = await openCheckout(charge);
  const phone = await openPhone(page);
  await choose(phone, charge);
  await phone.getByLabel('Reference').fill('');
  await phone.getByLabel('Payer’s name').fill('Efua Sarpong');
  const transactionId = await pay(phone);
  await vi.waitFor(async () => {
    const held = await findReceipt(shop, transactionId, { status: 'held' });
    expect(held).toMatchObject({ reason: 'name_differs' });
  }, PATIENCE);
  await phone.getByText('claim it on the checkout page by this ID').waitFor();
  expect(await statusOf(page)).toBe('Waiting for payment…');

  await page.locator('summary', { hasText: 'I have paid but nothing happened' }).click();
  await page.getByLabel('Transaction ID').fill(transactionId);
  await page.getByLabel('Name on the wallet that paid').fill('Efua Sarpong');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('status').getByText(RECEIVED).waitFor();

  expect(await verify(charge)).toMatchObject({
    status: 'success',
    payment: { transaction_id: transactionId, payer_name: 'EFUA SARPONG', matched_by: 'claim' },
  });
});

test.concurrent.each([true, false])(
  'a test charge can be paid with a button on its page (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const body = { amount: 39, callback_url: 'http://localhost:9/thanks' };
    const { reference, authorization_url } = await createCharge(shop, body, { key: stack.facts.test_secret_key });
    const charge = { reference, authorization_url, callback: `http://localhost:9/thanks?reference=${reference}` };
    const page = await openCheckout(charge, { javaScriptEnabled });
    await page.route('http://localhost:9/**', (route) => route.fulfill({ body: 'Thanks' }));
    expect(await page.locator('.test-band').textContent()).toContain('TEST');
    await page.getByRole('button', { name: 'Underpaid' }).click();
    await page.getByRole('status').getByText('GHS 19.50 arrived, GHS 19.50 still due').waitFor();
    await page.getByRole('button', { name: 'Paid', exact: true }).click();
    await page.getByRole('status').getByText('Payment received').waitFor();
    expect(await page.locator('.test-band').isVisible()).toBe(true);
    await page.waitForURL(charge.callback);
    const phone = await openPhone();
    expect(await phone.getByRole('radio', { name: charge.reference }).count()).toBe(0);
  },
);

interface Charge {
  readonly authorization_url: string;
  readonly reference: string;
  /** URL to which the payer returns after paying. */
  readonly callback: string;
}

/** Creates a charge. Each test uses a different amount to avoid wrong matches. */
async function newCharge(amount: number): Promise<Charge> {
  const { authorization_url, reference } = await createCharge(shop, {
    amount,
    customer_name: 'Kofi Mensah',
    description: 'Two yards of kente',
    metadata: METADATA,
    callback_url: 'https://shop.example.com/thanks?cart=7',
  });
  return { authorization_url, reference, callback: `https://shop.example.com/thanks?cart=7&reference=${reference}` };
}

/** Returns the charge from the API. Its metadata must be unchanged. */
async function verify({ reference }: Charge): Promise<object> {
  const charge = await showCharge(shop, reference);
  expect(charge.metadata).toEqual(METADATA);
  return charge;
}

async function openCheckout({ authorization_url }: Charge, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...PHONE, ...options });
  const page = listenTo(await context.newPage());
  await page.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'Thanks' }));
  await page.goto(authorization_url);
  return page;
}

/** Opens the phone's page in the same browser as `beside`, or in a new one. */
async function openPhone(beside?: Page): Promise<Page> {
  const context = beside?.context() ?? (await browser.newContext(PHONE));
  const phone = listenTo(await context.newPage());
  await phone.goto(stack.facts.phone_url);
  return phone;
}

function listenTo(page: Page): Page {
  page.setDefaultTimeout(PATIENCE.timeout);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return page;
}

async function choose(phone: Page, { reference }: Charge): Promise<void> {
  await phone.getByRole('radio', { name: reference }).check();
  expect(await phone.getByLabel('Reference').inputValue()).toBe(reference);
}

/** Presses Pay. Returns the transaction id shown on the phone. */
async function pay(phone: Page): Promise<string> {
  await phone.getByRole('button', { name: 'Pay', exact: true }).click();
  const result = phone.getByRole('status').filter({ hasText: 'The SMS arrived and the service accepted it.' });
  return (await result.locator('b').textContent()) ?? '';
}

function statusOf(page: Page): Promise<string | null> {
  return page.locator('#status').textContent();
}
