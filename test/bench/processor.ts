/**
 * How much of a processor comes with a function's memory, which one thread of JavaScript can use: a whole one at 1,769 MB
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html).
 */
export function processorShare(memoryMegabytes: number): number {
  return Math.min(1, memoryMegabytes / 1769);
}
