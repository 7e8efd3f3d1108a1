import { spawnSync } from 'node:child_process';
import type { Language } from '../../infra/reference/samples.ts';

const programs: readonly (readonly [Language, command: string, option: string])[] = [
  ['curl', 'curl', '--version'],
  ['node', process.execPath, '--version'],
  ['php', 'php', '--version'],
  ['python', 'python3', '--version'],
];

export const runnable: readonly Language[] = programs.flatMap(([language, command, option]) =>
  spawnSync(command, [option]).status === 0 ? [language] : [],
);
