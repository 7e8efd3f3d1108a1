import { expect } from 'vitest';
import { signIn } from '../support/dashboard.ts';
import { storiesOf } from '../support/dashboard-story.ts';
import { sendsOf } from '../support/rows.ts';
import { createMerchant, createSender, createWorld } from '../support/world.ts';

// Texts to many, and contacts.

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  const merchant = await createMerchant(world, { credits: 100 });
  await createSender(world, '+233241234567');
  return { world, merchant, by: await signIn(world, 'owner', merchant.id) };
});

story(
  'contacts who agreed are pasted, and an offer goes to them once its preview was seen',
  { usual: 'without JavaScript' },
  async ({ open, world, merchant, isGood }) => {
    const { page, hand } = await open('many/contacts/add');
    const press = (name: string) => hand.press(page.getByRole('button', { name, exact: true }));
    await hand.press(page.getByText('Upload a file, or paste a list'));
    await hand.type(
      page.locator('#csv'),
      'number,name,agreed_on,agreed_how\n0551112223,Ama,2026-01-02,Form in the shop\n12,Kofi,,',
    );
    await press('Add them');
    await page.getByText('line 3: "12" is not a Ghanaian number').waitFor();
    await isGood(page);
    await hand.type(
      page.locator('#csv'),
      'number,name,agreed_on,agreed_how\n0551112223,Ama,2026-01-02,Form in the shop\n0201112223,Kofi,,',
    );
    await press('Add them');
    await page.getByText('2 contacts added.').waitFor();
    await page.getByText('Not agreed').waitFor();
    await isGood(page);

    await hand.press(page.getByRole('link', { name: 'Texts' }).filter({ visible: true }));
    await hand.press(page.getByRole('link', { name: 'Send a text' }));
    await hand.press(page.getByRole('link', { name: 'Send to many' }));
    await hand.type(page.locator('#csv'), 'to,name\n0551112223,Ama\n0201112223,Kofi');
    await hand.type(page.locator('#message'), 'Half price for you, {name}');
    await hand.choose(page.locator('#purpose'), 'An offer, or news');
    await press('Preview');
    await page.getByText('+233201112223 has not agreed to offers').waitFor();
    await isGood(page);
    await hand.type(page.locator('#csv'), 'to,name\n0551112223,Ama');
    await press('Preview');
    await page.getByText('Half price for you, Ama').waitFor();
    await page.getByText('1 of 100 credits').waitFor();
    await isGood(page);
    expect(await sendsOf(world, merchant)).toEqual([]);
    await press('Send 1 text');
    await page.getByRole('heading', { name: 'Text to 1 number' }).waitFor();
    await isGood(page);
    expect(await sendsOf(world, merchant)).toHaveLength(1);
    await press('Cancel 1 text');
    await page.getByText('What had not left is cancelled.').waitFor();
    await isGood(page);
  },
);
