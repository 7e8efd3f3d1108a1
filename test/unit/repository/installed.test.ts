import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };

const CHECK = join(import.meta.dirname, '../../../infra/installed.mjs');

test.each(['start', 'demo', 'test'] as const)('npm run %s checks for installed packages first', (script) => {
  expect(manifest.scripts[script]).toMatch(/^node infra\/installed\.mjs && node \S+\.ts$/);
});

test('a clone without packages is told to run npm ci', () => {
  const clone = mkdtempSync(join(inject('folder'), 'clone-'));
  const check = () => spawnSync(process.execPath, [CHECK], { cwd: clone, encoding: 'utf8' });
  expect(check()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Run npm ci first\. /) });
  mkdirSync(join(clone, 'node_modules'));
  expect(check()).toMatchObject({ status: 0, stderr: '' });
});
