/** A seeded random number generator (mulberry32). */
export interface Chance {
  /** Returns a number x with 0 ≤ x < 1. */
  next(): number;
  /** Returns an integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  happens(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /** Picks a value with a probability proportional to its weight. */
  pickWeighted<Value>(values: readonly (readonly [weight: number, value: Value])[]): Value;
  shuffled<Value>(values: readonly Value[]): Value[];
  bytes(length: number): Buffer;
}

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pick = <Value>(values: readonly Value[]) => {
    const value = values[between(0, values.length - 1)];
    if (value === undefined) throw new Error('There is nothing to pick from');
    return value;
  };
  return {
    next,
    between,
    pick,
    happens: (probability) => next() < probability,
    pickWeighted: (values) => pick(values.flatMap(([weight, value]) => Array.from({ length: weight }, () => value))),
    shuffled: (values) => {
      const order = [...values];
      for (let n = order.length - 1; n > 0; n--) {
        const other = between(0, n);
        const [a, b] = [order[n], order[other]];
        if (a !== undefined && b !== undefined) [order[n], order[other]] = [b, a];
      }
      return order;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => between(0, 255))),
  };
}
