import { spawnSync } from 'node:child_process';
import { javaOrDocker } from '../infra/local/dynamodb.ts';
import { DAY_MS } from '../shared/runtime/values/calendar.ts';

/**
 * `npm run prove -- quick` runs a slice of the long proofs on the database that `npm start` uses. Then, if Java or Docker
 * is found, it runs functions on DynamoDB Local. It takes five minutes on two cores and ends at the first failure.
 */
const SLICE = process.env.SLICE ?? String(Math.floor(Date.now() / DAY_MS));
/** A function for each kind of write, conditional states, and the local stack. */
const ON_DYNAMODB_LOCAL = [
  'test/functions/transaction/refund.test.ts',
  'test/functions/sms/send.test.ts',
  'test/infra/local/databases.proof.ts',
  'test/unit/runtime/table/transitions.test.ts',
];

console.log(`Slice ${SLICE} of the long proofs. To repeat it: SLICE=${SLICE} npm run prove -- quick`);
const isGreen =
  run({ PROOFS: 'quick', DATABASE: 'memory', SLICE }, process.argv.slice(2)) &&
  (!javaOrDocker() || run({ DATABASE: 'dynamodb-local', TEST_DYNAMODB: 'local' }, ON_DYNAMODB_LOCAL));
process.exitCode = isGreen ? 0 : 1;

function run(environment: Record<string, string>, files: readonly string[]): boolean {
  const options = { stdio: 'inherit', env: { ...process.env, ...environment } } as const;
  return spawnSync(process.execPath, ['test/run.ts', ...files], options).status === 0;
}
