import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildReference } from '../reference/build-reference.ts';
import { tables } from './document-tables.ts';

/**
 * Entry point of `npm run openapi`: writes the document, the served page and the generated tables. `--check` exits with
 * 1 if a table is outdated.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
if (!values.check) buildReference();
for (const [document, written] of Object.entries(tables)) {
  const before = readFileSync(document, 'utf8');
  const after = written(before);
  if (!values.check) writeFileSync(document, after);
  else if (before !== after) {
    console.error(`${document} does not match the manifest and the schemas. Run npm run openapi.`);
    process.exitCode = 1;
  }
}
