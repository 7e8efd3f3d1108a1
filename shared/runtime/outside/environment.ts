/** A function's settings, read where they are used. @throws an Error that names the missing variable. */
export function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/** The variable that holds a function's name on AWS: `work/repair` is `FUNCTION_WORK_REPAIR`. */
export function functionVariable(name: string): string {
  return `FUNCTION_${name.toUpperCase().replaceAll(/[/-]/g, '_')}`;
}

/** The variable that holds a queue's URL: `deliver-sms` is `QUEUE_URL_DELIVER_SMS`. */
export function queueUrlVariable(queue: string): string {
  return `QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`;
}
