import { quantile } from '../bench/measure.ts';

export class Samples {
  readonly counts = new Map<string, number>();
  readonly #times = new Map<string, number[]>();

  count(name: string, n = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + n);
  }

  counted(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  time(name: string, ms: number): void {
    const times = this.#times.get(name) ?? [];
    times.push(ms);
    this.#times.set(name, times);
  }

  timed(name: string): readonly number[] {
    return this.#times.get(name) ?? [];
  }

  /** In milliseconds. NaN if there are no samples. */
  p99(name: string): number {
    const times = this.timed(name);
    return times.length > 0 ? quantile(times, 0.99) : Number.NaN;
  }
}
