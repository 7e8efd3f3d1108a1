import type { Example } from '../../shared/runtime/http/operation.ts';

/** A single example is not put in a list: the page would offer a choice of one. */
export function examplesOf(examples: Readonly<Record<string, Example>>) {
  const [only, ...more] = Object.values(examples);
  return only && more.length === 0 ? { example: only.value } : { examples };
}
