const TRIES = 5;
const REFERENCE = '"a" '.repeat(250_000);

/**
 * Returns the CPU time of `work` as a multiple of the time to scan a megabyte with a regular expression. Both are
 * measured together in this thread, so that the machine's speed and load cancel out. Takes the least of up to
 * `TRIES` runs, because garbage collection may slow one down, and stops as soon as a run takes less than `most`.
 */
export async function costOf(most: number, work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= most; tries++) {
    const referenceMs = await cpuMsOf(scanMegabyte);
    least = Math.min(least, (await cpuMsOf(work)) / referenceMs);
  }
  return least;
}

function scanMegabyte(): number {
  return REFERENCE.match(/"[^"]*"/g)?.length ?? 0;
}

async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
