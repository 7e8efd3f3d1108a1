import { expect } from 'vitest';
import { referenceOfAccessCode } from '../../shared/money/charge/charge.table.ts';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { tell } from '../support/pushed.ts';
import { mtn, pay } from '../support/receipts.ts';

// Tests payment links, from the form to the payer's page.

const story = storiesOf(async () => {
  const routes = ['pay/page', 'pay/open', 'pay/poster', 'pay/qr-svg', 'checkout/page', 'checkout/status'] as const;
  return { ...(await atShop()), routes };
});

story(
  'a link with stock codes is created and paid, and the payer sees the code',
  { usual: 'by hand' },
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('links');
    await isGood(page, 'No payment links yet');
    await hand.press(page.getByRole('link', { name: 'New link' }));
    await hand.type(page.locator('#title'), 'Hostel Wi-Fi, one week');
    await hand.type(page.locator('#amount'), '25');
    await hand.type(page.locator('#codes'), 'CANARY-1');
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Create link' }));
    await page.getByText('1 code added.').waitFor();
    await hand.press(page.getByText('Paste codes'));
    await hand.type(page.locator('#codes'), 'CANARY-2');
    await hand.press(page.getByRole('button', { name: 'Add codes', exact: true }));
    await isGood(page, '1 code added.');

    const address = await page
      .getByText(/\/pay\/[a-z0-9]{8}$/)
      .first()
      .textContent();
    await page.goto(`${address?.trim()}/poster`);
    const drawn = await page.getByRole('img', { name: /QR code/ }).boundingBox();
    expect(Math.min(drawn?.width ?? 0, drawn?.height ?? 0)).toBeGreaterThan(150);
    await isGood(page);
    await page.goto(address?.trim() ?? '');
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Pay GHS 25.00' }));
    await page.waitForURL(/\/checkout\//);
    const reference = referenceOfAccessCode(new URL(page.url()).pathname.split('/')[2] ?? '');
    if (!reference) throw new Error(`${page.url()} is not a checkout page`);
    await pay(world, shop, mtn({ reference, amount: '25.00' }));
    for (let n = 0; n < 6; n++) await tell(world);
    await page.reload();
    await isGood(page, 'CANARY-1');
    expect(await page.getByText('CANARY-2').count()).toBe(0);
  },
);
