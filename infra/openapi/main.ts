import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildReference } from '../reference/build-reference.ts';
import { tables } from './document-tables.ts';

/**
 * `npm run openapi` writes the document and the page that the service serves, and the tables of `document-tables.ts`. With
 * `--check` nothing is written: exit 1 if a table is out of date.
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
