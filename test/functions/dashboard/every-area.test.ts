import { describe, expect, test } from 'vitest';
import { may, permissions, type Role, roles } from '../../../shared/merchants/user/permissions.ts';
import { expectAnswer } from '../../support/answers.ts';
import { checkEach } from '../../support/check-each.ts';
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
type Page = (typeof pages)[number];

function open(one: Page, by?: Person, more = {}) {
  const form = one.page.method === 'POST' && { form: {} };
  return visit(world, one.handler, addressOf(one), { ...form, by, ...more });
}

/** Returns the page's URL with nonexistent ids. */
function addressOf({ pattern }: Page): string {
  return pattern.replace(/\{\w+\}/g, 'unknown');
}

test('the dashboard has at most eighteen areas', () => {
  expect(areas().length).toBeLessThanOrEqual(18);
  expect(pages.length).toBeGreaterThan(areas().length);
});

describe('a page', () => {
  const everyPage = (check: (page: Page) => unknown) => checkEach(pages, check);

  test('is the only route with its method and path', () =>
    everyPage(({ page, handler }) => {
      expect(handler.pages.filter(({ method, path }) => method === page.method && path === page.path)).toHaveLength(1);
    }));

  test('redirects signed-out visitors without a table read unless anyone may open it', () => {
    const closed = pages.filter(({ page }) => page.needs !== 'nothing');
    return checkEach(closed, async (page) => {
      world.requests.length = 0;
      const answer = await open(page);
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toMatch(/^\/dashboard\/sign-in\?next=%2Fdashboard%2F/);
      expect(world.requests).toEqual([]);
    });
  });

  test.each([
    ['a malformed token', 'nonsense'],
    ['an unknown token', `01KATYQ6Z5C5J8YB4SFH1N3XQ2.${'A'.repeat(43)}`],
  ])('redirects a request with %s to sign-in', async (_, token) => {
    const owner = await newSessionOf('owner');
    const closed = pages.filter(({ page }) => page.needs !== 'nothing');
    await checkEach(closed, async (page) => {
      expect((await open(page, { ...owner, token })).status).toBe(303);
    });
  });

  test.each(roles)('returns 403 if the role lacks the permission: %s', (role) =>
    everyPage(async (one) => {
      const { needs, ofMerchant } = one.page;
      if (needs === 'nothing' || needs === 'session') return;
      const person = await newSessionOf(role);
      const { status, text } = await open(one, person);
      const isRefused = !may(person.user, needs);
      // Operators without an open merchant are redirected or asked to open one.
      if (ofMerchant && !person.user.merchant_id && !isRefused) return expect([303, 403]).toContain(status);
      expect(status === 403).toBe(isRefused);
      if (isRefused) expect(text).toMatch(/not part of your role|Which merchant\?/);
    }),
  );

  test('forbids framing, caching and third-party content', () =>
    everyPage(async (page) => {
      const { headers, status } = await open(page, await newSessionOf('owner'));
      if (status === 303 || !headers['content-type']?.startsWith('text/html')) return;
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
    }));
});

describe('a form', () => {
  const forms = pages.filter(({ page }) => page.method === 'POST');

  test('has a page that shows it if it is rejected', () => {
    const withFields = forms.filter(({ page }) => page.form);
    return checkEach(withFields, ({ page, handler }) => {
      const addresses = handler.pages.map(({ method, path }) => `${method} ${path}`);
      expect(addresses).toContain(`GET ${page.shownOn ?? page.path}`);
    });
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a URL typed into the browser', { 'sec-fetch-site': 'none' }],
  ])('is rejected if it comes from %s', (_, headers) =>
    checkEach(forms, async (page) => {
      const owner = await newSessionOf('owner');
      expectAnswer(await open(page, owner, { headers }), 403, 'was not sent from this dashboard');
    }),
  );

  test('is rejected with unknown fields', () =>
    checkEach(forms, async (page) => {
      const { status } = await open(page, await newSessionOf('owner'), { form: { surprise: '1' } });
      expect([303, 400, 403, 404]).toContain(status);
    }));
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
