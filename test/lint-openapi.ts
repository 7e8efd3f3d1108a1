import { createConfig, formatProblems, getTotals, lintFromString } from '@redocly/openapi-core';
import { documentedRoutes, eventDocumentation } from '../functions/documentation.ts';
import { openApiDocument } from '../shared/openapi/document.ts';

/** `npm run lint:openapi`: exit 1 where the OpenAPI document has an error or a warning. */
const document = openApiDocument('https://pay.momo.test', documentedRoutes, eventDocumentation);
const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // The short link only redirects; it, the document and the page refuse nobody.
    'operation-2xx-response': 'off',
    'operation-4xx-response': 'off',
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
  },
});
const problems = await lintFromString({
  source: JSON.stringify(document, null, 2),
  absoluteRef: 'openapi.json',
  config,
});
formatProblems(problems, { totals: getTotals(problems), version: '' });
if (problems.length > 0) process.exitCode = 1;
