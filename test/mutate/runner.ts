import { appendFileSync, readFileSync, utimesSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { startTests } from 'vitest/internal/browser';
import type { Plan, Result } from './plan.ts';

/**
 * Runs a group's tests once without a mutant, to see which tests reach which mutants, and then for each mutant the tests
 * that reach it, until one fails. Modules stay loaded in between. Only code that runs while modules load, such as
 * constants, is loaded anew for its mutants.
 */
export default class FirstRun extends TestRunner {
  #file = '';

  override onCollectStart(file: RunnerTestFile): void {
    this.#file = file.id;
    paths.set(file.id, file.filepath);
    wholeFiles.add(file.id);
    super.onCollectStart(file);
  }

  /** Loads the code before the tests, because a file's own code runs again in each trial, but that of modules does not. */
  override async importFile(path: string, source: Parameters<TestRunner['importFile']>[1]): Promise<unknown> {
    const imported = readFileSync(path, 'utf8').matchAll(/ from '(\.[^']+)'/g);
    for (const [, module = ''] of imported) await import(new URL(module, pathToFileURL(path)).href);
    // Mutants that a file reaches outside its tests count for all of its tests.
    switches.currentTestId = this.#file;
    return super.importFile(path, source);
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { readonly retry: number; readonly repeats: number }): void {
    switches.currentTestId = test.id;
    paths.set(test.id, test.file.filepath);
    super.onBeforeTryTask(test, options);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    switches.currentTestId = test.file.id;
    durationsMs.set(test.id, test.result?.duration ?? 0);
    utimesSync(plan.results, new Date(), new Date());
    super.onAfterRunTask(test);
  }

  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    switches.currentTestId = undefined;
    super.onAfterRunFiles(files);
    if (files.some(({ result }) => result?.state === 'fail')) endProcess();
    filesLeft -= files.length;
    if (filesLeft > 0) return;
    await tryMutants(this.config);
    // Ends the process at once, because tests that a mutant interrupted may keep it alive.
    endProcess();
  }
}

/** Runs selected tests without reporting them, and skips the rest after a failure. */
class Trial extends TestRunner {
  failed: RunnerTask | undefined;
  override trace: TestRunner['trace'] = (_name, attributes, callback) =>
    callback ? callback() : typeof attributes === 'function' ? attributes() : undefined;

  override importFile(path: string): unknown {
    loads += 1;
    return import(`${pathToFileURL(path)}?load=${loads}`);
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { readonly retry: number; readonly repeats: number }): void {
    switches.hitCount = 0;
    super.onBeforeTryTask(test, options);
  }

  override onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.failed) test.mode = 'skip';
    return super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    if (test.result?.state === 'fail') this.failed ??= test;
    isReached ||= switches.hitCount !== 0;
    utimesSync(plan.results, new Date(), new Date());
    super.onAfterRunTask(test);
  }

  // The tests of a trial have no snapshots to store.
  override async onAfterRunSuite(): Promise<void> {}
}

/** Tests of a file to run, all if no ids are given. */
interface Chosen {
  readonly filepath: string;
  readonly testIds?: string[];
}

const plan: Plan = JSON.parse(readFileSync(process.env.MUTATE_PLAN ?? '', 'utf8'));

/** Switches and counters that the instrumented code reads and writes. */
const switches: NonNullable<typeof globalThis.__stryker__> = { mutantCoverage: { static: {}, perTest: {} } };
globalThis.__stryker__ = switches;

/** Paths of test files by the id of a test or file. */
const paths = new Map<string, string>();
const durationsMs = new Map<string, number>();
const wholeFiles = new Set<string>();
/** URLs of the modules that import each module. */
const importers = new Map<string, Set<string>>();
/** URLs of modules that are loaded anew. */
let stale: ReadonlySet<string> = new Set();
/** True for each module whose tests pass if the module is loaded anew. */
const passingAnew = new Map<string, boolean>();
/** True once a test has reached the active mutant. */
let isReached = false;
let filesLeft = plan.tests.length;
let generation = 0;
let loads = 0;

/** Tests that take longer run last. */
const SLOW_MS = 200;
const MAX_MEMORY_BYTES = 3e9;
/** A test that reaches a mutant this many times as often as in the first run counts as an endless loop. */
const MAX_HITS_RATIO = 10;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (!found.url.startsWith('file:') || found.url.includes('/node_modules/') || !context.parentURL) return found;
    const url = withoutQuery(found.url);
    importers.set(url, (importers.get(url) ?? new Set()).add(withoutQuery(context.parentURL)));
    return stale.has(found.url) ? { ...found, url: `${url}?generation=${generation}` } : found;
  },
  load(url, context, next) {
    const source = plan.sources[withoutQuery(url)];
    return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});

async function tryMutants(config: TestRunner['config']): Promise<void> {
  // The trials are counted as if modules were loading, so keep the counts until here.
  const whileLoading = { ...switches.mutantCoverage.static };
  const finished = new Set(resultsSoFar().map(({ id }) => id));
  for (const [n, { id, url }] of plan.mutants.filter((mutant) => !finished.has(mutant.id)).entries()) {
    record(id, 'started');
    const reached = testsThatReach(id);
    if (reached.length === 0 && !(id in whileLoading)) record(id, 'not covered');
    else {
      switches.hitCount = 0;
      switches.hitLimit = MAX_HITS_RATIO * (1 + timesReached(id, whileLoading));
      isReached = false;
      switches.activeMutant = id;
      let failed = plan.runsAll ? undefined : await firstFailure(config, reached);
      // Code that runs while modules load, or whose result is kept, does not run again in loaded modules.
      const isAnew = !failed && (id in whileLoading || !isReached);
      if (isAnew && (await passesAnew(config, url))) failed = await firstFailureAnew(config, url, id);
      switches.activeMutant = undefined;
      const isLate = failed?.result?.errors?.some(({ message }) => message.includes('timed out in')) ?? false;
      const isSpoilt = !isAnew && !isLate && failed?.type === 'test' && !(await passes(config, failed));
      // An earlier mutant left something behind, so the next process tries this one again.
      if (isSpoilt && n > 0) endProcess();
      record(id, failed ? (isLate ? 'timed out' : 'killed') : 'survived');
      // A late test may go on, and modules loaded anew are never freed. The next process continues.
      if (isLate || isSpoilt || process.memoryUsage().rss > MAX_MEMORY_BYTES) endProcess();
    }
  }
}

async function firstFailure(config: TestRunner['config'], all: readonly Chosen[]): Promise<RunnerTask | undefined> {
  for (const chosen of all) {
    const trial = new Trial(config);
    const [file] = await startTests([chosen], trial);
    if (file?.result?.state === 'fail') return trial.failed ?? file;
  }
  return undefined;
}

/** Loads a module and all modules that depend on it anew, and runs all tests that load them. */
async function firstFailureAnew(
  config: TestRunner['config'],
  url: string,
  mutant?: string,
): Promise<RunnerTask | undefined> {
  switches.activeMutant = mutant;
  stale = dependentsOf(url);
  generation += 1;
  const files = plan.tests.filter((path) => stale.has(pathToFileURL(path).href));
  const failed = await firstFailure(
    config,
    files.toSorted((one, other) => durationOf(one) - durationOf(other)).map((filepath) => ({ filepath })),
  );
  stale = new Set();
  return failed;
}

/** Returns whether a module's tests pass if it is loaded anew without a mutant. Only then do failures mean anything. */
async function passesAnew(config: TestRunner['config'], url: string): Promise<boolean> {
  const known = passingAnew.get(url) ?? (await firstFailureAnew(config, url)) === undefined;
  passingAnew.set(url, known);
  return known;
}

async function passes(config: TestRunner['config'], { id, file }: RunnerTask): Promise<boolean> {
  return (await firstFailure(config, [{ filepath: file.filepath, testIds: [id] }])) === undefined;
}

/** Returns the quickest tests first, because most mutants are noticed by many tests. */
function testsThatReach(mutant: string): Chosen[] {
  const ids = Object.entries(switches.mutantCoverage.perTest).flatMap(([id, hits]) => (mutant in hits ? id : []));
  const isSlow = (id: string) => (durationsMs.get(id) ?? 0) >= SLOW_MS;
  const files = [...Map.groupBy(ids, (id) => paths.get(id) ?? '')];
  const chosen = files.flatMap(([filepath, some]): Chosen[] =>
    some.some((id) => wholeFiles.has(id))
      ? [{ filepath }]
      : [some.filter((id) => !isSlow(id)), some.filter(isSlow)].map((testIds) => ({ filepath, testIds })),
  );
  return chosen
    .filter(({ testIds }) => testIds?.length !== 0)
    .toSorted((one, other) => durationOf(one.filepath, one.testIds) - durationOf(other.filepath, other.testIds));
}

function durationOf(filepath: string, testIds?: readonly string[]): number {
  const ids = testIds ?? [...paths].flatMap(([id, path]) => (path === filepath ? id : []));
  return ids.reduce((sum, id) => sum + (durationsMs.get(id) ?? 0), 0);
}

/** Returns how often the test that reaches a mutant most often reaches it. */
function timesReached(mutant: string, whileLoading: Readonly<Record<string, number>>): number {
  const counts = [whileLoading, ...Object.values(switches.mutantCoverage.perTest)];
  return Math.max(...counts.map((hits) => hits[mutant] ?? 0));
}

function dependentsOf(url: string, found = new Set<string>()): Set<string> {
  if (found.has(url)) return found;
  found.add(url);
  for (const importer of importers.get(url) ?? []) dependentsOf(importer, found);
  return found;
}

function resultsSoFar(): Result[] {
  const lines = readFileSync(plan.results, 'utf8').split('\n').filter(Boolean);
  const results: Result[] = lines.map((line) => JSON.parse(line));
  return results.filter(({ status }) => status !== 'started');
}

function record(id: string, status: Result['status']): void {
  appendFileSync(plan.results, `${JSON.stringify({ id, status })}\n`);
}

function withoutQuery(url: string): string {
  return url.split('?')[0] ?? url;
}

/** Vitest replaces `process.exit` in its workers. */
function endProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process has ended');
}
