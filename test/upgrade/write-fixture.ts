import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { begin, type Story, untilQuiet } from '../simulation/crash-matrix.ts';
import type { Kiosk } from '../simulation/kiosk.ts';
import { exampleOf, type Fixture, fixturePath, fixtureText, Row } from './fixture.ts';
import { isWhole, upgradeStories } from './stories.ts';

/*
 * `node test/upgrade/write-fixture.ts`: writes the rows that this release stores, once, before it is released. `--again` writes them
 * anew while it is not: the rows of a release that is out are never edited.
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
const fixture = await write();
writeFileSync(file, fixtureText(fixture));
console.log(`${fixture.rows.length} rows at ${fixture.moments.length} moments: ${file.pathname}`);

function isReleased(version: string): boolean {
  return readFileSync('CHANGELOG.md', 'utf8').includes(`## [${version}]`);
}

async function write(): Promise<Fixture> {
  const places = new Map<string, number>();
  const seen = new Set<string>();
  const moments: Fixture['moments'] = [];
  const note = (story: string, kiosk: Kiosk, has_begun: boolean) => {
    const found = kiosk.memory.items().map((item) => Row.parse(item));
    const isNew = found.some((row) => !seen.has(exampleOf(row)));
    if (has_begun && !isNew) return;
    for (const row of found) seen.add(exampleOf(row));
    const rows = found.map((row) => {
      const json = JSON.stringify(row);
      const place = places.get(json) ?? places.size;
      places.set(json, place);
      return place;
    });
    moments.push({ story, has_begun, rows, surroundings: kiosk.surroundings() });
  };
  for (const [name, story] of Object.entries(upgradeStories)) await tell(name, story, note);
  return { version, rows: [...places.keys()].map((json) => Row.parse(JSON.parse(json))), moments };
}

/** Notes a story before it begins, and whenever something is in the table that no moment before it had. */
async function tell(
  name: string,
  story: Story,
  note: (story: string, kiosk: Kiosk, hasBegun: boolean) => void,
): Promise<void> {
  const outcome = () => story.outcome ?? ('Sent' as const);
  const kiosk = await begin(story);
  await relayAll(kiosk);
  note(name, kiosk, false);
  await story.happens(kiosk);
  const steps = [() => relayAll(kiosk), () => kiosk.work(), () => kiosk.phonesWork(outcome)];
  for (let n = 0; n < 12; n++) {
    await steps[n % steps.length]?.();
    await relayAll(kiosk);
    if (!isWhole(name)) note(name, kiosk, true);
  }
  await untilQuiet(kiosk, () => kiosk.goOn(outcome));
  if (!isWhole(name)) note(name, kiosk, true);
}

async function relayAll(kiosk: Kiosk): Promise<void> {
  while (kiosk.unrelayed > 0) await kiosk.relay();
}
