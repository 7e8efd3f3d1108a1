import { manifest } from '../../functions/manifest.ts';
import { openApiDocument } from '../openapi/document.ts';
import { documentedRoutes, eventDocumentation } from '../openapi/documented-routes.ts';
import { OpenApi } from './openapi.ts';
import { referencePage } from './page.ts';
import { llmsText, referenceMarkdown } from './reference-markdown.ts';

export function documentText(): string {
  return `${JSON.stringify(openApiDocument(documentedRoutes, eventDocumentation), null, 2)}\n`;
}

/** Prints the files when run as a program, so that other code does not have to load the generator. */
if (import.meta.main) {
  const text = documentText();
  const document = OpenApi.parse(JSON.parse(text));
  const files = {
    [manifest['docs/openapi'].files[0]]: text,
    [manifest['docs/page'].files[0]]: await referencePage(document),
    [manifest['docs/markdown'].files[0]]: referenceMarkdown(document),
    [manifest['docs/llms'].files[0]]: llmsText(document),
  };
  process.stdout.write(JSON.stringify(files));
}
