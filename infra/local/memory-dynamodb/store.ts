import type { DynamoDBRecord } from 'aws-lambda';
import { tableSchema } from '../../../shared/runtime/table/table-schema.ts';
import type { Capacity, Units } from './capacity.ts';
import { firstNotBefore, Partitions, Row } from './rows.ts';
import { type Attributes, attributeOf, haveEqualAttributes } from './values.ts';

type IndexName = (typeof tableSchema)['indexes'][number]['name'];
export type Index = (typeof tableSchema)['indexes'][number];

export class Store {
  indexLag = 0;
  capacity: Capacity | undefined;
  #items = new Partitions();
  #indexes = new Map<IndexName, Partitions>(tableSchema.indexes.map(({ name }) => [name, new Partitions()]));
  #unindexed: Change[] = [];
  #records: DynamoDBRecord[] = [];
  #trimmed = 0;

  copy(): Store {
    const copy = new Store();
    copy.indexLag = this.indexLag;
    copy.capacity = this.capacity;
    copy.#items = this.#items.copy();
    copy.#indexes = new Map([...this.#indexes].map(([name, partitions]) => [name, partitions.copy()]));
    copy.#unindexed = [...this.#unindexed];
    copy.#records = [...this.#records];
    copy.#trimmed = this.#trimmed;
    return copy;
  }

  get records(): readonly DynamoDBRecord[] {
    return this.#records;
  }

  get trimmed(): number {
    return this.#trimmed;
  }

  trim(beforeSeconds: number): void {
    const isKept = ({ dynamodb }: DynamoDBRecord) => (dynamodb?.ApproximateCreationDateTime ?? 0) >= beforeSeconds;
    const first = this.#records.findIndex(isKept);
    this.#trimmed += this.#records.splice(0, first === -1 ? this.#records.length : first).length;
  }

  restore({ pk, sk, item }: Write): void {
    this.#change({ pk, sk, item });
  }

  /** Restores saved stream records without the first `trimmed` ones. */
  restoreRecords(records: Iterable<DynamoDBRecord>, trimmed: number): void {
    this.#records = [...records];
    this.#trimmed = trimmed;
  }

  get(pk: string, sk: string): Row | undefined {
    const rows = this.#items.rows(pk);
    const row = rows[firstNotBefore(rows, { sort: sk, pk, sk })];
    return row?.sk === sk ? row : undefined;
  }

  partition(name: string, index?: Index): readonly Row[] {
    if (!index) return this.#items.rows(name);
    this.catchUpIndexes(this.indexLag);
    return this.#indexes.get(index.name)?.rows(name) ?? [];
  }

  partitionNames(): Iterable<string> {
    return this.#items.names();
  }

  /**
   * Performs all of a request's writes or none.
   * @throws OverCapacity if a key of the table or an index has no units left.
   */
  commit(writes: readonly Write[], nowMs: number, inTransaction = false): void {
    this.capacity?.take(writes.flatMap((write) => this.#unitsOf(write, inTransaction)));
    for (const write of writes) this.write(write, nowMs);
  }

  /** Charges a failed condition or condition check like a write. */
  billUnwritten(places: readonly Pick<Write, 'pk' | 'sk'>[], inTransaction = false): void {
    this.capacity?.take(places.map(({ pk, sk }) => tableUnits(pk, this.get(pk, sk)?.bytes ?? 0, inTransaction)));
  }

  /** Charges for a read of this many bytes. Index reads are eventually consistent and cost half. */
  bill(partition: string, bytes: number, index?: Index): void {
    const units = Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (index ? 0.5 : 1);
    this.capacity?.take([{ key: `${index?.name ?? 'table'} ${partition}`, kind: 'read', units }]);
  }

  /**
   * Returns the units of a write by AWS's rules: one per KB of the larger version, doubled in a transaction. An index
   * charges for each entry added or removed.
   */
  #unitsOf({ pk, sk, item }: Write, inTransaction: boolean): Units[] {
    const before = this.get(pk, sk);
    const after = item && new Row({ sort: sk, pk, sk }, item);
    const entries = tableSchema.indexes.flatMap((index) => {
      const [old, now] = [indexKey(index, before), indexKey(index, after)];
      if (old?.partition === now?.partition && old?.sort === now?.sort) return [];
      const units = (partition: string): Units => ({ key: `${index.name} ${partition}`, kind: 'write', units: 1 });
      return [old, now].flatMap((entry) => (entry ? [units(entry.partition)] : []));
    });
    return [tableUnits(pk, Math.max(before?.bytes ?? 0, after?.bytes ?? 0), inTransaction), ...entries];
  }

  /** Replaces or deletes an item. A write without changes creates no stream record. */
  write({ pk, sk, item }: Write, nowMs: number, isExpiry = false): void {
    const before = this.get(pk, sk);
    if (before && item ? haveEqualAttributes(before.item, item) : before === item) return;
    this.#record({ pk, sk }, this.#change({ pk, sk, item }), nowMs, isExpiry);
  }

  #change({ pk, sk, item }: Write): Change {
    const before = this.get(pk, sk);
    const place = { sort: sk, pk, sk };
    const after = item && new Row(place, item);
    if (after) this.#items.put(pk, after);
    else this.#items.remove(pk, place);
    const change = { before, after };
    this.#unindexed.push(change);
    this.catchUpIndexes(this.indexLag);
    return change;
  }

  catchUpIndexes(behind: number): void {
    while (this.#unindexed.length > behind) {
      const write = this.#unindexed.shift();
      for (const index of tableSchema.indexes) this.#reindex(index, write?.before, write?.after);
    }
  }

  #reindex(index: Index, before: Row | undefined, after: Row | undefined): void {
    const [old, now] = [indexKey(index, before), indexKey(index, after)];
    if (old?.partition === now?.partition && old?.sort === now?.sort) return;
    const partitions = this.#indexes.get(index.name);
    if (before && old) partitions?.remove(old.partition, { sort: old.sort, pk: before.pk, sk: before.sk });
    if (after && now) {
      const keys = [tableSchema.partitionKey, tableSchema.sortKey, index.partitionKey, index.sortKey];
      const item = Object.fromEntries(keys.flatMap((name) => entryOf(after.item, name)));
      partitions?.put(now.partition, new Row({ sort: now.sort, pk: after.pk, sk: after.sk }, item));
    }
  }

  #record({ pk, sk }: Omit<Write, 'item'>, { before, after }: Change, nowMs: number, isExpiry: boolean): void {
    const number = this.#trimmed + this.#records.length + 1;
    const Keys = { pk: { S: pk }, sk: { S: sk } };
    this.#records.push({
      eventID: number.toString(16).padStart(32, '0'),
      eventName: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(nowMs / 1000),
        Keys,
        ...(after && { NewImage: after.item }),
        ...(before && { OldImage: before.item }),
        SequenceNumber: String(number).padStart(21, '0'),
        SizeBytes: 4 + Buffer.byteLength(pk) + Buffer.byteLength(sk) + (before?.bytes ?? 0) + (after?.bytes ?? 0),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      eventSourceARN: STREAM_ARN,
      ...(isExpiry && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
    });
  }
}

export interface Write {
  readonly pk: string;
  readonly sk: string;
  readonly item: Attributes | undefined;
}

interface Change {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;

function tableUnits(pk: string, bytes: number, inTransaction: boolean): Units {
  const units = Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES)) * (inTransaction ? 2 : 1);
  return { key: `table ${pk}`, kind: 'write', units };
}

const STREAM_ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/memory/stream/2026-01-01T00:00:00.000';

/** Returns an index entry's position, or undefined if the row lacks an index key. */
function indexKey(index: Index, row: Row | undefined): { partition: string; sort: string } | undefined {
  const partition = attributeOf(row?.item, index.partitionKey);
  const sort = attributeOf(row?.item, index.sortKey);
  return partition && 'S' in partition && sort && 'S' in sort ? { partition: partition.S, sort: sort.S } : undefined;
}

function entryOf(item: Attributes, name: string): [string, Attributes[string]][] {
  const value = attributeOf(item, name);
  return value ? [[name, value]] : [];
}
