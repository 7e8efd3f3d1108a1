import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from '../../functions/manifest.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';

/** A function's table request as IAM checks it. Has one part per item, or per write of a transaction. */
export interface RecordedCall {
  readonly name: string;
  readonly operation: string;
  readonly parts: readonly RecordedPart[];
}

export interface RecordedPart {
  readonly action: string;
  readonly index?: string | undefined;
  readonly partition: string;
}

/**
 * Manifest rows by `whenItFails`, which is unique. `completeRow` returns a copy, so rows cannot be found by identity.
 */
const names = new Map(Object.entries<Row>(manifest).map(([name, { whenItFails }]) => [whenItFails, name]));
if (names.size !== Object.keys(manifest).length) throw new Error('Two functions have the same whenItFails');

const known = new Map<string, RecordedCall>();

/**
 * Records each distinct table request in the folder that RECORDED_CALLS names, if it is set. All processes of a run
 * share this folder.
 */
export function recordCall({ whenItFails }: Row, operation: string, parts: readonly RecordedPart[]): void {
  const name = names.get(whenItFails);
  if (name === undefined) return;
  const kinds = parts.map(({ action, index, partition }) => `${action} ${index ?? ''} ${kindOf(partition)}`);
  const kind = `${name} ${operation} ${[...new Set(kinds)].sort().join()}`;
  if (known.has(kind)) return;
  const call = { name, operation, parts };
  known.set(kind, call);
  const { RECORDED_CALLS } = process.env;
  if (RECORDED_CALLS) appendFileSync(join(RECORDED_CALLS, `${process.pid}.jsonl`), `${JSON.stringify(call)}\n`);
}

export function recordedCalls(): RecordedCall[] {
  return [...known.values()];
}

/** Removes ids, hashes and numbers from a partition key. */
function kindOf(partition: string): string {
  return partition.replace(/[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{16,}|\d{2,}/g, '0');
}
