import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateRows } from '../../../infra/admin/migrate-rows.ts';
import { createMemoryDynamoDb, type MemoryDynamoDb } from '../../../infra/local/memory-dynamodb.ts';
import { checkRows } from '../../../shared/operations/doctor/checks/table.ts';
import { findMigration } from '../../../shared/operations/doctor/migration.table.ts';
import { openTable } from '../../../shared/runtime/table/open-table.ts';
import type { Item, RowShape } from '../../../shared/runtime/table/table.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { quietPlace } from '../../support/deployment.ts';
import { memoryClient } from '../../support/memory-dynamodb/client.ts';
import { createWorld } from '../../support/world.ts';

/** Simulates a previous release that stored amounts in cedis. */
const shapes: readonly RowShape[] = [
  {
    pk: 'RECEIPT#',
    sk: 'RECEIPT',
    oldest: 1,
    steps: [{ reads: ['cedis'], change: ({ cedis }) => ({ cedis: undefined, pesewas: Number(cedis) * 100 }) }],
  },
];
const RECEIPTS = 1_200;
const key = (n: number) => ({ pk: `RECEIPT#${String(n).padStart(5, '0')}`, sk: 'RECEIPT' });

let memory: MemoryDynamoDb;
let slept: number[];

const filled = createMemoryDynamoDb();
beforeAll(async () => {
  memory = filled;
  const before = table([]);
  for (let n = 0; n < RECEIPTS; n++) await before.write([{ put: { Item: { ...key(n), cedis: n } } }]);
  await before.write([{ put: { Item: { pk: 'LEASE', sk: 'housekeeping' } } }]);
  await before.write([{ put: { Item: { pk: 'ELSE', sk: 'ELSE' } } }]);
});
beforeEach(() => {
  memory = filled.clone();
  slept = [];
});

function table(known: readonly RowShape[]) {
  const sleep = async (ms: number) => void slept.push(ms);
  return openTable(memoryClient(memory), memory.tableName, { randomBytes, sleep }, known);
}

async function deployment(known = shapes) {
  const opened = quietPlace(await createWorld({ inMemory: true }));
  const outside = { ...opened.outside, table: table(known), sleep: async (ms: number) => void slept.push(ms) };
  return { ...opened, outside, table: { client: memoryClient(memory), name: memory.tableName, keepsData: true } };
}

const migrate = async (more: { isForReal?: boolean; known?: readonly RowShape[] } = {}) =>
  migrateRows(await deployment(more.known), { isForReal: more.isForReal ?? true, rowsPerSecond: 100 });
const receipts = () => memory.items().filter(({ sk }) => sk === 'RECEIPT');
const older = () => receipts().filter(({ shape }) => shape === undefined).length;

describe('`table migrate`', () => {
  test('rewrites only the previous release’s rows', async () => {
    const { counts, left, isContinued } = await migrate();
    const untouched = { rows: 1, older: 0 };
    const receipt = { rows: RECEIPTS, older: RECEIPTS };
    expect(counts).toEqual({ receipt, lease: untouched, unknown: untouched });
    expect({ left, isContinued }).toEqual({ left: [], isContinued: false });
    expect(receipts()).toEqual(
      receipts().map(({ pk, sk }) => ({ pk, sk, pesewas: Number(String(pk).slice(8)) * 100, shape: 2 })),
    );
  });

  test('writes at most a hundred rows per second', async () => {
    await migrate();
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(9_900);
  });

  test('changes nothing if it runs again', async () => {
    await migrate();
    const before = structuredClone(receipts());
    const records = memory.records.length;
    expect((await migrate()).counts.receipt).toEqual({ rows: RECEIPTS, older: 0 });
    expect(receipts()).toEqual(before);
    // Ignores the migration's own checkpoints.
    expect(memory.records.slice(records).filter(({ dynamodb }) => dynamodb?.Keys?.pk?.S !== 'MIGRATION')).toEqual([]);
  });

  test('writes nothing with --dry-run', async () => {
    const records = memory.records.length;
    expect((await migrate({ isForReal: false })).counts.receipt).toEqual({ rows: RECEIPTS, older: RECEIPTS });
    expect(memory.records.length).toBe(records);
  });

  test('resumes after the last complete page', async () => {
    let rewritten = 0;
    memory.onRequest = ({ operation }) => (operation === 'UpdateItem' && ++rewritten > 700 ? 'lose-request' : 'pass');
    await expect(migrate()).rejects.toThrow();
    memory.onRequest = undefined;
    expect(older()).toBe(RECEIPTS - 700);
    const { counts, isContinued } = await migrate();
    expect(isContinued).toBe(true);
    expect(counts.receipt?.rows).toBe(RECEIPTS);
    expect(older()).toBe(0);
    expect((await findMigration({ table: table(shapes) }))?.ended_at).toBeDefined();
  });
});

describe('rows that cannot be migrated', () => {
  test.each([
    ['a shape from a later release', { shape: 3 }, 'has shape 3, but this release reads shapes 1 to 2'],
    ['an unreadable value', { cedis: 'many' }, 'a receipt of many'],
  ])('are left unchanged and listed: %s', async (_, more, reason) => {
    const item = { ...key(7), ...more };
    await table([]).write([{ put: { Item: item } }]);
    const known = shapes.map((one) => ({
      ...one,
      steps: one.steps.map(({ reads, change }) => ({
        reads,
        change: (fields: Item) => {
          if (fields.cedis === 'many') throw new Error('a receipt of many');
          return change(fields);
        },
      })),
    }));
    const { left } = await migrate({ known });
    expect(left).toEqual([{ key: 'RECEIPT#00007 / RECEIPT', why: expect.stringContaining(reason) }]);
    expect(receipts().filter(({ pk }) => pk === item.pk)).toEqual([item]);
    expect(await checkRows(await deployment(known))).toMatchObject([{ state: 'wrong' }]);
  });
});

describe('the doctor’s migration check', () => {
  const states = async (known?: readonly RowShape[]) =>
    (await checkRows(await deployment(known))).map(({ state }) => state);

  test('reports nothing if the release changes no rows', async () => {
    expect(await states([])).toEqual([]);
  });

  test('reports a migration until it is complete', async () => {
    expect(await states()).toEqual(['wrong']);
    await migrate({ isForReal: false });
    expect(await states()).toEqual(['wrong']);
    await migrate();
    expect(await states()).toEqual(['fine']);
  });

  test('reports the migration required by the next release', async () => {
    await migrate();
    const more = [...shapes, { pk: 'EVENT#', sk: 'EVENT', oldest: 1, steps: [{ reads: [], change: () => ({}) }] }];
    expect(await states(more)).toEqual(['wrong']);
  });
});

test('the migration can be started from the command line', async () => {
  await runAdmin(await deployment(), ['table', 'migrate', '--dry-run', '--json']);
  expect(older()).toBe(RECEIPTS);
  await runAdmin(await deployment(), ['table', 'migrate', '--rows-per-second', '1000']);
  expect(older()).toBe(0);
});
