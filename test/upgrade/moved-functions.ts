import { manifest } from '../../functions/manifest.ts';
import { partOf } from '../../infra/cdk/part.ts';

/** Returns each function's stack, or '' for the stage's main stack. */
export function partsNow(): Record<string, string> {
  return Object.fromEntries(Object.keys(manifest).map((name) => [name, partOf(name) ?? '']));
}

/**
 * Returns functions that the previous release had in another stack. Their names are fixed, so CloudFormation could not
 * move them.
 */
export function movedFunctions(before: Readonly<Record<string, string>>): string[] {
  const now = partsNow();
  return Object.keys(now).filter((name) => before[name] !== undefined && before[name] !== now[name]);
}
