import { expect } from 'vitest';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { rows } from '../support/receipts.ts';

// Tests payment requests: a single one from the form, and many from a pasted table.

const story = storiesOf(() => atShop());

story(
  'rent is requested in three instalments with few keystrokes',
  { usual: 'without JavaScript' },
  async ({ open, world, isGood }) => {
    const { page, hand } = await open('requests/new');
    await isGood(page);
    await hand.type(page.locator('#amount'), '1000');
    await hand.type(page.locator('#title'), 'Rent');
    await hand.type(page.locator('#customer_phone'), '0241112222');
    await hand.type(page.locator('#parts'), '3');
    await hand.typeDay(page.locator('#due'), '2099-01-31');
    await hand.press(page.getByText('Reminders, several items, repeats and more'));
    await hand.tick(page.getByLabel('3 days before'));
    await hand.tick(page.getByLabel('On the day'));
    await hand.press(page.getByRole('button', { name: 'Create request' }));
    await page.getByText('Its 3 parts are below.').waitFor();
    for (const shown of ['31 Jan 2099', '28 Feb 2099', '31 Mar 2099', 'GHS 333.34'])
      await page.getByText(shown, { exact: true }).first().waitFor();
    await isGood(page, '3 days before, on the day');
    expect(await rows(world, 'REQUEST')).toMatchObject([{ total_pesewas: 100_000, reminder_days: [-3, 0] }]);
  },
);

story(
  'a pasted list of requests is corrected, previewed with its total and created',
  { usual: 'without JavaScript' },
  async ({ open, world, isGood }) => {
    const { page, hand } = await open('requests');
    const press = (name: string) => hand.press(page.getByRole('button', { name, exact: true }));
    await hand.press(page.getByRole('link', { name: 'Many at once' }));
    await isGood(page, page.locator('#csv'));
    const head = 'name,number,amount,class\nAma Owusu,0241112221,"1,850.50",4B\nKofi Mensah,0241112222';
    await hand.type(page.locator('#csv'), `${head},ten,4B\nEsi Addo,0241112223,850,5A\nYaw Boateng,0241112224,850,5A`);
    await hand.type(page.locator('#title'), 'School fees, term 2');
    await hand.type(page.locator('#reminders'), '-3, 0');
    await press('Preview');
    await isGood(page, 'line 3: amount must be');
    await hand.typeDay(page.locator('#due'), '2099-01-31');
    await hand.type(page.locator('#csv'), `${head},850,4B\nEsi Addo,0241112223,850,5A\nYaw Boateng,0241112224,850,5A`);
    await press('Preview');
    await page.getByText('The first 3 of 4 requests').waitFor();
    await page.getByText('GHS 4,400.50').waitFor();
    await isGood(page, '8 texts at most, for 8 credits');
    expect(await rows(world, 'REQUEST')).toEqual([]);
    await press('Create 4 requests');
    await isGood(page, '4 requests created.');
    expect(await rows(world, 'REQUEST')).toHaveLength(4);
  },
);
