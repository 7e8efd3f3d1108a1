import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { fixturePath, fixtureText, isReleased } from './fixture.ts';
import { partsNow } from './moved-functions.ts';
import { tellStories } from './tell-stories.ts';

/**
 * `node test/upgrade/write-fixture.ts` stores this release's rows before its publication. `--again` overwrites them.
 * Rows of a published release must never be edited.
 */

const { values } = parseArgs({ options: { again: { type: 'boolean', default: false } } });
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
const file = fixturePath(version);
if (isReleased(version) || (existsSync(file) && !values.again)) {
  console.error(
    `The rows of ${version} are written. ${isReleased(version) ? 'It is released: raise the version first.' : 'Until it is released --again writes them anew.'}`,
  );
  process.exit(1);
}
const fixture = { ...(await tellStories(version)), parts: partsNow() };
writeFileSync(file, fixtureText(fixture));
console.log(`${fixture.rows.length} rows at ${fixture.moments.length} moments: ${file.pathname}`);
