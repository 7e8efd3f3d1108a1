import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutate` runs over each mutant: of matching, reading and settling, on the database in memory. */
export default defineConfig({
  test: {
    include: [
      'test/unit/{receipt,wallet-text}/**/*.test.ts',
      'test/unit/transaction/customer-name.test.ts',
      'test/functions/work/settle-receipt.test.ts',
    ],
    setupFiles: 'test/mutate/seed.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
