import { service } from '../functions/manifest.ts';
import packageJson from '../package.json' with { type: 'json' };
import { sha256 } from '../shared/runtime/values/sha256.ts';

/**
 * The release of this working copy: its version and a hash of the deployed content. `doctor` compares it with the
 * stage's output.
 */
export const release = `${packageJson.version}-${hashOf(service)}`;

function hashOf({ functions, queues, parts }: typeof service): string {
  const calls = Object.entries(functions).map(([name, row]) => [name, row.on, row.on === 'queue' && row.queue]);
  const text = JSON.stringify([calls.toSorted(), queues, parts]);
  return sha256(text).slice(0, 8);
}
