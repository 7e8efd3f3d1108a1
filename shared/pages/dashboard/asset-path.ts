import hashes from './asset-hashes.json' with { type: 'json' };
import { SIGN_IN } from './parts/addresses.ts';

const byName = new Map(Object.entries(hashes));

export function assetHash(name: string): string | undefined {
  return byName.get(name);
}

/** Returns the URL of a stylesheet or script, which changes with its content. One area serves all assets. */
export function assetPath(name: keyof typeof hashes): string {
  return `${SIGN_IN}/asset/${hashes[name]}/${name}`;
}
