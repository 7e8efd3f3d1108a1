import { EXAMPLE_BASE_URL } from '../../shared/docs/base-url.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { type StaticText, staticAnswer, staticText } from '../../shared/runtime/http/static-answer.ts';
import { readOwnFile } from '../../shared/runtime/outside/own-file.ts';
import { manifest } from '../manifest.ts';

const [file] = manifest['docs/openapi'].files;
const MAX_AGE_SECONDS = 5 * 60;

/** For each address that the service has, which is one for each deployment. */
const made = new Map<string, StaticText>();

/** The API reference for programs: what `npm run openapi` wrote, with the service's own address in it. */
export const handler = http(manifest['docs/openapi'], {}, async ({ headers }, { baseUrl }) => {
  const document = made.get(baseUrl) ?? staticText((await readOwnFile(file)).replaceAll(EXAMPLE_BASE_URL, baseUrl));
  made.set(baseUrl, document);
  return staticAnswer(document, headers, 'application/json; charset=utf-8', MAX_AGE_SECONDS);
});
