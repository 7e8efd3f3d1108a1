/**
 * Returns the vCPU share for a function's memory. A JavaScript thread can use at most one vCPU, which needs 1,769 MB
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html).
 */
export function processorShare(memoryMegabytes: number): number {
  return Math.min(1, memoryMegabytes / 1769);
}
