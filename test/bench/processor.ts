/**
 * Returns the processor share that comes with a function's memory. A JavaScript thread can use at most one processor,
 * which comes with 1,769 MB (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html).
 */
export function processorShare(memoryMegabytes: number): number {
  return Math.min(1, memoryMegabytes / 1769);
}
