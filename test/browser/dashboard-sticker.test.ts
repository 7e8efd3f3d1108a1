import { expect } from 'vitest';
import { addTill } from '../../shared/money/till/shift.ts';
import { referenceOfAccessCode } from '../../shared/money/transaction/transaction.table.ts';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { tell } from '../support/pushed.ts';
import { mtn, pay } from '../support/receipts.ts';

// A till's sticker, from the button to the green page.

const story = storiesOf(async () => {
  const { world, shop, by } = await atShop('manager');
  const { writes } = await addTill(world.outside, shop.id, 'Counter 1');
  await world.outside.table.write(writes);
  const routes = ['pay/page', 'pay/open', 'pay/poster', 'pay/qr-svg', 'checkout/page', 'checkout/status'] as const;
  return { world, shop, by, routes };
});

story(
  'a customer scans the sticker of a till and types the amount: the till shows it, and is green once it is paid, until the goods are handed out',
  { usual: 'without JavaScript' },
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('till');
    const till = page.url();
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Make a sticker for Counter 1' }));
    await page.getByText('The sticker for Counter 1 is ready.').waitFor();
    await isGood(page);
    const poster = await page.getByRole('link', { name: /Sticker to print/ }).getAttribute('href');
    await hand.press(page.getByRole('button', { name: 'Begin your shift at Counter 1' }));
    await page.getByText('Nobody has scanned it in this shift').waitFor();
    await isGood(page);

    await page.goto(poster ?? '');
    await page.getByText('Type the amount that the cashier says.').waitFor();
    await isGood(page);
    await page.goto(poster?.replace('/poster', '') ?? '');
    await hand.type(page.locator('#amount'), '36');
    await hand.press(page.getByRole('button', { name: 'Pay', exact: true }));
    await page.waitForURL(/\/checkout\//);
    const reference = referenceOfAccessCode(new URL(page.url()).pathname.split('/')[2] ?? '');
    if (!reference) throw new Error(`${page.url()} is no checkout page`);
    await tell(world);

    await page.goto(till);
    await hand.press(page.getByRole('link', { name: 'Go on at Counter 1' }));
    await page.getByText('Not paid yet').waitFor();
    await isGood(page);
    await pay(world, shop, mtn({ reference }));
    await tell(world);
    await hand.press(page.getByRole('link', { name: 'Look again' }));
    await page.locator('.till-green').waitFor();
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Handed out' }));
    await page.getByText('Handed out: GHS 36.00.').waitFor();
    expect(await page.locator('.till-green').count()).toBe(0);
    await isGood(page);
  },
);
