import { Command } from 'commander';
import { type InsiderFigures, insiderInWords, runInsider, runSeed } from './run.ts';
import { wholeNumber } from './whole-number.ts';

/**
 * `npm run prove -- simulate --seeds N --ops M [--first-seed S]` runs random sequences. Exits with 1 on a violation.
 */
const { seeds, ops, firstSeed } = new Command('simulate')
  .description('Runs the whole service with random actions and faults. Each run depends only on its seed.')
  .option('--seeds <n>', 'how many runs', wholeNumber, 100)
  .option('--ops <n>', 'how many actions per run', wholeNumber, 100)
  .option('--first-seed <n>', 'the seed of the first run; each later run adds one', wholeNumber, 1)
  .showHelpAfterError('(--help shows how)')
  .parse()
  .opts<{ seeds: number; ops: number; firstSeed: number }>();
let violations = 0;
let shown = 0;
const insiders: InsiderFigures[] = [];
const startedMs = Date.now();
for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
  try {
    await runSeed(seed, ops);
  } catch (error) {
    violations++;
    console.error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    console.error(`  again: npm run prove -- simulate --seeds 1 --ops ${ops} --first-seed ${seed}`);
  }
  try {
    insiders.push(await runInsider(seed, ops));
  } catch (error) {
    shown++;
    console.error(`insider, seed ${seed}: ${error instanceof Error ? error.stack : error}`);
  }
}
const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
console.log(`${seeds} seeds × ${ops} operations, violations ${violations}, ${seconds} s`);
console.log(`${insiderInWords(insiders)} ${shown}`);
process.exit(violations + shown > 0 ? 1 : 0);
