import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Argument, Command, Option } from 'commander';
import { groups } from './groups.ts';
import { survivors } from './survivors.ts';

type Changed = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** `npm run prove -- mutate [group…]`: changes the code one place at a time and tells which changes no test of the group notices. */
const command = new Command('mutate')
  .description(
    'Changes the code that decides about money, PINs, codes and texts, one place at a time, and tells which changes no test notices.',
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
  // By the environment, for what Stryker has of its own (`testFiles`) never switches changes to constants on: its issue 6144.
  process.env.MUTATE_TESTS = JSON.stringify(tests);
  process.env.PROOFS = 'whole';
  const results = await new Stryker({
    mutate: files ?? [...code],
    plugins: ['@stryker-mutator/*', import.meta.resolve('./documentation.ts')],
    ignorers: ['documentation'],
    testRunner: 'vitest',
    coverageAnalysis: runsAll ? 'off' : 'perTest',
    vitest: { configFile: 'test/mutate/vitest.config.ts' },
    // Names no file: Stryker would rewrite the real one with functions that TypeScript 7 no longer has.
    tsconfigFile: 'none',
    tempDirName: '.local/mutate',
    ignorePatterns: ['/.generated', '/.local', '/cdk.out', '/docs'],
    concurrency: Number(concurrency),
    // What takes this much longer than unchanged has no end. Generous, for a machine that does other things too.
    timeoutMS: 30_000,
    reporters: ['clear-text'],
    clearTextReporter: { reportTests: false, logTests: false },
    allowConsoleColors: process.stdout.isTTY === true,
  }).runMutationTest();
  await report(name, results);
}

/** Names the changes that no test noticed, but for those of which survivors.ts says why. */
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

/** The line of a change as it reads with it: a name that lasts while other lines come and go. */
function changedLine(code: string, { location: { start, end }, replacement }: Changed): string {
  const lines = code.split('\n');
  const before = lines[start.line - 1]?.slice(0, start.column - 1);
  return `${before}${replacement}${lines[end.line - 1]?.slice(end.column - 1)}`.trim();
}
