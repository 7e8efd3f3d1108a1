import type { Answer } from '../../runtime/http/answer.ts';
import { type StaticText, staticAnswer, staticText } from '../../runtime/http/static-answer.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { hashOf } from './asset-hash.ts';
import styles from './assets.json' with { type: 'json' };
import scripts from './scripts.json' with { type: 'json' };
import type { Visit } from './visit.ts';

const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The style and the scripts of every page. */
const assets = new Map(
  Object.entries({ ...styles, ...scripts }).map(([name, text]) => [name, { text, hash: hashOf(text) }]),
);

/**
 * One of them; undefined for any other name. Browsers keep it for a year. A page of before a deployment gets what there is now,
 * and keeps it no longer than the page.
 */
export function assetAnswer(
  name: string,
  hash: string,
  headers: Readonly<Record<string, string | undefined>>,
): Answer | undefined {
  const asset = assets.get(name);
  if (!asset) return undefined;
  const type = `${types[name.split('.').at(-1) ?? '']}; charset=utf-8`;
  const compressed = compressedTexts.get(name) ?? staticText(asset.text);
  compressedTexts.set(name, compressed);
  return staticAnswer(compressed, headers, type, hash === asset.hash ? YEAR_SECONDS : 0);
}

const compressedTexts = new Map<string, StaticText>();

/** A style or a script. */
export async function showAsset({ path, headers }: Visit<'hash' | 'name'>): Promise<Answer> {
  const found = assetAnswer(path.name, path.hash, headers);
  if (!found) throw new PublicError('not_found', 'There is no such file.');
  return found;
}
