import { createConfig, formatProblems, getTotals, lintFromString } from '@redocly/openapi-core';
import { manifest } from '../../functions/manifest.ts';
import { documentText } from '../../infra/reference/generate.ts';

/** Lints the API document. Exits with 1 if there is an error or warning. */
const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // The service replaces this server address with its own.
    'no-server-example.com': 'off',
    // The short link only redirects. The short link, the document and the page have no error responses.
    'operation-2xx-response': 'off',
    'operation-4xx-response': 'off',
    // `verify/{reference}` only accepts GET, and `{reference}/cancel` only accepts POST.
    'no-ambiguous-paths': 'off',
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
  },
});
const [absoluteRef] = manifest['docs/openapi'].files;
const problems = await lintFromString({ source: documentText(), absoluteRef, config });
formatProblems(problems, { totals: getTotals(problems), version: '' });
if (problems.length > 0) process.exitCode = 1;
