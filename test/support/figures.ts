import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Adds a line to the summary of a test run. */
export function reportFigure(line: string): void {
  appendFileSync(fileIn(inject('folder')), `${line}\n`);
}

export function figuresIn(folder: string): string {
  return existsSync(fileIn(folder)) ? readFileSync(fileIn(folder), 'utf8') : '';
}

function fileIn(folder: string): string {
  return join(folder, 'figures');
}
