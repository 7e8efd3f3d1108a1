import { expect } from 'vitest';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { charge, mtn, pay, rows, verified } from '../support/receipts.ts';
import { relayChanges } from '../support/webhooks.ts';

const story = storiesOf(() => atShop());

story(
  'a bill is created, viewed, given a note and cancelled',
  { usual: 'by keyboard alone' },
  async ({ open, isGood }) => {
    const { page, hand } = await open('charges');
    await hand.press(page.getByRole('link', { name: 'New bill' }));
    await hand.type(page.getByLabel('Amount', { exact: true }), '36');
    await hand.type(page.getByLabel('What it is for'), 'Two yards of kente');
    await hand.type(page.getByLabel('Customer’s name'), 'Kofi Mensah');
    await isGood(page);
    await hand.send(page.getByRole('button', { name: 'Create bill' }));
    await page.getByRole('status').getByText('is ready').waitFor();
    // The QR code must be visible without scrolling.
    const code = await page.getByRole('img', { name: 'QR code of the link' }).boundingBox();
    const bar = page.getByRole('navigation', { name: 'Main pages' });
    const top = (await bar.isVisible()) ? (await bar.boundingBox())?.y : undefined;
    const seen = top ?? page.viewportSize()?.height ?? 0;
    expect((code?.y ?? seen) + (code?.height ?? 0)).toBeLessThan(seen);
    await hand.type(page.getByLabel('Your note'), 'She comes on Monday');
    await hand.press(page.getByRole('button', { name: 'Add the note' }));
    await page.getByText('Note: She comes on Monday').waitFor();
    await hand.press(page.locator('summary', { hasText: 'Cancel this bill' }));
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Cancel the bill' }));
    await isGood(page, page.getByRole('status').getByText('was cancelled'));
  },
);

story(
  'an open bill shows its payment without a reload',
  { usual: 'by hand', told: ['by hand'] },
  async ({ open, world, shop }) => {
    const reference = await charge(world, shop, { amount: 12, customer_name: 'Esi Arthur' });
    const { page } = await open('charges');
    await page.clock.install();
    await page.goto(`${world.outside.baseUrl}/dashboard/charges/${reference}`);
    await page.evaluate('window.stays = true');
    await pay(world, shop, mtn({ reference, amount: '12.00', from: 'ESI ARTHUR' }));
    await page.clock.runFor(5_000);
    await page.getByText('GHS 12.00 (not verified) arrived from ESI ARTHUR').waitFor();
    expect(await page.getByText('Payment link').count()).toBe(0);
    expect(await page.evaluate('window.stays')).toBe(true);
  },
);

story(
  'a held payment is assigned to its bill in two taps',
  { usual: 'without JavaScript' },
  async ({ open, world, shop }) => {
    const reference = await charge(world, shop, { amount: 50, customer_name: 'Ama Serwaa' });
    for (const after of await rows(world, 'TRANSACTION')) await relayChanges(world, { after });
    await pay(world, shop, mtn({ amount: '50.00', from: 'KOJO ANTWI', reference: '<b>kente</b>' }));
    const { page, hand } = await open('held');
    // Tap the card rather than its link.
    await page.getByText('Paid under another name').click({ force: true });
    await hand.press(page.getByRole('link', { name: `Choose the bill ${reference}` }));
    await hand.press(page.getByRole('button', { name: 'The money is there: match GHS 50.00' }));
    await page.getByText('The payment was matched to this bill').waitFor();
    expect(await verified(world, shop, reference)).toMatchObject({
      status: 'success',
      payment: { matched_by: 'hand' },
    });
  },
);

story(
  'a held payment is set aside with a reason and put back',
  { usual: 'by keyboard alone' },
  async ({ open, world, shop, isGood }) => {
    await pay(world, shop, mtn({ amount: '17.35', from: 'KOJO ANTWI' }));
    const { page, hand } = await open('held');
    await hand.press(page.getByRole('link', { name: /GHS 17.35 from KOJO/ }));
    await hand.press(page.locator('summary', { hasText: 'It is not for a bill' }));
    await hand.type(page.getByLabel('Why'), 'A friend paid me back');
    await isGood(page);
    await hand.send(page.getByRole('button', { name: 'It is not for a bill' }));
    await hand.press(page.getByRole('link', { name: 'Not for a bill' }));
    await isGood(page, 'A friend paid me back');
    await hand.press(page.getByRole('link', { name: /GHS 17.35 from KOJO/ }));
    await hand.press(page.getByRole('button', { name: 'Put it back on the list' }));
    await page.getByRole('status').getByText('back under “To check”').waitFor();
  },
);

story(
  'a payment that is not in the wallet is removed from its bill',
  { usual: 'without JavaScript' },
  async ({ open, world, shop, isGood }) => {
    const reference = await charge(world, shop, { amount: 12, customer_name: 'Esi Arthur' });
    await pay(world, shop, mtn({ reference, amount: '12.00', from: 'ESI ARTHUR' }));
    const { page, hand } = await open(`charges/${reference}`);
    await hand.press(page.locator('summary', { hasText: 'The money is not there' }));
    await isGood(page, 'The payment is removed from the bill, which waits for its payment again.');
    await hand.press(page.getByRole('button', { name: 'Remove the payment' }));
    await page.getByRole('status').getByText('The payment was removed').waitFor();
    await hand.press(page.getByRole('link', { name: 'See it' }));
    await isGood(page, 'The money is not in the wallet.');
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'pending' });
  },
);

story(
  'a bill in doubt is certain again once a person finds its money',
  { usual: 'by keyboard alone' },
  async ({ open, world, shop, isGood }) => {
    const reference = await charge(world, shop, { amount: 12, customer_name: 'Esi Arthur' });
    const receipt = mtn({ reference, amount: '12.00', from: 'ESI ARTHUR' });
    await pay(world, shop, receipt);
    await pay(world, shop, mtn({ ...receipt, from: 'AMA SERWAA' }));
    const { page, hand } = await open(`charges/${reference}`);
    await hand.press(page.locator('summary', { hasText: 'The money is there' }));
    await isGood(page, 'Confirm only if all of this matches:');
    await hand.press(page.getByRole('button', { name: 'Yes, the money is there' }));
    await isGood(page, page.getByRole('status').getByText('no longer in doubt'));
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'success', disputed: null });
  },
);

story('a charge is found by its customer’s name', { usual: 'by hand' }, async ({ open, world, shop }) => {
  const reference = await charge(world, shop, { amount: 50, customer_name: 'Ama Serwaa' });
  await charge(world, shop, { amount: 12, customer_name: 'Esi Arthur' });
  for (const after of await rows(world, 'TRANSACTION')) await relayChanges(world, { after });
  const { page, hand } = await open('charges');
  await hand.press(page.getByText('Filter by name, date or amount'));
  await hand.type(page.getByLabel('Find by name'), 'serwaa');
  await hand.send(page.getByRole('button', { name: 'Show' }));
  await page.getByText('Ama Serwaa').waitFor();
  expect(await page.getByText('Esi Arthur').count()).toBe(0);
  await hand.press(page.getByRole('link', { name: 'Ama Serwaa' }));
  await page.getByText(reference).first().waitFor();
  await page.getByRole('heading', { name: 'Share it' }).waitFor();
});

story(
  'a customer is found from any page, and the bill’s receipt is printed',
  { usual: 'by hand' },
  async ({ open, isGood, world, shop }) => {
    const reference = await charge(world, shop, { amount: 36, customer_name: 'Esi Arthur', description: 'Blue kente' });
    for (let n = 0; n < 2; n++) await pay(world, shop, mtn({ reference, from: 'ESI ARTHUR' }));
    for (const after of await rows(world, 'TRANSACTION')) await relayChanges(world, { after });
    const { page, hand } = await open('today');
    await hand.type(page.getByRole('searchbox', { name: 'Search' }), 'kente');
    await page.getByRole('searchbox', { name: 'Search' }).press('Enter');
    await isGood(page, 'What was searched');
    await hand.press(page.getByRole('link', { name: 'Esi Arthur' }).first());
    await page.getByText('is waiting to be checked').first().waitFor();
    await hand.press(page.getByRole('link', { name: 'Payment details' }));
    await isGood(page, 'Blue kente');
    // Only the customer receipt is printed.
    await page.emulateMedia({ media: 'print' });
    for (const frame of ['.head', '.bar', '.menu', '.unprinted'])
      for (const part of await page.locator(frame).all()) expect(await part.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await hand.press(page.getByRole('link', { name: 'Back: The bill' }));
    await hand.press(page.getByRole('link', { name: 'Evidence for a dispute' }));
    await isGood(page, page.getByText('Payment received for GHS 36.00').first());
  },
);

story(
  'the shop sees a list of its customers',
  { usual: 'without JavaScript' },
  async ({ open, isGood, world, shop }) => {
    const reference = await charge(world, shop, {
      amount: 36,
      customer_phone: '0241111111',
      customer_name: 'Esi Arthur',
    });
    await pay(world, shop, mtn({ reference, from: 'ESI ARTHUR' }));
    for (const after of await rows(world, 'TRANSACTION')) await relayChanges(world, { after });
    const { page, hand } = await open('customers');
    await isGood(page);
    await hand.press(page.getByRole('link', { name: 'Esi Arthur' }));
    await page.getByRole('heading', { name: 'Bills' }).waitFor();
    expect(await page.getByText('Esi Arthur').count()).toBeGreaterThan(0);
  },
);
