import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run prove -- all`: every test, with the long proofs whole of which `npm test` takes a slice, and then the games that it only plays for a
 * moment. For a night: an hour and a half on two cores. Exit 1 if one of them fails; the others are played all the same.
 */
const runs = [
  ['test', '--', ...process.argv.slice(2)],
  // What functions asked the table for meanwhile.
  ['run', 'prove', '--', 'rights'],
  ['run', 'prove', '--', 'chains'],
  ['run', 'prove', '--', 'rounds'],
  ['run', 'prove', '--', 'simulate'],
];
const RECORDED_CALLS = mkdtempSync(join(tmpdir(), 'momo-kiosk-calls-'));
const environment = { ...process.env, PROOFS: 'whole', RECORDED_CALLS };
const failed = runs.filter((run) => spawnSync('npm', run, { stdio: 'inherit', env: environment }).status !== 0);
rmSync(RECORDED_CALLS, { recursive: true });
for (const run of failed) console.error(`npm ${run.join(' ')} failed`);
process.exit(failed.length > 0 ? 1 : 0);
