import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { appearances, appearancesOf } from '../support/appearances.ts';
import { browserForTests, serveToTests } from '../support/browser.ts';
import { openDashboard } from '../support/dashboard-page.ts';
import { openPart } from '../support/links.ts';
import { keyboardFaults, looksWrong, outsideAt } from '../support/page-faults.ts';
import { createShop, mtn, pay, request } from '../support/receipts.ts';
import { createWorld } from '../support/world.ts';

// Checks a payment request's public page in each state, and pays it without JavaScript.

const LONG = 'Extracurricular-materials-and-laboratory-fees-for-the-second-term';
const FEES = {
  title: 'School fees, term 2',
  customer_name: 'Kofi Mensah',
  note: 'Please pay before the term begins.\nThank you.',
  lines: [
    { description: 'Tuition', amount: 1_750.5 },
    { description: LONG, quantity: 14, amount: 1_225.25 },
  ],
};
const MONTHLY = { ...FEES, due: '2026-01-31', repeat: { every: 'month', until: '2027-06-30' } };

const world = await createWorld({ inMemory: true });
const shop = await createShop(world);
world.clock.nowMs = Date.parse('2026-11-22T12:00:00Z');
const slugs = {
  open: await request(world, shop, { ...FEES, due: '2026-12-24' }),
  partly: await request(world, shop, MONTHLY),
  paid: await request(world, shop, { title: 'Invoice 104', lines: [{ description: 'Cloth', amount: 36 }] }),
};
await paid(slugs.partly, '40000.50');
await paid(slugs.partly, '1200');
await paid(slugs.paid, '36');
const at = browserForTests();
serveToTests(world);

describe.each((['open', 'partly', 'paid'] as const).map((state, n) => [state, n] as const))(
  'a payment request’s page (%s)',
  (state, n) => {
    test.each(appearancesOf(n))('has no layout or keyboard faults at $name', async (appearance) => {
      const page = await openPage(state, appearance);
      expect([...(await looksWrong(page)), ...(await keyboardFaults(page)), ...(await outsideAt(page, 240))]).toEqual(
        [],
      );
    });
  },
);

test('a payment of a custom amount appears without JavaScript', async () => {
  const page = await openPage('open', { ...appearances[0], javaScriptEnabled: false });
  await page.getByLabel('Amount to pay now').fill('0.5');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText('Type an amount from GHS 1.00').waitFor();
  await page.getByLabel('Amount to pay now').fill('903.75');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText('GHS 903.75').first().waitFor();
  const [, reference = ''] = /(MK-\d{10})/.exec(await page.content()) ?? [];
  await pay(world, shop, mtn({ reference, amount: '903.75' }));
  await page.goto(`${world.outside.baseUrl}/r/${slugs.open}`);
  await page.getByRole('link', { name: `Details for ${reference}` }).click();
  await page.getByText(reference).first().waitFor();
});

function openPage(state: keyof typeof slugs, appearance: object): Promise<Page> {
  return openDashboard({ ...at, world, by: undefined }, `/r/${slugs[state]}`, appearance);
}

async function paid(slug: string, amount: string): Promise<void> {
  const reference = await openPart(world, slug, amount);
  await pay(world, shop, mtn({ reference, amount: Number(amount).toFixed(2) }));
}
