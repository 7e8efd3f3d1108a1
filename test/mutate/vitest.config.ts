import { defineConfig } from 'vitest/config';
import { TEST_TIMEOUT_MS } from './plan.ts';

/** Runs one group's tests for `npm run prove -- mutate`, on the in-memory database and in a single warm thread. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.MUTATE_TESTS ?? '[]'),
    setupFiles: ['test/support/no-leaks.ts', 'test/mutate/seed.ts'],
    runner: 'test/mutate/runner.ts',
    pool: 'threads',
    maxWorkers: 1,
    maxConcurrency: 1,
    isolate: false,
    // Node itself strips the types, as in the other tests, and the runner replaces the code under test.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    teardownTimeout: 1_000,
  },
});
