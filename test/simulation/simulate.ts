import { parseArgs } from 'node:util';
import { runSeed } from './run.ts';

/** `npm run simulate -- --seeds N --ops M [--first-seed S]`: random runs, each from its seed alone. Exit 1 on a violation. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    ops: { type: 'string', default: '100' },
    'first-seed': { type: 'string', default: '1' },
  },
});
const [seeds, operations, first] = [values.seeds, values.ops, values['first-seed']].map(Number);
if (!seeds || !operations || first === undefined || Number.isNaN(first)) {
  console.error('Give whole numbers: npm run simulate -- --seeds 100 --ops 100 --first-seed 1');
  process.exit(1);
}
let violations = 0;
const startedMs = Date.now();
for (let seed = first; seed < first + seeds; seed++) {
  try {
    await runSeed(seed, operations);
  } catch (error) {
    violations++;
    console.error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    console.error(`  again: npm run simulate -- --seeds 1 --ops ${operations} --first-seed ${seed}`);
  }
}
const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
console.log(`${seeds} seeds × ${operations} operations, violations ${violations}, ${seconds} s`);
process.exit(violations > 0 ? 1 : 0);
