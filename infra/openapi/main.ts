import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createConfig, formatProblems, getTotals, lintFromString } from '@redocly/openapi-core';
import { manifest } from '../../functions/manifest.ts';
import { buildReference } from '../reference/build-reference.ts';
import { documentText } from '../reference/generate.ts';
import { tables } from './document-tables.ts';

/**
 * `npm run openapi` writes the document and the page that the service serves, and the tables of `document-tables.ts`. With
 * `--check` nothing is written: exit 1 if a table is out of date, or the document has an error or a warning.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
if (!values.check) buildReference();
for (const [document, written] of Object.entries(tables)) {
  const before = readFileSync(document, 'utf8');
  const after = written(before);
  if (!values.check) writeFileSync(document, after);
  else if (before !== after) {
    console.error(`${document} is out of date with the manifest and the schemas: run npm run openapi.`);
    process.exitCode = 1;
  }
}

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // The service puts its own address in the place of this one.
    'no-server-example.com': 'off',
    // The short link only redirects; it, the document and the page have no error answers.
    'operation-2xx-response': 'off',
    'operation-4xx-response': 'off',
    // `verify/{reference}` is only read, and `{reference}/cancel` only posted to.
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
