import { resolve } from 'node:path';

/** `npm test`, which takes Vitest's arguments. Vitest colours what goes into a pipe or a file too, unless it is told before it loads. */
if (!process.stdout.isTTY && !process.env.FORCE_COLOR) process.env.NO_COLOR ??= '1';
process.argv.splice(2, 0, 'run');
await import(resolve('node_modules/vitest/vitest.mjs'));
