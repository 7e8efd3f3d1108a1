import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { inviteUser } from '../../shared/merchants/user/manage-users.ts';
import { invitationUrl } from '../../shared/pages/dashboard/sign-in/invitation-link.ts';
import { addAuthenticator } from '../support/authenticator.ts';
import { countedHand } from '../support/counted-hand.ts';
import { storiesOf } from '../support/dashboard-story.ts';
import type { Hand } from '../support/hand.ts';
import { mtn, pay, rows } from '../support/receipts.ts';
import { createMerchant, createSender, createWorld } from '../support/world.ts';

// Plays an owner's first tasks, from the invitation to a customer receipt, and counts the presses.

/** Maximum number of presses for all ten tasks. */
const MAX_PRESSES = 30;

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  const merchant = await createMerchant(world, { credits: 100, momo: false });
  await createSender(world, '+233209999999');
  const { token } = await inviteUser(
    world.outside,
    { name: 'Ama Mensah', role: 'owner', merchant_id: merchant.id },
    { by: COMMAND_LINE },
  );
  const routes = ['pay/page', 'pay/poster', 'pay/qr-svg'] as const;
  return { world, merchant, token, by: undefined, host: 'localhost', routes };
});

story(
  'an owner completes ten tasks in thirty presses',
  { usual: 'by hand', told: ['by hand'] },
  async ({ open, world, token, isGood }) => {
    const { page, hand } = await open('sign-in');
    await addAuthenticator(page);
    const { press, type, task, counted } = counting(page, hand);
    const link = (name: string | RegExp) =>
      page
        .getByRole('link', { name, exact: typeof name === 'string' })
        .filter({ visible: true })
        .first();
    const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
    /** Uses the bar, or opens the menu first. */
    const menu = async (name: string) => {
      const isIn = (nav: string, entry: string) =>
        page.getByRole('navigation', { name: nav }).getByRole('link', { name: entry, exact: true });
      if (await isIn('Main pages', name).isVisible()) return press(isIn('Main pages', name));
      if (await link('More').isVisible()) await press(link('More'));
      await press(isIn('All pages', name));
    };
    await page.goto(invitationUrl(world.outside, token));

    await task('sign in', async () => {
      await press(button('Create a passkey'));
      await page.getByText('you are signed in').waitFor();
    });
    await task('number', async () => {
      await press(link('Add the MoMo number'));
      await type('Number', '0241234567');
      await type('Name on the wallet', 'AMA MENSAH');
      await press(button('Add the number'));
      await page.getByText('024 123 4567 was added').waitFor();
    });
    await task('contact', async () => {
      await menu('Customers');
      await press(link('Add a contact'));
      await type('Number', '0551112223');
      await type('Name', 'Kofi');
      await press(page.getByLabel('They agreed to get offers'));
      await type('How they agreed', 'Form in the shop');
      await press(button('Save'));
      await page.getByText('1 contact added').waitFor();
    });
    await task('till', async () => {
      await menu('Sell');
      await press(button('Add the till'));
      await page.getByText('Counter 1 was added.').waitFor();
    });
    await task('till payment', async () => {
      await press(button('Start your shift at Counter 1'));
      await page.getByText('Nothing new in this shift. New payments').waitFor();
      await pay(world, { number: '+233241234567' }, mtn());
      const payment = page.getByRole('button', { name: /KOFI MENSAH BOATENG/ });
      await payment.waitFor();
      // The page ignores taps on an element that has just moved.
      await page.waitForTimeout(600);
      await press(payment);
      await page.locator('.till-green').waitFor();
    });
    await task('sticker', async () => {
      await menu('Sell');
      await press(button('Create a sticker for Counter 1'));
      await press(link('Open it to print'));
      await page.getByText('Type the amount that the cashier tells you.').waitFor();
    });
    await task('link with codes', async () => {
      await press('back');
      await press(link('Links'));
      await press(link('New link'));
      await type('What it is for', 'Hostel Wi-Fi, one week');
      await type('Amount', '25');
      await type('Codes', 'CANARY-1\nCANARY-2');
      await press(button('Create link'));
      await page.getByText('2 codes added.').waitFor();
    });
    await task('request in three parts', async () => {
      await menu('Sell');
      await press(link('Requests'));
      await press(link('New request'));
      await type('Amount', '1000');
      await type('What for', 'Rent');
      await type('Customer’s name', 'Kofi Mensah');
      await type('Customer’s number', '0551112223');
      await type('How many parts', '3');
      await press(button('Create request'));
      await page.getByText('Its 3 parts are below.').waitFor();
    });
    await task('text to 20', async () => {
      await menu('Texts');
      await press(link('Send a text'));
      await type('To', Array.from({ length: 20 }, (_, n) => `05511122${10 + n}`).join('\n'));
      await type('Text', 'We open at nine tomorrow.');
      await press(button('Send'));
      await page.getByText('20 texts are on the way').waitFor();
    });
    await task('receipt', async () => {
      await menu('Payments');
      await press(page.getByRole('row').getByRole('link').first());
      await press(link('Payment details'));
      await page.getByText('KOFI MENSAH BOATENG').waitFor();
    });
    console.log(JSON.stringify(counted));
    await isGood(page);
    expect(await rows(world, 'REQUEST')).toHaveLength(1);
    expect(Object.values(counted).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_PRESSES);
  },
);

/** Counts presses, including those on fields other than the next one. */
function counting(page: Page, hand: Hand) {
  const counted: Record<string, number> = {};
  const presses = { count: 0 };
  const finger = countedHand(hand, presses);
  const press = async (target: Locator | 'back') => {
    if (target !== 'back') return finger.press(target);
    presses.count++;
    await page.goBack();
  };
  const type = async (label: string, text: string) => {
    const field = page.getByLabel(label, { exact: true }).filter({ visible: true });
    await field.waitFor();
    const isHere = async () => (await field.and(page.locator(':focus')).count()) > 0;
    const form = page.locator('form:has(:focus)').filter({ has: field });
    if (!(await isHere()) && (await form.count()) > 0) await page.keyboard.press('Tab');
    if (!(await isHere())) await press(field);
    if ((await field.getAttribute('type')) === 'date') await field.fill(text);
    else await page.keyboard.insertText(text);
  };
  const task = async (name: string, steps: () => Promise<void>) => {
    presses.count = 0;
    await steps();
    counted[name] = presses.count;
  };
  return { press, type, task, counted };
}
