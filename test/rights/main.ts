import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from '../../functions/manifest.ts';
import { rights } from '../../functions/rights.ts';
import { completeRows } from '../../shared/runtime/triggers/complete-row.ts';
import { tableActions } from '../../shared/runtime/triggers/row.ts';
import { synthesise } from '../infra/cdk/synthesise.ts';
import { runSeed } from '../simulation/run.ts';
import { exampleOf, matches } from '../support/grants.ts';
import { type RecordedCall, recordedCalls } from '../support/recorded-calls.ts';
import { type Check, checksOf, evaluatorOf } from './evaluator.ts';

/**
 * Entry point of `npm run prove -- rights`: an independent IAM policy evaluator decides what a stage's roles may do to
 * its table, and the result is compared with the manifest. (table-rights.test.ts checks the same policies with our own
 * understanding of IAM.) Then checks the requests in a random run, and those recorded by a test run in RECORDED_CALLS.
 * Exits with 1 if there is a difference.
 */
interface Case {
  readonly check: Check;
  readonly isGranted: boolean;
}

const allows = evaluatorOf(synthesise(), 'momo-kiosk-dev');
const rows = completeRows(manifest, rights);
/** One example for each form of partition key in the rows. */
const partitions = [...new Set(rows.flatMap(([, { table }]) => Object.values(table).flat()))].map(exampleOf);

hold('rights of functions to partitions', rightsToPartitions());
hold('rights of functions to query indexes', rightsToIndexes());
hold('calls that are allowed, and their neighbours that are not', neighbours());
await runSeed(1, 40);
const calls = [...recordedCalls(), ...leftBehind()];
const functions = new Set(calls.map(({ name }) => name));
hold(`checks of ${calls.length} calls of ${functions.size} functions (of ${rows.length})`, asGranted(calls));

function hold(what: string, cases: readonly Case[]): void {
  const wrong = cases.filter(({ check, isGranted }) => allows(check) !== isGranted);
  const granted = cases.filter(({ isGranted }) => isGranted).length;
  console.log(`${cases.length} ${what}, ${granted} of them granted: ${wrong.length} differ`);
  for (const { check, isGranted } of wrong)
    console.error(
      `${check.name} ${check.action} ${check.index ?? ''} ${check.keys.join(' ')}: ${isGranted ? 'refused' : 'allowed'}`,
    );
  if (wrong.length > 0 || granted === 0) process.exitCode = 1;
}

/** Each function may access each partition as its own row says, but may not do anything that only other rows allow. */
function rightsToPartitions(): Case[] {
  return rows.flatMap(([name, { table }]) =>
    tableActions.flatMap((action) =>
      partitions.map((key) => ({
        check: { name, action, keys: [key] },
        isGranted: table[action]?.some((pattern) => matches(pattern, key)) ?? false,
      })),
    ),
  );
}

function rightsToIndexes(): Case[] {
  const indexes = new Map<string, string[]>();
  for (const [, row] of rows)
    for (const [index, patterns] of Object.entries(row.indexes ?? {}))
      indexes.set(index, [...new Set([...(indexes.get(index) ?? []), ...patterns])]);
  return rows.flatMap(([name, row]) =>
    [...indexes].flatMap(([index, patterns]) =>
      patterns.map(exampleOf).map((key) => ({
        check: { name, action: 'Query', index, keys: [key] },
        isGranted: Object.entries(row.indexes ?? {}).some(
          ([own, granted]) => own === index && granted.some((pattern) => matches(pattern, key)),
        ),
      })),
    ),
  );
}

function neighbours(): Case[] {
  const claims: Check = { name: 'checkout/claim', action: 'UpdateItem', keys: ['TRANSACTION#MK-1'] };
  return [
    { check: claims, isGranted: true },
    { check: { ...claims, name: 'sms/send' }, isGranted: false },
    { check: { ...claims, action: 'PutItem' }, isGranted: false },
    { check: { ...claims, keys: [...claims.keys, 'CREDITS#m'] }, isGranted: false },
  ];
}

/**
 * Returns requests recorded by a test run. The evaluator's wildcards stop at a line break, which tests of invalid input
 * write into keys. AWS's wildcards do not stop there.
 */
function leftBehind(): RecordedCall[] {
  const folder = process.env.RECORDED_CALLS;
  if (!folder) return [];
  const lines = globSync('*.jsonl', { cwd: folder }).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trim().split('\n'),
  );
  return [...new Set(lines)].map((line): RecordedCall => JSON.parse(line));
}

function asGranted(recorded: readonly RecordedCall[]): Case[] {
  const checks = recorded.flatMap(checksOf).filter(({ keys }) => !keys.some((key) => /[\n\r\u2028\u2029]/.test(key)));
  return checks.map((check) => ({ check, isGranted: true }));
}
