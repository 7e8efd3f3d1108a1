import { manifest } from '../../functions/manifest.ts';
import { openApiDocument } from '../openapi/document.ts';
import { documentedRoutes, eventDocumentation } from '../openapi/documented-routes.ts';
import { referencePage } from './page.ts';

/** The OpenAPI document, as it is served. */
export function documentText(): string {
  return `${JSON.stringify(openApiDocument(documentedRoutes, eventDocumentation), null, 2)}\n`;
}

/** A program of its own, which prints both files: what only needs a reference that is there loads no generator. */
if (import.meta.main) {
  const document = documentText();
  const files = {
    [manifest['docs/openapi'].files[0]]: document,
    [manifest['docs/page'].files[0]]: await referencePage(JSON.parse(document)),
  };
  process.stdout.write(JSON.stringify(files));
}
