import type { Item, Key, Page, Table, TableWrite } from '../../shared/runtime/table/table.ts';

/**
 * A fast in-memory table for the rows of balance chains only, because a proof makes millions of requests. A slice of
 * the proof uses the complete in-memory database.
 */
export class PlainTable implements Table {
  /** Rows by partition and kind, which is the first part of the sort key. */
  readonly #kinds = new Map<string, Map<string, Item>>();

  async get(key: Key): Promise<Item | undefined> {
    return this.#find(key);
  }

  async getMany(keys: readonly Key[]): Promise<Item[]> {
    return keys.map((key) => this.#find(key)).filter((row) => row !== undefined);
  }

  async list(partition: string, { between }: { between?: readonly [string, string] } = {}): Promise<Item[]> {
    if (!between) return notNeeded();
    const [first, last] = between;
    const rows = this.#kind({ pk: partition, sk: first });
    const keys = [...rows.keys()].filter((sk) => sk >= first && sk <= last).sort();
    return keys.map((sk) => rows.get(sk)).filter((row) => row !== undefined);
  }

  async listPage(partition: string, { between, newestFirst, limit }: Page = {}) {
    const items = await this.list(partition, between && { between });
    return { items: (newestFirst ? items.toReversed() : items).slice(0, limit), next: undefined };
  }

  async write(writes: readonly TableWrite[]): Promise<void> {
    if (writes.length > MAX_LEGS) throw new Error(`The transaction has ${writes.length} writes, more than ${MAX_LEGS}`);
    for (const { put, refused } of writes) {
      const stands = put?.Item && this.#find(keyOf(put.Item));
      const isAsRead = put?.ExpressionAttributeValues?.[':version_read'] === stands?.version;
      const error = put?.ConditionExpression && !isAsRead ? refused?.(stands) : undefined;
      if (error) throw error;
    }
    for (const { put, delete: removed } of writes) {
      if (put?.Item) this.#kind(keyOf(put.Item)).set(String(put.Item.sk), put.Item);
      if (removed?.Key) this.#kind(keyOf(removed.Key)).delete(String(removed.Key.sk));
    }
  }

  listIndex = () => notNeeded();
  listIndexKeys = () => notNeeded();
  update = () => notNeeded();
  remove = () => notNeeded();

  #find(key: Key): Item | undefined {
    return this.#kind(key).get(key.sk);
  }

  #kind({ pk, sk }: Key): Map<string, Item> {
    const name = `${pk}/${sk.split('#', 1)[0]}`;
    const known = this.#kinds.get(name);
    if (known) return known;
    const rows = new Map<string, Item>();
    this.#kinds.set(name, rows);
    return rows;
  }
}

const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

/** Maximum number of writes in a DynamoDB transaction. */
const MAX_LEGS = 100;

function notNeeded(): never {
  throw new Error('PlainTable does not support this operation');
}
