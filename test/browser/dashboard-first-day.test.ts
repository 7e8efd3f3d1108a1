import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { followChanges } from '../support/pushed.ts';
import { mtn, pay } from '../support/receipts.ts';

// A new shop's first page, from nothing to the first payment, and what it shows of payments that wait.

const story = storiesOf(() => atShop());

/** The first steps that are done. */
const done = (page: Page) => page.locator('.steps .done').count();
const today = (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name: 'Today' }).filter({ visible: true });

story(
  'the first steps are done one by one, and are gone after the first payment',
  { usual: 'without JavaScript' },
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('today');
    await isGood(page, page.getByRole('heading', { name: 'First steps' }));
    await hand.press(page.getByRole('link', { name: 'Say how customers reach you' }));
    await hand.type(page.getByLabel('Number, e-mail or WhatsApp link'), '0551112222');
    await hand.send(page.getByRole('button', { name: 'Set the contact' }));
    await page.getByRole('status').getByText('055 111 2222').waitFor();
    // Settings are remembered for two seconds.
    world.clock.nowMs += 3_000;
    await hand.press(today(page));
    await page.getByText('Customers reach you at').waitFor();
    await hand.press(page.getByRole('link', { name: 'New bill' }));
    await hand.type(page.getByLabel('Amount in GHS'), '1');
    await hand.send(page.getByRole('button', { name: 'Create bill' }));
    await page.getByRole('status').getByText('is ready').waitFor();
    const reference = page.url().split('/').at(-1) ?? '';
    await hand.press(today(page));
    // Nobody has paid yet: a charge is no payment.
    await page.getByText('Open its link on a phone and pay it').waitFor();
    expect(await done(page)).toBe(3);
    await pay(world, shop, mtn({ amount: '1.00', reference }));
    await followChanges(world);
    await hand.press(today(page));
    await page.getByText('Money in today').waitFor();
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
    await isGood(page, page.getByRole('link', { name: 'New bill' }));
  },
);

story(
  'the way to payments that wait counts them',
  { usual: 'by keyboard alone' },
  async ({ open, world, shop, isGood }) => {
    for (let n = 0; n < 2; n++) await pay(world, shop, mtn({ amount: '12.00', reference: 'shoes' }));
    const { page, hand } = await open('texts');
    const entry = page.getByRole('link', { name: 'Payments 2 waiting' }).filter({ visible: true });
    await isGood(page, entry);
    await hand.press(entry);
    await hand.press(page.getByRole('link', { name: 'To check 2 waiting' }));
    await isGood(page, page.getByRole('heading', { name: 'Payments to check' }));
  },
);

story(
  'an open page takes up how many payments wait',
  { usual: 'by hand', told: ['by hand'] },
  async ({ open, world, shop }) => {
    const { page } = await open('sign-in/account');
    await page.clock.install();
    await page.goto(`${world.outside.baseUrl}/dashboard/today`);
    const count = page.locator('[data-count]').filter({ visible: true });
    expect(await count.count()).toBe(0);
    await pay(world, shop, mtn({ amount: '12.00', reference: 'shoes' }));
    world.clock.nowMs += 30_000;
    await page.clock.runFor(31_000);
    await page.getByRole('link', { name: 'Payments 1 waiting' }).filter({ visible: true }).waitFor();
    expect(await count.innerText()).toMatch(/^1/);
  },
);
