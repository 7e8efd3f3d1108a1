/** The processor time of something in milliseconds, of this thread alone: on a busy machine the clock on the wall measures the others too. */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
