import { expect } from 'vitest';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { addUser } from '../../shared/merchants/user/manage-users.ts';
import { MAX_WRONG } from '../../shared/merchants/user/pin-tries.ts';
import { signIn, signInAgain } from '../support/dashboard.ts';
import { storiesOf, type Telling } from '../support/dashboard-story.ts';
import { createMerchant, createWorld } from '../support/world.ts';

// A phone on which the people of a shop change by PIN.

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  const merchant = await createMerchant(world);
  const owner = await signIn(world, 'owner', merchant.id);
  for (const name of ['Ama', 'Kofi'])
    await addUser(world.outside, { name, role: 'cashier', merchant_id: merchant.id }, { by: COMMAND_LINE });
  return { world, by: owner, owner };
});

story(
  'an owner adds a phone; two people set a PIN, change, and one is locked; the owner ends the phone',
  { usual: 'without JavaScript' },
  async ({ open, world, owner, isGood }) => {
    const desk = await open('shared-phones');
    const { page: office, hand } = desk;
    await isGood(office);
    await hand.press(office.getByRole('link', { name: 'Add a phone' }));
    await hand.type(office.getByLabel('Name'), 'Till at the door');
    await hand.send(office.getByRole('button', { name: 'Make the link' }));
    const link = await office.locator('code').innerText();
    await isGood(office);

    const till = await open(`sign-in/phone/add/${link.split('/').at(-1)}`, { by: undefined });
    const { page: phone } = till;
    await isGood(phone);
    await till.hand.press(phone.getByRole('button', { name: 'Share this phone' }));
    await phone.getByText('This is a shared phone now.').waitFor();
    await isGood(phone);

    await office.goto(`${world.outside.baseUrl}/dashboard/shared-phones`);
    await hand.press(office.getByRole('link', { name: 'Till at the door' }));
    await office.getByRole('heading', { name: 'Till at the door' }).waitFor();
    await isGood(office);
    const setPin = async (name: string, pin: string) => {
      await hand.choose(office.getByLabel('Person'), `${name}, cashier`);
      await hand.press(office.getByRole('button', { name: 'Give a code' }));
      const code = await office.locator('.code').innerText();
      await isGood(office);
      await hand.press(office.getByRole('link', { name: 'Back to the phone' }));
      await office.getByLabel('Person').waitFor();
      await phone.goto(`${world.outside.baseUrl}/dashboard/sign-in/phone`);
      await till.hand.press(phone.getByRole('link', { name }));
      await phone.getByRole('heading', { name }).waitFor();
      await isGood(phone);
      await till.hand.type(phone.getByLabel('The owner’s code'), code);
      await till.hand.type(phone.getByLabel('A new PIN'), pin);
      await till.hand.type(phone.getByLabel('The PIN again'), pin);
      await till.hand.send(phone.getByRole('button', { name: 'Set the PIN and sign in' }));
      await phone.getByText('Your PIN is set.').waitFor();
      await isGood(phone);
      await till.hand.press(phone.getByRole('button', { name: 'Change person' }));
      await phone.getByRole('heading', { name: 'Till at the door' }).waitFor();
    };
    await setPin('Ama', '804917');
    await setPin('Kofi', '592816');
    await isGood(phone);

    await enter(till, 'Ama', '804917');
    await phone.getByRole('button', { name: 'Change person' }).waitFor();
    await till.hand.press(phone.getByRole('button', { name: 'Change person' }));
    await enter(till, 'Kofi', '592817');
    await phone.getByText('That PIN is not right.').waitFor();
    await isGood(phone);
    await till.hand.type(phone.getByLabel('PIN'), '592816');
    await till.hand.send(phone.getByRole('button', { name: 'Sign in' }));
    await phone.getByText('A wrong PIN was typed for you 1 time').waitFor();
    await till.hand.press(phone.getByRole('button', { name: 'Change person' }));
    await till.hand.press(phone.getByRole('link', { name: 'Kofi' }));
    await phone.getByRole('heading', { name: 'Kofi' }).waitFor();
    for (let n = 0; n < MAX_WRONG; n++) {
      await till.hand.type(phone.getByLabel('PIN'), '592817');
      await till.hand.send(phone.getByRole('button', { name: 'Sign in' }));
      await phone.getByText('That PIN is not right.').waitFor();
      world.clock.nowMs += 24 * 60 * 60 * 1000;
    }
    await till.hand.type(phone.getByLabel('PIN'), '592816');
    await till.hand.send(phone.getByRole('button', { name: 'Sign in' }));
    await phone.getByText('An owner can unlock it').waitFor();
    await isGood(phone);

    // Ten days later: the owner has signed in again.
    const again = await open('shared-phones', { by: await signInAgain(world, owner.user) });
    await again.hand.press(again.page.getByRole('link', { name: 'Till at the door' }));
    await again.page.getByRole('heading', { name: 'Locked after wrong PINs' }).waitFor();
    await isGood(again.page);
    await again.hand.press(again.page.getByRole('button', { name: 'End this phone' }));
    await again.page.getByText('Till at the door is no shared phone any more.').waitFor();
    await phone.goto(`${world.outside.baseUrl}/dashboard/sign-in/phone`);
    expect(await phone.getByRole('heading', { level: 1 }).innerText()).toBe('Not a shared phone');
    await isGood(phone);
  },
);

async function enter({ page, hand }: Awaited<ReturnType<Telling['open']>>, name: string, pin: string): Promise<void> {
  await hand.press(page.getByRole('link', { name }));
  await hand.type(page.getByLabel('PIN'), pin);
  await hand.send(page.getByRole('button', { name: 'Sign in' }));
}
