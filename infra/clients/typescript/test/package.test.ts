import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { project } from './support/stack.ts';

const installed = join(project, 'node_modules/momo-kiosk-client');

test('the package is at most 12 KB when compressed', (context) => {
  for (const format of ['esm', 'cjs']) {
    const code = globSync(`${installed}/dist/${format}/**/*.js`).map((file) => readFileSync(file, 'utf8'));
    const bytes = gzipSync(code.join('')).length;
    context.diagnostic(`${bytes} bytes of ${format}`);
    assert.ok(bytes > 2000 && bytes <= 12 * 1024, `${bytes} bytes of ${format}`);
  }
});

test('the package has no dependencies or install scripts', () => {
  const { dependencies, peerDependencies, scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.deepEqual({ dependencies, peerDependencies }, { dependencies: undefined, peerDependencies: undefined });
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.ok(!(name in scripts));
});

test('the library imports only its own files', () => {
  for (const file of globSync(`${installed}/dist/{esm,cjs}/**/*.js`))
    for (const [, from] of readFileSync(file, 'utf8').matchAll(/\b(?:from |require\()['"]([^'"]+)/g))
      assert.match(from ?? '', /^\.\.?\//);
});

test("the version equals the service's version", () => {
  const versionOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).version;
  assert.equal(versionOf(join(installed, 'package.json')), versionOf('../../../package.json'));
});
