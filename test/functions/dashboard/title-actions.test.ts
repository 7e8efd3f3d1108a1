import { describe, expect, test } from 'vitest';
import { openBusyDashboard } from '../../support/busy-dashboard.ts';
import { checkEach } from '../../support/check-each.ts';
import { signIn, visitPath } from '../../support/dashboard.ts';
import { everyPage } from '../../support/dashboard-pages.ts';
import { createMerchant } from '../../support/world.ts';

const { world, people, examples } = await openBusyDashboard();
const pages = await everyPage(examples);

/** Pages without a menu: the till, the offline page and the sign-in pages. */
const WITHOUT_MENU = /^\/dashboard\/(till\/|app\/offline|sign-in)/;
const LINK = /<a class="(?:plain )?button" href="[^"]*"(?! target| rel)[^>]*>/g;
/** Actions for one item on the page are shown next to that item. */
const PARTS = /<(section|li|table|details|nav)\b[\s\S]*?<\/\1>|<div class="(?:empty|card)">[\s\S]*?<\/div>/g;

const offered = new Map<string, string[]>();

test('a page shows its actions only next to the title', () => {
  const withMenu = pages.filter(({ address }) => !WITHOUT_MENU.test(address));
  return checkEach(withMenu, async ({ address, who }) => {
    const { text } = await visitPath(world, address, { by: who && people[who] });
    expect(text.indexOf('<main')).toBeGreaterThan(text.indexOf('<nav class="menu"'));
    const [, title = '', main = ''] =
      /<main[^>]*>\s*<div class="title">([\s\S]*?<\/h1>[\s\S]*?<\/div>(?:<\/div>)?)\n([\s\S]*)<\/main>/.exec(text) ??
      [];
    expect(title).toContain('<h1>');
    expect(main.replace(PARTS, '').match(LINK) ?? []).toEqual([]);
    offered.set(
      address,
      [...title.matchAll(/<(?:a|button) class="button"[^>]*>([^<]*)</g)].map(([, name = '']) => name),
    );
  });
});

test('no page offers two primary actions', () => {
  expect([...offered].filter(([, names]) => names.length > 1)).toEqual([]);
});

test.each([
  ['/dashboard/today', 'New bill'],
  ['/dashboard/charges', 'New bill'],
  ['/dashboard/requests', 'New request'],
  ['/dashboard/links', 'New link'],
  ['/dashboard/texts', 'Send a text'],
  ['/dashboard/customers', 'Add a contact'],
  ['/dashboard/settings/numbers', 'Add a number'],
  ['/dashboard/settings/team', 'Invite someone'],
  ['/dashboard/shared-phones', 'Add a cashier'],
  ['/dashboard/operator-phones', 'Add a number'],
  ['/dashboard/operator-money', 'Add a merchant'],
  ['/dashboard/operator-repair/doctor', 'Check again'],
])('the %s page offers the %s action', (address, name) => {
  expect(offered.get(address)).toEqual([name]);
});

test('the sign-in page shows the product and host', async () => {
  const { text } = await visitPath(world, '/dashboard/sign-in', {});
  expect(text).toContain(`<b>Momo Kiosk</b><span class="hint">${new URL(world.outside.baseUrl).host}</span>`);
});

describe('an empty page', () => {
  test.each([
    ['/dashboard/till', 'No tills yet', undefined],
    ['/dashboard/links', 'No payment links yet', 'New link'],
    ['/dashboard/texts', 'No texts yet', 'Send a text'],
    ['/dashboard/settings/wallets', 'No wallet yet', 'Add a number'],
    ['/dashboard/today/reports', 'Nothing happened in this period', 'New bill'],
  ])('shows one sentence and one button at %s', async (address, heading, button) => {
    const shop = await createMerchant(world, { momo: !address.endsWith('/wallets') });
    const { text } = await visitPath(world, address, { by: await signIn(world, 'owner', shop.id) });
    const [, sentence = ''] = new RegExp(`<h2>${heading}</h2><p>([^<]*)</p></div>`).exec(text) ?? [];
    expect(sentence).toMatch(/^[^.]+\.$/);
    expect(sentence.split(' ').length).toBeLessThanOrEqual(15);
    const main = text.slice(text.indexOf('<main'));
    const buttons = [...main.matchAll(/<(?:a|button)(?: class="button"| class="button" href="[^"]*")>([^<]*)</g)];
    expect(buttons.map(([, name]) => name)).toEqual([button ?? 'Add the till']);
  });
});
