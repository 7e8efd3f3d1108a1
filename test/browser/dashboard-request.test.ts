import { expect } from 'vitest';
import { atShop, storiesOf } from '../support/dashboard-story.ts';
import { rows } from '../support/receipts.ts';

// A payment request from the empty form to its page: rent in three monthly parts, with reminders.

const story = storiesOf(() => atShop());

story(
  'rent in three parts is asked for, without a line of a plan',
  { usual: 'without JavaScript' },
  async ({ open, world, isGood }) => {
    const { page, hand } = await open('requests/new');
    await isGood(page);
    await hand.type(page.locator('#amount'), '1000');
    await hand.type(page.locator('#title'), 'Rent');
    await hand.type(page.locator('#customer_phone'), '0241112222');
    await hand.type(page.locator('#parts'), '3');
    await hand.typeDay(page.locator('#due'), '2099-01-31');
    await hand.press(page.getByText('Reminders, several things, repeating, more'));
    await hand.tick(page.getByLabel('3 days before'));
    await hand.tick(page.getByLabel('On the day'));
    await hand.press(page.getByRole('button', { name: 'Create request' }));
    await page.getByText('Its 3 parts are below.').waitFor();
    for (const shown of ['31 Jan 2099', '28 Feb 2099', '31 Mar 2099', '333.34'])
      await page.getByText(shown, { exact: true }).first().waitFor();
    await page.getByText('3 days before, on the day').waitFor();
    await isGood(page);
    expect(await rows(world, 'REQUEST')).toMatchObject([{ total_pesewas: 100_000, reminder_days: [-3, 0] }]);
  },
);
