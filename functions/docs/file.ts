import { basename, extname } from 'node:path';
import { http } from '../../shared/runtime/http/http.ts';
import { type StaticText, staticAnswer, staticText } from '../../shared/runtime/http/static-answer.ts';
import { readOwnFile } from '../../shared/runtime/outside/own-file.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { manifest } from '../manifest.ts';

/** The page names each file with its version, so that a browser's cached copy is never stale. */
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Always: every browser takes gzip, and uncompressed these are megabytes that anybody could have sent at our cost. */
const COMPRESSED = { 'accept-encoding': 'gzip' };

const made = new Map<string, StaticText>();

/** Serves the files that the page of the reference loads: the renderer and its style. */
export const handler = http(manifest['docs/file'], {}, async ({ path }) => {
  const file = manifest['docs/file'].files.find((one) => basename(one) === path.file);
  const contentType = contentTypes[extname(path.file)];
  if (!file || !contentType) throw new PublicError('not_found', 'There is no such file in the API reference.');
  const text = made.get(file) ?? staticText(await readOwnFile(file));
  made.set(file, text);
  return staticAnswer(text, COMPRESSED, contentType, MAX_AGE_SECONDS);
});
