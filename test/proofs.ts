import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { javaOrDocker } from '../infra/local/dynamodb.ts';

/**
 * `npm run prove -- all` runs every test with the complete long proofs, on both databases, and then the simulations. It
 * takes an hour and a half on two cores. If a proof fails, the others still run and the exit code is 1.
 */
const ON_BOTH_DATABASES = ['test/journeys', 'test/infra/local', 'test/infra/cdk', 'test/unit/support'];
const ON_DYNAMODB_LOCAL = ['test/functions/transaction', 'test/functions/sms', 'test/functions/receipt'];
const runs: readonly { readonly environment?: Record<string, string>; readonly script: readonly string[] }[] = [
  { script: ['test', '--', ...process.argv.slice(2)] },
  { environment: { DATABASE: 'memory' }, script: ['test', '--', ...ON_BOTH_DATABASES] },
  ...(javaOrDocker()
    ? [{ environment: { TEST_DYNAMODB: 'local' }, script: ['test', '--', ...ON_DYNAMODB_LOCAL] }]
    : []),
  // Checks the table requests that functions made during the run of the tests.
  { script: ['run', 'prove', '--', 'rights'] },
  { script: ['run', 'prove', '--', 'chains'] },
  { script: ['run', 'prove', '--', 'rounds'] },
  { script: ['run', 'prove', '--', 'simulate'] },
];
const RECORDED_CALLS = mkdtempSync(join(tmpdir(), 'momo-kiosk-calls-'));
const failed = runs.filter(({ environment, script }) => {
  const env = { ...process.env, PROOFS: 'whole', RECORDED_CALLS, ...environment };
  return spawnSync('npm', script, { stdio: 'inherit', env }).status !== 0;
});
rmSync(RECORDED_CALLS, { recursive: true });
for (const { script } of failed) console.error(`npm ${script.join(' ')} failed`);
process.exit(failed.length > 0 ? 1 : 0);
