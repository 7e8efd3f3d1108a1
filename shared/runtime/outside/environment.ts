/** @throws an Error naming the variable if it is not set. */
export function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}

export function functionVariable(name: string): string {
  return `FUNCTION_${name.toUpperCase().replaceAll(/[/-]/g, '_')}`;
}

export function queueUrlVariable(queue: string): string {
  return `QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`;
}
