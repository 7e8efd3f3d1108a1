import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Argument, Command, Option } from 'commander';
import { groups } from './groups.ts';
import { survivors } from './survivors.ts';

type Changed = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/**
 * Runs `npm run prove -- mutate [group…]`: changes the code in one place at a time and lists the changes that no test
 * in the group detects.
 */
const command = new Command('mutate')
  .description(
    'Changes the code that decides about money, PINs, codes and texts, one place at a time, and lists the changes that no test notices.',
  )
  .addArgument(
    new Argument('[group...]', 'what to change; everything where none is named').choices(Object.keys(groups)),
  )
  .addOption(
    new Option('--files <pattern...>', 'changes these files alone, or file:line-line, with the tests of a group'),
  )
  .addOption(new Option('--concurrency <n>', 'how many changes are tried at once').default('2'))
  .showHelpAfterError('(--help shows how)')
  .parse();
const { files, concurrency } = command.opts<{ files?: string[]; concurrency: string }>();

for (const [name, { code, tests, runsAll }] of Object.entries(groups)) {
  if (command.args.length > 0 && !command.args.includes(name)) continue;
  // Passed through the environment, because Stryker's own `testFiles` never activates changes to constants (Stryker
  // issue 6144).
  process.env.MUTATE_TESTS = JSON.stringify(tests);
  process.env.PROOFS = 'whole';
  const results = await new Stryker({
    mutate: files ?? [...code],
    plugins: ['@stryker-mutator/*', import.meta.resolve('./documentation.ts')],
    ignorers: ['documentation'],
    testRunner: 'vitest',
    coverageAnalysis: runsAll ? 'off' : 'perTest',
    vitest: { configFile: 'test/mutate/vitest.config.ts' },
    // Does not name an existing file, because Stryker would rewrite it with functions that TypeScript 7 lacks.
    tsconfigFile: 'none',
    tempDirName: '.local/mutate',
    ignorePatterns: ['/.generated', '/.local', '/cdk.out', '/docs'],
    concurrency: Number(concurrency),
    // If a change makes the tests run this much longer, it counts as an endless loop. The limit is generous because the
    // machine may be busy.
    timeoutMS: 30_000,
    reporters: ['clear-text'],
    clearTextReporter: { reportTests: false, logTests: false },
    allowConsoleColors: process.stdout.isTTY === true,
  }).runMutationTest();
  await report(name, results);
}

/** Lists undetected changes, except those explained in survivors.ts. */
async function report(name: string, results: readonly Changed[]): Promise<void> {
  const tried = results.filter(({ status }) => status !== 'Ignored');
  const unnoticed = tried.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  console.log(
    `${name}: ${unnoticed.length} of ${tried.length} changes are not noticed. Without a reason in survivors.ts:`,
  );
  for (const one of unnoticed) {
    const file = relative('', one.fileName);
    const line = changedLine(await readFile(one.fileName, 'utf8'), one);
    if (survivors[file]?.[line] === undefined) console.log(`  ${file}:${one.location.start.line} ${line}`);
  }
}

/** Returns the changed line, which serves as a name that stays the same when other lines are edited. */
function changedLine(code: string, { location: { start, end }, replacement }: Changed): string {
  const lines = code.split('\n');
  const before = lines[start.line - 1]?.slice(0, start.column - 1);
  return `${before}${replacement}${lines[end.line - 1]?.slice(end.column - 1)}`.trim();
}
