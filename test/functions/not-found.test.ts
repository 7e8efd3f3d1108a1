import { describe, expect, test } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { expectFailure } from '../support/envelope.ts';
import { scene } from '../support/scene.ts';

const world = await scene();

test.each(['/', '/api/v1', '/api/v1/', '/api/v2/sms/send', '/api/v1/sms/send//', '/API/v1/sms/send', '/favicon.ico'])(
  '%s returns a 404 error envelope',
  async (path) => {
    const answer = await world.call('not-found', { path });
    expectFailure(answer, 404, 'not_found');
    expect(answer.json.message).toContain(path);
  },
);

test.each([
  ['POST', '/api/v1/transactions/initialize', 'POST /api/v1/transaction/initialize'],
  ['POST', '/transaction/initialize', 'POST /api/v1/transaction/initialize'],
  ['POST', '/api/v2/sms/send', 'POST /api/v1/sms/send'],
  ['GET', '/api/v1/transactions/verify/MK-4071932685', 'GET /api/v1/transaction/verify/{reference}'],
  ['PUT', '/api/v1/webhooks', 'PUT /api/v1/webhook'],
  ['GET', '/api/v1/webhooks', 'GET /api/v1/webhook'],
])('%s %s returns a 404 that suggests the right route', async (method, path, meant) => {
  const { json } = await world.call('not-found', { method, path });
  expect(json.message).toContain(`Did you mean ${meant}?`);
});

test.each(['/', '/favicon.ico', '/api/v1/orders', '/wp-login.php'])(
  '%s returns a 404 without a suggestion',
  async (path) => {
    expect((await world.call('not-found', { path })).json.message).not.toContain('Did you mean');
  },
);

test('a 404 response stays short for a path of any length', async () => {
  const { text } = await world.call('not-found', { path: `/${'x'.repeat(10_000)}` });
  expect(text.length).toBeLessThan(500);
});

test.each([
  ['POST', '/api/v1/sms/send/', '', '/api/v1/sms/send'],
  ['GET', '/api/v1/transaction/', 'per_page=5&status=success', '/api/v1/transaction?per_page=5&status=success'],
  ['HEAD', '/docs/', '', '/docs'],
  ['GET', '/c/a\r\nset-cookie: b/', '', '/c/a%0D%0Aset-cookie%3A%20b'],
  ['GET', '/c/\ud800/', '', '/c/%EF%BF%BD'],
])('%s %s redirects to the path without a trailing slash', async (method, path, query, location) => {
  const answer = await world.call('not-found', {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
  });
  expect(answer.status).toBe(308);
  expect(new Headers(answer.headers).get('location')).toBe(location);
});

test('no path redirects to a different host', async () => {
  for (const path of ['//shop.example.com/', '/\\shop.example.com/', '//api/v1/sms/send/']) {
    expectFailure(await world.call('not-found', { method: 'POST', path }), 404, 'not_found');
  }
});

test('a wrong method returns 405 with an Allow header', async () => {
  const answer = await world.call('not-found', { method: 'DELETE', path: '/api/v1/transaction/initialize' });
  expectFailure(answer, 405, 'method_not_allowed');
  expect(new Headers(answer.headers).get('allow')).toBe('POST');
});

test('every route returns 405 for any other method', async () => {
  for (const { path, method } of routes()) {
    const answer = await world.call('not-found', { method: 'PATCH', path });
    expectFailure(answer, 405, 'method_not_allowed');
    expect(new Headers(answer.headers).get('allow')?.split(', ')).toContain(method);
  }
});

test('the Allow header lists each method once', async () => {
  for (const { path } of routes()) {
    const { headers } = await world.call('not-found', { method: 'PATCH', path });
    const allowed = new Headers(headers).get('allow')?.split(', ') ?? [];
    expect({ path, allowed }).toEqual({ path, allowed: [...new Set(allowed)] });
  }
});

function routes() {
  return Object.values(manifest).flatMap((row) =>
    row.on === 'http' ? [{ method: row.method, path: row.path.replace(/\{\w+\}/g, 'x') }] : [],
  );
}

test.each(['/dashboard', '/dashboard/', '/dashboard/anything-wrong'])(
  'a browser is redirected from %s to sign-in',
  async (path) => {
    const { status, headers } = await world.call('not-found', { path, headers: { accept: 'text/html,*/*' } });
    expect({ status, location: headers.location }).toEqual({ status: 302, location: '/dashboard/sign-in' });
  },
);

describe('a browser', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test.each([
    ['an unknown URL', { path: '/nothing' }, 404, 'Page not found'],
    [
      'a wrong method',
      { path: '/api/v1/transaction/initialize', method: 'GET' },
      405,
      'This form cannot be submitted here',
    ],
  ])('gets a page with advice for %s', async (_, request, status, title) => {
    const answer = await world.call('not-found', { ...request, headers: browser });
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.text).toContain(`<h1>${title}</h1>`);
    expect(answer.text).toContain('href="/dashboard"');
    if (status === 405) expect(answer.headers.allow).toBe('POST');
  });

  test.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'is not assumed if the Accept header is %s',
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      expectFailure(await world.call('not-found', { path: '/nothing', headers }), 404, 'not_found');
    },
  );
});

test('a program gets a JSON 404 for an unknown dashboard URL', async () => {
  const path = '/dashboard/anything-wrong';
  expectFailure(await world.call('not-found', { path, headers: { accept: 'application/json' } }), 404, 'not_found');
});
