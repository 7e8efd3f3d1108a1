import { expect } from 'vitest';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { addUser } from '../../shared/merchants/user/manage-users.ts';
import { MAX_WRONG } from '../../shared/merchants/user/pin-tries.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { countedHand } from '../support/counted-hand.ts';
import { signIn, signInAgain } from '../support/dashboard.ts';
import { storiesOf, type Telling, WITH_SCRIPT } from '../support/dashboard-story.ts';
import { createMerchant, createWorld } from '../support/world.ts';

// Tests a phone shared by employees, each with a PIN.

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  const merchant = await createMerchant(world);
  const owner = await signIn(world, 'owner', merchant.id);
  for (const name of ['Ama', 'Kofi'])
    await addUser(world.outside, { name, role: 'cashier', merchant_id: merchant.id }, { by: COMMAND_LINE });
  return { world, by: owner, owner };
});

story(
  'an owner adds a cashier and a phone, and the cashier starts within twelve presses',
  { usual: 'by hand' },
  async ({ open, isGood }) => {
    const presses = { count: 0 };
    const { page: office, hand } = await open('today').then(({ page, hand }) => ({
      page,
      hand: countedHand(hand, presses),
    }));
    const follow = (name: string | RegExp) =>
      hand.press(
        office
          .getByRole('link', { name, exact: typeof name === 'string' })
          .filter({ visible: true })
          .first(),
      );
    if (await office.getByRole('link', { name: 'More' }).isVisible()) await follow('More');
    await follow('Settings');
    await follow(/^Shared phones/);
    await follow('Add a cashier');
    await isGood(office, office.getByLabel('Name of the new cashier'));
    await hand.type(office.getByLabel('Name of the new cashier'), 'Yaw');
    await hand.send(office.getByRole('button', { name: 'Show the code' }));
    const [link, code] = [await office.locator('code').innerText(), await office.locator('.big-code').innerText()];
    await isGood(office);

    const till = await open(`sign-in/phone/add/${link.split('/').at(-1)}`, { by: undefined });
    const [phone, thumb] = [till.page, countedHand(till.hand, presses)];
    await thumb.press(phone.getByRole('button', { name: 'Share this phone' }));
    await phone.getByText('This is now a shared phone.').waitFor();
    await thumb.type(phone.getByLabel('The owner’s code'), code);
    await thumb.type(phone.getByLabel('Your new PIN'), '010198');
    await thumb.type(phone.getByLabel('The PIN again'), '010198');
    await thumb.send(phone.getByRole('button', { name: 'Set the PIN and sign in' }));
    await isGood(phone, 'Your new PIN is easy to guess, because it can be read as a date.');
    expect(await phone.getByLabel('The owner’s code').inputValue()).toBe(code);
    await till.hand.type(phone.getByLabel('Your new PIN'), '804917');
    await till.hand.type(phone.getByLabel('The PIN again'), '804917');
    await till.hand.send(phone.getByRole('button', { name: 'Set the PIN and sign in' }));
    await phone.getByText('Your PIN is set.').waitFor();
    expect(presses.count).toBeLessThanOrEqual(12);
  },
);

story(
  'two people share a phone with PINs, one is locked out, and the owner removes the phone',
  { usual: 'without JavaScript' },
  async ({ open, world, owner, isGood }) => {
    const desk = await open('shared-phones');
    const { page: office, hand } = desk;
    await isGood(office);
    const give = async (name: string) => {
      await hand.choose(office.getByLabel('Person'), `${name}, cashier`);
      await hand.press(office.getByRole('button', { name: 'Show the code' }));
      const code = await office.locator('.big-code').innerText();
      await isGood(office);
      return code;
    };
    await hand.press(office.getByRole('link', { name: 'Add a cashier' }));
    await hand.type(office.getByLabel('Name of the new phone'), 'Till at the door');
    const amas = await give('Ama');
    const link = await office.locator('code').innerText();

    const till = await open(`sign-in/phone/add/${link.split('/').at(-1)}`, { by: undefined });
    const { page: phone } = till;
    await isGood(phone);
    await till.hand.press(phone.getByRole('button', { name: 'Share this phone' }));
    await phone.getByText('This is now a shared phone.').waitFor();
    const setPin = async (name: string, code: string, pin: string) => {
      await isGood(phone, phone.getByRole('heading', { name }));
      await till.hand.type(phone.getByLabel('The owner’s code'), code);
      await till.hand.type(phone.getByLabel('Your new PIN'), pin);
      await till.hand.type(phone.getByLabel('The PIN again'), pin);
      await till.hand.send(phone.getByRole('button', { name: 'Set the PIN and sign in' }));
      await isGood(phone, 'Your PIN is set.');
      await till.hand.press(phone.getByRole('button', { name: 'Change person' }));
      await phone.getByRole('heading', { name: 'Till at the door' }).waitFor();
    };
    await setPin('Ama', amas, '804917');

    await hand.press(office.getByRole('link', { name: 'Done' }));
    await hand.press(office.getByRole('link', { name: 'Till at the door' }));
    await isGood(office, office.getByRole('heading', { name: 'Till at the door' }));
    await hand.press(office.getByRole('link', { name: 'Create a code' }));
    const kofis = await give('Kofi');
    // The idle phone notices the change without a reload.
    await phone.getByRole('link', { name: 'Kofi' }).waitFor();
    await till.hand.press(phone.getByRole('link', { name: 'Kofi' }));
    await setPin('Kofi', kofis, '592816');
    await isGood(phone);

    await enter(till, 'Ama', '804917');
    await phone.getByRole('button', { name: 'Change person' }).waitFor();
    await till.hand.press(phone.getByRole('button', { name: 'Change person' }));
    await enter(till, 'Kofi', '592817');
    await isGood(phone, 'That PIN is wrong.');
    await till.hand.type(phone.getByLabel('PIN'), '592816');
    await till.hand.send(phone.getByRole('button', { name: 'Sign in' }));
    await phone.getByText('A wrong PIN was entered for you 1 time').waitFor();
    await till.hand.press(phone.getByRole('button', { name: 'Change person' }));
    await till.hand.press(phone.getByRole('link', { name: 'Kofi' }));
    await phone.getByRole('heading', { name: 'Kofi' }).waitFor();
    for (let n = 0; n < MAX_WRONG; n++) {
      await till.hand.type(phone.getByLabel('PIN'), '592817');
      await till.hand.send(phone.getByRole('button', { name: 'Sign in' }));
      await phone.getByText('That PIN is wrong.').waitFor();
      world.clock.nowMs += 24 * 60 * 60 * 1000;
    }
    await till.hand.type(phone.getByLabel('PIN'), '592816');
    await till.hand.send(phone.getByRole('button', { name: 'Sign in' }));
    await isGood(phone, 'An owner can unlock this phone');

    // Ten days later, the owner signs in again.
    const again = await open('shared-phones', { by: await signInAgain(world, owner.user) });
    await again.hand.press(again.page.getByRole('link', { name: 'Till at the door' }));
    await isGood(again.page, again.page.getByRole('heading', { name: 'Locked after wrong PINs' }));
    await again.hand.press(again.page.getByRole('button', { name: 'Remove this phone' }));
    await again.page.getByText('Till at the door is no longer a shared phone.').waitFor();
    await phone.goto(`${world.outside.baseUrl}/dashboard/sign-in/phone`);
    expect(await phone.getByRole('heading', { level: 1 }).innerText()).toBe('Not a shared phone');
    await isGood(phone);
  },
);

story(
  'a cashier’s form survives an idle till, and the browser keeps no PIN',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ open, world, isGood }) => {
    const { page: office, hand: owners } = await open('shared-phones');
    await owners.press(office.getByRole('link', { name: 'Add a cashier' }));
    await owners.type(office.getByLabel('Name of the new phone'), 'Till at the door');
    await owners.choose(office.getByLabel('Person'), 'Ama, cashier');
    await owners.press(office.getByRole('button', { name: 'Show the code' }));
    const [link, code] = [await office.locator('code').innerText(), await office.locator('.big-code').innerText()];
    const till = await open(`sign-in/phone/add/${link.split('/').at(-1)}`, { by: undefined });
    const { page: phone, hand } = till;
    await hand.press(phone.getByRole('button', { name: 'Share this phone' }));
    await hand.type(phone.getByLabel('The owner’s code'), code);
    await hand.type(phone.getByLabel('Your new PIN'), '804917');
    await hand.type(phone.getByLabel('The PIN again'), '804917');
    await hand.send(phone.getByRole('button', { name: 'Set the PIN and sign in' }));
    await phone.getByText('Your PIN is set.').waitFor();

    await phone.goto(`${world.outside.baseUrl}/dashboard/charges/new`);
    await hand.type(phone.locator('#amount'), '36');
    await hand.type(phone.locator('#description'), 'Two yards of kente');
    world.clock.nowMs += 11 * MINUTE_MS;
    await hand.press(phone.getByRole('button', { name: 'Create bill' }));
    await phone.getByText('You were signed out, so nothing was done.').waitFor();
    await enter(till, 'Ama', '804918');
    await phone.getByText('That PIN is wrong.').waitFor();
    expect(await phone.evaluate('JSON.stringify(sessionStorage)')).not.toContain('804918');
    await hand.type(phone.getByLabel('PIN'), '804917');
    await hand.send(phone.getByRole('button', { name: 'Sign in' }));
    await isGood(phone, 'What you typed is here again');
    expect(await phone.locator('#description').inputValue()).toBe('Two yards of kente');
    await hand.press(phone.getByRole('button', { name: 'Create bill' }));
    await phone.getByText('The bill for GHS 36.00 is ready.').waitFor();
  },
);

async function enter({ page, hand }: Awaited<ReturnType<Telling['open']>>, name: string, pin: string): Promise<void> {
  await hand.press(page.getByRole('link', { name }));
  await hand.type(page.getByLabel('PIN'), pin);
  await hand.send(page.getByRole('button', { name: 'Sign in' }));
}
