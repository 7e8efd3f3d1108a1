import { describe, expect, test } from 'vitest';
import { matchRoute } from '../../../shared/runtime/http/match-route.ts';
import { allPages, areas, type PageCall, visitPath } from '../../support/dashboard.ts';
import { scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });
const shop = await world.createMerchant();
const owner = await shop.signIn('owner');
const pages = await allPages();

/** Old URLs and their replacements. */
const MOVED = [
  ['/dashboard/many/contacts', '/dashboard/customers?list=contacts'],
  ['/dashboard/many/contacts/', '/dashboard/customers?list=contacts'],
  ['/dashboard/many/contacts?number=0241234567', '/dashboard/customers?list=contacts&number=0241234567'],
  ['/dashboard/many/contacts/add', '/dashboard/customers/add'],
  ['/dashboard/many/contacts/add/list', '/dashboard/customers/add/list'],
  ['/dashboard/many/contacts/233241234567', '/dashboard/customers/233241234567'],
  ['/dashboard/charges/held', '/dashboard/held'],
  ['/dashboard/charges/held?list=unread', '/dashboard/held?list=unread'],
  [
    '/dashboard/charges/held/MTN-233241234567-1/give?reference=MK-1',
    '/dashboard/held/MTN-233241234567-1/give?reference=MK-1',
  ],
  ['/dashboard/records/customers', '/dashboard/customers?list=paid'],
  ['/dashboard/texts/opt-outs', '/dashboard/customers?list=stopped'],
  ['/dashboard/texts/opt-outs/file.csv', '/dashboard/customers/stopped.csv'],
  ['/dashboard/operator/phones', '/dashboard/operator-phones'],
  ['/dashboard/operator/phones/wallets/MTN/233241234567', '/dashboard/operator-phones/wallets/MTN/233241234567'],
  ['/dashboard/operator/merchants?search=ama', '/dashboard/operator-money?search=ama'],
  ['/dashboard/operator/merchants/01KATYQ6Z5/keys/1a2B', '/dashboard/operator-money/01KATYQ6Z5/keys/1a2B'],
  ['/dashboard/operator/repair/doctor', '/dashboard/operator-repair/doctor'],
] as const;

/** Routes a URL as API Gateway does: to its area or to the fallback function. */
async function open(address: string, more: PageCall = {}) {
  const [path = '', search] = address.split('?');
  const isInArea = areas().some(({ row }) => path.startsWith(`${row.path}/`));
  const query = Object.fromEntries(new URLSearchParams(search));
  const { status, headers } = isInArea
    ? await visitPath(world, address, { by: owner, ...more })
    : await world.call('not-found', { path, query, headers: { accept: 'text/html' } });
  return { status, headers: new Headers(headers) };
}

describe('an old URL', () => {
  test.each(MOVED)('redirects from %s to %s', async (from, to) => {
    const { status, headers } = await open(from);
    expect([status, headers.get('location')]).toEqual([303, to]);
    // Browsers must not cache the redirect, because an update may be rolled back.
    expect(headers.get('cache-control')).toBe('no-store');
    const [path = ''] = to.split('?');
    expect(pages.filter(({ pattern }) => matchRoute(pattern, path)).length).toBeGreaterThan(0);
  });

  test('has no page of its own', () => {
    const shown = MOVED.flatMap(([from]) => pages.filter(({ pattern }) => pattern === from.split('?')[0]));
    expect(shown).toEqual([]);
  });

  test('escapes special characters in the new URL', async () => {
    const { headers } = await open('/dashboard/many/contacts/a\r\nset-cookie: b');
    expect(headers.get('location')).toBe('/dashboard/customers/a%0D%0Aset-cookie%3A%20b');
  });

  test('redirects a submitted form without processing it', async () => {
    const { status, headers } = await open('/dashboard/many/contacts/add', { form: { number: '0241234567' } });
    expect([status, headers.get('location')]).toEqual([303, '/dashboard/customers/add']);
    expect(await world.rows('CONTACT')).toEqual([]);
  });
});

test.each(['/dashboard/operator/phonesx', '/dashboard/operator'])(
  'an unknown URL is not redirected: %s',
  async (path) => {
    const { headers } = await world.call('not-found', { path, headers: { accept: 'text/html' } });
    expect(headers.location).not.toMatch(/customers|operator-/);
  },
);
