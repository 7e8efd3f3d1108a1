import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { manifest } from '../../../functions/manifest.ts';
import { Amount } from '../../../shared/ghana/amount-schema.ts';
import { recordAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { FRESH_SECONDS } from '../../../shared/merchants/user/session.ts';
import { area } from '../../../shared/pages/dashboard/area.ts';
import { openPage, page, personPage } from '../../../shared/pages/dashboard/page.ts';
import { field, form } from '../../../shared/pages/dashboard/parts/form.ts';
import { PublicError } from '../../../shared/runtime/values/errors.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { visit } from '../../support/dashboard.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const PATH = manifest['dashboard/today'].path;
const NewThing = z.strictObject({ amount: Amount, note: z.optional(z.string()) });
let done: string[];
let world: Scene;
let merchant: Merchant;
let owner: Person;

const handler = area(manifest['dashboard/today'], [
  page({
    path: '/',
    needs: 'charges:read',
    refreshSeconds: 5,
    show: async (visit) => ({
      title: 'Things',
      main: html`${form(visit, { path: '/', submit: 'Add' }, [field('amount', 'Amount'), field('note', 'Note')])}`,
    }),
  }),
  page({
    path: '/',
    needs: 'charges:write',
    form: NewThing,
    act: async ({ form: { amount, note = 'nothing' }, commit }) => {
      if (amount === 1_00) throw new PublicError('busy', 'Somebody else did that.');
      const going = await commit([], { goTo: `${PATH}/${amount}`, notice: `Added <b>${note}</b>` });
      done.push(`${amount} ${note}`);
      return going;
    },
  }),
  page({
    path: '/{id}',
    needs: 'charges:read',
    show: async ({ path }) => ({ title: `Thing ${path.id}`, main: html`<p>Here.</p>` }),
    version: async () => 'v1',
  }),
  page({
    path: '/{id}/secret',
    shownOn: '/{id}',
    needs: 'keys:write',
    needsFresh: true,
    act: async ({ path }) => ({ goTo: `${PATH}/${path.id}` }),
  }),
  page({
    path: '/{id}/use',
    shownOn: '/{id}',
    needs: 'charges:write',
    act: async ({ path, merchant: { merchant_id }, committing }, outside) => {
      const going = { goTo: `${PATH}/${path.id}` };
      const { table } = committing(going, { action: 'thing use', about: path.id });
      for (const action of ['first', 'second'])
        await table.write([recordAudit(outside, { merchant_id, by: 'a use case', action })]);
      done.push(path.id);
      return going;
    },
  }),
  personPage({
    path: '/broken/page',
    needs: 'session',
    show: async () => {
      throw new Error('what nobody expected');
    },
  }),
  openPage({ path: '/open/page', show: async () => ({ title: 'Open', main: html`<p>Open.</p>` }) }),
]);

beforeEach(async () => {
  done = [];
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant();
  owner = await merchant.signIn('owner');
});

describe('dashboard forms', () => {
  test('show a one-time notice after a successful redirect', async () => {
    const sent = await visit(world, handler, PATH, { by: owner, form: { amount: '36' } });
    expect({ status: sent.status, location: sent.headers.location }).toEqual({ status: 303, location: `${PATH}/3600` });
    const [notice = ''] = sent.cookies;
    expect(notice).toMatch(/^__Host-notice=.*; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/);
    const cookies = [notice.split(';')[0] ?? ''];
    const next = await visit(world, handler, `${PATH}/3600`, { by: owner, cookies });
    expect(next.text).toContain('Added &lt;b&gt;nothing&lt;/b&gt;');
    expect(next.cookies[0]).toMatch(/^__Host-notice=; .*Max-Age=0/);
  });

  test('show field errors and keep the entered values', async () => {
    const form = { amount: 'much', note: '"><script>alert(1)</script>' };
    const { status, text } = await visit(world, handler, PATH, { by: owner, form });
    expect(status).toBe(400);
    expectWords(text, ['value="much"', 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"']);
    expect(text).toMatch(/id="amount-error">Amount must be from 0.01/);
    expect(done).toEqual([]);
  });

  test('show an error above the fields if it does not concern a single field', async () => {
    const answer = await visit(world, handler, PATH, { by: owner, form: { amount: '1' } });
    expectAnswer(answer, 503, 'role="alert">Somebody else did that.');
  });

  test('are not auto-refreshed after a rejection', async () => {
    expect((await visit(world, handler, PATH, { by: owner })).text).toContain('data-refresh="5"');
    const { text } = await visit(world, handler, PATH, { by: owner, form: { amount: 'much' } });
    expect(text).not.toContain('data-refresh');
  });

  test('reject unknown fields', async () => {
    const answer = await visit(world, handler, PATH, { by: owner, form: { amount: '36', owner: 'me' } });
    expectAnswer(answer, 400, 'owner: is not a field of this request');
    expect(done).toEqual([]);
  });

  test('take effect once if submitted twice', async () => {
    const sent = { amount: '36', once: 'one-page' };
    const first = await visit(world, handler, PATH, { by: owner, form: sent });
    const second = await visit(world, handler, PATH, { by: owner, form: sent });
    expect({ first: first.headers.location, second: second.headers.location }).toEqual({
      first: `${PATH}/3600`,
      second: `${PATH}/3600`,
    });
    expect(done).toEqual(['3600 nothing']);
    await visit(world, handler, PATH, { by: owner, form: { ...sent, amount: '37' } });
    expect(done).toEqual(['3600 nothing', '3700 nothing']);
  });

  test('write one audit entry for an action with two writes', async () => {
    const use = () => visit(world, handler, `${PATH}/36/use`, { by: owner, form: { once: 'one-page' } });
    const [first, second] = [await use(), await use()];
    expect({ first: first.headers.location, second: second.headers.location }).toEqual({
      first: `${PATH}/36`,
      second: `${PATH}/36`,
    });
    expect(done).toEqual(['36']);
    const found = await merchant.audit(/^(thing use|first|second)$/);
    expect(found.map(({ by, action }) => `${action} by ${by}`).toSorted()).toEqual([
      'first by a use case',
      'second by a use case',
      `thing use by ${owner.user.user_id}`,
    ]);
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://pay.example.com' }, 403],
    [{ origin: 'https://evil.example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{}, 403],
    [{ origin: 'https://pay.example.com' }, 303],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
  ])('sent with headers %j return %i', async (headers, expected) => {
    const { status } = await visit(world, handler, PATH, { by: owner, form: { amount: '36' }, headers });
    expect({ status, done: done.length }).toEqual({ status: expected, done: expected === 303 ? 1 : 0 });
  });

  test('reject JSON bodies', async () => {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const { status, text } = await visit(world, handler, PATH, { by: owner, form: { amount: '36' }, headers });
    expect({ status, isPage: text.startsWith('<!doctype html>') }).toEqual({ status: 415, isPage: true });
  });
});

describe('actions that require a recent passkey sign-in', () => {
  test('ask for the passkey again after five minutes', async () => {
    const ask = () => visit(world, handler, `${PATH}/7/secret`, { by: owner, form: {} });
    expect((await ask()).headers.location).toBe(`${PATH}/7`);
    world.clock.nowMs += FRESH_SECONDS * 1000;
    expect((await ask()).headers.location).toBe(
      `/dashboard/sign-in/confirm?next=${encodeURIComponent(`${PATH}/7`)}&unsent=1`,
    );
    const { text } = await owner.visit('/dashboard/sign-in/confirm', { query: { unsent: '1' } });
    expect(text).toContain('Nothing has been done yet.');
  });
});

describe('sessions', () => {
  test('expire after twelve hours', async () => {
    world.clock.nowMs += 12 * 60 * 60 * 1000 - 5_000;
    expect((await visit(world, handler, PATH, { by: owner })).status).toBe(200);
    world.clock.nowMs += 5_000;
    expect((await visit(world, handler, PATH, { by: owner })).status).toBe(303);
  });

  test('show a notice if a form is submitted after they expire', async () => {
    world.clock.nowMs += 12 * 60 * 60 * 1000;
    const [shown, sent] = [{}, { form: { amount: '36' } }].map(async (request) => {
      const { headers } = await visit(world, handler, PATH, { by: owner, ...request });
      const { pathname, searchParams } = new URL(headers.location ?? '', world.outside.baseUrl);
      return (await world.visit(pathname, { query: Object.fromEntries(searchParams) })).text;
    });
    expect(await sent).toContain('You were signed out, so nothing was done.');
    expect(await shown).not.toContain('nothing was done');
    expect(done).toEqual([]);
  });

  test('log the user id but not the token', async () => {
    await visit(world, handler, PATH, { by: owner });
    world.requests.length = 0;
    world.noted.length = 0;
    await visit(world, handler, PATH, { by: owner });
    expect(world.requests).toEqual(['BatchGetItem', 'Query', 'Query']);
    expect(world.noted).toMatchObject([{ fields: { route: `GET ${PATH}`, user_id: owner.user.user_id, status: 200 } }]);
    expect(JSON.stringify(world.noted)).not.toContain(owner.token.split('.')[1]);
  });

  test('are rate limited', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) {
      world.clock.nowMs -= 200;
      statuses.push((await visit(world, handler, PATH, { by: owner })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });
});

test('an unchanged page returns 304', async () => {
  expect((await visit(world, handler, `${PATH}/7`, { by: owner })).text).toContain('data-version="v1"');
  const headers = { 'if-none-match': '"v1"' };
  const again = await visit(world, handler, `${PATH}/7`, { by: owner, headers });
  expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
});

test.each([`${PATH}/a/b/c/d`, `${PATH}/${'x'.repeat(300)}`, `${PATH}/\ud800`])(
  'an unknown path returns 404: %s',
  async (path) => {
    expectAnswer(await visit(world, handler, path, { by: owner }), 404, 'Page not found');
  },
);

test('a GET request to an action URL redirects to its form', async () => {
  const { status, headers } = await visit(world, handler, `${PATH}/7/secret`, { by: owner });
  expect({ status, location: headers.location }).toEqual({ status: 303, location: `${PATH}/7` });
});

test('a GET request to an action URL without a form returns 405', async () => {
  const { status, headers } = await owner.visit('/dashboard/sign-in/challenge');
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
});

test('an unexpected error shows only the request id', async () => {
  const { status, text } = await visit(world, handler, `${PATH}/broken/page`, { by: owner });
  expect(status).toBe(500);
  expect(text).toMatch(/tell support this request ID: [\w-]{36}/);
  expect(text).not.toContain('what nobody expected');
  expect(world.logged.splice(0)).toMatchObject([{ event: 'unexpected_error' }]);
});

test('a HEAD request returns the status of a GET request, without a body', async () => {
  const { status, text } = await visit(world, handler, PATH, { by: owner, method: 'HEAD' });
  expect({ status, text }).toEqual({ status: 200, text: '' });
});

describe('page stylesheets and scripts', () => {
  const LINK = /<link rel="stylesheet" href="\/dashboard\/sign-in\/asset\/[\w-]+\/dashboard\.css">/;

  function stylePolicy({ headers }: Pick<Awaited<ReturnType<typeof visit>>, 'headers'>): string | undefined {
    return /style-src ([^;]+);/.exec(headers['content-security-policy'] ?? '')?.[1];
  }

  test('are inlined and allowed by hash on signed-out pages', async () => {
    const answer = await world.visit('/dashboard/sign-in');
    const [, head = '', style = '', rest = ''] = /^(.*)<style>(.*)<\/style>(.*)$/s.exec(answer.text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(stylePolicy(answer)).toBe(`'self' 'sha256-${hash}'`);
    expect({ headHasLink: LINK.test(head), end: rest.slice(rest.indexOf('</main>')) }).toEqual({
      headHasLink: false,
      end: expect.stringMatching(LINK),
    });
  });

  test('are linked, never inlined, on signed-in pages', async () => {
    const answer = await owner.visit('/dashboard/today');
    expect({ policy: stylePolicy(answer), hasStyle: answer.text.includes('<style') }).toEqual({
      policy: "'self'",
      hasStyle: false,
    });
    expect(answer.text.slice(0, answer.text.indexOf('<body'))).toMatch(LINK);
  });

  test('are served without a session lookup or a rate limit', async () => {
    const { text } = await owner.visit('/dashboard/today');
    const paths = [...text.matchAll(/"(\/dashboard\/sign-in\/asset\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(2);
    world.requests.length = 0;
    for (let n = 0; n < 20; n++) {
      for (const path of paths) {
        // Each visit advances the clock by 200 ms.
        world.clock.nowMs -= 200;
        expect((await owner.visit(path)).status).toBe(200);
      }
    }
    expect(world.requests).toEqual([]);
  });
});
