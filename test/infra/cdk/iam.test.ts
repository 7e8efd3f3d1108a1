import { expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { completeRows } from '../../../shared/runtime/triggers/complete-row.ts';
import { tableActions } from '../../../shared/runtime/triggers/row.ts';
import { runSeed } from '../../simulation/run.ts';
import { reportFigure } from '../../support/figures.ts';
import { matches } from '../../support/grants.ts';
import { type Check, checksOf, evaluatorOf } from '../../support/iam.ts';
import { recordedCalls } from '../../support/recorded-calls.ts';
import { sliceOf } from '../../support/slice.ts';
import { synthesise } from './synthesise.ts';

// The synthesised policies, decided by an evaluator that is not ours: table-rights.test.ts reads them as we understand IAM.

const allows = evaluatorOf(synthesise(), 'momo-kiosk-dev');
const rows = completeRows(manifest);
/** A partition key of every form that any row names. */
const partitions = [...new Set(rows.flatMap(([, { table }]) => Object.values(table).flat()))].map(example);

test('each function may do to each partition what its row says, and nothing that another’s row says', () => {
  const asked = rows.flatMap(([name, row]) =>
    tableActions.flatMap((action) =>
      partitions.map((key) => ({
        check: { name, action, keys: [key] },
        isGranted: row.table[action]?.some((pattern) => matches(pattern, key)) ?? false,
      })),
    ),
  );
  const tried = sliceOf(asked, 16);
  const wrong = tried.filter(({ check, isGranted }) => allows(check) !== isGranted);
  reportFigure(
    `policies: ${tried.length} rights, of which ${tried.filter(({ isGranted }) => isGranted).length} are granted`,
  );
  expect(wrong.map(({ check, isGranted }) => `${inWords(check)}: ${isGranted ? 'refused' : 'allowed'}`)).toEqual([]);
});

test('each function may query the indexes as its row says, and no other', () => {
  const indexes = new Map<string, string[]>();
  for (const [, row] of rows)
    for (const [index, patterns] of Object.entries(row.indexes ?? {}))
      indexes.set(index, [...new Set([...(indexes.get(index) ?? []), ...patterns])]);
  const wrong = rows.flatMap(([name, row]) =>
    [...indexes].flatMap(([index, patterns]) =>
      patterns.map(example).filter((key) => {
        const isGranted = Object.entries(row.indexes ?? {}).some(
          ([own, granted]) => own === index && granted.some((pattern) => matches(pattern, key)),
        );
        return allows({ name, action: 'Query', index, keys: [key] }) !== isGranted;
      }),
    ),
  );
  expect(wrong).toEqual([]);
});

test('what functions ask for in a random run is allowed, each leg of a transaction by itself and with the others', async () => {
  await runSeed(1, 40);
  const checks = recordedCalls().flatMap(checksOf);
  const names = new Set(checks.map(({ name }) => name));
  reportFigure(
    `policies: ${checks.length} checks of ${recordedCalls().length} kinds of calls, of ${names.size} functions`,
  );
  expect(names.size).toBeGreaterThan(10);
  expect(checks.filter((check) => !allows(check)).map(inWords)).toEqual([]);
});

test('a call of another function’s is refused', () => {
  const claims: Check = { name: 'checkout/claim', action: 'UpdateItem', keys: ['TRANSACTION#MK-1'] };
  expect(allows(claims)).toBe(true);
  expect(allows({ ...claims, name: 'sms/send' })).toBe(false);
  expect(allows({ ...claims, action: 'PutItem' })).toBe(false);
  // A leg for which the function has no right is refused beside one for which it has.
  const together = { name: 'checkout/claim', operation: 'TransactWriteItems' };
  const [granted, foreign] = [
    { action: 'UpdateItem', partition: 'TRANSACTION#MK-1' },
    { action: 'UpdateItem', partition: 'CREDITS#m' },
  ];
  expect(checksOf({ ...together, parts: [granted] }).every(allows)).toBe(true);
  expect(checksOf({ ...together, parts: [granted, foreign] }).every(allows)).toBe(false);
});

function inWords({ name, action, index, keys }: Check): string {
  return `${name} ${action} ${index ?? ''} ${keys.join(' ')}`;
}

function example(pattern: string): string {
  return pattern.replaceAll('*', '1');
}
