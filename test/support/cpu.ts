/** Measures this thread's CPU time in milliseconds. On a busy machine, wall time would include other processes. */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
