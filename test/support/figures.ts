import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A line that `npm test` prints at its end: how much was tried, and what came of it. */
export function reportFigure(line: string): void {
  appendFileSync(fileIn(inject('folder')), `${line}\n`);
}

/** What tests reported into this folder. */
export function figuresIn(folder: string): string {
  return existsSync(fileIn(folder)) ? readFileSync(fileIn(folder), 'utf8') : '';
}

function fileIn(folder: string): string {
  return join(folder, 'figures');
}
