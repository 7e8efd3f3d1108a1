import { spawnSync } from 'node:child_process';

/**
 * `npm run proofs`: every test, with the long proofs whole of which `npm test` takes a slice, and then the games that it only plays for a
 * moment. For a night: an hour and a half on two cores. Exit 1 if one of them fails; the others are played all the same.
 */
const runs = [
  ['test/run.ts', ...process.argv.slice(2)],
  ['test/chain/main.ts'],
  ['test/simulation/rounds/main.ts'],
  ['test/simulation/simulate.ts'],
];
const environment = { ...process.env, PROOFS: 'whole' };
const failed = runs.filter(
  (run) => spawnSync(process.execPath, run, { stdio: 'inherit', env: environment }).status !== 0,
);
for (const [script] of failed) console.error(`${script} failed`);
process.exit(failed.length > 0 ? 1 : 0);
