import { gunzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { manifest } from '../../../../../functions/manifest.ts';
import { type Answer, acceptsGzip, ok } from '../../../../../shared/runtime/http/answer.ts';
import { http } from '../../../../../shared/runtime/http/http.ts';
import { PublicError } from '../../../../../shared/runtime/values/errors.ts';
import { scene } from '../../../../support/scene.ts';
import { httpEvent } from '../../../../support/world.ts';

const world = await scene({ inMemory: true });
const GZIP = { 'accept-encoding': 'gzip, deflate, br' };
const long = 'Ɛdan so '.repeat(200);

describe('compression of long responses', () => {
  test.each(['text/html; charset=utf-8', 'text/css', 'text/javascript', 'application/json; charset=utf-8'])(
    'preserves the content type %s',
    async (type) => {
      const { statusCode, headers, body, isBase64Encoded } = await answered(textOf(type), GZIP);
      expect(statusCode).toBe(200);
      const compressed = { 'content-type': type, 'content-encoding': 'gzip', vary: 'accept-encoding' };
      expect(headers).toMatchObject({ ...compressed, 'x-own': '1' });
      expect(isBase64Encoded).toBe(true);
      expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(long);
      expect(body.length).toBeLessThan(long.length / 4);
    },
  );

  test('is skipped if the client does not accept gzip', async () => {
    const answer = await answered(textOf('text/html'), {});
    expect(answer).toMatchObject({ headers: { vary: 'accept-encoding' }, body: long });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.isBase64Encoded).toBeUndefined();
  });
});

test('compression also applies to long error responses', async () => {
  const answer = await answered(() => {
    throw new PublicError('not_found', long);
  }, GZIP);
  expect(answer).toMatchObject({ statusCode: 404, headers: { 'content-encoding': 'gzip' } });
  expect(JSON.parse(gunzipSync(Buffer.from(answer.body, 'base64')).toString()).message).toBe(long);
});

test.each([
  ['a short response', () => ok('Charge found', { status: 'pending' })],
  ['a binary response', () => textOf('image/png')()],
  ['a compressed response', () => ({ ...textOf('text/css')(), isBase64Encoded: true })],
])('%s is not compressed', async (_, act) => {
  const { headers, ...rest } = act();
  expect(await answered(act, GZIP)).toEqual({ ...rest, headers: expect.objectContaining(headers) });
});

test.each(['gzip', 'GZIP', 'gzip, deflate, br', 'br;q=1.0, gzip; q=0.8', 'deflate,gzip;q=0.001', '*', 'br, *;q=0.1'])(
  'Accept-Encoding %j allows gzip',
  (header) => {
    expect(acceptsGzip({ 'accept-encoding': header })).toBe(true);
  },
);

test.each([
  undefined,
  ...['', 'identity', 'br, deflate', 'xgzip', 'gzip-9', 'gzip;q=0', 'gzip; q=0.000, br', '*;q=0', 'gzip;q=0, *'],
  ';;,,=q;',
])('Accept-Encoding %j does not allow gzip', (header) => {
  expect(acceptsGzip({ 'accept-encoding': header })).toBe(false);
});

test.each([
  ['a JSON error', 'transaction/verify', { parameters: { reference: 'MK-0000000000' } }, 401],
  ['an error page', 'checkout/page', { parameters: { access_code: 'none' } }, 404],
  ['a redirect', 'checkout/short-link', { parameters: { access_code: '0'.repeat(22) } }, 302],
  ['an unknown route', 'not-found', {}, 404],
] as const)('%s has the security headers', async (_, route, request, status) => {
  const answer = await world.call(route, request);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
  });
});

function textOf(type: string): () => Answer {
  return () => ({ statusCode: 200, headers: { 'content-type': type, 'x-own': '1' }, body: long });
}

function answered(act: () => Answer, headers: Record<string, string>): Promise<Answer> {
  const handler = http(manifest['checkout/status'], {}, async () => act());
  return handler.with(world.outside)(httpEvent({ headers, parameters: { access_code: 'x' } }), {} as Context);
}
