import { expect } from 'vitest';
import { addTill } from '../../shared/money/till/shift.ts';
import { atShop, storiesOf, WITH_SCRIPT } from '../support/dashboard-story.ts';
import { mtn, pay, rows } from '../support/receipts.ts';

// A cashier at the till, from the shift to the green page.

const story = storiesOf(async () => {
  const { world, shop, by } = await atShop('cashier');
  const { writes } = await addTill(world.outside, shop.id, 'Counter 1');
  await world.outside.table.write(writes);
  return { world, shop, by };
});

story(
  'a payment shows by itself, and one tap makes the till green; the tap is undone',
  { usual: 'without JavaScript' },
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('till');
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Begin your shift at Counter 1' }));
    await page.locator('#amount').waitFor();
    await page.getByText('No payment waits here yet').waitFor();
    await isGood(page);
    await hand.type(page.locator('#amount'), '36');
    await hand.press(page.getByRole('button', { name: 'Show payments' }));
    await page.locator('.till-amount').waitFor();
    await pay(world, shop, mtn());
    const payment = page.getByRole('button', { name: /KOFI MENSAH BOATENG/ });
    await payment.waitFor();
    await isGood(page);
    await hand.press(payment);
    await page.locator('.till-green').waitFor();
    await isGood(page);
    expect((await rows(world, 'TRANSACTION')).map(({ state }) => state)).toEqual(['success']);
    await hand.press(page.getByRole('button', { name: 'Undo GHS 36.00' }));
    await page.getByText('the payment waits again').waitFor();
    await isGood(page);
    expect((await rows(world, 'TRANSACTION')).map(({ state }) => state)).toEqual(['cancelled']);
  },
);

story(
  'what has just arrived is tapped at once, unless it has just moved under the finger, and the till leads to Today',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('till');
    await hand.press(page.getByRole('button', { name: 'Begin your shift at Counter 1' }));
    await page.getByText('No payment waits here yet').waitFor();
    const tapped = page.evaluate(`new Promise((done) => {
      const tap = () => document.querySelector('button.till-one').click();
      new MutationObserver((_, observer) => {
        if (!document.querySelector('button.till-one')) return;
        observer.disconnect();
        setTimeout(() => done(tap()), 100);
      }).observe(document.getElementById('main'), { childList: true, subtree: true });
    })`);
    await pay(world, shop, mtn());
    await tapped;
    await page.waitForTimeout(600);
    expect(await rows(world, 'TRANSACTION')).toEqual([]);
    await isGood(page);
    await hand.press(page.getByRole('button', { name: /KOFI MENSAH BOATENG/ }));
    await page.getByText('Goods may leave: not verified, but within the shop’s limit').waitFor();
    await isGood(page);
    await hand.press(page.getByRole('link', { name: 'Today' }).filter({ visible: true }));
    await page.getByRole('heading', { name: 'Today' }).waitFor();
  },
);

story(
  'a tap whose answer is lost is sent again, says meanwhile that nobody knows, and takes the payment once',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ open, world, shop }) => {
    const { page, hand } = await open('till');
    await hand.press(page.getByRole('button', { name: 'Begin your shift at Counter 1' }));
    await page.locator('#amount').waitFor();
    await pay(world, shop, mtn());
    for (const key of ['3', '6', '.', '0']) await hand.press(page.locator(`[data-key="${key}"]`));
    expect(await page.locator('#amount').inputValue()).toBe('36.0');
    await hand.press(page.getByRole('button', { name: 'Show payments' }));
    await page.getByRole('button', { name: /KOFI MENSAH BOATENG/ }).waitFor();
    await page.evaluate(`{
      const send = window.fetch;
      let lost = 0;
      window.fetch = (address, options) =>
        options?.method === 'POST' && lost++ === 0
          ? send(address, options).then(() => Promise.reject(new TypeError('lost')))
          : send(address, options);
    }`);
    await hand.press(page.getByRole('button', { name: /KOFI MENSAH BOATENG/ }));
    await page.getByText('It is not known whether this payment was taken').waitFor();
    await page.locator('.till-green').waitFor();
    expect((await rows(world, 'TRANSACTION')).map(({ state }) => state)).toEqual(['success']);
    expect(page.url()).toContain('?taken=MK-');
  },
);
