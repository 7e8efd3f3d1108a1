import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pageAssets } from './assets.ts';

/**
 * Entry point of `npm run assets`: writes each folder's `assets.json` and the dashboard's hashes. `--check` exits with
 * 1 if a file is outdated.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
for (const [file, text] of pageAssets()) {
  if (!values.check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is out of date with the styles and scripts next to it. Run npm run assets.`);
    process.exitCode = 1;
  }
}
