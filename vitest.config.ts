import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { QUICK_NODE } from './test/support/quick-start.ts';
import { restingOf } from './test/support/slice.ts';

// Tests start two hundred processes of this same code: each but the first finds it compiled.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compile');

const TESTS = 'test/**/*.test.ts';
const PROOFS = 'test/**/*.proof.ts';
/** Proofs that take long even as a slice. Each day, `npm run prove -- quick` runs a quarter of them and a third of the matrix. */
const matrix = globSync('test/simulation/crash-matrix-*.proof.ts').sort();
const long = globSync('test/{browser,journeys,scale,chain,simulation}/*.proof.ts')
  .filter((file) => !matrix.includes(file) && !file.endsWith('simulation.proof.ts'))
  .sort();
const resting = [...restingOf(long), ...restingOf(matrix, matrix.length)];

/** Files that are named run, whichever ring they belong to. */
const isNamed = process.argv.slice(2).some((argument) => argument.includes('test/'));
const rings = { test: [TESTS], quick: [PROOFS], whole: [TESTS, PROOFS] };
const ring = process.env.PROOFS === 'quick' || process.env.PROOFS === 'whole' ? process.env.PROOFS : 'test';

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

/** Prints which files `npm test -- --changed` left out, by folder. */
class LeftOut implements Reporter {
  async onTestRunStart(running: readonly TestSpecification[]): Promise<void> {
    const vitest = running[0]?.project.vitest;
    if (!vitest?.config.changed) return;
    const isRunning = new Set(running.map(({ moduleId }) => moduleId));
    const all = await Promise.all(vitest.projects.map((project) => project.globTestFiles()));
    const left = all.flatMap(({ testFiles }) => testFiles).filter((file) => !isRunning.has(file));
    const folders = Map.groupBy(left.sort(), (file) => relative('.', dirname(file)));
    const shown = [...folders].map(([folder, files]) => `${folder} (${files.length})`);
    console.log(`Left out, because they import nothing that changed: ${shown.join(', ') || 'no file'}.\n`);
  }
}

export default defineConfig({
  test: {
    reporters: ['default', new LeftOut()],
    // Tests read these without importing them.
    forceRerunTriggers: ['**/*.{css,js,json,md,mjs,php,py,sh,yml}', '**/vitest.config.ts'],
    include: isNamed ? rings.whole : rings[ring],
    exclude: [...configDefaults.exclude, ...(ring === 'quick' && !isNamed ? resting : [])],
    // One database for the whole run; each file makes tables of its own in it.
    globalSetup: ['test/support/dynamodb.ts', 'test/support/chromium.ts', 'test/support/reference-files.ts'],
    setupFiles: 'test/support/no-leaks.ts',
    // Files share no state: what is remembered is remembered for a world. A worker for each would cost a third of the time.
    isolate: false,
    execArgv: QUICK_NODE,
    // Node runs this TypeScript itself, as it does in all scripts: nothing is transformed, and its own modules are faster than Vite's.
    // It records what each file loads, for `--changed`. A file without a record runs.
    experimental: { viteModuleRunner: false, nodeLoader: false, recordDependencies: true },
    sequence: { sequencer: ProofsFirst },
    // Each worker loads everything anew, which takes seconds. Journeys mostly wait, so proofs have one worker more.
    maxWorkers: availableParallelism() + (ring === 'test' ? 0 : 1),
    // Only for what never ends: a machine that does other things too takes as long as it takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
