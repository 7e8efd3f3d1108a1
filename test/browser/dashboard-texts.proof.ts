import { expect } from 'vitest';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { storeAnswer } from '../../shared/texts/inbox/receive-answer.ts';
import { sizeOf } from '../../shared/texts/sms/segments.ts';
import { sellBundle } from '../support/bundles.ts';
import { signIn } from '../support/dashboard.ts';
import { storiesOf } from '../support/dashboard-story.ts';
import { tell } from '../support/pushed.ts';
import { mtn, pay } from '../support/receipts.ts';
import { balanceOf, scan, sendsOf } from '../support/rows.ts';
import { createMerchant, createSender, createWorld } from '../support/world.ts';

// Tests texts to one and to many recipients, contacts, keys and test mode.

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  const merchant = await createMerchant(world, { credits: 100 });
  await createSender(world, '+233241234567');
  return { world, merchant, by: await signIn(world, 'owner', merchant.id) };
});

const shopping = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  // The webhook's URL points to this machine.
  Object.assign(world.outside, { allowsThisMachine: true });
  const merchant = await createMerchant(world, { credits: 100 });
  const seller = await sellBundle(world, { credits: 500, price: 30 });
  const operator = await signIn(world, 'operator', undefined);
  const routes = ['checkout/page', 'checkout/status'] as const;
  return { world, merchant, seller, operator, routes, by: await signIn(world, 'owner', merchant.id) };
});

shopping(
  'credits are bought, and the operator releases them while the wallet is new',
  { usual: 'by hand' },
  async ({ open, world, merchant, seller, operator, isGood }) => {
    const { page, hand } = await open('texts/credits');
    await isGood(page, 'Sold by Ama Stores');
    await hand.press(page.getByRole('button', { name: '500 texts for GHS 30.00' }));
    await page.waitForURL('**/checkout/*');
    await page.getByText('GHS 30.00').first().waitFor();
    const [purchase] = (await scan(world)).filter(({ sk }) => sk === 'TRANSACTION');
    const reference = String(purchase?.reference);
    await pay(world, seller, mtn({ amount: '30.00', reference }));
    await tell(world);
    const mine = await open('texts/credits');
    await isGood(mine.page, `500 credits are paid, with ${reference}`);
    const theirs = await open(`operator-money/${merchant.id}`, { by: operator });
    await isGood(theirs.page, `500 credits for GHS 30.00, ${reference}: paid but not verified.`);
    await theirs.hand.press(theirs.page.getByRole('button', { name: 'release the credits' }));
    await theirs.page.getByText('The credits will arrive in a moment.').waitFor();
    await tell(world);
    const bought = await open('texts/credits');
    await bought.page.getByText(`Bought, with ${reference}`).filter({ visible: true }).waitFor();
    expect(await balanceOf(world, merchant)).toBe(600);
    const offer = await open('operator-money/credits', { by: operator });
    await isGood(offer.page);
    await offer.hand.type(offer.page.locator('#credits'), '1000');
    await offer.hand.type(offer.page.locator('#price'), '55');
    await offer.hand.press(offer.page.getByRole('button', { name: 'Set the bundle' }));
    await offer.page.getByText('1,000 credits cost GHS 55.00.').waitFor();
  },
);

story(
  'a text is counted while typing or on request, and then sent',
  { usual: 'by keyboard alone' },
  async ({ open, world, merchant, way, isGood }) => {
    const { page, hand } = await open('texts/send');
    await hand.type(page.locator('#to'), 'Kofi 055 111 2223, 0201112223');
    await hand.type(page.locator('#message'), 'Your order is ready');
    if (way === 'without JavaScript') await hand.press(page.getByRole('button', { name: 'Count first' }));
    await isGood(page, '2 numbers · 19 characters, 1 SMS in standard characters · costs 2 of 100 credits.');
    expect(await sendsOf(world, merchant)).toHaveLength(0);
    await hand.press(page.getByRole('button', { name: 'Send', exact: true }));
    await page.getByText('2 texts are on the way from 024 123 4567, for 2 credits.').waitFor();
    await page.getByRole('heading', { name: 'Text to 2 numbers' }).waitFor();
    expect(await sendsOf(world, merchant)).toHaveLength(1);
  },
);

story(
  'a reply is read and answered, and people who opted out are listed',
  { usual: 'without JavaScript' },
  async ({ open, world, merchant, isGood }) => {
    const to = '+233241234567';
    for (const words of ['Is it still there?', 'Stop']) {
      world.clock.nowMs += 60_000;
      const arrived = { to, line: to, owner: merchant.id, number: '+233551112223', words, eventId: words };
      await changeMerchant(world.outside, merchant.id, { answers: true });
      await storeAnswer(world.outside, { ...arrived, receivedMs: world.clock.nowMs });
    }
    const { page, hand } = await open('texts/inbox');
    await isGood(page);
    await hand.press(page.getByRole('link', { name: '055 111 2223' }));
    await page.getByText('a reply does not prove who wrote it').waitFor();
    await hand.type(page.locator('#message'), 'Yes, until six');
    await hand.press(page.getByRole('button', { name: 'Send', exact: true }));
    await page.getByText('Your text is on the way from 024 123 4567, for 1 credit.').waitFor();
    await isGood(page, 'Yes, until six');
    expect(await sendsOf(world, merchant)).toHaveLength(1);
    await hand.press(page.getByRole('link', { name: 'Back: Replies' }));
    await hand.press(page.getByRole('link', { name: 'Customers' }).filter({ visible: true }));
    await hand.press(page.getByRole('link', { name: 'Wrote STOP' }));
    await isGood(page, page.getByRole('cell', { name: 'STOP' }));
  },
);

story(
  'the script counts characters in the same way as the server',
  { usual: 'by hand', told: ['by hand'] },
  async ({ open }) => {
    const { page } = await open('texts/send');
    const samples = [
      'a'.repeat(160),
      'a'.repeat(161),
      `${'a'.repeat(152)}€${'b'.repeat(20)}`,
      '€'.repeat(81),
      'Ɛyɛ '.repeat(18),
      '🎉'.repeat(35),
      '🎉'.repeat(36),
      `${'ɔ'.repeat(66)}👩‍👩‍👧‍👦${'ɔ'.repeat(80)}`,
      'line\nbreak ^{}\\[~]|€',
    ];
    for (const sample of samples) {
      await page.locator('#message').fill(sample);
      const { segments, encoding } = sizeOf(sample);
      const said = `${[...sample].length} characters, ${segments} SMS in ${encoding === 'GSM-7' ? 'standard' : 'special'} characters`;
      expect(await page.locator('#size').textContent()).toContain(said);
    }
  },
);

story(
  'test mode is turned on from the menu, shown on every page and turned off',
  { usual: 'without JavaScript' },
  async ({ open, way, isGood }) => {
    const { page, hand } = await open('texts');
    const more = page.getByRole('link', { name: 'More', exact: true });
    if (await more.isVisible()) await hand.press(more);
    await hand.press(page.getByRole('button', { name: 'Test mode' }));
    await page.getByText('TEST MODE').waitFor();
    await hand.press(page.getByRole('main').getByRole('link', { name: 'Send a text' }));
    await hand.type(page.locator('#to'), '0551112223');
    await hand.type(page.locator('#message'), 'Hello');
    if (way === 'without JavaScript') await hand.press(page.getByRole('button', { name: 'Count first' }));
    await isGood(page, 'costs nothing, because it is a test');
    await hand.press(page.getByRole('button', { name: 'Leave' }));
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(await page.locator('.test-band').count()).toBe(0);
  },
);

story(
  'a key is created with a scope, and its page shows the scope',
  { usual: 'by hand' },
  async ({ open, world, isGood }) => {
    const { page, hand } = await open('developers/keys/new/sms');
    await hand.tick(page.getByLabel('Send texts'));
    await hand.press(page.getByRole('button', { name: 'Create the key' }));
    const shown = page.locator('.copyable code');
    await shown.waitFor();
    const key = (await shown.textContent()) ?? '';
    expect(key).toMatch(/^sk_sms_/);
    await isGood(page);
    await page.goto(`${world.outside.baseUrl}/dashboard/developers/keys/${key.slice(-4)}`);
    await isGood(page, 'texts:send');
  },
);

story(
  'consenting contacts are pasted, and an offer is previewed and sent to them',
  { usual: 'without JavaScript' },
  async ({ open, world, merchant, isGood }) => {
    const { page, hand } = await open('customers/add');
    const press = (name: string) => hand.press(page.getByRole('button', { name, exact: true }));
    await hand.press(page.getByText('Upload a file, or paste a list'));
    await hand.type(
      page.locator('#csv'),
      'number,name,agreed_on,agreed_how\n0551112223,Ama,2026-01-02,Form in the shop\n12,Kofi,,',
    );
    await press('Add them');
    await isGood(page, 'line 3: "12" is not a Ghanaian number');
    await hand.type(
      page.locator('#csv'),
      'number,name,agreed_on,agreed_how\n0551112223,Ama,2026-01-02,Form in the shop\n0201112223,Kofi,,',
    );
    await press('Add them');
    await page.getByText('2 contacts added.').waitFor();
    await isGood(page, 'Not agreed');

    await hand.press(page.getByRole('link', { name: 'Texts' }).filter({ visible: true }));
    await hand.press(page.getByRole('link', { name: 'Send a text' }));
    await hand.press(page.getByRole('link', { name: 'Send to many' }));
    await hand.type(page.locator('#csv'), 'to,name\n0551112223,Ama\n0201112223,Kofi');
    await hand.type(page.locator('#message'), 'Half price for you, {name}');
    await hand.choose(page.locator('#purpose'), 'An offer, or news');
    await press('Preview');
    await isGood(page, '+233201112223 has not agreed to offers');
    await hand.type(page.locator('#csv'), 'to,name\n0551112223,Ama');
    await press('Preview');
    await page.getByText('Half price for you, Ama').waitFor();
    await isGood(page, '1 of 100 credits');
    expect(await sendsOf(world, merchant)).toEqual([]);
    await press('Send 1 text');
    await isGood(page, page.getByRole('heading', { name: 'Text to 1 number' }));
    expect(await sendsOf(world, merchant)).toHaveLength(1);
    await press('Cancel 1 text');
    await isGood(page, 'The unsent texts were cancelled.');
  },
);
