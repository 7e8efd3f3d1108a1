import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One DynamoDB Local for the whole run; each file makes tables of its own in it.
    globalSetup: 'test/support/dynamodb.ts',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
