import { spawnSync } from 'node:child_process';

export function run(script: string, given: readonly string[] = []): number {
  return spawnSync(process.execPath, [script, ...given], { stdio: 'inherit' }).status ?? 1;
}
