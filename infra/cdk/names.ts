/** A function's name where no slash may stand: in constructs, Lambdas, queues and alarms. */
export function idOf(name: string): string {
  return name.replaceAll('/', '-');
}
