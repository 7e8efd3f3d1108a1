import type { Answer } from '../../runtime/http/answer.ts';
import { type StaticText, staticAnswer, staticText } from '../../runtime/http/static-answer.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { sha256Bytes } from '../../runtime/values/sha256.ts';
import { assetHash } from './asset-path.ts';
import texts from './assets.json' with { type: 'json' };
import type { InlineStyle, Visit } from './parts/visit.ts';

const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };
const YEAR_SECONDS = 365 * DAY_SECONDS;

const assets = new Map(Object.entries(texts));

/** The inline stylesheet and its policy entry, for a visitor's first page. */
export const dashboardStyle: InlineStyle = {
  text: texts['dashboard.css'],
  source: `'sha256-${sha256Bytes(texts['dashboard.css']).toString('base64')}'`,
};

/**
 * Serves an asset, or returns undefined if it does not exist. Browsers cache it for a year. A page from before the last
 * deployment gets the current version, uncached.
 */
export function assetAnswer(
  name: string,
  hash: string,
  headers: Readonly<Record<string, string | undefined>>,
): Answer | undefined {
  const text = assets.get(name);
  if (text === undefined) return undefined;
  const type = `${types[name.split('.').at(-1) ?? '']}; charset=utf-8`;
  const compressed = compressedTexts.get(name) ?? staticText(text);
  compressedTexts.set(name, compressed);
  return staticAnswer(compressed, headers, type, hash === assetHash(name) ? YEAR_SECONDS : 0);
}

const compressedTexts = new Map<string, StaticText>();

export async function showAsset({ path, headers }: Visit<'hash' | 'name'>): Promise<Answer> {
  const found = assetAnswer(path.name, path.hash, headers);
  if (!found) throw new PublicError('not_found', 'This file does not exist.');
  return found;
}
