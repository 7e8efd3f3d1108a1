import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

export function readOwnFile(file: string): Promise<string> {
  const { LAMBDA_TASK_ROOT } = process.env;
  return readFile(LAMBDA_TASK_ROOT ? join(LAMBDA_TASK_ROOT, basename(file)) : file, 'utf8');
}
