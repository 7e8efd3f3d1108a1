import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PublicError } from '../../shared/runtime/errors.ts';
import { http } from '../../shared/runtime/http.ts';
import { type StaticText, staticAnswer, staticText } from '../../shared/runtime/static-answer.ts';
import { manifest } from '../manifest.ts';

/** The page names a file with its version, so that what a browser keeps never goes stale. */
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;
const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const read = new Map<string, StaticText>();

/** Hands out what the page of the reference loads: the renderer and its style. */
export const handler = http(manifest['docs/file'], {}, async ({ path, headers }) => {
  const file = manifest['docs/file'].files.find((one) => basename(one) === path.file);
  const contentType = contentTypes[file?.split('.').at(-1) ?? ''];
  if (!file || !contentType) throw new PublicError('not_found', 'The reference has no such file.');
  const place = placeOf(file);
  const text = read.get(place) ?? staticText(await readFile(place, 'utf8'));
  read.set(place, text);
  return staticAnswer(text, headers, contentType, MAX_AGE_SECONDS);
});

/** On Lambda the files lie beside the code, elsewhere in their package. */
function placeOf(file: string): string {
  const { LAMBDA_TASK_ROOT } = process.env;
  return LAMBDA_TASK_ROOT ? join(LAMBDA_TASK_ROOT, basename(file)) : join('node_modules', file);
}
