import { afterAll, afterEach, expect, vi } from 'vitest';
import { leaks } from './leaks.ts';
import './quick-hashes.ts';

afterEach(() => {
  expect(leaks.splice(0), 'secrets in the log').toEqual([]);
});

// This module is loaded again for each file. The next file in the worker starts with the same environment.
const environment = { ...process.env };
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (environment[name] === undefined) delete process.env[name];
  Object.assign(process.env, environment);
});
