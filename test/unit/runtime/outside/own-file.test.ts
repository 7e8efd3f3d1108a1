import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { readOwnFile } from '../../../../shared/runtime/outside/own-file.ts';

afterEach(() => vi.unstubAllEnvs());

test('a file is read from the repository during development', async () => {
  vi.stubEnv('LAMBDA_TASK_ROOT', undefined);
  expect(await readOwnFile('functions/manifest.ts')).toBe(readFileSync('functions/manifest.ts', 'utf8'));
});

test('a file is read from the code’s directory on Lambda', async () => {
  const folder = mkdtempSync(join(inject('folder'), 'task-'));
  writeFileSync(join(folder, 'manifest.ts'), 'beside');
  vi.stubEnv('LAMBDA_TASK_ROOT', folder);
  expect(await readOwnFile('functions/manifest.ts')).toBe('beside');
});
