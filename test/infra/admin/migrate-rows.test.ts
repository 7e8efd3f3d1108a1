import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateRows } from '../../../infra/admin/migrate-rows.ts';
import { checkRows } from '../../../shared/care/doctor/checks/table.ts';
import { findMigration } from '../../../shared/care/doctor/migration.table.ts';
import { openTable } from '../../../shared/runtime/table/open-table.ts';
import type { Item, RowShape } from '../../../shared/runtime/table/table.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { createMemoryDynamoDb, type MemoryDynamoDb, memoryClient } from '../../support/memory-dynamodb.ts';
import { quietPlace } from '../../support/place.ts';
import { createWorld } from '../../support/world.ts';

/** Charges whose amount was once in cedis. */
const shapes: readonly RowShape[] = [
  {
    ...{ pk: 'TRANSACTION#', sk: 'TRANSACTION', oldest: 1 },
    steps: [{ reads: ['cedis'], change: ({ cedis }) => ({ cedis: undefined, pesewas: Number(cedis) * 100 }) }],
  },
];
/** More than two pages. */
const CHARGES = 1_200;
const key = (n: number) => ({ pk: `TRANSACTION#${String(n).padStart(5, '0')}`, sk: 'TRANSACTION' });

let memory: MemoryDynamoDb;
let slept: number[];

const filled = createMemoryDynamoDb();
beforeAll(async () => {
  memory = filled;
  const before = table([]);
  for (let n = 0; n < CHARGES; n++) await before.write([{ put: { Item: { ...key(n), cedis: n } } }]);
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

async function place(known = shapes) {
  const opened = quietPlace(await createWorld({ inMemory: true }));
  const outside = { ...opened.outside, table: table(known), sleep: async (ms: number) => void slept.push(ms) };
  return { ...opened, outside, table: { client: memoryClient(memory), name: memory.tableName, keepsData: true } };
}

const migrate = async (more: { isForReal?: boolean; known?: readonly RowShape[] } = {}) =>
  migrateRows(await place(more.known), { isForReal: more.isForReal ?? true, rowsPerSecond: 100 });
const charges = () => memory.items().filter(({ sk }) => sk === 'TRANSACTION');
const older = () => charges().filter(({ shape }) => shape === undefined).length;

describe('table migrate', () => {
  test('rewrites the rows of the release before, and no others', async () => {
    const { counts, left, isContinued } = await migrate();
    expect({ counts, left, isContinued }).toEqual({
      counts: {
        transaction: { rows: CHARGES, older: CHARGES },
        lease: { rows: 1, older: 0 },
        unknown: { rows: 1, older: 0 },
      },
      left: [],
      isContinued: false,
    });
    expect(charges()).toEqual(
      charges().map(({ pk, sk }) => ({ pk, sk, pesewas: Number(String(pk).slice(12)) * 100, shape: 2 })),
    );
  });

  test('goes no faster than it is told: a hundred rows a second', async () => {
    await migrate();
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(9_900);
  });

  test('twice changes nothing the second time', async () => {
    await migrate();
    const before = structuredClone(charges());
    const records = memory.records.length;
    expect((await migrate()).counts.transaction).toEqual({ rows: CHARGES, older: 0 });
    expect(charges()).toEqual(before);
    // What it notes of itself, page by page.
    expect(memory.records.slice(records).filter(({ dynamodb }) => dynamodb?.Keys?.pk?.S !== 'MIGRATION')).toEqual([]);
  });

  test('with --dry-run writes nothing, and counts', async () => {
    const records = memory.records.length;
    expect((await migrate({ isForReal: false })).counts.transaction).toEqual({ rows: CHARGES, older: CHARGES });
    expect(memory.records.length).toBe(records);
  });

  test('that is stopped goes on after the last page that it ended', async () => {
    let rewritten = 0;
    memory.onRequest = ({ operation }) => (operation === 'UpdateItem' && ++rewritten > 700 ? 'lose-request' : 'pass');
    await expect(migrate()).rejects.toThrow();
    memory.onRequest = undefined;
    expect(older()).toBe(CHARGES - 700);
    const { counts, isContinued } = await migrate();
    expect(isContinued).toBe(true);
    expect(counts.transaction?.rows).toBe(CHARGES);
    expect(older()).toBe(0);
    expect((await findMigration({ table: table(shapes) }))?.ended_at).toBeDefined();
  });
});

describe('rows that this release does not know', () => {
  test.each([
    ['of a later release', { shape: 3 }, 'has shape 3; this release reads shapes 1 to 2'],
    ['that its step does not understand', { cedis: 'many' }, 'a charge of many'],
  ])('%s are left, and told with the reason', async (_, more, why) => {
    const item = { ...key(7), ...more };
    await table([]).write([{ put: { Item: item } }]);
    const known = shapes.map((one) => ({
      ...one,
      steps: one.steps.map(({ reads, change }) => ({
        reads,
        change: (fields: Item) => {
          if (fields.cedis === 'many') throw new Error('a charge of many');
          return change(fields);
        },
      })),
    }));
    const { left } = await migrate({ known });
    expect(left).toEqual([{ key: 'TRANSACTION#00007 / TRANSACTION', why: expect.stringContaining(why) }]);
    expect(charges().filter(({ pk }) => pk === item.pk)).toEqual([item]);
    expect(await checkRows(await place(known))).toMatchObject([{ state: 'wrong' }]);
  });
});

describe('doctor', () => {
  const states = async (known?: readonly RowShape[]) => (await checkRows(await place(known))).map(({ state }) => state);

  test('says nothing of a release that changes no rows', async () => {
    expect(await states([])).toEqual([]);
  });

  test('finds that rows are to be migrated, until they all are', async () => {
    expect(await states()).toEqual(['wrong']);
    await migrate({ isForReal: false });
    expect(await states()).toEqual(['wrong']);
    await migrate();
    expect(await states()).toEqual(['fine']);
  });

  test('and again with the next change', async () => {
    await migrate();
    const more = [...shapes, { pk: 'EVENT#', sk: 'EVENT', oldest: 1, steps: [{ reads: [], change: () => ({}) }] }];
    expect(await states(more)).toEqual(['wrong']);
  });
});

test('the command line runs it', async () => {
  await runAdmin(await place(), ['table', 'migrate', '--dry-run', '--json']);
  expect(older()).toBe(CHARGES);
  await runAdmin(await place(), ['table', 'migrate', '--rows-per-second', '1000']);
  expect(older()).toBe(0);
});
