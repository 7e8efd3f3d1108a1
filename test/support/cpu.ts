import { expect } from 'vitest';

const TRIES = 5;
const MEGABYTE = '"a" '.repeat(250_000);

/**
 * Expects that `work` takes less CPU time than `mostScans` times scanning a megabyte with a regular expression. Both
 * are measured together in this thread, so that the machine's speed and load cancel out. Takes the cheapest of up to
 * `TRIES` runs, because garbage collection may slow one down.
 */
export async function expectCost(mostScans: number, work: () => unknown, what?: string): Promise<void> {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= mostScans; tries++) {
    const scanMs = cpuMsOf(() => void MEGABYTE.match(/"[^"]*"/g));
    least = Math.min(least, (await cpuMsOfAll(work)) / scanMs);
  }
  expect(least, what).toBeLessThan(mostScans);
}

async function cpuMsOfAll(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  return msSince(before);
}

/** Returns the CPU time of synchronous work in this thread, in milliseconds. */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return msSince(before);
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
