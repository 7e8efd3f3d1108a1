import { expect, test } from 'vitest';
import { manifest } from '../../../../functions/manifest.ts';
import { matchRoute } from '../../../../shared/runtime/http/match-route.ts';

test.each([
  ['/a', '/a', {}],
  ['/a/{b}', '/a/x', { b: 'x' }],
  ['/a/{b}/c/{d}', '/a/1/c/2', { b: '1', d: '2' }],
  ['/a/{b}', '/a/x%20y%2Fz', { b: 'x y/z' }],
  ['/a/{b}', '/a/%', { b: '%' }],
  ['/a/{b}', '/a/{b}', { b: '{b}' }],
])('the pattern %s matches %s', (route, path, parameters) => {
  expect(matchRoute(route, path)).toEqual(parameters);
});

test.each([
  ['/a', '/b'],
  ['/a', '/A'],
  ['/a', '/a/'],
  ['/a', '/'],
  ['/a', ''],
  ['/a/{b}', '/a'],
  ['/a/{b}', '/a/'],
  ['/a/{b}', '/a/x/'],
  ['/a/{b}', '/a/x/y'],
  ['/a/{b}/c', '/a//c'],
])('the pattern %s does not match %s', (route, path) => {
  expect(matchRoute(route, path)).toBeUndefined();
});

test('every route that needs an API key is under /api/v1', () => {
  const paths = Object.values(manifest).flatMap((row) => (row.on === 'http' && 'key' in row ? [row.path] : []));
  expect(paths).not.toEqual([]);
  for (const path of paths) expect(path).toMatch(/^\/api\/v1\//);
});
