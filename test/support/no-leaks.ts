import { afterEach, expect } from 'vitest';
import { leaks } from './leaks.ts';
import './quick-hashes.ts';

afterEach(() => {
  expect(leaks.splice(0), 'secrets in the log').toEqual([]);
});
