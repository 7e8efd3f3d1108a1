/**
 * DynamoDB's throughput per second per partition key, for the table and for each index: 1,000 write units and 3,000
 * read units. A request above the limit is rejected as a whole. A throttled index also rejects writes to the table.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html
 */
const UNITS_PER_SECOND = { write: 1000, read: 3000 };

export interface Units {
  readonly key: string;
  readonly kind: keyof typeof UNITS_PER_SECOND;
  readonly units: number;
}

export interface Carried {
  total: number;
  peak: number;
  refused: number;
}

/** Thrown if a key has no units left in this second. */
export class OverCapacity extends Error {
  constructor(key: string) {
    super(`${key} has no units left in this second`);
  }
}

/** Limits each key and records its load. An idle key saves up at most one second's worth of units. */
export class Capacity {
  readonly carried = { write: new Map<string, Carried>(), read: new Map<string, Carried>() };
  readonly #now: () => number;
  readonly #mostOf: (key: string) => number | undefined;
  readonly #buckets = new Map<string, { left: number; filledMs: number; second: number; inSecond: number }>();

  /** `now` returns milliseconds. `mostOf` returns a key's own limit in units per second, if any. */
  constructor(now: () => number, mostOf: (key: string) => number | undefined = () => undefined) {
    this.#now = now;
    this.#mostOf = mostOf;
  }

  /**
   * Takes all units or none.
   * @throws OverCapacity if a key has no units left. The last request in a second may take more units than are left.
   */
  take(all: readonly Units[]): void {
    for (const { key, kind } of all) {
      if (this.#bucket(key, kind).left > 0) continue;
      this.#carriedBy(key, kind).refused++;
      throw new OverCapacity(key);
    }
    this.bill(all);
  }

  bill(all: readonly Units[]): void {
    for (const { key, kind, units } of all) {
      const bucket = this.#bucket(key, kind);
      const carried = this.#carriedBy(key, kind);
      bucket.left -= units;
      bucket.inSecond += units;
      carried.total += units;
      carried.peak = Math.max(carried.peak, bucket.inSecond);
    }
  }

  /** Returns the keys with the most load per second, busiest first. */
  busiest(kind: Units['kind'], most: number): (Carried & { readonly key: string })[] {
    const keys = [...this.carried[kind]].map(([key, carried]) => ({ key, ...carried }));
    return keys.toSorted((one, other) => other.peak - one.peak).slice(0, most);
  }

  #carriedBy(key: string, kind: Units['kind']): Carried {
    const carried = this.carried[kind].get(key) ?? { total: 0, peak: 0, refused: 0 };
    this.carried[kind].set(key, carried);
    return carried;
  }

  #bucket(key: string, kind: Units['kind']) {
    const most = this.#mostOf(key) ?? UNITS_PER_SECOND[kind];
    const nowMs = this.#now();
    const second = Math.floor(nowMs / 1000);
    const name = `${kind} ${key}`;
    const bucket = this.#buckets.get(name) ?? { left: most, filledMs: nowMs, second, inSecond: 0 };
    this.#buckets.set(name, bucket);
    bucket.left = Math.min(most, bucket.left + ((nowMs - bucket.filledMs) / 1000) * most);
    bucket.filledMs = nowMs;
    if (bucket.second !== second) Object.assign(bucket, { second, inSecond: 0 });
    return bucket;
  }
}
