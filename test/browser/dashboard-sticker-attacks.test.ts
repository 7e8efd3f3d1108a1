import { expect } from 'vitest';
import { requireMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { addTill } from '../../shared/money/till/shift.ts';
import { makeSticker } from '../../shared/money/till/sticker.ts';
import { tillRows } from '../../shared/money/till/till.table.ts';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { openLink } from '../support/links.ts';
import { tell } from '../support/pushed.ts';
import { mtn, pay } from '../support/receipts.ts';

// A till is green for what was paid at its sticker for half a minute, whatever else is on the page, and whether or not it is online.

const story = storiesOf(async () => {
  const { world, shop, by } = await atShop('cashier');
  const { writes } = await addTill(world.outside, shop.id, 'Counter 1');
  await world.outside.table.write(writes);
  const [till] = await tillRows.list(world.outside, { merchant_id: shop.id });
  const merchant = await requireMerchant(world.outside, shop.id);
  const sticker = await makeSticker(world.outside, merchant, till?.till_id ?? '', async (slug, _, more) => {
    await world.outside.table.write(more);
    return slug;
  });
  const paid = async () => {
    const { reference } = await openLink(world, sticker, { amount: '36' });
    await tell(world);
    await pay(world, shop, mtn({ reference, from: 'ESI OWUSU' }));
    await tell(world);
  };
  return { world, shop, paid, by };
});

story('the green goes though More is open', { usual: 'by hand', told: ['by hand'] }, async ({ open, world, paid }) => {
  const { page, hand } = await open('till');
  await page.clock.install();
  await hand.press(page.getByRole('button', { name: 'Begin your shift at Counter 1' }));
  await page.getByText('Nobody has scanned it in this shift').waitFor();
  await paid();
  await page.clock.runFor(5_000);
  await page.locator('.till-green').waitFor();
  await hand.press(page.getByText('More', { exact: true }).last());
  world.clock.nowMs += 40_000;
  await page.clock.runFor(40_000);
  expect(await page.locator('.till-green').count()).toBe(0);
});

story('the green goes though there is no connection', { usual: 'by hand', told: ['by hand'] }, async (told) => {
  const { open, world, paid } = told;
  const { page, hand } = await open('till');
  await page.clock.install();
  await hand.press(page.getByRole('button', { name: 'Begin your shift at Counter 1' }));
  await page.getByText('Nobody has scanned it in this shift').waitFor();
  await paid();
  await page.clock.runFor(5_000);
  await page.locator('.till-green').waitFor();
  await page.context().setOffline(true);
  world.clock.nowMs += 10 * 60_000;
  await page.clock.runFor(10 * 60_000);
  expect(await page.locator('[data-offline]').textContent()).toContain('No connection');
  expect(await page.locator('.till-green').count()).toBe(0);
});

story('who paid is heard once', { usual: 'by hand', told: ['by hand'] }, async ({ open, world, paid }) => {
  const { page, hand } = await open('till');
  await page.addInitScript(`{
    const heard = () => sessionStorage.setItem('heard', String(Number(sessionStorage.getItem('heard') ?? 0) + 1));
    const usual = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { heard(); return usual.call(this); };
  }`);
  const heard = () => page.evaluate(`Number(sessionStorage.getItem('heard') ?? 0)`);
  await hand.press(page.getByRole('button', { name: 'Begin your shift at Counter 1' }));
  await page.getByText('Nobody has scanned it in this shift').waitFor();
  await paid();
  await page.locator('.till-green').waitFor();
  // A chime is two tones.
  await expect.poll(heard).toBe(2);
  world.clock.nowMs += 60_000;
  for (const key of ['3', '6']) await hand.press(page.locator(`[data-key="${key}"]`));
  await hand.press(page.getByRole('button', { name: 'Show payments' }));
  await page.locator('.till-amount').waitFor();
  await page.waitForTimeout(1_000);
  expect(await heard()).toBe(2);
});
