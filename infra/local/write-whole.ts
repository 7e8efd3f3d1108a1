import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file by way of another name, so that others see it complete or not at all, also where two processes write it at once.
 * @throws with a sentence for people where the disk is full.
 */
export function writeWhole(file: string, text: string, mode?: number): void {
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, text, { mode });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw isDiskFull(error) ? new Error(diskFull(dirname(file)), { cause: error }) : error;
  }
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

export function diskFull(folder: string): string {
  return `The disk is full: nothing can be written to ${folder}. Free some space and try again.`;
}
