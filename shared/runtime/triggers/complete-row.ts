import { rowShapes } from '../table/row-shape.ts';
import type { RowShape } from '../table/table.ts';
import { type CompleteRow, type Row, type TableRights, type ThrottleGroup, tableActions } from './row.ts';

/** A row of the manifest with its defaults and all its rights, as CDK, the local stack and the tests need it. */
export function completeRow(row: Row, shapes: readonly RowShape[] = rowShapes): CompleteRow {
  const rights = [row.table ?? {}, authentication(row), idempotency(row), visitors(row), debits(row)].reduce(both);
  const table = both(rights, carryingOver(rights, shapes));
  return { timeoutSeconds: 10, memoryMegabytes: memoryOf(row), ...row, table, ...indexes(row) };
}

/** Every row of the manifest, complete, with its function's name. */
export function completeRows(manifest: Readonly<Record<string, Row>>): [string, CompleteRow][] {
  return Object.entries(manifest).map(([name, row]) => [name, completeRow(row)]);
}

/** The one function behind a queue. */
export function consumerOf(manifest: Readonly<Record<string, Row>>, queue: string): CompleteRow {
  const [consumer, ...more] = Object.values(manifest).filter((row) => row.on === 'queue' && row.queue === queue);
  if (!consumer || more.length > 0) throw new Error(`The queue ${queue} needs one consumer in the manifest`);
  return completeRow(consumer);
}

/** A whole processor, the most that one thread can use, where a person waits for a page; else not a third of one. */
function memoryOf(row: Row): number {
  const isPage = row.on === 'area' || (row.on === 'http' && PAGES.has(row.throttledWith));
  return isPage ? 1769 : 512;
}

const PAGES: ReadonlySet<ThrottleGroup | undefined> = new Set(['pages', 'claims']);

/** The rights needed to find the owner of a key, and to note for them when it was used and what failed. */
function authentication(row: Row): TableRights {
  if (!isKeyed(row)) return {};
  return {
    GetItem: ['KEY#*', 'MERCHANT#*'],
    PutItem: ['KEY_USE#*', 'FAILED_REQUEST#*', ...(row.audited === undefined ? [] : ['AUDIT#*'])],
  };
}

/**
 * The rights needed to store an answer under an Idempotency-Key and return it again, on this route only: the answers of other
 * routes may contain secrets.
 */
function idempotency(row: Row): TableRights {
  if (!isKeyed(row) || row.method !== 'POST') return {};
  const records = [`IDEMPOTENCY#*#${row.method} ${row.path}#*`];
  return { GetItem: records, PutItem: records };
}

/** The rights needed to know who has a page of the dashboard open, how much waits for them and whether their shop has a till, to do what a form says once, and to note who did it. */
function visitors(row: Row): TableRights {
  if (row.on !== 'area') return {};
  const records = [`IDEMPOTENCY#*#POST ${row.path}#*`];
  return {
    GetItem: ['MERCHANT#*', ...records],
    BatchGetItem: ['USER#*', 'SESSION#*', 'SHARED_PHONE#*', 'RECEIPT#*'],
    Query: ['TILL#*'],
    PutItem: ['AUDIT#*', ...records],
  };
}

/** The rights needed to say, where credits are too few for a text, which are for sale and by whom. */
function debits({ table: { PutItem = [], UpdateItem = [] } = {} }: Row): TableRights {
  const accepts = PutItem.includes('SEND#*') && UpdateItem.includes('CREDITS#*');
  return accepts ? { GetItem: ['BUNDLES'] } : {};
}

/** Every page of the dashboard says how many payments wait. */
function indexes({ on, indexes: { gsi1 = [], ...others } = {} }: Row): Pick<Row, 'indexes'> {
  if (on !== 'area') return {};
  return { indexes: { ...others, gsi1: [...new Set([...gsi1, 'MERCHANT#*#RECEIPT#held'])] } };
}

/** A function that writes a row whose kind has changed may have to carry it over first, which is an update. */
function carryingOver(
  { PutItem = [], DeleteItem = [], UpdateItem = [] }: TableRights,
  shapes: readonly RowShape[],
): TableRights {
  const changed = [...PutItem, ...DeleteItem].filter((pattern) => {
    const [start = ''] = pattern.split('*');
    return shapes.some(({ pk }) => start.startsWith(pk) || pk.startsWith(start));
  });
  return { UpdateItem: [...new Set(changed)].filter((pattern) => !UpdateItem.includes(pattern)) };
}

function isKeyed(row: Row) {
  return row.on === 'http' && row.key !== undefined;
}

function both(a: TableRights, b: TableRights): TableRights {
  const rights: { -readonly [Action in keyof TableRights]: TableRights[Action] } = { ...a };
  for (const action of tableActions) {
    const partitions = [...(a[action] ?? []), ...(b[action] ?? [])];
    if (partitions.length > 0) rights[action] = partitions;
  }
  return rights;
}
