import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../shared/audit/audit.table.ts';
import { invitationUrl } from '../../shared/dashboard/sign-in/invitation-url.ts';
import { inviteUser } from '../../shared/user/manage-users.ts';
import { FRESH_SECONDS } from '../../shared/user/session.ts';
import { launchBrowser, serve } from '../support/browser.ts';
import { createMerchant, createWorld, type TestMerchant, type World } from '../support/world.ts';

let browser: Browser;
let world: World;
let merchant: TestMerchant;
let stop: () => void;

beforeAll(async () => {
  browser = await launchBrowser();
  world = await createWorld({ inMemory: true });
  merchant = await createMerchant(world);
  ({ stop } = await serve(world, []));
  // A passkey belongs to a name, and not to an address of four numbers.
  world.outside.baseUrl = world.outside.baseUrl.replace('127.0.0.1', 'localhost');
});

afterAll(async () => {
  stop();
  await browser.close();
});

/** A phone whose owner shows their fingerprint whenever they are asked. */
async function phone(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page };
}

async function invitation(name: string): Promise<string> {
  const person = { name, role: 'owner' as const, merchant_id: merchant.id };
  const { token } = await inviteUser(world.outside, person, { by: COMMAND_LINE });
  return invitationUrl(world.outside, token);
}

describe('an owner who was invited', () => {
  test('makes a passkey, signs out, signs in with it, and invites a cashier after using it again', async () => {
    const { context, page } = await phone();
    await page.goto(await invitation('Efua'));
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByText('Your passkey is made, and you are signed in.').waitFor();

    await page.goto(`${world.outside.baseUrl}/dashboard/today#menu`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();

    await page.goto(`${world.outside.baseUrl}/dashboard/settings/team`);
    await page.getByRole('button', { name: 'Sign in with your passkey' }).click();
    await page.getByRole('heading', { name: 'Team' }).waitFor();

    world.clock.nowMs += FRESH_SECONDS * 1000;
    await page.getByRole('link', { name: 'Invite somebody' }).click();
    await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await page.getByLabel('Name').fill('Yaw');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = await page.locator('code').innerText();
    expect(link).toContain('/dashboard/sign-in/invitation/');

    const other = await phone();
    await other.page.goto(link);
    await other.page.getByRole('button', { name: 'Make a passkey' }).click();
    await other.page.getByText('Your passkey is made').waitFor();
    await other.page.goto(`${world.outside.baseUrl}/dashboard/settings/team`);
    await other.page.getByText('This is not part of your role').waitFor();
    await Promise.all([context.close(), other.context.close()]);
  });

  test('adds a second passkey and removes the first; the only one stays', async () => {
    const { context, page } = await phone();
    await page.goto(await invitation('Kojo'));
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByText('Your passkey is made').waitFor();
    await page.goto(`${world.outside.baseUrl}/dashboard/sign-in/account`);
    await page.getByText('Your only one').waitFor();
    const another = await context.newCDPSession(page);
    await another.send('WebAuthn.enable');
    await another.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'usb',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByText('The passkey was added.').waitFor();
    await page.getByRole('button', { name: 'Remove' }).first().click();
    await page.getByText('The passkey was removed.').waitFor();
    await page.getByText('Your only one').waitFor();
    await context.close();
  });
});

test('a phone without a passkey of ours says so, and the page stays usable', async () => {
  const { context, page } = await phone();
  await page.goto(`${world.outside.baseUrl}/dashboard/sign-in`);
  await page.getByRole('button', { name: 'Sign in with your passkey' }).click();
  await page.getByText(/was not used|could not use/).waitFor();
  expect(await page.getByRole('button', { name: 'Sign in with your passkey' }).isEnabled()).toBe(true);
  await context.close();
});
