import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handler } from '../../../functions/docs/file.ts';
import { manifest } from '../../../functions/manifest.ts';
import { expectFailure } from '../../support/envelope.ts';
import { call, createWorld } from '../../support/world.ts';

const world = await createWorld({ inMemory: true });

test.each([
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
])('%s comes as it is in its package, compressed whoever asks, for a browser to keep', async (file, type) => {
  const original = readFileSync(join('node_modules/swagger-ui-dist', file), 'utf8');
  const plain = await get(file);
  const zipped = await get(file, { 'accept-encoding': 'gzip, deflate, br' });
  expect([plain.status, plain.text === original, zipped.text === original]).toEqual([200, true, true]);
  expect(plain).toEqual(zipped);
  expect(zipped.headers).toEqual({
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'content-type': type,
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=31536000',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  expect(zipped.bytes).toBeLessThan(700_000);
});

test.each([
  'index.html',
  '../../../package.json',
  'swagger-ui-dist/swagger-ui.css',
  'swagger-ui.css.map',
  'package.json',
])('no other file is handed out: %s', async (file) => {
  expectFailure(await get(file), 404, 'not_found');
});

test('the files of the manifest exist', () => {
  for (const file of manifest['docs/file'].files) expect(existsSync(file)).toBe(true);
});

function get(file: string, headers = {}) {
  return call(world, handler, { parameters: { file }, headers });
}
