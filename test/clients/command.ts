import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export function isThere(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
}

/** Runs a command and returns its output. @throws an Error with all output if the command fails. */
export function command(
  name: string,
  given: readonly string[],
  { cwd, environment = {} }: { cwd?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...environment }, maxBuffer: Number.POSITIVE_INFINITY };
  return new Promise((resolve, reject) => {
    execFile(name, given, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${name} ${given.join(' ')}\n${stdout}${stderr || error.message}`));
      else resolve(stdout);
    });
  });
}
