import { defineConfig } from 'vitest/config';

/** Runs one group's tests for `npm run prove -- mutate`, on the in-memory database. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.MUTATE_TESTS ?? '[]'),
    setupFiles: 'test/mutate/seed.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
