import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests start two hundred processes of this same code: each but the first finds it compiled.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compile');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One DynamoDB Local for the whole run; each file makes tables of its own in it.
    globalSetup: ['test/support/dynamodb.ts', 'test/support/chromium.ts'],
    setupFiles: 'test/support/no-leaks.ts',
    // Files share no state: what is remembered is remembered for a world. A worker for each would cost a third of the time.
    isolate: false,
    // Half of the files wait for a stack or a browser, so two cores have work for three.
    maxWorkers: Math.max(3, availableParallelism()),
    // For a machine that does other things too. What must be fast says so itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
