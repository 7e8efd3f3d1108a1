import { describe, expect, test } from 'vitest';
import { visitPath } from '../../support/dashboard.ts';
import { scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });
const shop = await world.createMerchant();
const owner = await shop.signIn('owner');

/** Addresses of pages that moved, and their addresses now. */
const MOVED = [
  ['/dashboard/many/contacts', '/dashboard/customers?list=contacts'],
  ['/dashboard/many/contacts/', '/dashboard/customers?list=contacts'],
  ['/dashboard/many/contacts?number=0241234567', '/dashboard/customers?list=contacts&number=0241234567'],
  ['/dashboard/many/contacts/add', '/dashboard/customers/add'],
  ['/dashboard/many/contacts/add/list', '/dashboard/customers/add/list'],
  ['/dashboard/many/contacts/233241234567', '/dashboard/customers/233241234567'],
  ['/dashboard/records/customers', '/dashboard/customers?list=paid'],
  ['/dashboard/texts/opt-outs', '/dashboard/customers?list=stopped'],
  ['/dashboard/texts/opt-outs/file.csv', '/dashboard/customers/stopped.csv'],
] as const;

describe('an address that moved', () => {
  test.each(MOVED)('%s redirects to %s', async (from, to) => {
    const { status, headers } = await visitPath(world, from, { by: owner });
    expect([status, headers.location]).toEqual([303, to]);
    // A browser must not keep it: an update may be taken back.
    expect(headers['cache-control']).toBe('no-store');
  });

  test('keeps foreign characters out of the new one', async () => {
    const { headers } = await visitPath(world, '/dashboard/many/contacts/a\r\nset-cookie: b', { by: owner });
    expect(headers.location).toBe('/dashboard/customers/a%0D%0Aset-cookie%3A%20b');
  });

  test('redirects a form to its page and does nothing', async () => {
    const form = { number: '0241234567' };
    const { status, headers } = await visitPath(world, '/dashboard/many/contacts/add', { by: owner, form });
    expect([status, headers.location]).toEqual([303, '/dashboard/customers/add']);
    expect(await world.rows('CONTACT')).toEqual([]);
  });
});
