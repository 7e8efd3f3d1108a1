import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { httpEvent } from '../../../infra/local/api-gateway.ts';
import { startServer } from '../../support/server.ts';

/** The event from a real HTTP API, published by hotsock/voker in July 2026. */
test('a local event equals one from a real HTTP API', async () => {
  const event = await eventOf('/capture/space%20value', {
    query: 'repeat=one&repeat=two&redirect=https%3A%2F%2Fexample.com%2Fa%2Fb&literalPlus=a+b&encodedPlus=a%2Bb&empty=',
    headers: { cookie: 'session=abc123; theme=dark', 'x-probe': ['first', 'second'] },
  });
  expect(event).toMatchObject({
    rawPath: '/capture/space value',
    rawQueryString:
      'repeat=one&repeat=two&redirect=https%3A%2F%2Fexample.com%2Fa%2Fb&literalPlus=a+b&encodedPlus=a%2Bb&empty=',
    cookies: ['session=abc123', 'theme=dark'],
    queryStringParameters: {
      empty: '',
      encodedPlus: 'a+b',
      literalPlus: 'a b',
      redirect: 'https://example.com/a/b',
      repeat: 'one,two',
    },
    isBase64Encoded: false,
    requestContext: { http: { path: '/capture/space value' } },
  });
  expect(event.headers).toMatchObject({ 'x-probe': 'first,second' });
  expect(event.headers).not.toHaveProperty('cookie');
});

test.each([
  ['/a/b%2Fc', '/a/b/c'],
  ['/a/b%252Fc', '/a/b%2Fc'],
  ['/a/b+c', '/a/b+c'],
  ['/a/%C3%A9', '/a/é'],
  ['/a/b%23c', '/a/b#c'],
  // AWS discards everything after a decoded question mark (observed).
  ['/a/b%3Fadmin=true', '/a/b'],
  ['/a/../b', '/a/../b'],
  ['//a/b', '//a/b'],
  ['/a/%', '/a/%'],
])('the path %s is passed as %s', async (path, rawPath) => {
  expect((await eventOf(path)).rawPath).toBe(rawPath);
});

test('an encoded question mark does not start a query string', async () => {
  const event = await eventOf('/a/b%3Fx=1', { query: 'y=2?3' });
  expect({ rawQueryString: event.rawQueryString, queryStringParameters: event.queryStringParameters }).toEqual({
    rawQueryString: 'y=2?3',
    queryStringParameters: { y: '2?3' },
  });
});

test('binary content is passed as base64', async () => {
  const send = (body: string, type: string) => eventOf('/', { body, headers: { 'content-type': type } });
  const [json, binary] = [await send('{}', 'application/json'), await send('{}', 'image/png')];
  const none = await eventOf('/');
  expect({ body: json.body, isBase64Encoded: json.isBase64Encoded }).toEqual({ body: '{}', isBase64Encoded: false });
  expect({ body: binary.body, isBase64Encoded: binary.isBase64Encoded }).toEqual({
    body: 'e30=',
    isBase64Encoded: true,
  });
  expect({ body: none.body, isBase64Encoded: none.isBase64Encoded }).toEqual({
    body: undefined,
    isBase64Encoded: false,
  });
});

/** Sends a request without normalising the path. */
async function eventOf(
  path: string,
  {
    query,
    body = '',
    headers = {},
  }: { query?: string; body?: string; headers?: Record<string, string | string[]> } = {},
): Promise<ReturnType<typeof httpEvent>> {
  const { url, stop } = await startServer(async (incoming, response) => {
    response.end(JSON.stringify(httpEvent(incoming, Buffer.concat(await incoming.toArray()), '$default')));
  });
  const written = query === undefined ? path : `${path}?${query}`;
  const outgoing = request({ port: new URL(url).port, path: written, method: 'POST', headers, agent: false }).end(body);
  const [response] = await once(outgoing, 'response');
  const text = Buffer.concat(await response.toArray()).toString();
  await stop();
  return JSON.parse(text);
}
