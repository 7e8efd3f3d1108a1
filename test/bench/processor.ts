/**
 * The share of a processor that comes with a function's memory, of which a JavaScript thread can use at most one: a
 * whole one at 1,769 MB (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html).
 */
export function processorShare(memoryMegabytes: number): number {
  return Math.min(1, memoryMegabytes / 1769);
}
