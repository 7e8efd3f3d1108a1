import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../shared/audit/audit.table.ts';
import { topUp } from '../../shared/credits/top-up.ts';
import { invitationUrl } from '../../shared/dashboard/sign-in/invitation-url.ts';
import { inviteUser } from '../../shared/user/manage-users.ts';
import { launchBrowser, serve } from '../support/browser.ts';
import { areas, loadArea, type Person, signIn } from '../support/dashboard.ts';
import { createMerchant, createWorld, type TestMerchant, type World } from '../support/world.ts';

let browser: Browser;
let world: World;
let merchant: TestMerchant;
let people: Readonly<Record<'owner' | 'operator', Person>>;
let stop: () => void;

/** Every page whose address has no id in it, and who looks at it. */
const pages = (
  await Promise.all(
    areas().map(async ({ name, row }) => {
      const handler = await loadArea(name);
      return handler.pages.flatMap(({ method, path, needs, refreshSeconds }) => {
        if (method !== 'GET' || path.includes('{') || path.endsWith('.csv')) return [];
        const who = needs === 'nothing' ? undefined : needs === 'operator' ? 'operator' : 'owner';
        return [{ address: path === '/' ? row.path : `${row.path}${path}`, who, refreshSeconds } as const];
      });
    }),
  )
).flat();

beforeAll(async () => {
  browser = await launchBrowser();
  world = await createWorld({ inMemory: true });
  merchant = await createMerchant(world, { credits: 10 });
  people = { owner: await signIn(world, 'owner', merchant.id), operator: await signIn(world, 'operator') };
  ({ stop } = await serve(world, []));
});

afterAll(async () => {
  stop();
  await browser.close();
});

async function open(who: 'owner' | 'operator' | undefined, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, ...options });
  if (who) await context.addCookies([{ name: 'session', value: people[who].token, url: world.outside.baseUrl }]);
  return context.newPage();
}

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };

describe.each(pages)('$address', ({ address, who }) => {
  test.each([
    ['light', PHONE],
    ['dark', DESK],
    ['dark', PHONE],
    ['light', DESK],
  ] as const)('%s, %j: fits, and axe finds no fault', async (colorScheme, viewport) => {
    const page = await open(who, { colorScheme, viewport });
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    world.clock.nowMs += 1_000;
    await page.goto(`${world.outside.baseUrl}${address}`);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect([width, faults]).toEqual([viewport.width, []]);
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    await page.context().close();
  });

  test('is at most 40 KB compressed, with its style and scripts', async () => {
    const page = await open(who);
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    world.clock.nowMs += 1_000;
    await page.goto(`${world.outside.baseUrl}${address}`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(40_000);
    await page.context().close();
  });
});

test('an invitation fits, and axe finds no fault', async () => {
  const person = { name: 'Efua', role: 'cashier' as const, merchant_id: merchant.id };
  const { token } = await inviteUser(world.outside, person, { by: COMMAND_LINE });
  const page = await open(undefined);
  await page.goto(invitationUrl(world.outside, token));
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.context().close();
});

test('without JavaScript and by keyboard alone: an owner invites somebody from the menu', async () => {
  const page = await open('owner', { javaScriptEnabled: false });
  await page.goto(`${world.outside.baseUrl}/dashboard/today`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#main$/);
  await page.getByRole('link', { name: 'More', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Team' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Team' }).waitFor();
  await page.getByRole('link', { name: 'Invite somebody' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Abena');
  await page.keyboard.press('Enter');
  expect(await page.locator('code').innerText()).toContain('/invitation/');
  await page.context().close();
});

test('an open page takes up what changed by itself', async () => {
  const page = await open('owner');
  await page.clock.install();
  await page.goto(`${world.outside.baseUrl}/dashboard/today`);
  await page.getByText('Credits for texts').waitFor();
  await topUp(world.outside, merchant.id, 1_000);
  world.clock.nowMs += 30_000;
  await page.clock.runFor(31_000);
  await page.getByText('Nothing waits for you').waitFor();
  await page.context().close();
});

test('a page that another site shows in a frame stays empty', async () => {
  const page = await open('owner');
  await page.setContent(`<iframe src="${world.outside.baseUrl}/dashboard/today"></iframe>`);
  const frame = page.frames()[1];
  await page.waitForTimeout(500);
  expect(await frame?.locator('h1').count()).toBe(0);
  await page.context().close();
});
