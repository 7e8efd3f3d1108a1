import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createConfig, formatProblems, getTotals, lintFromString } from '@redocly/openapi-core';
import { manifest } from '../../functions/manifest.ts';
import { keyKindsOf } from '../../shared/runtime/triggers/row.ts';
import { buildReference } from '../reference/build-reference.ts';
import { documentText } from '../reference/generate.ts';
import { type DocumentedRoute, documentedRoutes } from './documented-routes.ts';

/**
 * `npm run openapi` writes the document and the page that the service serves, and the table of routes in the architecture. `npm run
 * lint:openapi` writes nothing: exit 1 if the table is out of date, or the document has an error or a warning.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const architecture = 'docs/architecture.md';
const HEAD = '| method | path | key | |\n|---|---|---|---|\n';
const before = readFileSync(architecture, 'utf8');
const after = withRouteTable(before);
if (!values.check) {
  buildReference();
  writeFileSync(architecture, after);
} else if (before !== after) {
  console.error(`${architecture} is out of date with the manifest and the schemas: run npm run openapi.`);
  process.exitCode = 1;
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

/** A document with its table of routes as the manifest and the reference have them. @throws if it has no such table. */
function withRouteTable(markdown: string): string {
  const [before, after, ...more] = markdown.split(HEAD);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`There is not one table ${HEAD}`);
  const rest = after.slice(after.search(/^(?!\|)/m));
  return `${before}${HEAD}${documentedRoutes.map(line).join('')}${rest}`;
}

function line({ row, operation }: DocumentedRoute): string {
  const what = 'leftOut' in operation ? operation.leftOut : operation.summary;
  return `| ${row.method} | ${row.path} | ${keyKindsOf(row).join(', ')} | ${what} |\n`;
}
