import { renameSync, rmSync, type StatsFs, statfsSync, writeFileSync } from 'node:fs';
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
    throw hasCode(error, 'ENOSPC', 'EDQUOT') ? new Error(diskFull(dirname(file)), { cause: error }) : error;
  }
}

type Disk = Pick<StatsFs, 'blocks' | 'bavail' | 'bsize'>;

/** A kept table starts with 56 KB. */
const MIN_FREE_BYTES = 1_000_000;

/** @throws with the same sentence where next to nothing is free: DynamoDB Local would neither answer nor say why. */
export function refuseFullDisk(folder: string, disk: Disk = statfsSync(folder)): void {
  // A file system that counts no blocks does not say what is free.
  if (disk.blocks > 0 && disk.bavail * disk.bsize < MIN_FREE_BYTES) throw new Error(diskFull(folder));
}

/** Whether the system failed with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

export function diskFull(folder: string): string {
  return `The disk is full: nothing can be written to ${folder}. Free some space and try again.`;
}
