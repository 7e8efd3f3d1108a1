import { expect } from 'vitest';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { inviteUser } from '../../shared/merchants/user/manage-users.ts';
import { SESSION_SECONDS } from '../../shared/merchants/user/session.table.ts';
import { FRESH_SECONDS } from '../../shared/merchants/user/session.ts';
import { invitationUrl } from '../../shared/pages/dashboard/sign-in/invitation-link.ts';
import { addAuthenticator } from '../support/authenticator.ts';
import { signIn, signInAgain } from '../support/dashboard.ts';
import { storiesOf, WITH_SCRIPT } from '../support/dashboard-story.ts';
import { rows } from '../support/receipts.ts';
import { createMerchant, createWorld, type World } from '../support/world.ts';

// Tests passkeys with a simulated fingerprint sensor.

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  const merchant = await createMerchant(world);
  return { world, merchant, by: undefined, host: 'localhost' };
});
const told = { usual: 'by hand', told: WITH_SCRIPT } as const;

story(
  'an invited owner creates a passkey, signs in with it and uses it again to invite a cashier',
  told,
  async ({ open, world, merchant, isGood }) => {
    const { page, hand } = await open('sign-in');
    await addAuthenticator(page);
    await isGood(page);
    await page.goto(await invitation(world, merchant.id, 'Efua'));
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Create a passkey' }));
    await page.getByText('Your passkey was created, and you are signed in.').waitFor();

    const more = page.getByRole('link', { name: 'More', exact: true });
    if (await more.isVisible()) await hand.press(more);
    await hand.press(page.getByRole('button', { name: 'Sign out' }));
    await page.getByText('You are signed out.').waitFor();

    await page.goto(`${world.outside.baseUrl}/dashboard/settings/team`);
    await hand.press(page.getByRole('button', { name: 'Sign in with your passkey' }));
    await page.getByRole('heading', { name: 'Team' }).waitFor();

    world.clock.nowMs += FRESH_SECONDS * 1000;
    await hand.press(page.getByRole('link', { name: 'Invite someone' }));
    await isGood(page, page.getByRole('heading', { name: 'Is it you?' }));
    await hand.press(page.getByRole('button', { name: 'Use your passkey' }));
    await hand.type(page.getByLabel('Name'), 'Yaw');
    await hand.send(page.getByRole('button', { name: 'Create the link' }));
    const link = await page.locator('code').innerText();
    expect(link).toContain('/dashboard/sign-in/invitation/');

    const other = await open('sign-in');
    await addAuthenticator(other.page);
    await other.page.goto(link);
    await other.hand.press(other.page.getByRole('button', { name: 'Create a passkey' }));
    await other.page.getByText('Your passkey was created').waitFor();
    await other.page.goto(`${world.outside.baseUrl}/dashboard/settings/team`);
    await isGood(other.page, 'This is not part of your role');
  },
);

story(
  'an owner replaces a passkey, which signs them out, but cannot remove the last one',
  told,
  async ({ open, world, merchant, isGood }) => {
    const { page, hand } = await open('sign-in');
    await addAuthenticator(page);
    await page.goto(await invitation(world, merchant.id, 'Kojo'));
    await hand.press(page.getByRole('button', { name: 'Create a passkey' }));
    await page.getByText('Your passkey was created').waitFor();
    await page.goto(`${world.outside.baseUrl}/dashboard/sign-in/account`);
    await page.getByText('Your only one', { exact: true }).waitFor();
    await addAuthenticator(page, 'usb');
    await hand.press(page.getByRole('link', { name: 'Add a passkey' }));
    await hand.press(page.getByRole('button', { name: 'Create a passkey' }));
    await isGood(page, 'The passkey was added.');
    const row = page.getByRole('row').filter({ hasText: 'including this one' });
    await hand.press(row.getByRole('button', { name: 'Remove' }));
    await isGood(page, 'The passkey was removed.');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  },
);

story('a phone without a passkey for this site shows an error and stays usable', told, async ({ open, isGood }) => {
  const { page, hand } = await open('sign-in');
  await addAuthenticator(page);
  await hand.press(page.getByRole('button', { name: 'Sign in with your passkey' }));
  await isGood(page, page.getByText(/was not used|could not use/));
  expect(await page.getByRole('button', { name: 'Sign in with your passkey' }).isEnabled()).toBe(true);
});

story('a long form survives the end of the session', told, async ({ open, world, merchant, isGood }) => {
  const { page, hand } = await open('sign-in');
  await addAuthenticator(page);
  await page.goto(await invitation(world, merchant.id, 'Efua'));
  await hand.press(page.getByRole('button', { name: 'Create a passkey' }));
  await page.getByText('Your passkey was created').waitFor();

  await page.goto(`${world.outside.baseUrl}/dashboard/requests/new`);
  await hand.type(page.locator('#amount'), '1000');
  await hand.type(page.locator('#title'), 'Rent');
  await hand.type(page.locator('#customer_phone'), '0241112222');
  await hand.typeDay(page.locator('#due'), '2099-01-31');
  await hand.press(page.getByText('Reminders, several items, repeats and more'));
  await hand.tick(page.getByLabel('3 days before'));
  await hand.type(page.locator('#note'), 'Two rooms\nin Osu');
  world.clock.nowMs += SESSION_SECONDS * 1000;
  await hand.press(page.getByRole('button', { name: 'Create request' }));
  await isGood(page, 'You were signed out, so nothing was done.');

  await hand.press(page.getByRole('button', { name: 'Sign in with your passkey' }));
  await isGood(page, 'What you typed is here again');
  expect(await rows(world, 'REQUEST')).toEqual([]);
  await hand.press(page.getByRole('button', { name: 'Create request' }));
  await page.getByText('GHS 1,000.00').first().waitFor();
  expect(await rows(world, 'REQUEST')).toMatchObject([
    {
      title: 'Rent',
      total_pesewas: 100_000,
      reminder_days: [-3],
      note: expect.stringMatching(/^Two rooms\r?\nin Osu$/),
    },
  ]);
  await page.goto(`${world.outside.baseUrl}/dashboard/requests/new`);
  expect(await page.locator('#title').inputValue()).toBe('');
});

story('a form is not filled in for another person', told, async ({ open, world, merchant }) => {
  const [typist, other] = [await signIn(world, 'owner', merchant.id), await signIn(world, 'owner', merchant.id)];
  const { page, hand } = await open('requests/new', { by: typist });
  const address = page.url();
  await hand.type(page.locator('#amount'), '1000');
  await hand.type(page.locator('#title'), 'Rent');
  world.clock.nowMs += SESSION_SECONDS * 1000;
  await hand.press(page.getByRole('button', { name: 'Create request' }));
  await page.getByText('You were signed out, so nothing was done.').waitFor();
  for (const { user } of [other, typist]) {
    const { token } = await signInAgain(world, user);
    await page.context().addCookies([{ name: 'session', value: token, url: new URL(address).origin }]);
    await page.goto(address);
    expect(await page.locator('#title').inputValue()).toBe('');
  }
});

async function invitation({ outside }: World, merchant_id: string, name: string): Promise<string> {
  const { token } = await inviteUser(outside, { name, role: 'owner', merchant_id }, { by: COMMAND_LINE });
  return invitationUrl(outside, token);
}
