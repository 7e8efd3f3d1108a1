import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { QUICK_NODE } from './test/support/quick-start.ts';
import { restingOf, type Turns } from './test/support/slice.ts';

// Tests start two hundred processes of this same code: each but the first finds it compiled.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compile');

/**
 * Vitest starts with the files that took longest in an earlier run, and where there was none with the largest. The longest
 * proofs are files of three lines: on a new machine they would start last, and leave the other workers idle at the end.
 */
class ProofsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /test\/(simulation|chain|journeys|browser)\//.test(moduleId);
    return (await super.sort(files)).toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

/** One file of each line has its turn; the four take about as long as each other. A file that is asked for by its name runs. */
export const longest: readonly Turns[] = [
  ['browser/checkout-page', 'browser/dashboard-shared-phone', 'browser/dashboard-pages', 'browser/pay-on-the-phone'],
  ['journeys/webhooks', 'journeys/notifications', 'journeys/till', 'browser/docs'],
  ['simulation/crash-matrix-1', 'simulation/crash-matrix-2', 'simulation/crash-matrix-3', 'simulation/retention'],
  ['browser/dashboard-settings', 'browser/dashboard-operator', 'browser/dashboard-charges', 'browser/dashboard-till'],
  ['journeys/command-line', 'functions/dashboard/bad-input', 'upgrade/stories', 'simulation/rounds'],
  ['unit/support/memory-dynamodb', 'simulation/simulation', 'infra/cdk/repeat-deployment', 'scale/scale'],
  ['browser/dashboard-texts', 'browser/dashboard-ten-tasks', 'browser/dashboard-today', 'simulation/insider'],
  ['browser/dashboard-sign-in', 'browser/page-faults', 'simulation/heard', 'simulation/fairness'],
  ['simulation/codes', 'simulation/forger-by-text', 'simulation/till', 'bench/price'],
  ['upgrade/fixture', 'browser/dashboard-requests', 'chain/chains', 'functions/bad-input'],
  ['infra/cdk/app', 'upgrade/lists', 'simulation/concurrency', 'simulation/foreign-ids'],
  ['infra/admin/migrate-rows', 'chain/logged-wallet', 'functions/work/webhook-lanes', 'simulation/proofs'],
  ['functions/work/hearing', 'functions/work/prove', 'functions/work/forged-chain', 'functions/work/untrue-texts'],
];
const resting = longest.flatMap(restingOf).map((name) => `test/${name}.test.ts`);
for (const file of resting)
  if (!existsSync(file)) throw new Error(`vitest.config.ts names ${file}, which is not there`);
const isAll = !process.argv.slice(2).some((argument) => argument.includes('test/'));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isAll ? resting : [])],
    // One database for the whole run; each file makes tables of its own in it.
    globalSetup: ['test/support/dynamodb.ts', 'test/support/chromium.ts', 'test/support/reference-files.ts'],
    setupFiles: 'test/support/no-leaks.ts',
    // Files share no state: what is remembered is remembered for a world. A worker for each would cost a third of the time.
    isolate: false,
    execArgv: QUICK_NODE,
    // Node runs this TypeScript itself, as it does in all scripts: nothing is transformed, and its own modules are faster than Vite's.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: ProofsFirst },
    // Each worker loads everything anew, so there is one more than cores: the journeys mostly wait. On two, 235 s in place of 273.
    maxWorkers: availableParallelism() + 1,
    // Only for what never ends: a machine that does other things too takes as long as it takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
