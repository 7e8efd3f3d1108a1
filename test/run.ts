import { resolve } from 'node:path';

/**
 * Entry point of `npm test` and of the proofs that are tests, with Vitest's arguments. Vitest colours its output even in
 * a pipe or file unless this is set before it loads.
 */
if (!process.stdout.isTTY && !process.env.FORCE_COLOR) process.env.NO_COLOR ??= '1';
process.argv.splice(2, 0, 'run');
await import(resolve('node_modules/vitest/vitest.mjs'));
