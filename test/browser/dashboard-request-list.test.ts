import { expect } from 'vitest';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { rows } from '../support/receipts.ts';

// Payment requests from a list, from the pasted table to the requests.

const story = storiesOf(() => atShop());

story(
  'a list is pasted, put right, seen with its sum, and made',
  { usual: 'without JavaScript' },
  async ({ open, world, isGood }) => {
    const { page, hand } = await open('requests');
    const press = (name: string) => hand.press(page.getByRole('button', { name, exact: true }));
    await hand.press(page.getByRole('link', { name: 'Requests from a list' }));
    await page.locator('#csv').waitFor();
    await isGood(page);
    const head = 'name,number,amount,class\nAma Owusu,0241112221,"1,850.50",4B\nKofi Mensah,0241112222';
    await hand.type(page.locator('#csv'), `${head},ten,4B\nEsi Addo,0241112223,850,5A\nYaw Boateng,0241112224,850,5A`);
    await hand.type(page.locator('#title'), 'School fees, term 2');
    await hand.type(page.locator('#reminders'), '-3, 0');
    await press('Preview');
    await page.getByText('line 3: amount must be').waitFor();
    await isGood(page);
    await hand.typeDay(page.locator('#due'), '2099-01-31');
    await hand.type(page.locator('#csv'), `${head},850,4B\nEsi Addo,0241112223,850,5A\nYaw Boateng,0241112224,850,5A`);
    await press('Preview');
    await page.getByText('The first 3 of 4 requests').waitFor();
    await page.getByText('GHS 4,400.50').waitFor();
    await page.getByText('8 texts at most, for 8 credits').waitFor();
    await isGood(page);
    expect(await rows(world, 'REQUEST')).toEqual([]);
    await press('Create 4 requests');
    await page.getByText('4 requests created.').waitFor();
    await isGood(page);
    expect(await rows(world, 'REQUEST')).toHaveLength(4);
  },
);
