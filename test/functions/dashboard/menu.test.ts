import { beforeEach, describe, expect, test } from 'vitest';
import { type Role, roles } from '../../../shared/merchants/user/permissions.ts';
import { receiptRows, replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import type { HeldReason } from '../../../shared/money/receipt/receipt.ts';
import { addTill, beginShift } from '../../../shared/money/till/shift.ts';
import { type MenuItem, menuOf } from '../../../shared/pages/dashboard/menu.ts';
import { receiptAddress } from '../../../shared/pages/dashboard/parts/addresses.ts';
import { meter } from '../../bench/meter.ts';
import { allPages } from '../../support/dashboard.ts';
import { mtn } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { addPhone, codeFor } from '../../support/shared-phone.ts';

const SIGN_IN = '/dashboard/sign-in';
const TILL = '/dashboard/till';

let world: Scene;
let shop: Shop;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

function as(role: Role): Promise<Person> {
  return role === 'operator' ? world.operatorAt(shop.id) : shop.signIn(role);
}

async function open(path: string, by: Person): Promise<string> {
  return (await by.visit(path)).text;
}

/** Returns the entry names in the menu or in the phone's bar. */
function namesIn(text: string, nav: 'menu' | 'bar'): string[] {
  return [...navigationIn(text, nav).matchAll(/<a href="\/[^>]*>.*?<span>([^<]*)/g)].map(([, name = '']) => name);
}

const LABELS = { menu: 'All pages', bar: 'Main pages' } as const;

/** Returns the HTML of the navigation with this label. */
function navigationIn(text: string, nav: keyof typeof LABELS): string {
  return new RegExp(`<nav [^>]*aria-label="${LABELS[nav]}">(.*?)</nav>`, 's').exec(text)?.[1] ?? '';
}

/** Returns each row of tabs with the current tab in brackets. */
function tabsIn(text: string): string[] {
  return [...text.matchAll(/<nav class="tabs of-menu"[^>]*>(.*?)<\/nav>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<a href="[^"]*"( aria-current="page")?>([^<]*)/g)]
      .map(([, isCurrent, name]) => (isCurrent ? `[${name}]` : name))
      .join(' '),
  );
}

function allPlaces(places: readonly MenuItem[]): MenuItem[] {
  return places.flatMap((place) => [place, ...allPlaces(place.pages ?? [])]);
}

async function newTill(): Promise<string> {
  const { till, writes } = await addTill(world.outside, shop.id, 'Counter 1');
  await world.outside.table.write(writes);
  return till.till_id;
}

describe('the menu', () => {
  test('requires the same permission for an entry as for its page', async () => {
    const menu = menuOf({ user: { role: 'operator' }, merchant: {}, session: {} });
    const places = menu.flatMap((entry) => allPlaces(entry.places));
    expect(places.length).toBeGreaterThan(30);
    const needed = new Map((await allPages()).map(({ name, page }) => [name, page.needs]));
    expect(places.map(({ path, needs }) => [path, needs])).toEqual(
      places.map(({ path }) => [path, needed.get(`GET ${path}`)]),
    );
  });

  test('has eight entries for an owner', async () => {
    const text = await open('/dashboard/texts', await as('owner'));
    expect(namesIn(text, 'menu')).toEqual([
      ...['Today', 'Sell', 'Payments', 'Texts', 'Customers', 'Wallets', 'Reports', 'Settings'],
    ]);
    expect(tabsIn(text)).toEqual(['[Sent] Replies Credits Senders']);
  });

  test.each(roles)('links only to pages that the role may open: %s', async (role) => {
    const by = await as(role);
    const text = await open('/dashboard/charges', by);
    const menu = navigationIn(text, 'menu');
    for (const [, path = ''] of menu.matchAll(/<a href="(\/[^"]*)"/g)) {
      const shown = await by.visit(path);
      expect({ path, status: shown.status }).toEqual({ path, status: 200 });
      for (const [, tab = ''] of shown.text.matchAll(/<nav class="tabs of-menu"[^>]*>(.*?)<\/nav>/gs))
        for (const [, to = ''] of tab.matchAll(/href="([^"]*)"/g))
          expect({ to, status: (await by.visit(to)).status }).toEqual({ to, status: 200 });
    }
  });

  test('has fewer entries for roles with fewer permissions', async () => {
    const names = async (role: Role) => namesIn(await open('/dashboard/charges', await as(role)), 'menu').join(' ');
    expect(await names('cashier')).toBe('Today Sell Payments Texts Customers Settings');
    expect(await names('viewer')).toBe('Today Sell Payments Texts Customers Wallets Reports Settings');
    expect(await names('developer')).toBe('Today Sell Payments Texts Customers Wallets Settings');
    expect(await names('operator')).toBe(
      'Today Sell Payments Texts Customers Wallets Reports Settings Phones Merchants Repair',
    );
  });

  test('shows only the operator’s entries while no shop is open', async () => {
    const text = await open('/dashboard/operator-repair/audit', await world.signIn('operator'));
    expect(namesIn(text, 'menu')).toEqual(['Phones', 'Merchants', 'Repair', 'Settings']);
    expect(tabsIn(text)).toEqual(['Dead letters Doctor [Audit]']);
  });

  test('has no tabs for pages that Settings lists', async () => {
    const by = await as('owner');
    const { text } = await by.visit('/dashboard/settings');
    for (const name of ['Team', 'Shared phones', 'Notifications', 'Your account', 'Audit', 'Developers'])
      expect(text).toContain(`<b>${name}</b>`);
    expect(tabsIn(text)).toEqual([]);
    expect(tabsIn(await open('/dashboard/developers/events', by))).toEqual(['Keys Webhooks [Events] Requests']);
  });

  test('has tabs for people who cannot open Settings', async () => {
    expect(tabsIn(await open('/dashboard/app', await world.signIn('operator')))).toEqual([
      '[Notifications] Your account',
    ]);
  });

  test('marks the current entry on a page without tabs', async () => {
    const by = await as('owner');
    const receipt = receiptAddress(await shop.charge({ amount: 36 }));
    for (const [path, entry] of [
      ['/dashboard/charges/new', 'Payments'],
      [receipt, 'Payments'],
      ['/dashboard/many', 'Texts'],
      ['/dashboard/customers/add', 'Customers'],
      ['/dashboard/texts/send', 'Texts'],
    ] as const) {
      const text = await open(path, by);
      const menu = navigationIn(text, 'menu');
      const current = [...menu.matchAll(/aria-current="page">.*?<span>([^<]*)/g)].map(([, name]) => name);
      expect({ path, current, tabs: tabsIn(text) }).toEqual({ path, current: [entry], tabs: [] });
    }
  });

  test('hides account pages on a shared phone', async () => {
    const [owner, cashier] = [await as('owner'), await as('cashier')];
    const phone = await addPhone(world, owner);
    await phone.setPin(cashier, await codeFor(world, owner, cashier), '804917');
    const { text } = await phone.visit('/dashboard/charges');
    expect(namesIn(text, 'menu')).toEqual(['Today', 'Sell', 'Payments', 'Texts', 'Customers']);
  });
});

describe('the back link', () => {
  const backIn = (text: string) => {
    const [, href, name] = /<p class="up"><a href="([^"]*)">.*?<\/span>([^<]*)<\/a>/.exec(text) ?? [];
    return name && `${name}: ${href}`;
  };

  test.each([
    ['/dashboard/charges', undefined],
    ['/dashboard/charges/new', 'Bills: /dashboard/charges'],
    ['/dashboard/settings/contact', 'Settings: /dashboard/settings'],
    ['/dashboard/settings/team', 'Settings: /dashboard/settings'],
    ['/dashboard/settings/team/invite', 'Team: /dashboard/settings/team'],
    ['/dashboard/developers/webhooks', 'Settings: /dashboard/settings'],
    ['/dashboard/developers/webhooks/live', 'Webhooks: /dashboard/developers/webhooks'],
  ])('on %s leads to %s', async (path, back) => {
    expect(backIn(await open(path, await as('owner')))).toBe(back);
  });

  test('keeps the filters of the list that linked here', async () => {
    const by = await as('owner');
    const reference = await shop.charge({ amount: 36 });
    const from = async (referer: string) =>
      backIn((await by.visit(`/dashboard/charges/${reference}`, { headers: { referer } })).text);
    expect(await from('https://example.com/dashboard/charges?status=paid')).toBe(
      'Bills: /dashboard/charges?status=paid',
    );
    for (const other of ['https://example.com/dashboard/texts?status=failed', 'nowhere', ''])
      expect(await from(other)).toBe('Bills: /dashboard/charges');
  });
});

describe('the till in the menu', () => {
  test('is in the bottom bar for roles that may use a till', async () => {
    const [owner, viewer] = [await as('owner'), await as('viewer')];
    const bar = async (by: Person) => namesIn(await open('/dashboard/charges', by), 'bar').join(' ');
    expect(await bar(owner)).toBe('Today Payments Texts Customers');
    const till = await newTill();
    expect({ owner: await bar(owner), viewer: await bar(viewer) }).toEqual({
      owner: 'Today Sell Payments Texts',
      viewer: 'Today Payments Texts Customers',
    });
    await owner.visit(`${TILL}/${till}/remove`, { form: {} });
    world.clock.nowMs += 61_000;
    expect(await bar(owner)).toBe('Today Payments Texts Customers');
  });

  test('is in the bottom bar on error pages', async () => {
    await newTill();
    const by = await as('cashier');
    for (const [path, status] of [
      ['/dashboard/settings/team/invite', 403],
      ['/dashboard/charges/tx_none', 404],
    ] as const) {
      const shown = await by.visit(path);
      expect({ status: shown.status, firstNames: namesIn(shown.text, 'bar').slice(0, 2) }).toEqual({
        status,
        firstNames: ['Today', 'Sell'],
      });
    }
  });

  test('is marked as current on its own pages', async () => {
    await newTill();
    const by = await as('owner');
    const isMarked = async (path: string) => {
      const bar = navigationIn(await open(path, by), 'bar');
      return bar.includes(`href="${TILL}" aria-current="page"`);
    };
    const paths = [TILL, '/dashboard/links', '/dashboard/requests', '/dashboard/charges'];
    expect(await Promise.all(paths.map(isMarked))).toEqual([true, true, true, false]);
  });
});

describe('the start page', () => {
  const begins = async (by: Person) => (await by.visit(SIGN_IN)).headers.location;

  test('is the till for a cashier', async () => {
    const cashier = await as('cashier');
    expect(await begins(cashier)).toBe('/dashboard/today');
    const till = await newTill();
    expect(await begins(cashier)).toBe(TILL);
    await world.outside.table.write(
      await beginShift(world.outside, shop.id, till, { by: cashier.user.user_id, insteadOf: undefined }),
    );
    expect(await begins(cashier)).toBe(`${TILL}/${till}`);
    expect(await begins(await as('cashier'))).toBe(TILL);
  });

  test('is the Today page for all other roles', async () => {
    await newTill();
    for (const role of roles.filter((one) => one !== 'cashier'))
      expect({ role, begins: await begins(await as(role)) }).toEqual({ role, begins: '/dashboard/today' });
  });

  test('is the till for an owner on a shared phone', async () => {
    const owner = await as('owner');
    await newTill();
    const phone = await addPhone(world, owner);
    const signedIn = await phone.setPin(owner, await codeFor(world, owner, owner), '804917');
    expect(signedIn.headers.location).toBe(SIGN_IN);
    expect((await phone.visit(SIGN_IN)).headers.location).toBe(TILL);
  });

  test('is skipped if a different page was requested before sign-in', async () => {
    await newTill();
    const query = { next: '/dashboard/charges?status=success' };
    const answer = await world.visit(SIGN_IN, { by: await as('cashier'), query });
    expect(answer.headers.location).toBe('/dashboard/charges?status=success');
  });
});

describe('the held-payment count in the menu', () => {
  let owner: Person;
  beforeEach(async () => {
    owner = await as('owner');
  });

  /** Returns each count twice: from the bar and from the menu. */
  async function counts(by = owner, path = '/dashboard/texts') {
    return [...(await open(path, by)).matchAll(/data-count>(?:(\d+\+?)<)?/g)].map(([, count]) => count ?? '');
  }

  async function hold(count = 1): Promise<string[]> {
    const held = Array.from({ length: count }, () => mtn({ amount: '12.00', reference: 'shoes' }));
    for (const receipt of held) await shop.pay(receipt);
    return held.map((receipt) => shop.paymentId(receipt));
  }

  async function change(receiptId: string, reason: HeldReason | undefined, setAside = false): Promise<void> {
    const before = await receiptRows.find(world.outside, { receipt_id: receiptId });
    if (!before) throw new Error('The payment was stored');
    const set_aside = setAside ? { by: owner.user.user_id, at: world.iso() } : undefined;
    await world.outside.table.write([replaceReceipt(before, { ...before, reason, set_aside })]);
  }

  test('is hidden at zero and capped at 9+', async () => {
    for (const path of ['/dashboard/texts', '/dashboard/charges/new'])
      expect(await counts(owner, path)).toEqual(['', '']);
    await hold(2);
    for (const path of ['/dashboard/texts', '/dashboard/charges/new'])
      expect(await counts(owner, path)).toEqual(['2', '2']);
    await hold(7);
    expect(await counts()).toEqual(['9', '9']);
    await hold(3);
    expect(await counts()).toEqual(['9+', '9+']);
  });

  test('excludes payments that are being checked or set aside', async () => {
    const [checking = '', aside = ''] = await hold(3);
    await change(checking, 'checking');
    await change(aside, 'no_charge', true);
    expect(await counts()).toEqual(['1', '1']);
  });

  test('covers only the open shop and mode', async () => {
    await hold();
    expect(await counts(await world.signIn('owner', (await world.createShop()).id))).toEqual(['', '']);
    await owner.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
    expect(await counts()).toEqual(['', '']);
  });

  test('is hidden from roles that cannot see held payments', async () => {
    await hold();
    for (const role of ['manager', 'cashier', 'viewer'] as const)
      expect(await counts(await shop.signIn(role))).toEqual(['1', '1']);
    world.requests.length = 0;
    expect(await counts(await shop.signIn('developer'))).toEqual([]);
    expect(await counts(await world.signIn('operator'), '/dashboard/sign-in/account')).toEqual([]);
  });

  test('costs half a read unit plus one per recent payment', async () => {
    const look = (by: Person) => async () => void (await counts(by, '/dashboard/sign-in/account'));
    const costFor = async (by: Person) => {
      // Fills the caches, so that only recurring costs are measured.
      await look(by)();
      return (await meter(world, look(by))).readUnits;
    };
    const [sees, seesNot] = [await shop.signIn('viewer'), await shop.signIn('developer')];
    const without = await costFor(seesNot);
    expect(await costFor(sees)).toBe(without + 0.5);
    await hold(3);
    expect(await costFor(sees)).toBe(without + 3.5);
    world.clock.nowMs += 10 * 60_000;
    expect(await costFor(sees)).toBe(without + 0.5);
    await hold(20);
    expect(await costFor(sees)).toBe(without + 0.5);
  });
});
