import { renameSync, rmSync, type StatsFs, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file under a temporary name first. Readers never see a partial file, even with two writers.
 * @throws an Error with a user-friendly message if the disk is full.
 */
export function writeWhole(file: string, text: string, mode?: number): void {
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, text, { mode });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw hasCode(error, 'ENOSPC', 'EDQUOT') ? new Error(diskFull(dirname(file)), { cause: error }) : error;
  }
}

type Disk = Pick<StatsFs, 'blocks' | 'bavail' | 'bsize'>;

/** Minimum free space in bytes. A new kept table takes up 56 KB. */
const MIN_FREE_BYTES = 1_000_000;

/**
 * Checks for free disk space, because DynamoDB Local would stop without an error message.
 * @throws the same Error as `writeWhole` if almost no space is free.
 */
export function refuseFullDisk(folder: string, disk: Disk = statfsSync(folder)): void {
  // Some file systems report no sizes at all.
  if (disk.blocks > 0 && disk.bavail * disk.bsize < MIN_FREE_BYTES) throw new Error(diskFull(folder));
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

export function diskFull(folder: string): string {
  return `The disk is full: nothing can be written to ${folder}. Free some space and try again.`;
}
