import { describe, expect, test } from 'vitest';
import { may, permissions, type Role, roles } from '../../../shared/merchants/user/permissions.ts';
import { expectAnswer } from '../../support/answers.ts';
import { allPages, areas, visit } from '../../support/dashboard.ts';
import { type Person, scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });
const merchant = await world.createMerchant({ credits: 100 });
const people = new Map<string, Person>();
for (const role of roles) people.set(role, await merchant.signIn(role));

/** Signs in separately, because some pages end the session. */
async function newSessionOf(role: Role): Promise<Person> {
  const person = people.get(role);
  if (!person) throw new Error(`There is a ${role}`);
  return world.signInAgain(person.user);
}

const pages = await allPages();

/** Returns the page's URL with nonexistent ids. */
function addressOf({ pattern }: (typeof pages)[number]): string {
  return pattern.replace(/\{\w+\}/g, 'unknown');
}

test('the dashboard has at most eighteen areas', () => {
  expect(areas().length).toBeLessThanOrEqual(18);
  expect(pages.length).toBeGreaterThan(areas().length);
});

describe.each(pages)('$name', (one) => {
  const { page, handler } = one;
  const isOpen = page.needs === 'nothing';
  const open = (by?: Person, more = {}) =>
    visit(world, handler, addressOf(one), { ...(page.method === 'POST' && { form: {} }), by, ...more });

  test('is the only route with its method and path', () => {
    expect(handler.pages.filter(({ method, path }) => method === page.method && path === page.path)).toHaveLength(1);
  });

  test('has a page that shows its rejected form', () => {
    if (page.method === 'POST' && page.fields)
      expect(handler.pages.map(({ method, path }) => `${method} ${path}`)).toContain(
        `GET ${page.shownOn ?? page.path}`,
      );
  });

  if (!isOpen) {
    test('redirects signed-out visitors without a table read', async () => {
      world.requests.length = 0;
      const answer = await open();
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toMatch(/^\/dashboard\/sign-in\?next=%2Fdashboard%2F/);
      expect(world.requests).toEqual([]);
    });

    test.each([
      ['a malformed token', 'nonsense'],
      ['an unknown token', `01KATYQ6Z5C5J8YB4SFH1N3XQ2.${'A'.repeat(43)}`],
    ])('redirects a request with %s to sign-in', async (_, token) => {
      const owner = await newSessionOf('owner');
      expect((await open({ ...owner, token })).status).toBe(303);
    });
  }

  if (page.needs !== 'nothing' && page.needs !== 'session') {
    test.each(roles)('returns 403 if the role lacks the permission: %s', async (role) => {
      const person = await newSessionOf(role);
      if (page.needs === 'nothing' || page.needs === 'session') return;
      const { status, text } = await open(person);
      const isRefused = !may(person.user, page.needs);
      // Operators without an open merchant are redirected or asked to open one.
      if (page.ofMerchant && !person.user.merchant_id && !isRefused) return expect([303, 403]).toContain(status);
      expect(status === 403).toBe(isRefused);
      if (isRefused) expect(text).toMatch(/not part of your role|Which merchant\?/);
    });
  }

  test('forbids framing, caching and third-party content', async () => {
    const { headers, status } = await open(await newSessionOf('owner'));
    if (status === 303 || !headers['content-type']?.startsWith('text/html')) return;
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
  });

  if (page.method === 'POST') {
    test.each([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
      ['a URL typed into the browser', { 'sec-fetch-site': 'none' }],
    ])('rejects a form from %s', async (_, headers) => {
      const owner = await newSessionOf('owner');
      expectAnswer(await open(owner, { headers }), 403, 'was not sent from this dashboard');
    });

    test('rejects a form with unknown fields', async () => {
      const { status } = await open(await newSessionOf('owner'), { form: { surprise: '1' } });
      expect([303, 400, 403, 404]).toContain(status);
    });
  }
});

test('roles with access to events may open the linked texts and charges', () => {
  for (const role of roles)
    for (const sees of ['charges:read', 'texts:read', 'webhooks:read'] as const)
      if (may({ role }, sees)) expect(may({ role }, 'charges:read') && may({ role }, 'texts:read')).toBe(true);
});

test('only the listed permissions are reserved for owners', () => {
  const ownersAlone = permissions.filter(
    (permission) => !roles.some((role) => !['owner', 'operator'].includes(role) && may({ role }, permission)),
  );
  expect(ownersAlone).toEqual(['balances:read', 'settings:approve', 'team:write', 'proof:confirm', 'operator']);
});
