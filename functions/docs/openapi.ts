import { openApiDocument } from '../../shared/openapi/document.ts';
import { http } from '../../shared/runtime/http.ts';
import { type StaticText, staticAnswer, staticText } from '../../shared/runtime/static-answer.ts';
import { documentedRoutes, eventDocumentation } from '../documentation.ts';
import { manifest } from '../manifest.ts';

const MAX_AGE_SECONDS = 5 * 60;

/** Made once for each address that the service has, which is one for each deployment. */
const made = new Map<string, StaticText>();

/** The API reference for programs. */
export const handler = http(manifest['docs/openapi'], {}, async ({ headers }, { baseUrl }) => {
  const document =
    made.get(baseUrl) ?? staticText(JSON.stringify(openApiDocument(baseUrl, documentedRoutes, eventDocumentation)));
  made.set(baseUrl, document);
  return staticAnswer(document, headers, 'application/json; charset=utf-8', MAX_AGE_SECONDS);
});
