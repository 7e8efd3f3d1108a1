import { spawn } from 'node:child_process';
import { appendFileSync, globSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { Argument, Command, Option } from 'commander';
import { QUICK_NODE } from '../support/quick-start.ts';
import { documentation } from './documentation.ts';
import { type Group, groups } from './groups.ts';
import { type Plan, type Result, TEST_TIMEOUT_MS } from './plan.ts';
import { survivors } from './survivors.ts';

/**
 * Entry point of `npm run prove -- mutate [group…]`: changes the code in one place at a time (a *mutant*) and lists the
 * mutants that no test in the group detects.
 */
const command = new Command('mutate')
  .description(
    'Changes the code that handles money, PINs, codes and texts, one place at a time, and lists the changes that no test notices. Prints a row of the board (docs/internals/mutants.md) for each group.',
  )
  .addArgument(
    new Argument('[group...]', 'what to change; everything where none is named').choices(Object.keys(groups)),
  )
  .addOption(
    new Option('--files <pattern...>', 'changes these files alone, or file:line-line, with the tests of a group'),
  )
  .addOption(new Option('--every <n>', 'tries a sample: only each nth change').default('1'))
  .addOption(new Option('--survivors', 'tries only the changes that no test noticed in the last run'))
  .showHelpAfterError('(--help shows how)')
  .parse();
const options = command.opts<{ files?: string[]; every: string; survivors?: true }>();

const FOLDER = '.local/mutate';
/** A process that finishes no test for this long while it tries a mutant is in an endless loop. */
const STALLED_MS = 2 * TEST_TIMEOUT_MS;
/** Longest time until a process has loaded the code. */
const STARTED_MS = 10 * TEST_TIMEOUT_MS;

interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  /** The changed line, which serves as a name that stays the same when other lines are edited. */
  readonly changed: string;
}

mkdirSync(FOLDER, { recursive: true });
const board: string[] = [];
for (const [name, group] of Object.entries(groups)) {
  if (command.args.length > 0 && !command.args.includes(name)) continue;
  const start = Date.now();
  const { mutants, sources } = await instrument(options.files ?? group.code);
  const list = join(FOLDER, `${name}-survivors.json`);
  const last: readonly Mutant[] = options.survivors ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const tried = mutants
    .filter((one) => !options.survivors || last.some((other) => isSame(one, other)))
    .filter((_, n) => n % Number(options.every) === 0);
  const unnoticed = await unnoticedOf(name, group, tried, sources);
  writeFileSync(list, JSON.stringify(unnoticed));
  const unexplained = unnoticed.filter(({ file, changed }) => survivors[file]?.[changed] === undefined);
  console.log(
    `${name}: ${unnoticed.length} of ${tried.length} changes are not noticed. Without a reason in survivors.ts:`,
  );
  for (const { file, line, changed } of unexplained) console.log(`  ${file}:${line} ${changed}`);
  for (const { file, changed } of stale(mutants))
    console.log(`  ${file}: survivors.ts explains a change that no longer exists: ${changed}`);
  const percent = ((100 * unnoticed.length) / Math.max(tried.length, 1)).toFixed(1);
  const minutes = Math.ceil((Date.now() - start) / 60_000);
  board.push(`| ${name} | ${tried.length} | ${unnoticed.length} | ${percent} % | ${unexplained.length} | ${minutes} |`);
}
console.log(
  ['| group | mutants | survive | share | without a reason | minutes |', '|---|---|---|---|---|---|', ...board].join(
    '\n',
  ),
);

async function instrument(patterns: readonly string[]): Promise<{ mutants: Mutant[]; sources: Plan['sources'] }> {
  const files = patterns.flatMap((pattern) => {
    const [glob = '', first, last] = pattern.split(/:(\d+)-(\d+)$/);
    const ranges = [{ start: { line: Number(first) - 1, column: 0 }, end: { line: Number(last), column: 0 } }];
    return globSync(glob).map((name) => ({
      name,
      mutate: first === undefined ? true : ranges,
      content: readFileSync(name, 'utf8'),
    }));
  });
  const log = { debug() {}, info() {}, isDebugEnabled: () => false };
  const ignored = { ignorers: [documentation], excludedMutations: [], plugins: null };
  const instrumented = await new Instrumenter(log).instrument(files, ignored);
  const mutants = instrumented.mutants.flatMap(({ id, fileName, location: { start, end }, replacement, status }) => {
    if (status === 'Ignored') return [];
    const lines = files.find(({ name }) => name === fileName)?.content.split('\n') ?? [];
    const before = lines[start.line]?.slice(0, start.column);
    const changed = `${before}${replacement}${lines[end.line]?.slice(end.column)}`.trim();
    return { id, file: fileName, line: start.line + 1, changed };
  });
  const sources = instrumented.files.map(({ name, content }) => [urlOf(name), content]);
  return { mutants, sources: Object.fromEntries(sources) };
}

/** Starts processes until every mutant has a result, because a process that a mutant has spoilt ends itself. */
async function unnoticedOf(
  name: string,
  { tests, runsAll }: Group,
  mutants: readonly Mutant[],
  sources: Plan['sources'],
): Promise<Mutant[]> {
  const results = resolve(FOLDER, `${name}-results.jsonl`);
  const file = resolve(FOLDER, `${name}.json`);
  const plan: Plan = {
    sources,
    tests: globSync([...tests]).map((test) => resolve(test)),
    mutants: mutants.map((mutant) => ({ id: mutant.id, url: urlOf(mutant.file) })),
    runsAll: runsAll === true,
    results,
  };
  writeFileSync(file, JSON.stringify(plan));
  writeFileSync(results, '');
  let lastStarted: string | undefined;
  while (mutants.some(({ id }) => !finished(results).has(id))) {
    const end = await runUntilEnd(name, tests, file, results);
    if (end === 'nothing tried')
      throw new Error(`The tests of ${name} do not pass without a mutant. See ${FOLDER}/${name}.log.`);
    const last = readResults(results).at(-1);
    const started = last?.status === 'started' ? last.id : undefined;
    // A mutant that ends two processes, for example because it fills the memory, is noticed, too.
    if (started !== undefined && (end === 'stalled' || started === lastStarted))
      appendFileSync(results, `${JSON.stringify({ id: started, status: 'timed out' } satisfies Result)}\n`);
    lastStarted = started;
  }
  const status = finished(results);
  return mutants.filter(({ id }) => ['survived', 'not covered'].includes(status.get(id) ?? ''));
}

async function runUntilEnd(
  name: string,
  tests: readonly string[],
  plan: string,
  results: string,
): Promise<'ended' | 'stalled' | 'nothing tried'> {
  const log = openSync(join(FOLDER, `${name}.log`), 'w');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutate/vitest.config.ts'];
  const environment = { MUTATE_TESTS: JSON.stringify(tests), MUTATE_PLAN: plan, PROOFS: 'whole', NO_COLOR: '1' };
  const startMs = Date.now();
  const before = statSync(results).size;
  const child = spawn(process.execPath, [...QUICK_NODE, ...vitest], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', log, log],
  });
  let isStalled = false;
  while (child.exitCode === null && child.signalCode === null) {
    await setTimeout(200);
    const { mtimeMs, size } = statSync(results);
    const limitMs = size > before ? STALLED_MS : STARTED_MS;
    if (Date.now() - Math.max(startMs, mtimeMs) < limitMs) continue;
    isStalled = true;
    child.kill('SIGKILL');
  }
  if (statSync(results).size === before) return 'nothing tried';
  return isStalled ? 'stalled' : 'ended';
}

function finished(results: string): Map<string, Result['status']> {
  return new Map(
    readResults(results).flatMap(({ id, status }) => (status === 'started' ? [] : [[id, status] as const])),
  );
}

function readResults(results: string): Result[] {
  return readFileSync(results, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Returns the entries of survivors.ts about the files of these mutants that match none of them. */
function stale(mutants: readonly Mutant[]): Pick<Mutant, 'file' | 'changed'>[] {
  return [...Map.groupBy(mutants, ({ file }) => file)].flatMap(([file, ofFile]) =>
    Object.keys(survivors[file] ?? {})
      .filter((line) => !ofFile.some(({ changed }) => changed === line))
      .map((changed) => ({ file, changed })),
  );
}

function isSame(one: Mutant, other: Mutant): boolean {
  return one.file === other.file && one.line === other.line && one.changed === other.changed;
}

function urlOf(file: string): string {
  return pathToFileURL(resolve(file)).href;
}
