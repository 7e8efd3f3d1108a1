/** Measures the CPU milliseconds of this thread, because wall time on a busy machine includes other work. */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
