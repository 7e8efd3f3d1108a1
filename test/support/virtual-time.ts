import { setImmediate } from 'node:timers/promises';

/** Simulated time that jumps to the next scheduled action. */
export class VirtualTime {
  readonly #clock: { nowMs: number };
  readonly #busy: () => number;
  /** Latest action first. */
  readonly #plans: { readonly atMs: number; readonly act: () => void }[] = [];

  /** Moves `clock` with the simulated time. Time stands still while the counter `busy` keeps changing. */
  constructor(clock: { nowMs: number }, busy: () => number) {
    this.#clock = clock;
    this.#busy = busy;
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  /** Schedules an action. Simultaneous actions run in the order of scheduling. */
  after(ms: number, act: () => void): void {
    const atMs = this.#clock.nowMs + Math.max(0, ms);
    let [low, high] = [0, this.#plans.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#plans[middle]?.atMs ?? 0) > atMs) low = middle + 1;
      else high = middle;
    }
    this.#plans.splice(low, 0, { atMs, act });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  async run(ms: number): Promise<void> {
    const untilMs = this.#clock.nowMs + ms;
    await this.#settle();
    for (let next = this.#plans.at(-1); next && next.atMs <= untilMs; next = this.#plans.at(-1)) {
      this.#clock.nowMs = next.atMs;
      while ((this.#plans.at(-1)?.atMs ?? Infinity) <= this.#clock.nowMs) this.#plans.pop()?.act();
      await this.#settle();
    }
    this.#clock.nowMs = untilMs;
  }

  async #settle(): Promise<void> {
    for (let quiet = 0, before = -1; quiet < 2; ) {
      await setImmediate();
      quiet = before === this.#busy() ? quiet + 1 : 0;
      before = this.#busy();
    }
  }
}
