import hashes from './asset-hashes.json' with { type: 'json' };
import { SIGN_IN } from './parts/addresses.ts';

const byName = new Map(Object.entries(hashes));

export function assetHash(name: string): string | undefined {
  return byName.get(name);
}

/** Where a style or a script is served, by the one area that carries them: an address that changes with what is in it. */
export function assetPath(name: keyof typeof hashes): string {
  return `${SIGN_IN}/asset/${hashes[name]}/${name}`;
}
