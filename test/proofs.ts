import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run proofs`: every test, with the long proofs whole of which `npm test` takes a slice, and then the games that it only plays for a
 * moment. For a night: an hour and a half on two cores. Exit 1 if one of them fails; the others are played all the same.
 */
const runs = [
  ['test/run.ts', ...process.argv.slice(2)],
  // What functions asked the table for meanwhile.
  ['test/support/hold-recorded.ts'],
  ['test/chain/main.ts'],
  ['test/simulation/rounds/main.ts'],
  ['test/simulation/simulate.ts'],
];
const RECORDED_CALLS = mkdtempSync(join(tmpdir(), 'momo-kiosk-calls-'));
const environment = { ...process.env, PROOFS: 'whole', RECORDED_CALLS };
const failed = runs.filter(
  (run) => spawnSync(process.execPath, run, { stdio: 'inherit', env: environment }).status !== 0,
);
rmSync(RECORDED_CALLS, { recursive: true });
for (const [script] of failed) console.error(`${script} failed`);
process.exit(failed.length > 0 ? 1 : 0);
