import hashes from './asset-hashes.json' with { type: 'json' };
import { SIGN_IN } from './parts/addresses.ts';

const byName = new Map(Object.entries(hashes));

export function assetHash(name: string): string | undefined {
  return byName.get(name);
}

/** Returns an asset's URL, which changes with its content. */
export function assetPath(name: keyof typeof hashes): string {
  return `${SIGN_IN}/asset/${hashes[name]}/${name}`;
}
