import {
  type CompleteRow,
  type QueueRow,
  type Rights,
  type Row,
  type TableRights,
  type ThrottleGroup,
  tableActions,
} from './row.ts';

/** Returns a manifest row with its defaults and rights. `own` contains the rights granted in `functions/rights.ts`. */
export function completeRow(row: Row, own: Rights = {}): CompleteRow {
  const { table = {} } = own;
  return {
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMegabytes: memoryOf(row),
    ...row,
    table: [table, authentication(row), idempotency(row), visitors(row), debits(table)].reduce(both),
    ...indexes(row, own),
  };
}

export function completeRows(
  manifest: Readonly<Record<string, Row>>,
  rights: Readonly<Record<string, Rights>>,
): [string, CompleteRow][] {
  return Object.entries(manifest).map(([name, row]) => [name, completeRow(row, rights[name])]);
}

export function consumerOf(manifest: Readonly<Record<string, Row>>, queue: string): Consumer {
  const [consumer, ...more] = Object.values(manifest).flatMap((row) =>
    row.on === 'queue' && row.queue === queue ? [row] : [],
  );
  if (!consumer || more.length > 0)
    throw new Error(`The queue ${queue} has no consumer in the manifest, or more than one`);
  return { timeoutSeconds: TIMEOUT_SECONDS, ...consumer };
}

type Consumer = QueueRow & Required<Pick<QueueRow, 'timeoutSeconds'>>;

const TIMEOUT_SECONDS = 10;

/** Returns the function's memory. Functions that serve pages get 1,769 MB, which equals one full CPU. */
function memoryOf(row: Row): number {
  const isPage = row.on === 'area' || (row.on === 'http' && PAGES.has(row.throttledWith));
  return isPage ? 1769 : 512;
}

const PAGES: ReadonlySet<ThrottleGroup | undefined> = new Set(['pages', 'claims']);

function authentication(row: Row): TableRights {
  if (!isKeyed(row)) return {};
  return {
    GetItem: ['KEY#*', 'MERCHANT#*'],
    PutItem: ['KEY_USE#*', 'FAILED_REQUEST#*', ...(row.audited === undefined ? [] : ['AUDIT#*'])],
  };
}

/**
 * Returns the rights to store this route's responses and to read them again for repeated requests. Excludes other
 * routes' responses, which may contain secrets.
 */
function idempotency(row: Row): TableRights {
  if (!isKeyed(row) || row.method !== 'POST') return {};
  const records = [`IDEMPOTENCY#*#${row.method} ${row.path}#*`];
  return { GetItem: records, PutItem: records };
}

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

function debits({ PutItem = [], UpdateItem = [] }: TableRights): TableRights {
  const accepts = PutItem.includes('SEND#*') && UpdateItem.includes('CREDITS#*');
  return accepts ? { GetItem: ['BUNDLES'] } : {};
}

function indexes({ on }: Row, { indexes }: Rights): Pick<Rights, 'indexes'> {
  if (on !== 'area') return indexes ? { indexes } : {};
  const { gsi1 = [], ...others } = indexes ?? {};
  return { indexes: { ...others, gsi1: [...new Set([...gsi1, 'MERCHANT#*#RECEIPT#held'])] } };
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
