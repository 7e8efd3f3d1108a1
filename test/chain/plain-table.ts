import type { Item, Key, Table, TableWrite } from '../../shared/runtime/table/table.ts';

/**
 * A fast in-memory table for the rows of balance chains only, because a proof makes millions of requests. A slice of
 * the proof uses the complete in-memory database.
 */
export class PlainTable implements Table {
  readonly #partitions = new Map<string, Map<string, Item>>();

  async get({ pk, sk }: Key): Promise<Item | undefined> {
    return this.#partition(pk).get(sk);
  }

  async getMany(keys: readonly Key[]): Promise<Item[]> {
    return keys.map(({ pk, sk }) => this.#partition(pk).get(sk)).filter((row) => row !== undefined);
  }

  async list(partition: string, { between }: { between?: readonly [string, string] } = {}): Promise<Item[]> {
    const [first, last] = between ?? ['', '~'];
    const rows = this.#partition(partition);
    const keys = [...rows.keys()].filter((sk) => sk >= first && sk <= last).sort();
    return keys.map((sk) => rows.get(sk)).filter((row) => row !== undefined);
  }

  async write(writes: readonly TableWrite[]): Promise<void> {
    if (writes.length > MAX_LEGS) throw new Error(`The transaction has ${writes.length} writes, more than ${MAX_LEGS}`);
    for (const { put, refused } of writes) {
      const stands = put && this.#partition(String(put.Item?.pk)).get(String(put.Item?.sk));
      const isAsRead = put?.ExpressionAttributeValues?.[':version_read'] === stands?.version;
      const error = put?.ConditionExpression && !isAsRead ? refused?.(stands) : undefined;
      if (error) throw error;
    }
    for (const { put, delete: removed } of writes) {
      if (put?.Item) this.#partition(String(put.Item.pk)).set(String(put.Item.sk), put.Item);
      if (removed?.Key) this.#partition(String(removed.Key.pk)).delete(String(removed.Key.sk));
    }
  }

  listPage = () => notNeeded();
  listIndex = () => notNeeded();
  listIndexKeys = () => notNeeded();
  update = () => notNeeded();
  remove = () => notNeeded();

  #partition(pk: string): Map<string, Item> {
    const known = this.#partitions.get(pk);
    if (known) return known;
    const rows = new Map<string, Item>();
    this.#partitions.set(pk, rows);
    return rows;
  }
}

/** Maximum number of writes in a DynamoDB transaction. */
const MAX_LEGS = 100;

function notNeeded(): never {
  throw new Error('PlainTable does not support this operation');
}
