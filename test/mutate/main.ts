import { Stryker } from '@stryker-mutator/core';
import { Argument, Command } from 'commander';
import { groups } from './groups.ts';

/** `npm run mutate -- [group…]`: changes the code one place at a time and tells which changes no test of the group notices. */
const { args } = new Command('mutate')
  .description(
    'Changes the code that decides about money, one place at a time, and tells which changes no test notices.',
  )
  .addArgument(
    new Argument('[group...]', 'what to change; everything where none is named').choices(Object.keys(groups)),
  )
  .showHelpAfterError('(--help shows how)')
  .parse();

for (const [name, { code, tests, runsAll }] of Object.entries(groups)) {
  if (args.length > 0 && !args.includes(name)) continue;
  // By the environment, for what Stryker has of its own (`testFiles`) never switches changes to constants on: its issue 6144.
  process.env.MUTATE_TESTS = JSON.stringify(tests);
  process.env.PROOFS = 'whole';
  await new Stryker({
    mutate: [...code],
    testRunner: 'vitest',
    coverageAnalysis: runsAll ? 'off' : 'perTest',
    vitest: { configFile: 'test/mutate/vitest.config.ts' },
    // Names no file: Stryker would rewrite the real one with functions that TypeScript 7 no longer has.
    tsconfigFile: 'none',
    tempDirName: '.local/mutate',
    ignorePatterns: ['/.generated', '/.local', '/cdk.out', '/docs'],
    concurrency: 2,
    // What takes this much longer than unchanged has no end. Generous, for a machine that does other things too.
    timeoutMS: 30_000,
    reporters: ['clear-text'],
    clearTextReporter: { reportTests: false, logTests: false },
    allowConsoleColors: process.stdout.isTTY === true,
  }).runMutationTest();
}
