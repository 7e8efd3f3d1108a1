import { resolve } from 'node:path';

/**
 * Entry point of `npm test`, with Vitest's arguments. Vitest colours its output even in a pipe or file unless this is
 * set before it loads.
 */
if (!process.stdout.isTTY && !process.env.FORCE_COLOR) process.env.NO_COLOR ??= '1';
process.argv.splice(2, 0, 'run');
if (process.env.PROOFS !== 'whole') {
  // Runs a different slice of the long proofs each day (support/slice.ts).
  process.env.SLICE ??= String(Math.floor(Date.now() / (24 * 60 * 60 * 1000)));
  console.log(
    `Slice ${process.env.SLICE} of the long proofs: SLICE=${process.env.SLICE} npm test takes it again, npm run prove -- all takes all.`,
  );
}
await import(resolve('node_modules/vitest/vitest.mjs'));
