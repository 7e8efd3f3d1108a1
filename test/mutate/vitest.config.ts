import { defineConfig } from 'vitest/config';

/** For `npm run prove -- mutate`: the tests of one group, on the database in memory. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.MUTATE_TESTS ?? '[]'),
    setupFiles: 'test/mutate/seed.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
