import { beforeEach, describe, expect, test } from 'vitest';
import { handler as charges } from '../../../functions/dashboard/charges.ts';
import { handler as many } from '../../../functions/dashboard/many.ts';
import { handler as signInArea } from '../../../functions/dashboard/sign-in.ts';
import { handler as texts } from '../../../functions/dashboard/texts.ts';
import { type Role, roles } from '../../../shared/merchants/user/permissions.ts';
import { addTill, beginShift } from '../../../shared/money/till/shift.ts';
import { menuOf, type Place } from '../../../shared/pages/dashboard/menu.ts';
import { areas, loadArea, visit } from '../../support/dashboard.ts';
import { type Person, type Scene, scene } from '../../support/scene.ts';
import { addPhone, codeFor } from '../../support/shared-phone.ts';

// The menu groups the pages; the areas' own tables say who may open them.

const SIGN_IN = '/dashboard/sign-in';
const TILL = '/dashboard/till';

let world: Scene;
let shop: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = (await world.createMerchant({ credits: 100 })).id;
});

const handlers = await Promise.all(areas().map(async ({ name, row }) => ({ row, handler: await loadArea(name) })));

/** The page at an address, of the area whose address is the longest that it begins with. */
function pageAt(path: string) {
  const [area] = handlers
    .filter(({ row }) => path === row.path || path.startsWith(`${row.path}/`))
    .toSorted((one, other) => other.row.path.length - one.row.path.length);
  if (!area) throw new Error(`No area has ${path}`);
  const rest = path.slice(area.row.path.length) || '/';
  const page = area.handler.pages.find((one) => one.method === 'GET' && one.path === rest);
  return { handler: area.handler, page };
}

async function as(role: Role): Promise<Person> {
  const person = await world.signIn(role, shop);
  if (role === 'operator') await person.visit(`${SIGN_IN}/open-merchant`, { form: { merchant: shop } });
  return person;
}

const open = (path: string, by: Person) => visit(world, pageAt(path).handler, path, { by });

/** The names in the menu, or in the bar of a phone, as a page has them. */
function namesIn(text: string, nav: 'menu' | 'bar'): string[] {
  const [, links = ''] = new RegExp(`<nav class="${nav}"(.*?)</nav>`, 's').exec(text) ?? [];
  return [...links.matchAll(/<a href="\/[^>]*>.*?<span>([^<]*)/g)].map(([, name = '']) => name);
}

/** Each row of tabs of a page: its names, the current one in brackets. */
function tabsIn(text: string): string[] {
  return [...text.matchAll(/<nav class="tabs of-menu"[^>]*>(.*?)<\/nav>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<a href="[^"]*"( aria-current="page")?>([^<]*)/g)]
      .map(([, isCurrent, name]) => (isCurrent ? `[${name}]` : name))
      .join(' '),
  );
}

function allPlaces(places: readonly Place[]): Place[] {
  return places.flatMap((place) => [place, ...allPlaces(place.pages ?? [])]);
}

async function newTill(): Promise<string> {
  const { till, writes } = await addTill(world.outside, shop, 'Counter 1');
  await world.outside.table.write(writes);
  return till.till_id;
}

describe('the menu', () => {
  test('asks of each place what its page asks', async () => {
    const menu = menuOf({ user: { role: 'operator' }, merchant: {}, session: {} });
    const places = menu.flatMap((entry) => allPlaces(entry.places));
    expect(places.length).toBeGreaterThan(30);
    expect(places.map(({ path, needs }) => [path, needs])).toEqual(
      places.map(({ path }) => [path, pageAt(path).page?.needs]),
    );
  });

  test('is eight entries for an owner, with at most four tabs of texts', async () => {
    const { text } = await open('/dashboard/texts', await as('owner'));
    expect(namesIn(text, 'menu')).toEqual([
      ...['Today', 'Sell', 'Payments', 'Texts', 'Customers', 'Wallets', 'Reports', 'Settings'],
    ]);
    expect(tabsIn(text)).toEqual(['[Sent] Answers Credits Senders']);
  });

  test.each(roles)('leads nobody to a page that is not theirs, and each role to all that is: %s', async (role) => {
    const by = await as(role);
    const { text } = await open('/dashboard/charges', by);
    const [, menu = ''] = /<nav class="menu"(.*?)<\/nav>/s.exec(text) ?? [];
    for (const [, path = ''] of menu.matchAll(/<a href="(\/[^"]*)"/g)) {
      const shown = await open(path, by);
      expect([path, shown.status]).toEqual([path, 200]);
      for (const [, tab = ''] of shown.text.matchAll(/<nav class="tabs of-menu"[^>]*>(.*?)<\/nav>/gs))
        for (const [, to = ''] of tab.matchAll(/href="([^"]*)"/g))
          expect([to, (await open(to, by)).status]).toEqual([to, 200]);
    }
  });

  test('has fewer entries for who may see less', async () => {
    const names = async (role: Role) =>
      namesIn((await open('/dashboard/charges', await as(role))).text, 'menu').join(' ');
    expect(await names('cashier')).toBe('Today Sell Payments Texts Customers Settings');
    expect(await names('viewer')).toBe('Today Sell Payments Texts Customers Wallets Reports Settings');
    expect(await names('developer')).toBe('Today Sell Payments Texts Customers Wallets Settings');
    expect(await names('operator')).toBe(
      'Today Sell Payments Texts Customers Wallets Reports Settings Phones Merchants Repair',
    );
  });

  test('begins with the operator’s own where no shop is open', async () => {
    const { text } = await open('/dashboard/operator/repair/audit', await world.signIn('operator'));
    expect(namesIn(text, 'menu')).toEqual(['Phones', 'Merchants', 'Repair', 'Settings']);
    expect(tabsIn(text)).toEqual(['Dead letters Doctor [Audit]']);
  });

  test('shows the tabs of a place below those of its entry', async () => {
    const { text } = await open('/dashboard/developers/events', await as('owner'));
    expect(tabsIn(text)).toEqual([
      'Shop Team Shared phones Notifications Your account Audit [Developers]',
      'Keys Webhooks [Events] Requests',
    ]);
  });

  test('marks the entry that a page belongs to, which has no tabs itself', async () => {
    const by = await as('owner');
    for (const [handler, path, entry] of [
      [charges, '/dashboard/charges/new', 'Payments'],
      [many, '/dashboard/many', 'Texts'],
      [many, '/dashboard/many/contacts/add', 'Customers'],
      [texts, '/dashboard/texts/send', 'Texts'],
    ] as const) {
      const { text } = await visit(world, handler, path, { by });
      const [, menu = ''] = /<nav class="menu"(.*?)<\/nav>/s.exec(text) ?? [];
      const current = [...menu.matchAll(/aria-current="page">.*?<span>([^<]*)/g)].map(([, name]) => name);
      expect([path, current, tabsIn(text)]).toEqual([path, [entry], []]);
    }
  });

  test('has nothing of a person’s own on a shared phone', async () => {
    const [owner, cashier] = [await as('owner'), await as('cashier')];
    const phone = await addPhone(world, owner);
    await phone.setPin(cashier, await codeFor(world, owner, cashier), '804917');
    const { text } = await phone.visit(charges, '/dashboard/charges');
    expect(namesIn(text, 'menu')).toEqual(['Today', 'Sell', 'Payments', 'Texts', 'Customers']);
  });
});

describe('the till', () => {
  test('is in the bar of a phone once there is one, for whoever takes payments there', async () => {
    const [owner, viewer] = [await as('owner'), await as('viewer')];
    const bar = async (by: Person) => namesIn((await open('/dashboard/charges', by)).text, 'bar').join(' ');
    expect(await bar(owner)).toBe('Today Payments Texts Customers');
    const till = await newTill();
    expect([await bar(owner), await bar(viewer)]).toEqual([
      'Today Sell Payments Texts',
      'Today Payments Texts Customers',
    ]);
    await owner.visit(`${TILL}/${till}/remove`, { form: {} });
    world.clock.nowMs += 61_000;
    expect(await bar(owner)).toBe('Today Payments Texts Customers');
  });

  test('is in the bar of a page that is refused or not there, too', async () => {
    await newTill();
    const by = await as('cashier');
    for (const [path, status] of [
      ['/dashboard/settings/team/invite', 403],
      ['/dashboard/charges/tx_none', 404],
    ] as const) {
      const shown = await visit(world, pageAt(status === 403 ? path : '/dashboard/charges').handler, path, { by });
      expect([shown.status, namesIn(shown.text, 'bar').slice(0, 2)]).toEqual([status, ['Today', 'Sell']]);
    }
  });

  test('is marked in the bar on all pages of its entry', async () => {
    await newTill();
    const by = await as('owner');
    const isMarked = async (path: string) => {
      const [bar = ''] = /<nav class="bar".*?<\/nav>/s.exec((await open(path, by)).text) ?? [];
      return bar.includes(`href="${TILL}" aria-current="page"`);
    };
    const paths = [TILL, '/dashboard/links', '/dashboard/requests', '/dashboard/charges'];
    expect(await Promise.all(paths.map(isMarked))).toEqual([true, true, true, false]);
  });
});

describe('the page that a person begins with', () => {
  const begins = async (by: Person) => (await by.visit(SIGN_IN)).headers.location;

  test('is the till for a cashier, once there is one, and the one where their shift is', async () => {
    const cashier = await as('cashier');
    expect(await begins(cashier)).toBe('/dashboard/today');
    const till = await newTill();
    expect(await begins(cashier)).toBe(TILL);
    await world.outside.table.write(
      await beginShift(world.outside, shop, till, { by: cashier.user.user_id, insteadOf: undefined }),
    );
    expect(await begins(cashier)).toBe(`${TILL}/${till}`);
    expect(await begins(await as('cashier'))).toBe(TILL);
  });

  test('is Today for everybody else', async () => {
    await newTill();
    for (const role of roles.filter((one) => one !== 'cashier'))
      expect([role, await begins(await as(role))]).toEqual([role, '/dashboard/today']);
  });

  test('is the till also for an owner on a shared phone, who is a cashier there', async () => {
    const owner = await as('owner');
    await newTill();
    const phone = await addPhone(world, owner);
    const signedIn = await phone.setPin(owner, await codeFor(world, owner, owner), '804917');
    expect(signedIn.headers.location).toBe(SIGN_IN);
    expect((await phone.visit(signInArea, SIGN_IN)).headers.location).toBe(TILL);
  });

  test('is not in the way of the page that somebody wanted', async () => {
    await newTill();
    const query = { next: '/dashboard/charges?status=success' };
    const answer = await world.visit(SIGN_IN, { by: await as('cashier'), query });
    expect(answer.headers.location).toBe('/dashboard/charges?status=success');
  });
});
