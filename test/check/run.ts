import { spawnSync } from 'node:child_process';

/** Runs a script on this Node, and gives its exit code. */
export function run(script: string, given: readonly string[] = []): number {
  return spawnSync(process.execPath, [script, ...given], { stdio: 'inherit' }).status ?? 1;
}
