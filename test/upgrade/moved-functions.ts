import { manifest } from '../../functions/manifest.ts';
import { partOf } from '../../infra/cdk/part.ts';

/** Returns the part to which each function belongs, '' for the stage's own stack. */
export function partsNow(): Record<string, string> {
  return Object.fromEntries(Object.keys(manifest).map((name) => [name, partOf(name) ?? '']));
}

/**
 * Returns functions that belonged to another stack in the previous release. Their names are fixed, so CloudFormation
 * would report that the names are taken, and the update would fail halfway.
 */
export function movedFunctions(before: Readonly<Record<string, string>>): string[] {
  const now = partsNow();
  return Object.keys(now).filter((name) => before[name] !== undefined && before[name] !== now[name]);
}
