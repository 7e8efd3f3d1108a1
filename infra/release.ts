import { service } from '../functions/manifest.ts';
import packageJson from '../package.json' with { type: 'json' };
import { sha256 } from '../shared/runtime/values/sha256.ts';

/**
 * What this working copy would deploy: its version, and a hash of what a stage then consists of, which changes between two versions too. A
 * stage keeps that of its last deployment as an output, for `doctor` to compare.
 */
export const release = `${packageJson.version}-${hashOf(service)}`;

function hashOf({ functions, queues, parts }: typeof service): string {
  const calls = Object.entries(functions).map(([name, row]) => [name, row.on, row.on === 'queue' && row.queue]);
  const text = JSON.stringify([calls.toSorted(), queues, parts]);
  return sha256(text).slice(0, 8);
}
