import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run prove -- all` runs every test with the complete long proofs, of which `npm test` runs only a slice, and then
 * the simulations that `npm test` plays only briefly. It takes an hour and a half on two cores. If a proof fails, the
 * others still run and the exit code is 1.
 */
const runs = [
  ['test', '--', ...process.argv.slice(2)],
  // Checks the table requests that functions made during the run of the tests.
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
