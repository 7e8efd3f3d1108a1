import { expect } from 'vitest';
import { arrivedPesewas } from '../../shared/ghana/arrived.ts';
import { merchantRows } from '../../shared/merchants/merchant/merchant.table.ts';
import { createReceipt } from '../../shared/money/receipt/receipt.table.ts';
import { listSenders } from '../../shared/phones/sender/sender.table.ts';
import { getCredits } from '../../shared/texts/credits/credits.table.ts';
import { signIn } from '../support/dashboard.ts';
import { storiesOf } from '../support/dashboard-story.ts';
import { charge, createShop, verified } from '../support/receipts.ts';
import { at, BEGUN_MINUTE, begin, link, run } from '../support/wallet-chains.ts';
import { createSender, createWorld } from '../support/world.ts';

// Tests the operator's pages.

const NUMBER = '+233241234567';

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  at(world, 0);
  const shop = await createShop(world, { number: NUMBER });
  await createSender(world, NUMBER);
  await begin(world);
  await link(world, ...run(BEGUN_MINUTE + 1, 1_036_00, 5_00, 6_00));
  const credits = async () => (await getCredits(world.outside, shop.id))?.balance;
  return { world, shop, credits, by: await signIn(world, 'operator') };
});

story(
  'the form for a new number keeps wrong input for correction',
  { usual: 'by keyboard alone' },
  async ({ open, world, isGood }) => {
    const { page, hand } = await open('operator-phones');
    await hand.press(page.getByRole('link', { name: 'Add a number' }));
    await hand.type(page.getByLabel('Number'), '020 123');
    await hand.type(page.getByLabel('Gateway account'), 'phone');
    await hand.type(page.getByLabel('Device id'), 'device-2');
    await hand.send(page.getByRole('button', { name: 'Add the number' }));
    await isGood(page, 'is not a Ghanaian number');
    expect(await page.getByLabel('Device id').inputValue()).toBe('device-2');
    await hand.type(page.getByLabel('Number'), '020 123 4567');
    await hand.send(page.getByRole('button', { name: 'Add the number' }));
    await page.getByRole('heading', { name: '020 123 4567' }).waitFor();
    expect((await listSenders(world.outside)).map(({ number }) => number)).toContain('+233201234567');
  },
);

story('a wallet’s page says who enters its balance', { usual: 'by hand' }, async ({ open, isGood }) => {
  const { page, hand } = await open('operator-phones/wallets');
  await hand.press(page.getByRole('link', { name: '024 123 4567' }));
  await isGood(page, 'Only its owner names its balance');
});

story(
  'an owner’s invitation link is shown, but not texted from a receiving phone',
  { usual: 'by hand' },
  async ({ open, shop, isGood }) => {
    const { page, hand } = await open(`operator-money/${shop.id}`);
    await hand.press(page.getByRole('link', { name: 'Invite an owner' }));
    await hand.type(page.getByLabel('Name'), 'Ama Mensah');
    await hand.type(page.getByLabel('Phone number'), '055 111 2223');
    await hand.send(page.getByRole('button', { name: 'Create the link' }));
    await isGood(page, 'No phone can send the link now');
    await hand.press(page.getByRole('link', { name: 'Back to Ama Stores' }));
    await page.getByText('Ama Mensah').waitFor();
  },
);

story(
  'a merchant is given credits, suspended and resumed',
  { usual: 'without JavaScript' },
  async ({ open, world, shop, credits, isGood }) => {
    const suspendedAt = async () => (await merchantRows.find(world.outside, { merchant_id: shop.id }))?.suspended_at;
    const { page, hand } = await open('operator-money');
    await hand.press(page.getByRole('main').getByRole('link', { name: 'Ama Stores' }));
    await hand.type(page.getByLabel('Credits', { exact: true }), '500');
    await hand.send(page.getByRole('button', { name: 'Add credits' }));
    await page.getByRole('status').waitFor();
    expect(await credits()).toBe(500);
    await hand.press(page.getByRole('button', { name: 'Suspend Ama Stores' }));
    await isGood(page, 'Ama Stores is suspended.');
    expect(await suspendedAt()).toBeDefined();
    await hand.press(page.getByRole('button', { name: 'Lift the suspension' }));
    await page.getByText('Ama Stores is no longer suspended.').waitFor();
    expect(await suspendedAt()).toBeUndefined();
  },
);

story(
  'an unexpected payment is assigned to a charge',
  { usual: 'by keyboard alone' },
  async ({ open, world, shop, isGood }) => {
    const reference = await charge(world, shop, { amount: 36 });
    await world.outside.table.write([
      createReceipt({
        receipt_id: 'MTN-233241112223-62841953770',
        state: 'held',
        reason: 'no_charge',
        network: 'MTN',
        momo_number: '+233241112223',
        amount_pesewas: arrivedPesewas(36_00),
        payer_name: 'KOFI MENSAH',
        transaction_id: '62841953770',
        text: 'Payment received for GHS 36.00 from KOFI MENSAH',
        sender: 'MobileMoney',
        received_at: world.iso(),
      }),
    ]);
    const { page, hand } = await open('operator-money/unassigned');
    await hand.press(page.getByRole('main').getByRole('link', { name: /KOFI MENSAH/ }));
    await hand.type(page.getByLabel('Reference of the charge'), 'MK-0000000000');
    await hand.send(page.getByRole('button', { name: 'Find it' }));
    await isGood(page, page.getByText('There is no charge MK-0000000000.').first());
    await hand.type(page.getByLabel('Reference of the charge'), reference);
    await hand.send(page.getByRole('button', { name: 'Find it' }));
    await isGood(page, page.getByText('Your website can then fulfil the order.'));
    await hand.press(page.getByRole('button', { name: 'The money is there: match GHS 36.00' }));
    await page.getByRole('status').waitFor();
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'success' });
  },
);

story('a merchant’s dashboard can be opened and closed', { usual: 'by hand' }, async ({ open, isGood }) => {
  const { page, hand } = await open('operator-money');
  await hand.press(page.getByRole('main').getByRole('link', { name: 'Ama Stores' }));
  await hand.press(page.getByRole('button', { name: 'Open its dashboard' }));
  await isGood(page, page.getByRole('heading', { name: 'Today' }));
  const more = page.getByRole('link', { name: 'More', exact: true });
  if (await more.isVisible()) await hand.press(more);
  await hand.press(page.getByRole('button', { name: 'Leave Ama Stores' }));
  await page.getByRole('heading', { name: 'Phones' }).waitFor();
});
