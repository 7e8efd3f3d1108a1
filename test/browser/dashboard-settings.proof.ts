import { expect } from 'vitest';
import { requireMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { signIn, visitPath } from '../support/dashboard.ts';
import { storiesOf } from '../support/dashboard-story.ts';
import { pictures } from '../support/pictures.ts';
import { askAboutLost, at, begin, known } from '../support/wallet-chains.ts';
import { createMerchant, createSender, createWorld } from '../support/world.ts';

// Tests an owner's settings and the naming of a wallet's balance.

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  at(world, 0);
  const merchant = await createMerchant(world, { credits: 100 });
  await begin(world);
  await askAboutLost(world);
  await createSender(world, '+233241234567');
  const manager = await signIn(world, 'manager', merchant.id);
  const form = { number: '0204000003', network: 'TELECEL', account_name: 'AMA MENSAH' };
  await visitPath(world, '/dashboard/settings/numbers/new', { by: manager, form });
  return { world, merchant, by: await signIn(world, 'owner', merchant.id) };
});

story(
  'a number is added and moved to the top',
  { usual: 'by keyboard alone' },
  async ({ open, world, merchant, isGood }) => {
    const { page, hand } = await open('settings/wallets');
    await hand.press(page.getByRole('link', { name: 'Numbers' }));
    await hand.press(page.getByRole('link', { name: 'Add a number' }));
    await hand.type(page.getByLabel('Number'), '0204000002');
    await hand.choose(page.getByLabel('Network'), 'Telecel Cash');
    await hand.type(page.getByLabel('Name on the wallet'), 'AMA MENSAH');
    await isGood(page);
    await hand.send(page.getByRole('button', { name: 'Add the number' }));
    await page.getByText('020 400 0002 was added: Telecel Cash').waitFor();
    await hand.press(page.getByRole('link', { name: '020 400 0002' }));
    await hand.press(page.getByRole('button', { name: 'Show this one first' }));
    await page.getByText('Customers will now see 020 400 0002 first.').waitFor();
    const [first] = (await requireMerchant(world.outside, merchant.id)).momo_accounts;
    expect(first).toEqual({ number: '+233204000002', network: 'TELECEL', account_name: 'AMA MENSAH' });
  },
);

story(
  'a manager’s new number waits until an owner approves it',
  { usual: 'without JavaScript' },
  async ({ open, world, merchant, isGood }) => {
    const { page, hand } = await open('today');
    await isGood(page);
    await hand.press(page.getByRole('link', { name: /New number for customers’ money/ }));
    await isGood(page, 'Customers see it as AMA MENSAH, after 024 123 4567');
    await hand.press(page.getByRole('button', { name: 'Approve' }));
    await isGood(page, 'Done. Add 020 400 0003');
    expect((await requireMerchant(world.outside, merchant.id)).momo_accounts).toHaveLength(2);
  },
);

story('a rejected form keeps the input and shows what is wrong', { usual: 'by hand' }, async ({ open, isGood }) => {
  const { page, hand } = await open('settings/matching');
  await hand.type(page.getByLabel('Match by name up to'), 'all');
  await hand.send(page.getByRole('button', { name: 'Save the limits' }));
  await page.getByText('must be from 0 to 100,000 cedis').waitFor();
  expect(await page.getByLabel('Match by name up to').inputValue()).toBe('all');
  await isGood(page);
});

story('an owner enters the balance of a wallet', { usual: 'without JavaScript' }, async ({ open, world, isGood }) => {
  const { page, hand } = await open('settings/wallets');
  await hand.press(page.getByRole('link', { name: 'Enter the balance' }));
  await isGood(page, 'Do not copy it from Messages');
  await hand.type(page.getByLabel('Current Balance'), 'plenty');
  await hand.send(page.getByRole('button', { name: 'This is the balance' }));
  await page.getByText('must be').waitFor();
  await hand.type(page.getByLabel('Current Balance'), '1047');
  await hand.send(page.getByRole('button', { name: 'This is the balance' }));
  await isGood(page, 'GHS 1,047.00: 2 texts lead to it.');
  expect((await known(world)).balance).toBe(1_047_00);
  await page.goto(`${world.outside.baseUrl}/dashboard/settings/wallets`);
  expect(await page.getByRole('link', { name: 'Enter the balance' }).count()).toBe(0);
});

story('an owner invites a person from the menu', { usual: 'by keyboard alone' }, async ({ open, way, isGood }) => {
  const { page, hand } = await open('today');
  if (way === 'by keyboard alone') {
    await hand.press(page.getByRole('link', { name: 'Skip to the content' }));
    await page.waitForURL(/#main$/);
  }
  const more = page.getByRole('link', { name: 'More', exact: true });
  if (await more.isVisible()) await hand.press(more);
  await isGood(page);
  await hand.press(page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Settings' }));
  await isGood(page, page.getByRole('heading', { name: 'Settings' }));
  await hand.press(page.getByRole('link', { name: /^Team/ }));
  await page.getByRole('heading', { name: 'Team' }).waitFor();
  await hand.press(page.getByRole('link', { name: 'Invite someone' }));
  await hand.type(page.getByLabel('Name'), 'Abena');
  await hand.send(page.getByRole('button', { name: 'Create the link' }));
  expect(await page.locator('code').innerText()).toContain('/invitation/');
  await isGood(page);
});

story(
  'a logo is set, shown and removed',
  { usual: 'without JavaScript' },
  async ({ open, world, merchant, isGood }) => {
    const { page, hand } = await open('settings');
    await hand.press(page.getByRole('link', { name: /^Checkout page/ }));
    await page.getByLabel('Picture').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pictures.png });
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Set the logo' }));
    await isGood(page, 'Customers will see the new logo within a minute.');
    expect((await requireMerchant(world.outside, merchant.id)).logo).toBeDefined();
    await hand.press(page.getByRole('button', { name: 'Remove the logo' }));
    await page.getByText('The logo was removed.').waitFor();
    expect((await requireMerchant(world.outside, merchant.id)).logo).toBeUndefined();
  },
);
