import { textWithAddress } from '../../shared/pages/docs/text-with-address.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { staticAnswer } from '../../shared/runtime/http/static-answer.ts';
import { manifest } from '../manifest.ts';

const [file] = manifest['docs/markdown'].files;
const MAX_AGE_SECONDS = 5 * 60;

/** Serves the generated API reference as Markdown, with the service's own base URL. */
export const handler = http(manifest['docs/markdown'], {}, async ({ headers }, { baseUrl }) =>
  staticAnswer(await textWithAddress(file, baseUrl), headers, 'text/markdown; charset=utf-8', MAX_AGE_SECONDS),
);
