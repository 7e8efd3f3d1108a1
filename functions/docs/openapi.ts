import { textWithAddress } from '../../shared/pages/docs/text-with-address.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { staticAnswer } from '../../shared/runtime/http/static-answer.ts';
import { manifest } from '../manifest.ts';

const [file] = manifest['docs/openapi'].files;
const MAX_AGE_SECONDS = 5 * 60;

/** Serves the generated OpenAPI document, with the service's own base URL. */
export const handler = http(manifest['docs/openapi'], {}, async ({ headers }, { baseUrl }) =>
  staticAnswer(await textWithAddress(file, baseUrl), headers, 'application/json; charset=utf-8', MAX_AGE_SECONDS),
);
